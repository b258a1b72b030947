"""Faces of covered cards that show no index though a corner of theirs is open.

Of a card that is half hidden some pips are hidden, too, and two cards side by side have pips and pictures enough for a
third. But where the corner of a real one is open, an index shows there, even if nobody can read it.
"""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.reading import Index
from referee.vision.cards.spot import Image, Spot, cuts
from referee.vision.cards.standard import index_open
from referee.vision.cards.tangles import TWICE, Told

SHOWS = 0.5
"""How likely an index must show: in open corners of covered cards that were rightly read it comes to 0.7 or more."""


def without_index(image: Image, told: Sequence[Told], index: Index, covered: float) -> set[int]:
    """The numbers of the faces less open than `covered` whose open corners show none."""
    ends = [(k, way) for k, one in enumerate(told) for way in _open_ends(one, covered)]
    if not ends:
        return set()
    corners = np.stack([way.corners for _, way in ends])
    best: dict[int, float] = {}
    for (k, _), chance in zip(ends, index.shows(cuts(image, corners, index.box, index.size)), strict=True):
        best[k] = max(best.get(k, 0.0), float(chance))
    return {k for k, chance in best.items() if chance < SHOWS}


def _open_ends(one: Told, covered: float) -> list[Spot]:
    """The card with each of its ends up whose index can be seen; none, if it is no covered face."""
    spot, reading = one
    if reading.face != "up" or reading.name in (None, TWICE) or spot.visible >= covered:
        return []
    return [way for way in (spot, spot.turned()) if index_open(way)]
