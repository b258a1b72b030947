"""Faces of covered cards that their own index denies.

Of a card that is half hidden some pips are hidden, too, and two cards side by side have pips and pictures enough for a
third. What such a card is called its index must bear out at least a little, where the corner of one is open.
"""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.reading import Index
from referee.vision.cards.spot import Image, Spot, cuts
from referee.vision.cards.standard import index_open
from referee.vision.cards.tangles import TWICE, Told

BORNE_OUT = 0.18
"""How likely an index must be that of its card. Of covered cards that are what they are called nearly all come to 0.7
or more, and the least, whose index is small and blurred, to 0.2; what is no such card comes to 0.5 or less."""


def denied(image: Image, told: Sequence[Told], index: Index, shown: float) -> set[int]:
    """The numbers of the faces less open than `shown` that an index in an open corner does not bear out."""
    ends = [(k, way) for k, one in enumerate(told) for way in _open_ends(one, shown)]
    if not ends:
        return set()
    names = [str(told[k][1].name) for k, _ in ends]
    corners = np.stack([way.corners for _, way in ends])
    chances = index.names(cuts(image, corners, index.box, index.size), names).tolist()
    best: dict[int, float] = {}
    for (k, _), chance in zip(ends, chances, strict=True):
        best[k] = max(best.get(k, 0.0), chance)
    return {k for k, chance in best.items() if chance < BORNE_OUT}


def _open_ends(one: Told, shown: float) -> list[Spot]:
    """The card with each of its ends up whose index can be seen; none, if it is no covered face."""
    spot, reading = one
    if reading.face != "up" or reading.name in (None, TWICE) or spot.visible >= shown:
        return []
    return [way for way in (spot, spot.turned()) if index_open(way)]
