"""Bare table that seems a card because cards lie round it: it is of the table's colours, and the rims are theirs."""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.reading import WELL_READ, Reading
from referee.vision.cards.refining import edges_along
from referee.vision.cards.sides import SAMPLES, Floats, round_a_corner, sides_of
from referee.vision.cards.spot import Image
from referee.vision.cards.strange import Strange
from referee.vision.cards.tangles import Told, corners_of

BESIDE = 0.06
"""How far inside and outside of a rim is looked whether other cards lie there, in card lengths."""
USUAL, USUAL_BACK, HARDLY_READ = 0.1, 0.2, 0.3
"""Bare table is less strange than this; what seems a back must be stranger, for a pattern of the table looks like one,
and what cannot be read at all stranger still."""
LEAST_OPEN = 0.1
"""Share of a card beside all others that says something of it: corners are off by a little, and along the rims of a fan
table shows."""
A_SIDE = SAMPLES
"""Clear places along its own rim, round a corner, that make up for it: as many as one side has. What lies between
cards, and ends at a seam of the table, has no corner of its own."""


def without_bare(image: Image, told: Sequence[Told], table: Strange) -> list[Told]:
    """What was told, but no bare table; a face that is well read is none, but a back is read into any table."""
    corners = corners_of(told)
    return [
        one
        for k, one in enumerate(told)
        if (one[1].face == "up" and one[1].confidence >= WELL_READ)
        or not _is_bare(image, table, corners, k, one[1])
    ]


def _is_bare(image: Image, table: Strange, corners: Floats, which: int, reading: Reading) -> bool:
    """Whether one of the cards is of the table's colours where no other lies, and hardly has a rim of its own."""
    beside = table.beside(np.delete(corners, which, axis=0))
    inside = table.inside(corners[which])
    open_ = (inside & beside) > 0
    if open_.sum() <= LEAST_OPEN * inside.sum():
        return False
    strange = float(table.strange[open_].mean())
    if reading.name is None:
        return strange < HARDLY_READ
    if strange >= (USUAL_BACK if reading.face == "down" else USUAL):
        return False
    sides = sides_of(corners[which : which + 1])
    within, beyond = (table.at(beside, sides.rim + sides.outwards * out) for out in (-BESIDE, BESIDE))
    own = (edges_along(image, sides) * within * beyond).sum(axis=2)
    return float(round_a_corner(own)[0]) < A_SIDE
