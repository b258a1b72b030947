"""Faces of covered cards that show no index though a corner of theirs is open.

Of a card that is half hidden some pips are hidden, too, and two cards side by side have pips and pictures enough for a
third. But where the corner of a real one is open, an index shows there, even if nobody can read it.
"""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.reading import Index
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image, Quad, Spot, cuts
from referee.vision.cards.standard import index_open
from referee.vision.cards.tangles import TWICE, Told

SHOWS = 0.5
"""How likely an index must show: in open corners of covered cards that were rightly read it comes to 0.7 or more,"""
ACROSS, ALONG = (-0.03, 0.0, 0.03), (-0.02, 0.0, 0.02)
"""looked for where the card lies and a little aside, in its widths and lengths: corners in a fan are not exact."""


def without_index(image: Image, told: Sequence[Told], index: Index, covered: float) -> set[int]:
    """The numbers of the faces less open than `covered` whose open corners show none."""
    ends = [(k, way) for k, one in enumerate(told) for way in _open_ends(one, covered)]
    if not ends:
        return set()
    corners = np.concatenate([_beside(way.corners) for _, way in ends])
    shown = index.shows(cuts(image, corners, index.box, index.size)).reshape(len(ends), -1).max(axis=1)
    best: dict[int, float] = {}
    for (k, _), chance in zip(ends, shown.tolist(), strict=True):
        best[k] = max(best.get(k, 0.0), chance)
    return {k for k, chance in best.items() if chance < SHOWS}


def _beside(corners: Quad) -> Floats:
    """(places, 4, 2): the card where it is and a little aside."""
    right, down = corners[1] - corners[0], corners[3] - corners[0]
    return np.stack([corners + x * right + y * down for x in ACROSS for y in ALONG])


def _open_ends(one: Told, covered: float) -> list[Spot]:
    """The card with each of its ends up whose index can be seen; none, if it is no covered face."""
    spot, reading = one
    if reading.face != "up" or reading.name in (None, TWICE) or spot.visible >= covered:
        return []
    return [way for way in (spot, spot.turned()) if index_open(way)]
