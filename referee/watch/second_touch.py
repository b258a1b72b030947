"""Whether the hand itself moved a second piece, or the shooter did."""

import math

import numpy as np
from numpy.typing import NDArray

from referee.geometry import gap_mm
from referee.happenings import Doubt
from referee.watch.movers import Mover
from referee.watch.shots import away_by, last_home_ns, leaving_mm_ms, started, under_way

NEAR_HAND_MM = 6.0
"""A hand so near a piece may touch it."""
NEIGHBOURS_MM = 6.0
"""Of two pieces so near each other one may have been hit by the other before a camera saw it move."""


def by_hand(mover: Mover, shooter: Mover, frame_ns: int) -> Doubt:
    """Whether the hand itself moved this second piece."""
    t_ns, _ = started(mover, frame_ns)
    together = last_home_ns(mover) <= away_by(shooter) + frame_ns
    neighbours = gap_mm(mover.start.outline_mm, shooter.start.outline_mm) < NEIGHBOURS_MM
    reach_mm = _reach_at(mover, t_ns, frame_ns)
    if neighbours:
        reach_mm = min(reach_mm, _reach_on_leaving(mover, t_ns))
    if not together or reach_mm > NEAR_HAND_MM:
        return False
    return _not_along_the_hit(mover, shooter) if neighbours else True


def _reach_at(mover: Mover, t_ns: int, frame_ns: int) -> float:
    close = [p.reach_mm for p in (*mover.rested, *mover.places) if abs(p.t_ns - t_ns) <= 3 * frame_ns]
    hidden = not any(abs(p.t_ns - t_ns) <= frame_ns for p in (*mover.rested, *mover.places))
    return -1.0 if hidden else min(close, default=math.inf)


def _reach_on_leaving(mover: Mover, t_ns: int) -> float:
    """How near the hand was when it left, by how fast the two were parting when it was first seen under way."""
    way = under_way(mover)
    if not way:
        return math.inf
    return way[0].reach_mm - max(leaving_mm_ms(way), 0.0) * (way[0].t_ns - t_ns) / 1e6


def _not_along_the_hit(mover: Mover, shooter: Mover) -> Doubt:
    """A piece hit by the shooter leaves along the line between the two, and the shooter came along it."""
    way, shot = _heading(mover), _heading(shooter)
    if way is None:
        return None
    line = np.array(mover.start.mm) - np.array(shooter.start.mm)
    line = line / max(float(np.linalg.norm(line)), 1e-6)
    if shot is not None and float(shot @ line) < 0.2:
        return True
    along = float(way @ line)
    return True if along < 0.5 else None if along < 0.85 else False


def _heading(mover: Mover) -> NDArray[np.float64] | None:
    if mover.end is None:
        return None
    way = np.array(mover.end.mm) - np.array(mover.start.mm)
    length = float(np.linalg.norm(way))
    return way / length if length > 0.5 else None
