"""Contacts between frames: a fast piece goes on to another and bounces off before it is seen again.

The line between the two sightings cuts that corner. What tells is that the one turns where the other begins to move.
"""

import math
from collections.abc import Iterator
from itertools import pairwise

from referee.geometry import centroid
from referee.types import Outline, Point
from referee.watch.movers import Mover, Place
from referee.watch.shots import under_way

TURNED = 0.25
"""How far a piece is from where it would have gone, as a share of the way, when something turned it."""
LEAST_TURN_MM = 6.0
BEGINS_FRAMES = 3
"""Within so many frames the other is seen to move."""
TOUCH = 0.1
"""Radii by which an outline may be off."""
PARTS = 24
"""Steps of the way between two sightings."""


def bounced_off(piece: Mover, others: tuple[Mover, ...], frame_ns: int) -> set[int]:
    """Ids of the pieces at which a piece turned between two sightings and which began to move then."""
    return {m.id for turn in _turns(piece) if (m := _first_met(piece, turn, others, frame_ns)) is not None}


def _turns(piece: Mover) -> Iterator[tuple[Place, Place, Point]]:
    """Sightings before and after a turn, and where it would have been without."""
    way = under_way(piece)
    for (before, last), after in zip(pairwise(way), way[2:], strict=False):
        frames = (after.t_ns - last.t_ns) / max(last.t_ns - before.t_ns, 1)
        onward = (
            last.mm[0] + (last.mm[0] - before.mm[0]) * frames,
            last.mm[1] + (last.mm[1] - before.mm[1]) * frames,
        )
        if math.dist(onward, after.mm) > max(TURNED * math.dist(onward, last.mm), LEAST_TURN_MM):
            yield last, after, onward


def _first_met(
    piece: Mover, turn: tuple[Place, Place, Point], others: tuple[Mover, ...], frame_ns: int
) -> Mover | None:
    """The first resting piece on the straight way on, if it began to move then."""
    last, after, onward = turn
    room = BEGINS_FRAMES * frame_ns
    near = [
        (m, (_radius(piece.start.outline_mm) + _radius(m.start.outline_mm)) * (1 + TOUCH))
        for m in others
        if any(last.t_ns - room <= p.t_ns <= after.t_ns + room for p in under_way(m)[:1])
    ]
    for k in range(PARTS + 1):
        share = k / PARTS
        here = (
            last.mm[0] + (onward[0] - last.mm[0]) * share,
            last.mm[1] + (onward[1] - last.mm[1]) * share,
        )
        for other, reach in near:
            if math.dist(here, other.start.mm) < reach:
                return other
    return None


def _radius(outline: Outline) -> float:
    """Mean distance of an outline from its middle."""
    middle = centroid(outline)
    return sum(math.dist(middle, point) for point in outline) / len(outline)
