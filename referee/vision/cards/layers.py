"""Which card lies on which, and which touch."""

from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np
from shapely.geometry import Polygon

from referee.types import Card
from referee.vision.cards.spot import UNIT, Quad, Seen, Spot, grid_px

LEAST_SHARED = 4
"""Grid points of a card that must lie within another for the two to overlap."""
TOUCH = 0.025
"""Cards nearer than this (in card lengths) touch."""


def lying_on(spots: Sequence[Spot]) -> tuple[tuple[int, ...], ...]:
    """For every spot the numbers of the spots it covers: where two overlap, the one that is open is above."""
    below: list[list[int]] = [[] for _ in spots]
    for a, b in combinations(range(len(spots)), 2):
        open_a, open_b = _open_within(spots[a], spots[b]), _open_within(spots[b], spots[a])
        if open_a is not None and open_b is not None:
            upper, lower = (a, b) if open_a >= open_b else (b, a)
            below[upper].append(lower)
    return tuple(map(tuple, below))


def _open_within(spot: Spot, other: Spot) -> float | None:
    """Which share of the part of `spot` that lies within `other` is open; None if there is none."""
    if not _boxes_meet(spot.corners, other.corners):
        return None
    shared = _within(spot, other)
    return float(spot.seen[shared].mean()) if np.count_nonzero(shared) >= LEAST_SHARED else None


def _within(spot: Spot, other: Spot) -> Seen:
    to_unit = cv2.getPerspectiveTransform(other.corners.astype(np.float32), UNIT)
    at = cv2.perspectiveTransform(grid_px(spot.corners)[None], to_unit)[0]
    return np.asarray(((at > 0) & (at < 1)).all(axis=1).reshape(spot.seen.shape))


def _boxes_meet(a: Quad, b: Quad) -> bool:
    return bool((a.min(axis=0) < b.max(axis=0)).all() and (b.min(axis=0) < a.max(axis=0)).all())


def covers(cards: Sequence[Card]) -> tuple[tuple[int, int], ...]:
    """Pairs (upper, lower) of ids."""
    return tuple((card.id, lower) for card in cards for lower in card.lies_on)


def touches(cards: Sequence[Card]) -> tuple[tuple[int, int], ...]:
    """Pairs of ids that lie edge to edge or overlap."""
    return tuple(
        (a.id, b.id)
        for a, b in combinations(cards, 2)
        if _outline(a).distance(_outline(b)) <= TOUCH * _length(a)
    )


def _outline(card: Card) -> Polygon:
    return Polygon(card.corners_px).buffer(0)


def _length(card: Card) -> float:
    (x0, y0), _, _, (x1, y1) = card.corners_px
    return float(np.hypot(x1 - x0, y1 - y0))
