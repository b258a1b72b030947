"""Names in hindsight: who is who is surest when everything rests again, and ways are known from both their ends.

Pieces under way are named from frame to frame. Where two alike meet, that goes wrong now and then, and what rests is
named after it. So what was seen is held back until the passage has been understood: names at rest are mended, and
what was told where another piece was is not told at all.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from calibration.profile import Profile
from hardware.frames import Frame
from referee.types import Observation, Piece, Point
from referee.watch.movers import Mover
from referee.watch.play import BoardWatch, PiecesIn
from referee.watch.scenes import Scene

NEAR_PX = 8.0
"""Two looks at a piece that rests agree within this on where it is."""
BESIDE_MM = 6.0
"""The same for two looks at one under way."""
MOST_HELD = 1200
"""Frames held back at most: what never rests is told as it was seen."""

Lying = Mapping[int, Piece]
Ways = Mapping[int, Mapping[int, Point]]
"""Where pieces were on the board, frame by frame, by the id they were seen with before."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What moved between two rests."""

    began: int
    """The last frame of the rest before it."""
    movers: tuple[Mover, ...]


class Hindsight:
    """Feed every frame with what was seen in it; observations come out once nothing more can be learned of them."""

    def __init__(self, profile: Profile, pieces_in: PiecesIn) -> None:
        self._watch = BoardWatch(profile, pieces_in, self._heed)
        self._held: list[Observation] = []
        self._passages: list[Passage] = []
        self._lay: dict[int, Piece] = {}
        """Where pieces were last seen to lie, by the id they were seen with."""
        self._names: Mapping[int, int] = {}
        """The id with which a piece is told, by that with which it is seen, where these differ."""

    def see(self, frame: Frame, seen: Observation) -> list[Observation]:
        self._held.append(seen)
        self._watch.feed(frame)
        return self._ready() if self._watch.settled or len(self._held) >= MOST_HELD else []

    def finish(self) -> list[Observation]:
        """The footage is over."""
        self._watch.finish()
        return self._ready()

    def _heed(self, scene: Scene, movers: tuple[Mover, ...]) -> None:
        self._passages.append(Passage(scene.before.frames[1], movers))

    def _ready(self) -> list[Observation]:
        """All that was held back, each passage with the rest after it."""
        held, passages = self._held, self._passages
        self._held, self._passages = [], []
        told: list[Observation] = []
        for k, passage in enumerate(passages, 1):
            until = passages[k].began if k < len(passages) else math.inf
            told += self._understood([o for o in held if o.frame <= until], passage.movers)
            held = [o for o in held if o.frame > until]
        self._remember(held)
        return told + [_named(o, {p.id: self._names.get(p.id, p.id) for p in o.pieces}) for o in held]

    def _understood(self, seen: list[Observation], movers: tuple[Mover, ...]) -> list[Observation]:
        """A passage and the rest after it, with the names that its end tells."""
        if not seen:
            return []
        first, last = dict(self._lay), {p.id: p for p in seen[-1].pieces if not p.moving}
        before, self._names = self._names, renamed(self._names, movers, first, last)
        ways = _ways(movers, first)
        self._remember(seen)
        told: list[Observation] = []
        for one in seen:
            names: dict[int, int] = {}
            for piece in one.pieces:
                was, now = (known.get(piece.id, piece.id) for known in (before, self._names))
                if was != now and _is_at(piece, last) and not _lay_there(piece, one.frame, first, ways):
                    names[piece.id] = now
                elif _is_its_own(piece, one.frame, ways, was == now or _is_at(piece, first)):
                    names[piece.id] = was
            told.append(_named(one, names))
        return told

    def _remember(self, seen: Iterable[Observation]) -> None:
        for piece in (p for one in seen for p in one.pieces if not p.moving):
            self._lay = {k: p for k, p in self._lay.items() if math.dist(p.px, piece.px) > NEAR_PX}
            self._lay[piece.id] = piece


def renamed(
    names: Mapping[int, int], movers: Iterable[Mover], first: Lying, last: Lying
) -> Mapping[int, int]:
    """The names after a passage: whoever was followed from its own place to where it rests keeps the one it had.

    What was seen with that name gets the one that is left over; where that is not clear, all names stay.
    """
    known: dict[int, int] = {}
    told = {key: names.get(key, key) for key in last}
    for mover in movers:
        a, b = _found_at(mover.start.px, first), None if mover.end is None else _found_at(mover.end.px, last)
        if a is not None and b is not None and _leads_from_home(mover, first):
            known[b] = told[a] = names.get(a, a)
    after = {**told, **known}
    doubles = [key for key in after if key not in known and after[key] in known.values()]
    spare = set(told.values()) - set(after.values())
    if len(doubles) > 1 or len(spare) != len(doubles):
        return names
    after.update(zip(doubles, spare, strict=True))
    return {**names, **after}


def _leads_from_home(mover: Mover, first: Lying) -> bool:
    """Whether a way begins nearer to the place of its own piece than to that of any other."""
    if not mover.places:
        return False
    away = math.dist(mover.places[0].mm, mover.start.mm)
    others = (p for p in first.values() if math.dist(p.px, mover.start.px) > NEAR_PX)
    return all(away < math.dist(mover.places[0].mm, p.mm) for p in others)


def _ways(movers: Iterable[Mover], first: Lying) -> Ways:
    found = ((_found_at(m.start.px, first), m) for m in movers)
    return {key: {place.index: place.mm for place in m.places} for key, m in found if key is not None}


def _found_at(px: Point, lying: Lying) -> int | None:
    """Which piece lies at a place."""
    near = min(lying.values(), key=lambda p: math.dist(p.px, px), default=None)
    return near.id if near is not None and math.dist(near.px, px) < NEAR_PX else None


def _is_at(piece: Piece, lying: Lying) -> bool:
    """Whether a piece is where it was seen to lie."""
    return piece.id in lying and math.dist(piece.px, lying[piece.id].px) < NEAR_PX


def _lay_there(piece: Piece, frame: int, first: Lying, ways: Ways) -> bool:
    """Whether a piece that is seen in its first place has not left it yet: later another may lie there."""
    if not _is_at(piece, first):
        return False
    home = first[piece.id].mm
    away = [k for k, mm in ways.get(piece.id, {}).items() if math.dist(mm, home) > BESIDE_MM]
    return not away or frame < min(away)


def _is_its_own(piece: Piece, frame: int, ways: Ways, trusted: bool) -> bool:
    """Whether what is told of a piece is not told of another; one that was mistaken must be known to be it."""
    far = {key: math.dist(way[frame], piece.mm) for key, way in ways.items() if frame in way}
    mine = far.pop(piece.id, None)
    if mine is None:
        return trusted and min(far.values(), default=math.inf) > BESIDE_MM
    return mine < min(far.values(), default=math.inf) and (trusted or mine < BESIDE_MM)


def _named(one: Observation, names: Mapping[int, int]) -> Observation:
    """An observation of the pieces that have a name, and none of two that have the same."""
    told = [replace(p, id=names[p.id]) for p in one.pieces if p.id in names]
    ids = [p.id for p in told]
    return replace(one, pieces=tuple(p for p in told if ids.count(p.id) == 1))
