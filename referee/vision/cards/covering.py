"""Which cards lie on a card, and what of it they leave open."""

from itertools import combinations

import cv2
import numpy as np

from referee.vision.cards.refining import Floats, Ownership
from referee.vision.cards.spot import GRID, Quad, Seen, grid_px, on_card

LEAST_SHARED = 4
"""Points of a card's grid within another card for the two to overlap."""


def upper_cards(corners: Floats, cells: Ownership) -> list[list[int]]:
    """For every card the numbers of those that lie on it: where two overlap, the upper owns more of the cells."""
    upper: list[list[int]] = [[] for _ in corners]
    low, high = corners.min(axis=1), corners.max(axis=1)
    for a, b in combinations(range(len(corners)), 2):
        if (low[a] >= high[b]).any() or (low[b] >= high[a]).any():
            continue
        points = grid_px(corners[a])
        shared = points[_within(points, corners[b])]
        if len(shared) >= LEAST_SHARED:
            whose = cells.at(shared.astype(np.float64))
            above = a if (whose == a).sum() >= (whose == b).sum() else b
            upper[a if above == b else b].append(above)
    return upper


def open_parts(corners: Quad, cells: Ownership, above: Floats) -> Seen:
    """The parts of a card that are on the picture, under no other card, and on a card as the finder says."""
    columns, rows = GRID
    points = grid_px(corners)
    whose = cells.at(points.astype(np.float64)).reshape(rows, columns)
    card = cv2.dilate((whose != -1).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    free = card & (whose != -2)
    for other in above:
        free &= ~_within(points, other).reshape(rows, columns)
    return np.asarray(free)


def _within(points: Floats, corners: Quad) -> Seen:
    at = on_card(points.astype(np.float32), corners)
    return np.asarray(((at > 0) & (at < 1)).all(axis=1))
