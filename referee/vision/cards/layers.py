"""Which card lies on which, and which touch."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from shapely.geometry import Polygon

from referee.types import Card
from referee.vision.cards.covering import LEAST_SHARED, overlaps
from referee.vision.cards.spot import Spot

TOUCH = 0.025
"""Cards nearer than this (in card lengths) touch."""


def lying_on(spots: Sequence[Spot]) -> tuple[tuple[int, ...], ...]:
    """For every spot the numbers of the spots it covers: where two overlap, the one that is open is above."""
    below: list[list[int]] = [[] for _ in spots]
    for (a, b), share in (open_ := _open_where_shared(spots)).items():
        if a < b and (b, a) in open_:
            upper, lower = (a, b) if share >= open_[b, a] else (b, a)
            below[upper].append(lower)
    return tuple(map(tuple, below))


def _open_where_shared(spots: Sequence[Spot]) -> dict[tuple[int, int], float]:
    """For every spot and another that it overlaps, which share of the part they share is open on the first."""
    if not spots:
        return {}
    one, other, shared = overlaps(np.stack([spot.corners for spot in spots]))
    seen = np.stack([spot.seen.ravel() for spot in spots])[one]
    many, free = shared.sum(axis=1), (seen & shared).sum(axis=1)
    return {
        (int(a), int(b)): float(f / m)
        for a, b, m, f in zip(one, other, many, free, strict=True)
        if m >= LEAST_SHARED
    }


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
