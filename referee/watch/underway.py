"""Pieces under way: what has left its place is followed from frame to frame until everything rests.

It is followed by what differs from the board without it. Where it will be next is reckoned as on a billiard table: it
goes on as it went, and what it meets takes over its speed. What was hidden, and comes out again where two pieces may
have gone, is nobody's: its name is found when it rests.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.profile import Profile
from hardware.frames import Frame, Image
from referee.types import Piece, Point
from referee.vision.board import EmptyBoard, laid_bare
from referee.vision.glimpses import Glimpse, sketch, taken_apart
from referee.vision.motion import Spots, colour_within, drawn, half, to_half, to_raw
from referee.vision.see import Still, lies_on_board, taken_by
from referee.watch.colliding import foreseen
from referee.watch.following import HalfFrame, Sighting, Trail, step
from referee.watch.lain import Home, home_of
from referee.watch.play import HAND_OF_PIECES
from referee.watch.tracks import ROOM, WIDER

PATIENCE = 14
"""Frames after which a hidden piece is given up until everything rests."""
LEFT, ASIDE = 1.2, 0.35
"""Radii from its place at which a piece has surely left it, and so far from any hand that none half hides it."""
WHOLE = (0.55, 2.4)
"""What is seen of a piece, with its shadow, against its area: less is half hidden, more is two."""
WHOLE_HOME = 0.85
"""Share of the place of a piece that shows it while it lies there."""
CLEAR = 1.0
"""Half pixels between a piece and the nearest hand."""
BESIDE = 1.5
"""Radii from a hand within which parts of it may be taken for a piece."""
FARTHER = 2.0
"""A hidden piece is not the one that came out, if it had so much farther to go than another."""
OTHER = 75.0
"""Grey levels between colours that no turning and no shade makes of one piece."""
LIKER = 0.5
"""How much nearer than to its own colour a piece is to that of another for which it was mistaken."""
APART = 6.0
"""Half pixels between the middles of two things."""
MOVES = 0.35
"""Half pixels a frame that noise stays below."""
FRESH = 3
"""Frames for which a sighting tells where a piece is."""
DISC = np.column_stack([f(np.linspace(0, 2 * np.pi, 12, endpoint=False)) for f in (np.cos, np.sin)])


@dataclass(slots=True, eq=False)
class Body:
    """A piece of the last still, and what became of it."""

    piece: Piece
    outline: Spots
    """Where it lay, in half pixels."""
    trail: Trail
    home: Home
    colour: Spots
    bias: Spots
    """From the middle of what differs to the middle of the piece."""
    stays: bool = True
    """Seen in its place."""
    left: bool = False
    gone: bool = False
    """Its place was seen without it."""
    sure: bool = True
    """False when it may have been mistaken for another."""

    def lie(self) -> None:
        """It lies in its place."""
        self.stays, self.left, self.gone, self.sure = True, False, False, True
        self.trail.spot, self.trail.velocity, self.trail.lost = self.trail.home, np.zeros(2), 0

    def go_on(self, was: Spots, now: HalfFrame, others: Collection["Body"]) -> None:
        """It was seen again, and was there in the frame before; not if it is still seen in its place, and no other."""
        trail = self.trail
        trail.velocity = trail.spot - was
        away = float(np.linalg.norm(trail.spot - trail.home)) / trail.radius
        self.left |= away > (ASIDE if trail.sightings[-1].reach > trail.radius else LEFT)
        taken = any(other is not self and other.is_at(trail.home, now.index) for other in others)
        if away > LEFT and not taken and self.in_its_place(now):
            self.lie()
        elif away > LEFT:
            self.gone = True

    def is_at(self, place: Spots, index: int) -> bool:
        """Whether it was seen over a place in that frame."""
        return self.last_seen == index and math.dist(self.trail.spot, place) < self.trail.radius

    def lose(self, was: Spots) -> None:
        """What was taken for it is not it."""
        self.trail.sightings.pop()
        self.trail.spot, self.trail.lost = was, 1

    def in_its_place(self, now: HalfFrame) -> bool:
        """Whether much of it is seen where it lay, and nobody has seen that place without it."""
        return not self.gone and bool(self.home.shows(now))

    def come_out(self, blob: Spots, now: HalfFrame, sight: Glimpse) -> None:
        """It was hidden and is that blob."""
        trail, spot = self.trail, blob[:2]
        trail.velocity = (spot - trail.spot) / trail.lost
        trail.spot, trail.lost, self.left, self.gone = spot, 0, True, True
        reach = sight.reach(spot) - trail.radius
        trail.sightings.append(Sighting(now.index, now.t_ns, spot, reach, float(blob[2]) / trail.area))

    def way_to(self, blob: Spots) -> float:
        """From where it was last."""
        return float(np.linalg.norm(blob[:2] - self.trail.spot))

    @property
    def farthest(self) -> float:
        """Where it may be, since it was last seen."""
        return 2.2 * self.trail.radius + WIDER * self.trail.lost

    @property
    def well_seen(self) -> bool:
        """Whether its last sighting was of all of it, beside any hand."""
        last = self.trail.sightings[-1]
        return last.reach > CLEAR and WHOLE[0] < last.fill < WHOLE[1]

    @property
    def last_seen(self) -> int:
        """Frame in which it was last seen under way; far back when it never was."""
        return self.trail.sightings[-1].index if self.trail.sightings else -FRESH


class Underway:
    """Feed every frame after the eyes have seen it."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._still: Still | None = None
        self._bodies: dict[int, Body] = {}
        self._small = self._bare = np.zeros((1, 1, 3), np.uint8)
        """The last still at half resolution, as it is and without its pieces."""
        self._index = 0

    @property
    def places(self) -> Mapping[int, Point]:
        """Where pieces are, in raw pixels, that were followed to the present."""
        return {
            key: _point(to_raw(body.trail.spot + body.bias))
            for key, body in self._bodies.items()
            if body.left and body.sure and self._index - body.last_seen < FRESH
        }

    def see(
        self, frame: Frame, still: Still, board: EmptyBoard, lying: tuple[Piece, ...]
    ) -> tuple[Piece, ...]:
        """The pieces of the last still that do not surely lie in their places, and are seen all the same."""
        self._index = frame.index
        if still is not self._still:
            self._begin(still, board)
        for piece in lying:
            if piece.id in self._bodies:
                self._bodies[piece.id].lie()
        stirred = {key: self._bodies[key] for key in self._bodies.keys() - {p.id for p in lying}}
        if not stirred:
            return ()
        now, sight = self._taken_apart(frame, stirred)
        self._step(now, sight, stirred)
        seen = (self._seen(body) for body in stirred.values())
        return tuple(piece for piece in seen if piece is not None)

    def _begin(self, still: Still, board: EmptyBoard) -> None:
        """Everything rests: all bodies lie where they were found."""
        self._still = still
        self._small = half(still.image)
        self._bare = half(laid_bare(board, still.image, taken_by(tuple(still.blobs.values()), board)))
        sight = taken_apart(sketch(self._small, self._bare), math.inf)
        outlines = {key: to_half(blob.silhouette_px) for key, blob in still.blobs.items()}
        self._bodies = {
            p.id: _body(p, outlines[p.id], self._small, self._bare, sight) for p in still.pieces if p.on_board
        }

    def _taken_apart(self, frame: Frame, stirred: Mapping[int, Body]) -> tuple[HalfFrame, Glimpse]:
        """The frame against the board with the pieces that lie, and without the others."""
        small = half(frame.image)
        vacant = drawn([body.outline for body in stirred.values()], small.shape, ROOM)
        plate = np.where(vacant[..., None] > 0, self._bare, self._small)
        now = HalfFrame(frame.index, frame.t_ns, small, (0, 0), sketch(small, plate))
        largest = max(body.trail.area for body in self._bodies.values())
        return now, taken_apart(now.sketch, HAND_OF_PIECES * largest)

    def _step(self, now: HalfFrame, sight: Glimpse, stirred: Mapping[int, Body]) -> None:
        """Carry all trails on by a frame."""
        expected = foreseen([body.trail for body in self._bodies.values()])
        place = dict(zip(self._bodies, expected, strict=True))
        afoot = {key: body for key, body in stirred.items() if not _at_home(body, now, sight)}
        hidden = [body for body in afoot.values() if body.trail.lost]
        seen = {key: body for key, body in afoot.items() if not body.trail.lost}
        was = [body.trail.spot for body in seen.values()]
        # What is seen in the places of the others is theirs.
        others = [Trail(b.trail.home, b.trail.radius) for key, b in stirred.items() if key not in seen]
        trails = [*(body.trail for body in seen.values()), *others]
        step(now, sight, trails, np.array([*(place[key] for key in seen), *(t.home for t in others)]))
        for body, spot in zip(seen.values(), was, strict=True):
            if body.last_seen != now.index:
                continue
            colour = _colour(now.image, body.trail.spot, body.trail.radius)
            if _is_hand(body, colour) or any(_is_nearer(other, body, spot) for other in hidden):
                body.lose(spot)
            else:
                body.go_on(spot, now, seen.values())
                body.sure &= not any(_is_rather(other, body, colour) for other in seen.values())
        if hidden:
            self._look_out(now, sight, hidden, [trail.spot for trail in trails])

    def _look_out(self, now: HalfFrame, sight: Glimpse, hidden: list[Body], known: list[Spots]) -> None:
        """Find hidden pieces among the loose things that nobody else is."""
        blobs = [b for b in sight.blobs() if all(np.linalg.norm(b[:2] - spot) > APART for spot in known)]
        for body in hidden:
            body.trail.lost += 1
        ways = {
            (b, k): body.way_to(blob)
            for b, blob in enumerate(blobs)
            for k, body in enumerate(hidden)
            if not body.in_its_place(now) and _may_be(body, blob, now, sight)
        }
        for (b, k), way in sorted(ways.items(), key=lambda item: item[1]):
            body = hidden[k]
            others = [w for (c, m), w in ways.items() if (c == b) != (m == k)]
            taken = any(np.array_equal(blobs[b][:2], m.trail.spot) for m in hidden)
            if 0 < body.trail.lost <= PATIENCE and way < body.farthest and not taken:
                body.sure &= all(w > FARTHER * way for w in others)
                body.come_out(blobs[b], now, sight)

    def _seen(self, body: Body) -> Piece | None:
        """The piece where it is, if it surely is there."""
        if not body.left and body.stays:
            return body.piece
        if not body.sure or body.last_seen != self._index or not body.well_seen:
            return None
        if not body.left:
            return body.piece
        moving = float(np.linalg.norm(body.trail.velocity)) > MOVES
        return self._carried(body.piece, to_raw(body.trail.spot + body.bias), moving)

    def _carried(self, piece: Piece, px: Spots, moving: bool) -> Piece:
        """The piece as it lay, at another place."""
        here, home = self._profile.to_board(np.array([px, piece.px]))
        dx, dy = (here - home).tolist()
        mm = (round(piece.mm[0] + dx, 3), round(piece.mm[1] + dy, 3))
        outline = tuple((round(x + dx, 3), round(y + dy, 3)) for x, y in piece.outline_mm)
        on_board = lies_on_board(mm, self._profile)
        return replace(
            piece, px=_point(px.round(2)), mm=mm, outline_mm=outline, moving=moving, on_board=on_board
        )


def _body(piece: Piece, outline: Spots, small: Image, bare: Image, sight: Glimpse) -> Body:
    spot = to_half(np.array(piece.px))
    home = home_of(outline, small, bare)
    trail = Trail(spot, max(math.sqrt(np.count_nonzero(drawn([outline], small.shape, 0)) / math.pi), 1.0))
    near = sight.loose[np.linalg.norm(sight.loose - spot, axis=1) < 1.6 * trail.radius]
    bias = spot - near.mean(0) if len(near) else np.zeros(2)
    return Body(piece, outline, trail, home, _colour(small, spot, trail.radius), bias)


def _at_home(body: Body, now: HalfFrame, sight: Glimpse) -> bool:
    """Whether a piece that never left its place is seen there, as far as no hand hides it."""
    if body.left:
        return False
    covered = sight.reach(body.trail.home) < body.trail.radius
    shown = body.home.shows(now) if covered else body.home.shows(now, WHOLE_HOME)
    if shown:
        body.lie()
    body.stays, body.left = bool(shown) and not covered, shown is False and not covered
    return bool(shown)


def _is_hand(body: Body, colour: Spots) -> bool:
    """Whether what was seen last is beside a hand and of another colour; balls change theirs as they roll elsewhere."""
    trail = body.trail
    return trail.sightings[-1].reach < BESIDE * trail.radius and math.dist(body.colour, colour) > OTHER


def _is_rather(other: Body, body: Body, colour: Spots) -> bool:
    """Whether what was taken for one piece has the colour of another under way: they met, and were mistaken."""
    apart = math.dist(body.colour, colour)
    return apart > OTHER and math.dist(other.colour, colour) < LIKER * apart


def _is_nearer(hidden: Body, body: Body, was: Spots) -> bool:
    """Whether what seems to have leapt from its place under a hand is rather a piece hidden there before."""
    spot = body.trail.spot
    leapt = not body.left and math.dist(spot, was) > LEFT * body.trail.radius
    return leapt and math.dist(spot, hidden.trail.spot) < math.dist(spot, was)


def _may_be(body: Body, blob: Spots, now: HalfFrame, sight: Glimpse) -> bool:
    """Whether a loose thing, beside any hand, is as large as a hidden piece and has its colour."""
    trail, spot = body.trail, blob[:2]
    whole = WHOLE[0] < blob[2] / trail.area < WHOLE[1]
    if not whole or sight.reach(spot) < trail.radius + CLEAR:
        return False
    return math.dist(body.colour, _colour(now.image, spot, trail.radius)) < OTHER


def _colour(image: Image, spot: Spots, radius: float) -> Spots:
    """Of the middle of a piece."""
    return colour_within(image, spot + 0.6 * radius * DISC)


def _point(spot: Spots) -> Point:
    return float(spot[0]), float(spot[1])
