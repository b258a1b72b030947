"""The eyes with memory for cards and dice: looks properly only when hands were at work and are gone again.

While nothing changes a frame costs one comparison of thumbnails. After a disturbance, when the picture has been still
for a while and no hand lies in it, the table is compared with the table before.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

import cv2
import numpy as np
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from calibration.profile import Profile
from hardware.frames import Frame, Image
from referee.card_happenings import (
    CardMoved,
    CardPlaced,
    CardTaken,
    CardTapped,
    CardTurned,
    DieCocked,
    DieSettled,
    DieTaken,
    Happening,
    Moment,
)
from referee.types import Card, Die, Outline, Point
from referee.vision.motion import Mask, half
from referee.watch import cards as card_changes
from referee.watch.ahead import Ahead
from referee.watch.change import changed, share, square
from referee.watch.dice import Glance, gone_dice, new_dice, rest
from referee.watch.hands import border_crossing, hand_lies_in, hands_now, resting_hands
from referee.watch.likeness import looks_same
from referee.watch.lying import lay_otherwise
from referee.watch.outlines import new_rectangles
from referee.watch.overlooked import overlooked
from referee.watch.stillness import Stillness, Thumb, thumb

QUIET_NS = 400_000_000
"""How long the picture must be still before it is believed."""
AHEAD_NS = 67_000_000
"""How long before it is read: nobody shall wait for the reading when it is believed."""
BEGIN_NS = 120_000_000
"""The same before the first picture, with which nothing is compared yet, and after the last, which nothing follows."""
PATIENCE_NS = 3_000_000_000
"""A motionless thing at the edge is a hand for so long; after that it belongs to the table."""
LONGEST = 600
"""Glances kept of one disturbance."""
SURE = 0.5


class CardEyes(Protocol):
    def see(self, image: Image, where: Mask | None = None) -> tuple[Card, ...]:
        """The cards in a picture; given a mask at half size, at least those near to where it is set."""

    def read_at(self, image: Image, corners: Outline) -> Card | None:
        """The card with these corners (in either direction), if one lies there."""

    def real(self, dice: Sequence[Die], image: Image, cards: Sequence[Card]) -> tuple[Die, ...]:
        """The dice, without what is printed on those cards."""


DieEyes = Callable[[Image, Mask | None], tuple[Die, ...]]
"""The dice of a picture, or those near to where a mask is set."""
Seen = tuple[Image, tuple[Card, ...], tuple[Die, ...]]
"""What was read, and from which picture."""
Upright = Callable[[Point], float]
"""Turn (degrees) of a card that stands upright to the owner of the place at a pixel."""


@dataclass(slots=True)
class TableWatch:
    """Feed it every frame; it says what happened, each thing once."""

    card_eyes: CardEyes
    die_eyes: DieEyes
    die_px: float
    """Edge of a die in this picture."""
    upright: Upright = lambda _: 0.0
    profile: Profile | None = None
    """Of the camera, to know a new card by its size."""
    to_mm: Callable[[Point], Point] | None = None
    cards: tuple[Card, ...] = ()
    dice: tuple[Die, ...] = ()
    frame: int = 0
    _still: Stillness = field(default_factory=Stillness)
    _last: Frame | None = None
    """The newest picture since the table was last settled."""
    _before: Image | None = None
    """The last settled picture at half size; None until the first."""
    _before_thumb: Thumb | None = None
    _before_image: Image | None = None
    _glances: list[Glance] = field(default_factory=list)
    _thumbs: list[Thumb] = field(default_factory=list)
    _settled_since: int = -1
    _ahead: Ahead[Seen] = field(default_factory=Ahead)
    _next_id: int = 1
    _hands: tuple[BaseGeometry, ...] = ()
    """That rest in the last settled picture: what they hide lies there still, for all that anybody knows."""

    def feed(self, frame: Frame) -> tuple[Happening, ...]:
        """What was found to have happened, now that this frame came."""
        small = thumb(frame.image)
        quiet_ns = self._still.feed(frame, small)
        self.frame = frame.index
        if self._still.since == self._settled_since:
            return ()
        self._remember(frame, small)
        if quiet_ns < (BEGIN_NS if self._before is None else QUIET_NS):
            if self._before is not None and quiet_ns >= AHEAD_NS:
                self._read(frame.image)
            return ()
        return self._settle(frame, small, quiet_ns)

    def finish(self) -> tuple[Happening, ...]:
        """No picture follows: what lies still at last is believed sooner than it would be in the middle of things."""
        last = self._last
        if last is None or self._before is None:
            return ()
        quiet_ns = last.t_ns - self._still.since_ns
        return () if quiet_ns < BEGIN_NS else self._settle(last, self._thumbs[-1], quiet_ns)

    def look_away(self) -> None:
        """Nothing is seen any more: what was going on is forgotten, and the next rest is awaited."""
        self._still, self._settled_since, self._last = Stillness(), -1, None
        self._glances.clear()
        self._thumbs.clear()
        self._ahead.forget()

    def forget_ahead(self) -> None:
        """What may be read has changed: the next still is read anew."""
        self._ahead.forget()

    @property
    def began(self) -> bool:
        """The first picture has been looked at."""
        return self._before is not None

    @property
    def disturbed(self) -> bool:
        """Something has moved since the table was last settled."""
        return self._still.since != self._settled_since

    def _remember(self, frame: Frame, small: Thumb) -> None:
        self._last = frame
        grey = cv2.cvtColor(half(frame.image), cv2.COLOR_BGR2GRAY)
        self._glances.append(Glance(frame.index, frame.t_ns, np.asarray(grey, np.uint8)))
        self._thumbs.append(small)
        if len(self._glances) > LONGEST:
            del self._glances[: LONGEST // 2 : 2], self._thumbs[: LONGEST // 2 : 2]

    def _settle(self, frame: Frame, small: Thumb, quiet_ns: int) -> tuple[Happening, ...]:
        after = half(frame.image)
        if self._before is None:
            self._begin(frame)
            found: tuple[Happening, ...] = ()
        else:
            mask = changed(self._before, after)
            seen = self._look(frame, mask)
            seen = self._recognised(seen[0], frame.image, mask), seen[1]
            lies_in = hand_lies_in(mask, [c.corners_px for c in (*seen[0], *self.cards)])
            if lies_in and quiet_ns < PATIENCE_NS:
                return ()
            self.cards += tuple(self._overlooked(seen[0], mask))
            hands = resting_hands(mask, [c.corners_px for c in seen[0]]) if lies_in else ()
            self._hands = hands_now(self._hands, hands, mask)
            found = self._compare(mask, *seen)
        self._before, self._before_thumb, self._before_image = after, small, frame.image
        self._settled_since, self._last = self._still.since, None
        self._glances.clear()
        self._thumbs.clear()
        return found

    def _begin(self, frame: Frame) -> None:
        """The table as it is found: nothing has happened yet."""
        _, cards, dice = self._see(frame.image, None)
        self.cards = tuple(self._named(c) for c in cards)
        self.dice = self._numbered(dice)

    def _look(self, frame: Frame, mask: Mask) -> tuple[tuple[Card, ...], tuple[Die, ...]]:
        if not mask.any():
            return (), self.dice
        image, cards, dice = self._read(frame.image).result()
        found = tuple(self._sharper(cards, image, mask))
        lay = [c.corners_px for c in self.cards if share(mask, c.corners_px) >= card_changes.NEW]
        return (*found, *overlooked(found, lay, image, self.card_eyes.read_at)), dice

    def _read(self, image: Image) -> Future[Seen]:
        """What lies in the present stillness; read once, from the first picture that is asked about."""
        return self._ahead.begin(self._still.since, partial(self._see, image, self._before))

    def _see(self, image: Image, before: Image | None) -> Seen:
        """All that lies on the table, or only near to where it differs from before."""
        where = None if before is None else changed(before, half(image))
        cards = self.card_eyes.see(image, where)
        dice = [d for d in self.die_eyes(image, where) if d.confidence > SURE]
        return image, cards, self.card_eyes.real(dice, image, cards)

    def _sharper(self, seen: tuple[Card, ...], image: Image, mask: Mask) -> Iterator[Card]:
        """The cards seen, those that just came with the outline of the change when that reads better."""
        better: dict[int, Card] = {}
        for corners in new_rectangles(mask, self.profile) if self.profile else ():
            card = self.card_eyes.read_at(image, corners)
            here = [c for c in seen if card and card_changes.overlap(c, card) > 0.5]
            if card and here and card.confidence >= max(c.confidence for c in here):
                better |= {c.id: card for c in here}
        kept = {c.id: better.get(c.id, c) for c in seen}
        yield from {id(c): c for c in kept.values()}.values()

    def _overlooked(self, seen: tuple[Card, ...], mask: Mask) -> Iterator[Card]:
        """What lay here before where cards lie now, and where a card's place is left, and nobody had seen it."""
        if self._before_image is None:
            return
        left = new_rectangles(mask, self.profile) if self.profile else ()
        places = (*(card.corners_px for card in seen), *left)
        yield from map(
            self._named, overlooked(self.cards, places, self._before_image, self.card_eyes.read_at)
        )

    def _recognised(self, seen: tuple[Card, ...], image: Image, mask: Mask) -> tuple[Card, ...]:
        """A card that looks like one that lay here before is that card, as whichever reading was surer says."""
        lay = [c for c in self.cards if share(mask, c.corners_px) >= card_changes.UNTOUCHED]
        return tuple(self._same_as_before(c, lay, image) if _new_name(c, lay, mask) else c for c in seen)

    def _same_as_before(self, card: Card, lay: list[Card], image: Image) -> Card:
        before = self._before_image
        was = next((w for w in lay if before is not None and looks_same(before, w, image, card)), None)
        if was is None:
            return card
        surer = max(was, card, key=lambda c: c.confidence)
        self.cards = tuple(
            replace(c, name=surer.name, face=surer.face) if c is was else c for c in self.cards
        )
        return replace(card, name=surer.name, face=surer.face)

    def _compare(self, mask: Mask, seen: tuple[Card, ...], dice: tuple[Die, ...]) -> tuple[Happening, ...]:
        dies = [Polygon(square(d.px, self.die_px * 0.7)) for d in (*dice, *self._untouched(mask))]
        things: list[BaseGeometry] = [*dies, *self._hands]
        found = card_changes.compare(self.cards, seen, mask, things)
        changes = [self._with_id(c) for c in found.changes]
        self.cards = (*found.kept, *(c.now for c in changes if c.now))
        at = self._moment()
        told = [h for change in changes for h in self._tell(at, change)]
        return (*told, *self._tell_dice(at, mask, dice))

    def _with_id(self, change: card_changes.Change) -> card_changes.Change:
        if change.now is None:
            return change
        return replace(
            change, now=self._named(change.now) if change.was is None else self._located(change.now)
        )

    def _named(self, card: Card) -> Card:
        self._next_id += 1
        return self._located(replace(card, id=self._next_id - 1))

    def _located(self, card: Card) -> Card:
        return replace(card, mm=card.mm or self._mm(card_changes.centre(card)))

    def _numbered(self, dice: Sequence[Die]) -> tuple[Die, ...]:
        first = self._next_id
        self._next_id += len(dice)
        return tuple(replace(d, id=first + k) for k, d in enumerate(dice))

    def _moment(self) -> Moment:
        """When everything came to rest, and where the hand that was at work reached in."""
        crossing = border_crossing(self._before_thumb, self._thumbs, 2 * self._glances[0].grey.shape[1])
        began = self._glances[0].index
        return Moment(self._still.since, self._still.since_ns, began, crossing, self._mm(crossing))

    def _mm(self, px: Point | None) -> Point | None:
        return self.to_mm(px) if self.to_mm and px else None

    def _tell(self, at: Moment, change: card_changes.Change) -> list[Happening]:
        was, now = change.was, change.now
        if now is None:
            return [CardTaken(at, was)] if was else []
        covers = card_changes.covered(now, self.cards)
        touches = card_changes.touching(now, self.cards)
        if was is None:
            placed: list[Happening] = [CardPlaced(at, now, covers, touches)]
            return placed + ([CardTurned(at, now, None)] if self._other_side_seen(now) else [])
        return self._tell_same_card(at, was, now, covers, touches)

    def _tell_same_card(
        self, at: Moment, was: Card, now: Card, covers: tuple[int, ...], touches: tuple[int, ...]
    ) -> list[Happening]:
        told: list[Happening] = []
        quarter = abs(card_changes.turned_by(was, now) - 90) < 30
        apart = card_changes.widths_apart(was, now)
        if apart > (card_changes.SAME_PLACE if quarter or was.face != now.face else card_changes.NUDGED):
            told.append(CardMoved(at, now, was, covers, touches))
        if not card_changes.same_look(was, now):
            told.append(CardTurned(at, now, was))
        if quarter and self._sideways(now) != self._sideways(was):
            told.append(CardTapped(at, now, was, self._sideways(now), touches))
        return told

    def _sideways(self, card: Card) -> bool:
        off = abs((card.turn_deg - self.upright(card_changes.centre(card)) + 90) % 180 - 90)
        return off > 45

    def _other_side_seen(self, card: Card) -> bool:
        return self._before is not None and lay_otherwise(card, self._before, self._glances)

    def _tell_dice(self, at: Moment, mask: Mask, seen: tuple[Die, ...]) -> list[Happening]:
        gone = gone_dice(self.dice, seen, mask, self.die_px)
        new = self._numbered(new_dice(self.dice, seen, mask, self.die_px))
        stay = self._untouched(mask)
        near = [
            d
            for d in self.dice
            if d not in gone and d not in stay and not any(_near(d, n, self.die_px) for n in new)
        ]
        self.dice = (*stay, *near, *new)
        taken: list[Happening] = [DieTaken(at, d) for d in gone]
        return taken + [self._settled_die(at, d) for d in new]

    def _untouched(self, mask: Mask) -> list[Die]:
        """The dice that lie where nothing changed."""
        return [d for d in self.dice if share(mask, square(d.px, self.die_px / 2)) < 0.2]

    def _settled_die(self, at: Moment, die: Die) -> Happening:
        stop = rest(die, self._glances, self.die_px)
        at = replace(at, frame=stop.index, t_ns=stop.t_ns)
        under = self._card_under(die)
        if die.cocked:
            return DieCocked(at, die, under)
        return DieSettled(at, die, stop.rolled, under)

    def _card_under(self, die: Die) -> int | None:
        """The card whose outline holds the die's middle; the last laid when several do."""
        x, y = die.px
        for card in reversed(self.cards):
            outline = np.array(card.corners_px, np.float32)
            if cv2.pointPolygonTest(outline, (x, y), False) >= 0:
                return card.id
        return None


def _new_name(card: Card, lay: list[Card], mask: Mask) -> bool:
    """Whether a card that came now has a name that none of those that lay there had."""
    came = share(mask, card.corners_px) >= card_changes.UNTOUCHED
    return came and not any(card_changes.same_look(card, was) for was in lay)


def _near(a: Die, b: Die, edge_px: float) -> bool:
    return abs(a.px[0] - b.px[0]) + abs(a.px[1] - b.px[1]) < edge_px
