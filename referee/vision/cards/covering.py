"""Which cards lie on a card, and what of it they leave open."""

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.ownership import Numbers
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import GRID, Quad, Seen, grid_px, grids_px, within

LEAST_SHARED = 4
"""Points of a card's grid within another card for the two to overlap."""


def overlaps(corners: Floats, asked: NDArray[np.bool_] | None = None) -> tuple[Numbers, Numbers, Seen]:
    """Cards that may overlap, each pair both ways, and which points of the first one's grid lie on the second.

    If only some cards are asked about, the first of a pair is one of those.
    """
    low, high = corners.min(axis=1), corners.max(axis=1)
    meet = (low[:, None] < high).all(axis=-1)
    meet &= meet.T
    np.fill_diagonal(meet, False)
    one, other = np.nonzero(meet)
    meet[one, other] = ~_beside(corners[one], corners[other])
    meet &= meet.T
    if asked is not None:
        meet[~asked] = False
    one, other = np.nonzero(meet)
    if not len(one):
        return one, other, np.zeros((0, GRID[0] * GRID[1]), bool)
    which, place = np.unique(one, return_inverse=True)
    return one, other, within(grids_px(corners[which])[place], corners[other])


def covered(corners: Quad, by: Floats) -> Seen:
    """(rows, columns): what of a card lies on any of these."""
    columns, rows = GRID
    points = np.broadcast_to(grid_px(corners), (len(by), columns * rows, 2))
    return np.asarray(within(points, by).any(axis=0).reshape(rows, columns))


def _beside(cards: Floats, others: Floats) -> NDArray[np.bool_]:
    """Whether a side of each card (n, 4, 2) runs between it and another: then they share nothing."""
    along = cards[:, (1, 2, 3, 0)] - cards
    across = np.stack([along[..., 1], -along[..., 0]], axis=1)
    own, its = cards @ across, others @ across
    apart = (its.min(axis=1) > own.max(axis=1)) | (its.max(axis=1) < own.min(axis=1))
    return np.asarray(apart.any(axis=1))


def open_parts(corners: Floats, whose: Numbers) -> NDArray[np.bool_]:
    """(cards, rows, columns): parts on the picture, under no other card, and on a card as the finder says.

    Where two overlap, the upper owns more of the cells; `whose` tells the owner of every card's grid points.
    """
    columns, rows = GRID
    free = _spread(whose != -1) & (whose != -2)
    one, other, shared = overlaps(corners)
    number = np.full((len(corners), len(corners)), -1)
    number[one, other] = np.arange(len(one))
    first = (one < other) & (shared.sum(axis=1) >= LEAST_SHARED)
    for a, b, both in zip(one[first], other[first], shared[first], strict=True):
        of_both = whose[a][both]
        lower, upper = (b, a) if (of_both == a).sum() >= (of_both == b).sum() else (a, b)
        free[lower] &= ~shared[number[lower, upper]]
    return np.asarray(free.reshape(-1, rows, columns))


def _spread(parts: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Parts of cards (n, cells) with the cells round them; the cards stand one below the other, a gap between them."""
    columns, rows = GRID
    stacked = np.zeros((len(parts), rows + GAP, columns), np.uint8)
    stacked[:, :rows] = parts.reshape(-1, rows, columns)
    spread = cv2.dilate(stacked.reshape(-1, columns), _NEAR).reshape(stacked.shape)
    return np.asarray(spread[:, :rows].reshape(parts.shape), np.bool_)


GAP = 2
_NEAR = np.ones((2 * GAP + 1, 2 * GAP + 1), np.uint8)
