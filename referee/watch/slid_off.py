"""Whether a piece that is gone slid off the board, or was carried off by a hand."""

import math
from itertools import pairwise

from referee.geometry import off_board_margin_mm
from referee.types import Outline
from referee.watch.movers import Mover, Place
from referee.watch.shots import hastens, under_way

FREE_MM, BESIDE_MM = 3.0, 40.0
"""Space to a hand that does not hold it, and to one that is close by."""
EDGE_MM = 40.0
"""A piece that fell was last seen no further from the edge: pieces are fast, frames are few."""
ENOUGH, FASTER = 4, 1.25
"""Sightings that tell a slide from a hand that carries a piece off; fewer must be of one pace, or slower and slower."""


def slid_off(mover: Mover, board: Outline | None) -> bool:
    """Whether a vanished piece was seen, clear of any hand, running ever further towards the edge."""
    free = [p for p in under_way(mover) if p.reach_mm > FREE_MM][-4:]
    far = [math.dist(p.mm, mover.start.mm) for p in free]
    runs = len(far) >= 3 and far[0] > 5 and all(b - a > 1.5 for a, b in pairwise(far))
    if not runs or hastens(mover) or _is_left_of_a_hand(free) or (len(free) < ENOUGH and not _steady(free)):
        return False
    return board is None or off_board_margin_mm(free[-1].mm, board) > -EDGE_MM


def _is_left_of_a_hand(few: list[Place]) -> bool:
    """Whether a hand was beside it in one sighting and nowhere in the next: it went out of the picture, and what was
    seen then is the rest of it."""
    return any(a.reach_mm < BESIDE_MM and math.isinf(b.reach_mm) for a, b in pairwise(few))


def _steady(few: list[Place]) -> bool:
    """Whether a few sightings, one a frame, are of one flight: what a hand carries off hastens."""
    steps = [math.dist(a.mm, b.mm) for a, b in pairwise(few)]
    at_once = all(b.index - a.index == 1 for a, b in pairwise(few))
    return at_once and all(after < FASTER * before for before, after in pairwise(steps))
