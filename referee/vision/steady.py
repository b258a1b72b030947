"""A picture held still: a camera on a light stand trembles with every step on the floor.

How far the whole picture has shifted is read off the strongest edges of the first picture, in the light of the present
one. A hand covers some of them and is outvoted by the rest.
"""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.vision.middles import median

Shift = tuple[float, float]
"""How far to the right and down a picture has moved, in its own pixels."""
Values = NDArray[np.float32]

UNMOVED: Shift = (0.0, 0.0)
LEAST = 0.1
"""Half pixels: less is not worth holding, and may be noise."""
MOST = 3.0
"""Half pixels: more is no trembling."""
BLOCK, EDGES = 16, 6
"""So many of the strongest edges in every block of so many pixels."""
STEEP = 8.0
"""Grey levels a pixel that an edge has at least."""
FEWEST = 100
"""Edges without which nothing is said."""
AGREE, BETTER = 0.5, 0.15
"""Share that must agree on a shift, and how much more than agree on none. Of a camera that stands still hardly ever
more of them do, whatever a hand covers; of one that trembles up to all."""
STANDS = 1 - BETTER
"""Share of the edges that look as they did from which on no shift can be so much better."""
NOISE, SAME = 3.0, 0.2
"""An edge looks as it did within so many grey levels, or within so many pixels of its slope."""
ROUNDS, VOTES = 3, 4
CALM_NS = 2_000_000_000
"""A camera that has not trembled for so long stands still."""
BELIEVED, SELDOM = 8, 8
"""A camera that has stood still so often is asked at every so manieth picture only."""


class Steady:
    """Remembers the first picture and holds the others against it."""

    def __init__(self) -> None:
        self._first: Values | None = None
        self._slopes = np.zeros((0, 2), np.float32)
        self._spots = np.zeros((0, 2), np.float32)
        self._bounds = np.zeros(0, np.float32)
        self._across = np.zeros(0, bool)
        self._trembled_ns: int | None = None
        self._asked = self._stood = 0

    def trembles(self, t_ns: int) -> bool:
        """The camera has moved within the last moments."""
        return self._trembled_ns is not None and t_ns - self._trembled_ns < CALM_NS

    def shift(self, small: Image, t_ns: int) -> Shift:
        """How far a picture has moved from the first; nothing where it cannot be told."""
        if self._first is None:
            self._learn(_green(small))
            return UNMOVED
        self._asked += 1
        if len(self._spots) < FEWEST or (self._stood > BELIEVED and self._asked % SELDOM):
            return UNMOVED
        moved = self._moved(_green(small), self.trembles(t_ns))
        if not LEAST <= max(abs(moved[0]), abs(moved[1])) <= MOST:
            self._stood += not self.trembles(t_ns)
            return UNMOVED
        self._trembled_ns, self._stood = t_ns, 0
        return moved

    def _learn(self, grey: Image) -> None:
        """The strongest edges, some in every part of the picture."""
        soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
        across, down = (
            cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8),
            cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8),
        )
        steep = np.hypot(across, down)
        steep[:4], steep[-4:], steep[:, :4], steep[:, -4:] = 0, 0, 0, 0
        rows, columns = _strongest(steep)
        self._first = np.asarray(soft[rows, columns], np.float32)
        self._slopes = np.column_stack([across[rows, columns], down[rows, columns]]).astype(np.float32)
        self._spots = np.column_stack([columns, rows]).astype(np.float32)
        along, aside = np.abs(self._slopes).T
        self._bounds, self._across = np.maximum(NOISE, SAME * np.hypot(along, aside)), along > aside

    def _moved(self, grey: Image, trembling: bool) -> Shift:
        """Small shifts are believed only of a camera that is known to tremble."""
        assert self._first is not None
        soft = cast(Image, cv2.GaussianBlur(grey, (0, 0), 1.0))
        columns, rows = self._spots.T.astype(np.int64)
        unmoved = self._agreed(soft[rows, columns].astype(np.float32))
        if unmoved > STANDS and not trembling:
            return UNMOVED
        moved = np.zeros(2, np.float32)
        for _ in range(ROUNDS):
            step = _voted(_read(soft, self._spots + moved), self._first, self._slopes)
            moved = moved - step
            if float(np.abs(step).max()) < 0.02:
                break
        least = AGREE if trembling else max(AGREE, unmoved + BETTER)
        sure = self._agreed(_read(soft, self._spots + moved)) > least
        return (float(moved[0]), float(moved[1])) if sure else UNMOVED

    def _agreed(self, now: Values) -> float:
        """The share of edges that look as they did: of those across or of those down, whichever is less."""
        assert self._first is not None
        light = float(median((now + 4) / (self._first + 4)))
        same = np.abs(now - self._first * light) < self._bounds
        parts = same[self._across], same[~self._across]
        return min(np.count_nonzero(part) / len(part) if len(part) else 0.0 for part in parts)


def _green(picture: Image) -> Image:
    return cast(Image, cv2.extractChannel(picture, 1))


def _read(soft: Image, spots: Values) -> Values:
    """A picture read between its pixels."""
    seen = cv2.remap(
        soft, spots[None, :, 0], spots[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen[0], np.float32)


def held(picture: Image, shift: Shift) -> Image:
    """The picture moved back by a shift."""
    if shift == UNMOVED:
        return picture
    warp = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    size = (picture.shape[1], picture.shape[0])
    return cast(Image, cv2.warpAffine(picture, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def scaled(shift: Shift, by: float) -> Shift:
    """The same shift in larger or smaller pixels."""
    return shift[0] * by, shift[1] * by


def _strongest(steep: Values) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of the strongest edges of every block."""
    height, width = (n // BLOCK * BLOCK for n in steep.shape)
    blocks = steep[:height, :width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK).swapaxes(1, 2)
    flat = blocks.reshape(height // BLOCK, width // BLOCK, BLOCK * BLOCK)
    best = np.argpartition(flat, -EDGES, axis=2)[..., -EDGES:]
    rows = np.arange(height // BLOCK)[:, None, None] * BLOCK + best // BLOCK
    columns = np.arange(width // BLOCK)[None, :, None] * BLOCK + best % BLOCK
    strong = steep[rows, columns] > STEEP
    return rows[strong], columns[strong]


def _voted(now: Values, then: Values, slopes: Values) -> Values:
    """The step that explains most of the difference, with the light free."""
    terms = np.column_stack([slopes, then, np.ones_like(then)])
    weight = np.ones_like(then)
    found = np.zeros(4, np.float32)
    for _ in range(VOTES):
        weighted = terms * weight[:, None]
        square = weighted.T @ terms + np.eye(4, dtype=np.float32) * 1e-3
        found = np.linalg.solve(square, weighted.T @ (now - then)).astype(np.float32)
        off = np.abs(now - then - terms @ found)
        scale = np.float32(2 * max(float(np.median(off)), 1.0))
        weight = np.asarray(1 / (1 + (off / scale) ** 2) ** 2, np.float32)
    return found[:2]
