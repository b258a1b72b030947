"""Bare table that seems a card because cards lie round it: it is of the table's colours, and the rims are theirs."""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.reading import WELL_READ, Reading
from referee.vision.cards.refining import edges_along
from referee.vision.cards.sides import SAMPLES, Floats, round_a_corner, sides_of
from referee.vision.cards.spot import Image, Spot
from referee.vision.cards.strange import Strange, strange_on
from referee.vision.cards.tangles import Told, corners_of

BESIDE = 0.06
"""How far inside and outside of a rim is looked whether other cards lie there, in card lengths."""
USUAL, USUAL_BACK, HARDLY_READ = 0.1, 0.2, 0.3
"""Bare table is less strange than this; what seems a back must be stranger, for a pattern of the table looks like one,
and what cannot be read at all stranger still."""
LEAST_OPEN = 0.1
"""Share of a card beside all others that says something of it: corners are off by a little, and along the rims of a fan
table shows."""
IN_DOUBT = 0.8
"""A card that is read less well is looked at once more when all others are known,"""
USUAL_AFTER_ALL, UNREAD_AFTER_ALL = 0.2, 0.05
"""and bare table is less strange than this then; what cannot be read may be another card's flap, and is stranger."""
OPEN, RIM = 0.9, 0.65
"""How much of a card seems open, and how clear its rim is then if it cannot be read: else it is part of a hand."""
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


def without_bare_after_all(image: Image, told: Sequence[Told]) -> list[Told]:
    """What was told, but of the cards in doubt none that is bare table beside all others: it may itself have hidden the
    table's colours; and none that cannot be read and lies open without a rim."""
    kept = [one for one in told if not _lacks_rim(image, *one)]
    for one in sorted(kept, key=lambda one: one[1].confidence):
        if one[1].confidence < IN_DOUBT and _is_bare_after_all(image, kept, one):
            kept = [other for other in kept if other is not one]
    return kept


def _lacks_rim(image: Image, spot: Spot, reading: Reading) -> bool:
    if reading.name is not None or spot.visible < OPEN:
        return False
    return float(edges_along(image, sides_of(spot.corners[None])).mean()) < RIM


def _is_bare_after_all(image: Image, told: Sequence[Told], one: Told) -> bool:
    corners = corners_of([other for other in told if other is not one] + [one])
    table = strange_on(image, corners[:-1])
    if table is None:
        return False
    strange = _strange_beside(table, corners, len(corners) - 1)
    usual = UNREAD_AFTER_ALL if one[1].name is None else USUAL_AFTER_ALL
    return strange is not None and strange < usual and not _has_rim(image, table, corners, len(corners) - 1)


def _is_bare(image: Image, table: Strange, corners: Floats, which: int, reading: Reading) -> bool:
    """Whether one of the cards is of the table's colours where no other lies, and hardly has a rim of its own."""
    strange = _strange_beside(table, corners, which)
    if strange is None:
        return False
    if reading.name is None:
        return strange < HARDLY_READ
    usual = USUAL_BACK if reading.face == "down" else USUAL
    return strange < usual and not _has_rim(image, table, corners, which)


def _strange_beside(table: Strange, corners: Floats, which: int) -> float | None:
    """How strange one of the cards is where no other lies; None if that is too little."""
    inside = table.inside(corners[which])
    open_ = (inside & table.beside(np.delete(corners, which, axis=0))) > 0
    return float(table.strange[open_].mean()) if open_.sum() > LEAST_OPEN * inside.sum() else None


def _has_rim(image: Image, table: Strange, corners: Floats, which: int) -> bool:
    """Whether one of the cards has a rim beside all others, round a corner."""
    beside, sides = table.beside(np.delete(corners, which, axis=0)), sides_of(corners[which : which + 1])
    within, beyond = (table.at(beside, sides.rim + sides.outwards * out) for out in (-BESIDE, BESIDE))
    own = (edges_along(image, sides) * within * beyond).sum(axis=2)
    return float(round_a_corner(own)[0]) >= A_SIDE
