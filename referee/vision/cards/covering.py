"""Which cards lie on a card, and what of it they leave open."""

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.ownership import Numbers
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import GRID, Seen, grids_px, on_cards

LEAST_SHARED = 4
"""Points of a card's grid within another card for the two to overlap."""


def overlaps(corners: Floats) -> tuple[Numbers, Numbers, Seen]:
    """Cards that may overlap, each pair both ways, and which points of the first one's grid lie on the second."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    meet = (low[:, None] < high).all(axis=-1)
    meet &= meet.T
    np.fill_diagonal(meet, False)
    one, other = np.nonzero(meet)
    at = on_cards(grids_px(corners)[one], corners[other])
    return one, other, np.asarray(((at > 0) & (at < 1)).all(axis=-1))


def open_parts(corners: Floats, whose: Numbers) -> NDArray[np.bool_]:
    """(cards, rows, columns): parts on the picture, under no other card, and on a card as the finder says.

    Where two overlap, the upper owns more of the cells; `whose` tells the owner of every card's grid points.
    """
    columns, rows = GRID
    free = np.stack(
        [
            (cv2.dilate((row != -1).reshape(rows, columns).astype(np.uint8), _NEAR) > 0).ravel() & (row != -2)
            for row in whose
        ]
    )
    one, other, shared = overlaps(corners)
    number = np.full((len(corners), len(corners)), -1)
    number[one, other] = np.arange(len(one))
    first = (one < other) & (shared.sum(axis=1) >= LEAST_SHARED)
    for a, b, both in zip(one[first], other[first], shared[first], strict=True):
        of_both = whose[a][both]
        lower, upper = (b, a) if (of_both == a).sum() >= (of_both == b).sum() else (a, b)
        free[lower] &= ~shared[number[lower, upper]]
    return free.reshape(-1, rows, columns)


_NEAR = np.ones((5, 5), np.uint8)
