"""Cards whose corner index shows: looked for all over a tangle, and laid onto the rims that begin at that corner.

In a fan little more is open of most cards than a strip with their index. Where an index shows its card lies, of the
size of the others, and nothing lies on it there.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.ownership import Cells, Ownership
from referee.vision.cards.reading import Index
from referee.vision.cards.refining import FINE, NEAR, fit_open
from referee.vision.cards.sides import ALONG, SAMPLES, Floats
from referee.vision.cards.spot import Image, within

STEP_PX = 7
"""How far apart indices are looked for, on a picture on which they are of the size that the deck reads."""
LIKELY = 0.3
"""Every second place is looked at, and all round those where an index shows as likely as this."""
SHOWS = 5.0
"""Sum of the chances that one shows at a place, half more, and round it; on tangles that are known a true one comes
to 5 or more, and what looks like one from nearby to less."""
SAME_TURN_DEG = 8.0
"""Indices are read as well when they are askew by this much."""
MOST_TURNS = 4
SAME_SIZE = 0.03
"""Cards whose lengths and widths differ by this share or less need not be looked for twice."""
ASKEW_DEG = 20.0
"""How far the finder's word on the turn of a card may be off from it,"""
NEARBY = 0.2
"""and how far from there, in card lengths, it may be all wrong."""
SAME_PLACE = 0.15
"""Two indices nearer than this, in card lengths, are one."""
MIDDLE = (0.12, 0.16)
"""The middle of an index, in card widths and lengths from the corner."""
BEGINS = -0.2
"""How far along a side its beginning goes that shows beside a strip, from its middle, in its lengths."""
LEAST_CLEAR, ALMOST_AS_CLEAR = 0.42, 0.15
"""How clear the rim must be that begins at an index, and how much less than the clearest one that may be it, too."""

Size = tuple[float, float]
"""Length and width of a card."""
NOWHERE: Floats = np.empty((0, 4, 2))
"""No cards."""


def index_middles(corners: Floats) -> Floats:
    """Where the index of every card (n, 4, 2) is that stands at its first corner."""
    right, down = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    return np.asarray(corners[:, 0] + MIDDLE[0] * right + MIDDLE[1] * down)


@dataclass(frozen=True, slots=True)
class Indices:
    """The indices that looks at one picture found, and where they looked: the next need not look there again."""

    index: Index
    shown: list[tuple[float, Floats]] = field(default_factory=list)
    """How clearly each shows, and corners of its card."""
    looked: list[tuple[float, Size, Cells]] = field(default_factory=list)
    """Turns and sizes of the cards whose indices were looked for, and the cells."""

    def anchored(
        self,
        image: Image,
        where: Cells,
        axis_rad: Floats,
        cell_px: float,
        like: Floats,
        size: Size,
    ) -> Floats:
        """Cards (n, 4, 2) of length and width `size` whose index shows at their first corner, on the cells `where`.

        They are turned about as cards `like` these are, or a quarter or half a turn from it, and about as `axis_rad`
        tells the long axis of the card on cells nearby.
        """
        reach = round(NEARBY * size[0] / cell_px)
        for turn in _quarters(like):
            new = self._new(where & _upright(where, axis_rad, turn, reach), turn, size)
            if new.any():
                near = where & (cv2.dilate(new.astype(np.uint8), _AROUND) > 0)
                self.shown.extend(_Frame.of(size, turn, self.index).shown(image, near, cell_px))
                self.looked.append((turn, size, new))
        return _on_rims(image, *self._on(where, cell_px, size))

    def sought(self, image: Image, where: Cells, cell_px: float, like: Floats, size: Size) -> None:
        """Look for indices on the cells `where` nobody knows of any card, turned about as cards `like` these."""
        for turn in _quarters(like):
            self.shown.extend(_Frame.of(size, turn, self.index).shown(image, where, cell_px))

    def cards(self, size: Size) -> list[Floats]:
        """For every index that shows anywhere, the clearest first, its card of this size as each look laid it."""
        shown = sorted(self.shown, key=lambda one: -one[0])
        corners = _of_size(np.array([corners for _, corners in shown]).reshape(-1, 4, 2), size)
        middles = index_middles(corners)
        first = middles[_apart(middles, SAME_PLACE * size[0])]
        whose = np.linalg.norm(middles[:, None] - first, axis=2).argmin(axis=1) if len(first) else []
        return [corners[whose == k] for k in range(len(first))]

    def _new(self, where: Cells, turn: float, size: Size) -> Cells:
        """Those of the cells, in pieces that can hold an index, where none of such cards was looked for."""
        new = where.astype(np.uint8)
        for other, its_size, looked in self.looked:
            askew = np.degrees(abs((turn - other + np.pi) % (2 * np.pi) - np.pi))
            if askew <= SAME_TURN_DEG and np.abs(np.log(np.divide(size, its_size))).max() <= SAME_SIZE:
                there = cv2.resize(
                    looked.astype(np.uint8), where.shape[::-1], interpolation=cv2.INTER_NEAREST
                )
                new[there > 0] = 0
        return np.asarray(cv2.morphologyEx(new, cv2.MORPH_OPEN, _AROUND) > 0)

    def _on(self, where: Cells, cell_px: float, size: Size) -> tuple[NDArray[np.float64], Floats]:
        """How clearly the indices on these cells show, and their cards, of this size."""
        how = np.array([how for how, _ in self.shown])
        corners = np.array([corners for _, corners in self.shown]).reshape(-1, 4, 2)
        on_it = Ownership(where.astype(np.intp), cell_px).at(index_middles(corners)) == 1
        return how[on_it], _of_size(corners[on_it], size)


def _of_size(corners: Floats, size: Size) -> Floats:
    """Cards (n, 4, 2) of another length and width, their indices in place."""
    right, down = (corners[:, k] - corners[:, 0] for k in (1, 3))
    right, down = (way / np.linalg.norm(way, axis=1, keepdims=True) for way in (right, down))
    right, down = right * size[1], down * size[0]
    first = index_middles(corners) - MIDDLE[0] * right - MIDDLE[1] * down
    return np.stack([first, first + right, first + right + down, first + down], axis=1)


def _on_rims(image: Image, how: Floats, corners: Floats) -> Floats:
    """The cards of indices that show so clearly, each on every rim that it may have."""
    if not len(corners):
        return NOWHERE
    poses, clear = _laid(image, corners)
    order = [k for k in np.argsort(-clear.max(axis=0) * how).tolist() if clear[:, k].max() >= LEAST_CLEAR]
    middles = index_middles(poses[clear.argmax(axis=0), np.arange(len(corners))])
    length = float(np.linalg.norm(corners[0, 3] - corners[0, 0]))
    kept = [order[k] for k in _apart(middles[order], SAME_PLACE * length)]
    likely = clear[:, kept] >= clear[:, kept].max(axis=0) - ALMOST_AS_CLEAR
    return np.asarray(poses[:, kept][likely])


def _upright(where: Cells, axis_rad: Floats, turn: float, reach: int) -> Cells:
    """The cells on cards that stand upright, or on their heads, when they are turned back, and those within reach."""
    off = np.abs((axis_rad - turn) % np.pi - np.pi / 2)
    upright = (where & (off <= np.radians(ASKEW_DEG))).astype(np.uint8)
    around = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.dilate(cv2.morphologyEx(upright, cv2.MORPH_OPEN, _AROUND), around) > 0)


def _quarters(like: Floats) -> list[float]:
    """Turns (radians) of cards like these, and those a quarter, half a turn and three quarters from them."""
    return [turn + quarter * np.pi / 2 for turn in _turns(like) for quarter in range(4)]


def _turns(corners: Floats) -> list[float]:
    """Turns (radians, up to a quarter) of cards, without those that are almost the same."""
    right = corners[:, 1] - corners[:, 0]
    kept: list[float] = []
    for turn in np.degrees(np.arctan2(right[:, 1], right[:, 0])).tolist():
        if all(abs((turn - other + 45) % 90 - 45) > SAME_TURN_DEG for other in kept):
            kept.append(turn)
    return [float(np.radians(turn)) for turn in kept[:MOST_TURNS]]


def _apart(middles: Floats, least: float) -> list[int]:
    """The first of those that lie in the same place."""
    kept: list[int] = []
    for k, middle in enumerate(middles):
        if (np.linalg.norm(middles[kept] - middle, axis=1) >= least).all():
            kept.append(k)
    return kept


@dataclass(frozen=True, slots=True)
class _Frame:
    """A picture of the table on which cards of one turn stand upright, as large as their indices are read."""

    index: Index
    axes: Floats
    """Rows: one pixel to the right and down on it, from pixels of the real picture."""
    card: Floats
    """(2,): width and length of a card on it."""

    @classmethod
    def of(cls, size: Size, turn: float, index: Index) -> "_Frame":
        x0, y0, x1, y1 = index.box
        card = np.array([index.size[0] / (x1 - x0), index.size[1] / (y1 - y0)])
        straight = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        return cls(index, straight * (card / size[::-1])[:, None], card)

    def shown(self, image: Image, where: Cells, cell_px: float) -> list[tuple[float, Floats]]:
        """How clearly indices show, and corners of their cards."""
        rows, columns = np.nonzero(where)
        at = ((np.stack([columns, rows], axis=1) + 0.5) * cell_px - 0.5) @ self.axes.T
        low, high = at.min(axis=0) - self.index.size, at.max(axis=0) + self.index.size
        wide, tall = np.ceil(high - low).astype(int).tolist()
        warp = np.column_stack([self.axes, -low])
        back = np.asarray(cv2.invertAffineTransform(warp), np.float64)
        look = np.asarray(
            cv2.warpAffine(image, warp, (wide, tall), borderMode=cv2.BORDER_REPLICATE), np.uint8
        )
        chance = self._chances(look, where, cell_px, back)
        heap = 0.5 * chance + cv2.boxFilter(
            chance, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT
        )
        peaks = np.argwhere((heap >= cv2.dilate(heap, _AROUND)) & (heap >= SHOWS)).tolist()
        return [(float(heap[y, x]), self._card(chance, y, x) @ back[:, :2].T + back[:, 2]) for y, x in peaks]

    def _chances(self, look: Image, where: Cells, cell_px: float, back: Floats) -> NDArray[np.float32]:
        """(rows, columns) of a grid of STEP_PX: how likely an index shows with its box beginning there."""
        wide, tall = self.index.size
        windows = np.lib.stride_tricks.sliding_window_view(look, (tall, wide), axis=(0, 1))
        windows = windows[::STEP_PX, ::STEP_PX]
        y, x = np.mgrid[: windows.shape[0], : windows.shape[1]] * STEP_PX
        middle = np.stack([x, y], axis=-1) + (np.array(MIDDLE) - self.index.box[:2]) * self.card
        cell = np.floor((middle @ back[:, :2].T + back[:, 2] + 0.5) / cell_px).astype(int)
        asked = ((cell >= 0) & (cell < where.shape[::-1])).all(axis=-1)
        asked[asked] = where[cell[asked][:, 1], cell[asked][:, 0]]
        chance = np.zeros(asked.shape, np.float32)
        some = np.zeros_like(asked)
        some[::2, ::2] = asked[::2, ::2]
        self._look(windows, some, chance)
        near = cv2.dilate((chance > LIKELY).astype(np.uint8), _NEAR) > 0
        self._look(windows, near & asked & ~some, chance)
        return chance

    def _look(self, windows: Image, where: Cells, chance: NDArray[np.float32]) -> None:
        if where.any():
            chance[where] = self.index.shows(np.ascontiguousarray(windows[where].transpose(0, 2, 3, 1)))

    def _card(self, chance: NDArray[np.float32], row: int, column: int) -> Floats:
        """The card of an index that shows at and round this place of the grid."""
        rows, columns = (slice(max(0, k - 1), k + 2) for k in (row, column))
        weight = chance[rows, columns]
        y, x = np.mgrid[
            rows.start : rows.start + weight.shape[0], columns.start : columns.start + weight.shape[1]
        ]
        start = np.array([(x * weight).sum(), (y * weight).sum()]) / weight.sum() * STEP_PX
        corner = start - np.array(self.index.box[:2]) * self.card
        return np.asarray(corner + np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * self.card)


_AROUND, _NEAR = np.ones((3, 3), np.uint8), np.ones((5, 5), np.uint8)


def ways_to_lie(image: Image, corners: Floats) -> Floats:
    """Cards of one index as they are, and then on each rim that shows."""
    poses, clear = _laid(image, corners)
    return np.concatenate([corners, poses[clear >= max(LEAST_CLEAR, float(clear.max()) - ALMOST_AS_CLEAR)]])


def _laid(image: Image, corners: Floats) -> tuple[Floats, Floats]:
    """(ways, cards): every card on each rim it can have, all round or along a strip, and how clear it is."""
    poses, clear = zip(*(_fitted(image, corners, open_) for open_ in _SHOWN), strict=True)
    return np.stack(poses), np.stack(clear)


def _fitted(image: Image, corners: Floats, open_: Floats) -> tuple[Floats, Floats]:
    weights = np.repeat(open_[None], len(corners), axis=0)
    for search in (NEAR, NEAR, FINE):
        corners, clear = fit_open(image, corners, weights, search)
    return corners, clear


def _strips() -> Floats:
    """(strips, sides, samples): 1 where the rim is open, of a whole card and of strips along its top and its left."""
    first, last, all_ = ALONG < BEGINS, ALONG > -BEGINS, np.ones(SAMPLES, bool)
    none = ~all_
    sides = [(all_,) * 4, (all_, first, none, last), (first, none, last, all_), (all_, first, last, all_)]
    return np.array(sides, np.float32)


_SHOWN = _strips()


def inside_of(corners: Floats, places: Floats) -> Cells:
    """(cards, places): whether a place is on a card."""
    return within(places[None], corners)


def belongs(corners: Floats, middles: Floats, near: float = SAME_PLACE / 2) -> Cells:
    """(cards, indices): whether an index is at one end of a card where its own would be, so many card lengths near."""
    length = np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)
    ends = np.stack([index_middles(corners), index_middles(np.roll(corners, 2, axis=1))], axis=1)
    off = np.linalg.norm(ends[:, :, None] - middles, axis=-1).min(axis=1)
    return np.asarray(off < near * length[:, None])
