"""Bare table that seems a card because cards lie round it: it is of the table's colours, and the rims are theirs."""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.reading import WELL_READ
from referee.vision.cards.refining import edges_along
from referee.vision.cards.sides import SAMPLES, Floats, sides_of
from referee.vision.cards.spot import Image
from referee.vision.cards.strange import Strange
from referee.vision.cards.tangles import Told, corners_of

BESIDE = 0.06
"""How far inside and outside of a rim is looked whether other cards lie there, in card lengths."""
USUAL = 0.1
"""Bare table is less strange than this."""
A_SIDE = SAMPLES
"""Clear places along its own rim that make up for it: as many as one side has."""


def without_bare(image: Image, told: Sequence[Told], table: Strange) -> list[Told]:
    """What was told, but no bare table; a face that is well read is none, but a back is read into any table."""
    corners = corners_of(told)
    return [
        one
        for k, one in enumerate(told)
        if (one[1].face == "up" and one[1].confidence >= WELL_READ) or not _is_bare(image, table, corners, k)
    ]


def _is_bare(image: Image, table: Strange, corners: Floats, which: int) -> bool:
    """Whether one of the cards is of the table's colours where no other lies, and hardly has a rim of its own."""
    beside = table.beside(np.delete(corners, which, axis=0))
    open_ = (table.inside(corners[which]) & beside) > 0
    if not open_.any() or float(table.strange[open_].mean()) >= USUAL:
        return False
    sides = sides_of(corners[which : which + 1])
    within, beyond = (table.at(beside, sides.rim + sides.outwards * out) for out in (-BESIDE, BESIDE))
    return float((edges_along(image, sides) * within * beyond).sum()) < A_SIDE
