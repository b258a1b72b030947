"""Bare table that seems a card because cards lie round it: it is of the table's colours, and the rims are theirs."""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.refining import edges_along
from referee.vision.cards.sides import SAMPLES, Floats, sides_of
from referee.vision.cards.spot import Image
from referee.vision.cards.strange import Strange
from referee.vision.cards.tangles import Told, corners_of

WELL_READ = 0.95
"""A face read this well is one, whatever its colour; a back is read into any table."""
BESIDE = 0.06
"""How far inside and outside of a rim is looked whether other cards lie there, in card lengths."""
USUAL = 0.1
"""Bare table is less strange than this."""
A_SIDE = SAMPLES
"""Clear places along its own rim that make up for it: as many as one side has."""


def without_bare(image: Image, told: Sequence[Told], table: Strange) -> list[Told]:
    """What was told, but no bare table."""
    corners = corners_of(told)
    clear = edges_along(image, sides_of(corners))
    return [
        one
        for k, one in enumerate(told)
        if (one[1].face == "up" and one[1].confidence >= WELL_READ) or not _is_bare(table, corners, clear, k)
    ]


def _is_bare(table: Strange, corners: Floats, clear: Floats, which: int) -> bool:
    """Whether one of the cards is of the table's colours where no other lies, and hardly has a rim of its own."""
    beside = table.beside(np.delete(corners, which, axis=0))
    open_ = (table.inside(corners[which]) & beside) > 0
    if not open_.any() or float(table.strange[open_].mean()) >= USUAL:
        return False
    sides = sides_of(corners[which : which + 1])
    near = [table.at(beside, sides.rim + sides.outwards * out)[0] for out in (-BESIDE, BESIDE)]
    return float((clear[which] * near[0] * near[1]).sum()) < A_SIDE
