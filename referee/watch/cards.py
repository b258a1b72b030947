"""Which card became what, between the table as it lay and the table as it lies now.

Only what lies where the picture changed is asked about: everything else is as it was, however the eyes read it today.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from referee.types import Card, Outline, Point
from referee.vision.motion import Mask
from referee.watch.change import changed_share, share

CARD_MM = (63.0, 88.0)
UNTOUCHED = 0.06
"""Share of a card that a neighbour's shadow may change."""
NEW = 0.35
"""Share of a new card's place that must have changed."""
GONE = 0.45
"""Share of a card's open part that changes when it goes."""
BURIED = 0.24
"""With less of a card open nobody can say that it is gone; of one turned crosswise where it lay more is open."""
SAME_PLACE = 0.5
"""In widths of a card."""
NUDGED, LEAST_OPEN = 0.12, 0.4
AS_IT_LAY = 0.15
TOUCHING_MM = 8.0
SURELY_READ = 0.9


@dataclass(frozen=True, slots=True)
class Change:
    """One card's change: `was` None is a new card, `now` None a card that went away."""

    was: Card | None
    now: Card | None


@dataclass(slots=True)
class Comparison:
    kept: list[Card] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


def compare(
    known: Iterable[Card], seen: Iterable[Card], mask: Mask, things: Iterable[BaseGeometry] = ()
) -> Comparison:
    """What became of the known cards, given those seen now; `things` are other objects that may hide a card."""
    out = Comparison()
    asked: list[Card] = []
    for card in known:
        (out.kept if share(mask, card.corners_px) < UNTOUCHED else asked).append(card)
    fresh = [c for c in seen if _is_asked(c, asked, mask) and not any(_same(k, c) for k in out.kept)]
    _pair(asked, fresh, out, _as_it_was, keep=True)
    _pair(asked, fresh, out, _in_its_place, keep=False)
    _pair(asked, fresh, out, _same_look_elsewhere, keep=False)
    fresh = [c for c in fresh if share(mask, c.corners_px) >= NEW]
    asked = _still_there(asked, fresh, out, mask, list(things))
    _pair(asked, fresh, out, _turned_elsewhere, keep=False)
    _pair_the_unsure(asked, fresh, out)
    out.changes += [Change(card, None) for card in asked] + [Change(None, card) for card in fresh]
    return out


def _is_asked(card: Card, asked: list[Card], mask: Mask) -> bool:
    """It lies where the picture changed, or where a card lies that is asked about."""
    return share(mask, card.corners_px) >= UNTOUCHED or any(_same(known, card) for known in asked)


def _pair(
    asked: list[Card],
    fresh: list[Card],
    out: Comparison,
    likeness: Callable[[Card, Card], float | None],
    keep: bool,
) -> None:
    """Take the best pairs off both lists, nearest first."""
    pairs = [(d, a, f) for a in asked for f in fresh if (d := likeness(a, f)) is not None]
    for _, was, now in sorted(pairs, key=lambda pair: pair[0]):
        if was not in asked or now not in fresh:
            continue
        asked.remove(was)
        fresh.remove(now)
        now = replace(now, id=was.id)
        if keep:
            out.kept.append(was if now.name is None else now)
        else:
            out.changes.append(Change(was, now))


def _pair_the_unsure(asked: list[Card], fresh: list[Card], out: Comparison) -> None:
    """One gone and one come where it lay, or in one visit, not surely read: more likely one card than two."""
    alone = len(asked) == 1 and len(fresh) == 1
    pairs = [(widths_apart(a, f), a, f) for a in asked for f in fresh if _unsure(a, f)]
    for apart, was, now in sorted(pairs, key=lambda pair: pair[0]):
        if was in asked and now in fresh and (alone or apart < SAME_PLACE):
            asked.remove(was)
            fresh.remove(now)
            surer = max(was, now, key=lambda c: c.confidence)
            out.changes.append(Change(_named_like(was, surer), replace(_named_like(now, surer), id=was.id)))


def _unsure(was: Card, now: Card) -> bool:
    return was.face == now.face and min(was.confidence, now.confidence) < SURELY_READ


def _named_like(card: Card, other: Card) -> Card:
    return replace(card, name=other.name, face=other.face, confidence=max(card.confidence, other.confidence))


def _as_it_was(was: Card, now: Card) -> float | None:
    apart = widths_apart(was, now)
    nudge = NUDGED / max(
        min(was.visible, now.visible), LEAST_OPEN
    )  # the less is open, the less exact its place
    fits = apart < nudge and turned_by(was, now) < 10 and (same_look(was, now) or now.name is None)
    return apart if fits else None


def _in_its_place(was: Card, now: Card) -> float | None:
    """Its other side is up; two faces that no card has on its two sides are two cards."""
    apart = widths_apart(was, now)
    fits = (
        apart < SAME_PLACE and turned_by(was, now) < 30 and not same_look(was, now) and could_turn(was, now)
    )
    return apart if fits else None


def _same_look_elsewhere(was: Card, now: Card) -> float | None:
    return widths_apart(was, now) if same_look(was, now) and now.name is not None else None


def _turned_elsewhere(was: Card, now: Card) -> float | None:
    return widths_apart(was, now) if was.face == "down" and now.face == "up" else None


def _still_there(
    asked: list[Card], fresh: list[Card], out: Comparison, mask: Mask, things: list[BaseGeometry]
) -> list[Card]:
    """Cards that lie on, hidden under a newcomer or hardly changed, are kept; the others are left to be asked about."""
    now = [*fresh, *(c.now for c in out.changes if c.now)]
    over = unary_union([*(polygon(c) for c in now), *things])
    left: list[Card] = []
    for card in asked:
        (out.kept if _lies_on(polygon(card), over, mask) else left).append(card)
    return left


def _lies_on(body: Polygon, over: BaseGeometry, mask: Mask) -> bool:
    """What of it is still open looks as it did, or hardly anything is open to be asked."""
    still_open = body.difference(over)
    return bool(still_open.area < BURIED * body.area or changed_share(mask, still_open) < GONE)


def _same(a: Card, b: Card) -> bool:
    return widths_apart(a, b) < SAME_PLACE and overlap(a, b) > 0.4


def same_look(a: Card, b: Card) -> bool:
    return a.name == b.name and a.face == b.face


def could_turn(was: Card, now: Card) -> bool:
    """Two faces are two sides of one card only where cards have two, and only if it lies as it lay."""
    if not (was.face == "up" and now.face == "up"):
        return True
    two_cards = _plain(was.name) and _plain(now.name)
    return not two_cards and widths_apart(was, now) < AS_IT_LAY and turned_by(was, now) < 12


def _plain(name: str | None) -> bool:
    """A name as a standard playing card has it."""
    return bool(name) and str(name)[-1] in "CDHS" and str(name)[:-1] in (*map(str, range(2, 11)), *"JQKA")


def polygon(card: Card) -> Polygon:
    return _outlined(card.corners_px)


@lru_cache(512)
def _outlined(corners: Outline) -> Polygon:
    """Asked for again and again while a table is compared with itself."""
    return Polygon(corners).buffer(0)


def centre(card: Card) -> Point:
    """The middle of the corners, in raw pixels."""
    xs, ys = zip(*card.corners_px, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def width_px(card: Card) -> float:
    """The short side."""
    a, b, c, _ = card.corners_px
    return max(1.0, min(math.dist(a, b), math.dist(b, c)))


def px_per_mm(card: Card) -> float:
    return width_px(card) / CARD_MM[0]


def widths_apart(a: Card, b: Card) -> float:
    return math.dist(centre(a), centre(b)) / max(width_px(a), width_px(b))


def turned_by(a: Card, b: Card) -> float:
    """Degrees between the long sides, 0 to 90: which end is up does not matter."""
    return abs((a.turn_deg - b.turn_deg + 90) % 180 - 90)


def overlap(a: Card, b: Card) -> float:
    """Shared area over the smaller of the two."""
    pa, pb = polygon(a), polygon(b)
    return float(pa.intersection(pb).area / max(1.0, min(pa.area, pb.area)))


def touching(card: Card, others: Iterable[Card]) -> tuple[int, ...]:
    """Ids of the cards that lie beside it with less than 8 mm between, or on or under it."""
    body, near = polygon(card), TOUCHING_MM * px_per_mm(card)
    return tuple(o.id for o in others if o.id != card.id and polygon(o).distance(body) < near)


def covered(card: Card, others: Iterable[Card]) -> tuple[int, ...]:
    """Ids of the cards that a newcomer lies on."""
    body = polygon(card)
    return tuple(
        o.id for o in others if o.id != card.id and body.intersection(polygon(o)).area > 0.05 * body.area
    )
