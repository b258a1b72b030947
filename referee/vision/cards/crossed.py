"""Cards of a learned deck beneath known ones that the table's colours do not give away: flaps with a rim all round.

The rim of a card that sticks out from under another, on one side or on two, is that of one card of the known size. The
grain, the stripes and the squares of a table run on instead, or are not everywhere of the colours of a card.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.explaining import Explained, open_bits
from referee.vision.cards.flaps import worth_of_rims
from referee.vision.cards.learned import LearnedDeck
from referee.vision.cards.ownership import Ownership
from referee.vision.cards.reading import UNREAD, Reading
from referee.vision.cards.refining import FINE, fit
from referee.vision.cards.rims import clear_edges
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import GRID, Image, Quad, Spot, grid_px, within
from referee.vision.cards.tangles import Told, corners_of, share_on
from referee.vision.cards.tracing import traced
from referee.vision.cards.unravelling import size_of
from referee.vision.cards.votes import STRIDE, Votes

LENGTH_PX, STEP_DEG = 64, 3
"""Length of a card on the picture on which rims are looked for, and steps of turns."""
OFF, AROUND = 0.5, 0.72
"""How far a card's middle may be from where it is looked for, and how far it reaches from its own, in card lengths."""
BESIDE_PX = 7
"""What is so near to a known card is its own rim."""
OPEN = (0.13, 0.9)
"""How much of the lower card is open."""
A_SIDE, A_RIM, SIDES = 0.08, 0.8, 3
"""How much of a side must show to be one, how much of all sides together, in card lengths, and of how many."""
LEAST_CLEAR = 0.5
"""How clear such a rim is, on the whole and along its faintest side."""
SUSPECTED, OF_FLAPS, OF_CARD = -1.0, 0.12, 0.02
"""What the finder says at least of a part of flaps, on which share of them, and on how much of a card."""
NEAR, SAME = 0.3, 0.15
"""How far round a card the finder is asked, and how near to each other the middles of the same suspicion are, in card
lengths."""
TRIED = 12
"""Places that are looked at closely for each upper card, those with the clearest rims."""
EXPLAINED = 0.8
"""Which share of its open part one of the deck's cards explains."""
READ, AT_MOST = 0.6, 0.85
"""How well such a card is read that is named, and how sure that can be: most of it is hidden."""
SHARED = 0.4
"""A card that could not be read and lies on this much of one that was found is that one."""


def with_crossed(image: Image, told: Sequence[Told], deck: LearnedDeck, votes: Votes) -> list[Told]:
    """What was told, and the cards that stick out from beneath the known ones."""
    known = [one for one in told if one[1].name is not None]
    if not known:
        return list(told)
    search = _Search(image, known, deck, votes)
    found = [card for middle in search.suspicious() if (card := search.beneath(middle))]
    if not found:
        return list(told)
    found = [(spot, _named(reading)) for spot, reading in traced(image, found, deck, known)]
    there = corners_of(found)
    return [*(one for one in told if one[1].name is not None or share_on(one[0], there) < SHARED), *found]


def _named(reading: Reading) -> Reading:
    if reading.confidence < READ:
        return UNREAD
    return replace(reading, confidence=min(AT_MOST, reading.confidence))


@dataclass(frozen=True, slots=True)
class _Window:
    """The surroundings of what is suspected, turned, at LENGTH_PX."""

    frame: Floats
    """From its pixels to those of the picture: (2, 2), round a place,"""
    middle: Floats
    """which lies there on the picture."""

    def layer(self, image: Image | Floats, onto: float = 1.0) -> NDArray[np.generic]:
        """The part of a picture, or of a layer whose pixels are `onto` of the picture's, that lies there."""
        corner = (self.middle - self.frame @ (_REACH, _REACH) + 0.5) / onto - 0.5
        warp = np.column_stack([self.frame / onto, corner])
        way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cv2.warpAffine(image, warp, (_SIDE, _SIDE), flags=way, borderMode=cv2.BORDER_REPLICATE)

    def free(self, corners: Floats) -> Floats:
        """1 beside these cards (n, 4, 2)."""
        mask = np.zeros((_SIDE, _SIDE), np.uint8)
        at = (corners - self.middle) @ np.linalg.inv(self.frame).T + _REACH
        for one in np.rint(at * 16).astype(np.int32):
            cv2.fillConvexPoly(mask, one, 1, shift=4)
        return np.asarray(1 - cv2.dilate(mask, _OWN_RIM), np.float32)

    def card(self, x: int, y: int, size: tuple[int, int]) -> Quad:
        """The card of this width and length with its middle there."""
        wide, tall = size
        box = np.array([(-wide, -tall), (wide, -tall), (wide, tall), (-wide, tall)]) / 2 + (x, y)
        return np.asarray(box @ self.frame.T + self.middle)


class _Search:
    """Looks for lower cards on one picture."""

    def __init__(self, image: Image, known: Sequence[Told], deck: LearnedDeck, votes: Votes) -> None:
        self.image, self.corners, self.votes = image, corners_of(known), votes
        self.deck = deck.accustomed(image, [spot for spot, _ in known])
        self.size = size_of(self.corners)
        self.suspected = (votes.said > SUSPECTED).astype(np.float32)
        self.explained = Explained(self.deck)

    def suspicious(self) -> Floats:
        """Places half way from known cards to what the finder does not rule out beside them."""
        cell_px = STRIDE / self.votes.scale
        cells = Ownership(np.zeros(self.votes.shape, np.intp), cell_px)
        left = (self.suspected > 0) & ~cells.inside_any(self.corners)
        least = OF_CARD * self.size[0] * self.size[1] / cell_px**2
        middles = self.corners.mean(axis=1, keepdims=True)
        grown = middles + (1 + 2 * NEAR) * (self.corners - middles)
        found = np.empty((0, 2))
        for near, card in zip(cells.inside_each(grown), middles[:, 0], strict=True):
            at = np.argwhere(near & left)[:, ::-1]
            if len(at) < max(1.0, least):
                continue
            middle = (card + (at.mean(axis=0) + 0.5) * cell_px - 0.5) / 2
            if (np.linalg.norm(found - middle, axis=1) >= SAME * self.size[0]).all():
                found = np.concatenate([found, middle[None]])
        return found

    def beneath(self, middle: Floats) -> Told | None:
        """The likeliest card near to there beneath known ones, if there is one."""
        tries = self._tries(middle)
        if not len(tries):
            return None
        tries, _ = fit(self.image, tries, np.zeros(len(tries), np.intp), self._cells(), FINE)
        worth = worth_of_rims(self.image, tries, self.corners)
        for k in np.flatnonzero(worth):
            worth[k] *= self._explained(tries[k])
        best = int(np.argmax(worth))
        if worth[best] <= 0:
            return None
        self.corners = np.concatenate([self.corners, tries[best : best + 1]])
        return self._told(tries[best])

    def _explained(self, corners: Quad) -> float:
        """Which share of the open part the deck explains; 0 if not enough."""
        share = float(self.explained.shares(self.image, corners, open_bits(corners, self.corners)).max())
        return share if share >= EXPLAINED else 0.0

    def _told(self, corners: Quad) -> Told:
        columns, rows = GRID
        exact = np.asarray(corners, np.float64)
        points = np.broadcast_to(grid_px(exact), (len(self.corners) - 1, columns * rows, 2))
        spot = Spot(exact, ~within(points, self.corners[:-1]).any(axis=0).reshape(rows, columns), 1.0)
        return spot, self.deck.read(self.image, [spot])[0]

    def _cells(self) -> Ownership:
        """Where no card is known."""
        cell_px = STRIDE / self.votes.scale
        cells = Ownership(np.zeros(self.votes.shape, np.intp), cell_px)
        return Ownership(cells.inside_any(self.corners).astype(np.intp), cell_px)

    def _tries(self, middle: Floats) -> Floats:
        """Places with the clearest rims, at most one a turn."""
        found = sorted(
            (one for deg in range(0, 180, STEP_DEG) for one in self._at_turn(middle, deg)),
            key=lambda one: -one[0],
        )
        tries = np.array([corners for _, corners in found[:TRIED]]).reshape(-1, 4, 2)
        last = np.array(self.image.shape[1::-1]) - 1
        return np.asarray(tries[((tries >= 0) & (tries <= last)).all(axis=(1, 2))])

    def _at_turn(self, middle: Floats, turn_deg: float) -> Iterator[tuple[float, Quad]]:
        """The place with the clearest rim at one turn, and how clear it is."""
        c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
        scale = self.size[0] / LENGTH_PX
        window = _Window(np.array([[c, -s], [s, c]]) * scale, middle)
        free = window.free(self.corners)
        suspected = np.asarray(window.layer(self.suspected, STRIDE / self.votes.scale), np.float32)
        size = round(self.size[1] / scale), LENGTH_PX
        able = _able(free, suspected * free, size)
        if not able.any():
            return
        look = np.asarray(window.layer(self.image), np.uint8)
        clear = _clear(free, [clear_edges(look, axis) for axis in (0, 1)], size) * able
        y, x = divmod(int(clear.argmax()), len(clear))
        if clear[y, x] >= LEAST_CLEAR:
            yield float(clear[y, x]), window.card(x - _OFF, y - _OFF, size)


def _able(free: Floats, suspected: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Where a card's middle may be: as much of it is open as must be, and the finder suspects it."""
    open_, part = (_on_card(layer, size) for layer in (free, suspected))
    return np.asarray((open_ >= OPEN[0]) & (open_ <= OPEN[1]) & (part >= OF_FLAPS * open_))


def _clear(free: Floats, edges: Sequence[Floats], size: tuple[int, int]) -> Floats:
    """For every place of a card's middle how clear its rim is there; 0 where too little of it shows."""
    down, across = (one * free for one in edges)
    many, clear = _along_sides(free, free, size), _along_sides(down, across, size)
    seen, of_all = many >= A_SIDE * LENGTH_PX, many.sum(axis=0)
    faintest = np.where(seen, clear / np.maximum(many, 1), 1).min(axis=0)
    enough = (of_all >= A_RIM * LENGTH_PX) & (seen.sum(axis=0) >= SIDES)
    return np.where(enough, (clear.sum(axis=0) / np.maximum(of_all, 1) + faintest) / 2, 0)


def _along_sides(down: Floats, across: Floats, size: tuple[int, int]) -> Floats:
    """(sides, places): the sums along the ends and the long sides of a card with its middle there."""
    wide, tall = size
    ends, longs = (_sums(layer, box) for layer, box in ((down, (wide, 1)), (across, (1, tall))))
    steps = ((-(tall // 2), 0), (tall // 2, 0)), ((0, -(wide // 2)), (0, wide // 2))
    return np.stack(
        [_places(layer, *step) for layer, two in zip((ends, longs), steps, strict=True) for step in two]
    )


def _on_card(layer: Floats, size: tuple[int, int]) -> Floats:
    """The mean on a card with its middle there."""
    return _places(_sums(layer, size), 0, 0) / np.float32(size[0] * size[1])


def _sums(layer: Floats, box: tuple[int, int]) -> Floats:
    out = cv2.boxFilter(layer, cv2.CV_32F, box, normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(out, np.float32)


def _places(layer: Floats, down: int, right: int) -> Floats:
    """What lies so far from where a card's middle may be."""
    first = _REACH - _OFF
    y, x = first + down, first + right
    return layer[y : y + 2 * _OFF + 1, x : x + 2 * _OFF + 1]


_OFF = round(OFF * LENGTH_PX)
_REACH = _OFF + round(AROUND * LENGTH_PX)
_SIDE = 2 * _REACH + 1
_OWN_RIM = np.ones((BESIDE_PX, BESIDE_PX), np.uint8)
