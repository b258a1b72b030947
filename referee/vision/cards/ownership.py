"""Whose the cells of the finder's grid are."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.sides import Floats

Numbers = NDArray[np.intp]
Cells = NDArray[np.bool_]

GROWN = 1.04
"""Cells on a card's rim are its own."""


@dataclass(frozen=True)
class Ownership:
    """Whose every cell of the finder's grid is."""

    owner: Numbers
    """(rows, columns): the number of the card, or -1."""
    cell_px: float

    @cached_property
    def _framed(self) -> Numbers:
        """The cells row by row, with a frame of -2 round them."""
        rows, columns = self.owner.shape
        framed = np.full((rows + 2, columns + 2), -2)
        framed[1:-1, 1:-1] = self.owner
        return framed.ravel()

    def at(self, points: Floats) -> Numbers:
        """Whose the cells at these places are; -2 beside the picture."""
        rows, columns = self.owner.shape
        cell = (points + (0.5 + self.cell_px)) / self.cell_px
        np.maximum(cell, 0, out=cell)
        np.minimum(cell, (columns + 1, rows + 1), out=cell)
        cell = cell.astype(np.intp)
        return np.asarray(self._framed[cell[..., 1] * (columns + 2) + cell[..., 0]])

    def on(self, cells: Cells, points: Floats) -> Cells:
        """Whether these places are on the cells."""
        return np.asarray(Ownership(cells.astype(np.intp), self.cell_px).at(points) == 1)

    def inside(self, corners: Floats) -> Cells:
        """The cells on a card."""
        return self.inside_any(corners[None])

    def inside_each(self, corners: Floats) -> list[Cells]:
        """The cells on each of these cards (n, 4, 2)."""
        return [self._filled(outline) for outline in self._outlines(corners)[:, None]]

    def inside_any(self, corners: Floats) -> Cells:
        """The cells on any of these cards (n, 4, 2)."""
        return self._filled(self._outlines(corners))

    def _outlines(self, corners: Floats) -> NDArray[np.int32]:
        """In sixteenths of cells."""
        middle = corners.mean(axis=1, keepdims=True)
        outlines = (middle + (corners - middle) * GROWN + 0.5) / self.cell_px - 0.5
        return np.asarray(np.rint(outlines * 16), np.int32)

    def _filled(self, outlines: NDArray[np.int32]) -> Cells:
        mask = np.zeros(self.owner.shape, np.uint8)
        for outline in outlines:
            cv2.fillConvexPoly(mask, outline, 1, shift=4)
        return mask > 0
