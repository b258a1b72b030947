"""Frames that the camera lost while pieces moved, and what nobody can say because of it."""

from dataclasses import replace

from referee.watch.movers import Mover
from referee.watch.scenes import Scene
from referee.watch.shots import LONG_UNSEEN_NS, Strike, last_home_ns, under_way

SOME_NS = 60_000_000
"""Of a piece unseen for so long it seems that a hand covered it."""


def lost_ns(scene: Scene, slid: tuple[Mover, ...], frame_ns: int) -> int:
    """The longest time beyond the usual between two frames while anything moved."""
    first = min(last_home_ns(m) for m in slid)
    last = max(_stirs_until(m) for m in slid)
    gaps = [f.since_ns - frame_ns for f in scene.frames if f.t_ns > first and f.t_ns - f.since_ns < last]
    return max(gaps, default=0)


def _stirs_until(mover: Mover) -> int:
    """When it was last seen on its way; a way that nobody saw has no end."""
    way = under_way(mover)
    return way[-1].t_ns if way else 2**62


def in_doubt(hit: Strike, lost_ns: int) -> Strike:
    """What is still known of the hand when frames are missing."""
    if lost_ns > LONG_UNSEEN_NS:
        return replace(hit, contact_ms=None, guided=None, touched_moving=None)
    seems_touched = hit.touched_moving is True and lost_ns > SOME_NS
    return replace(hit, touched_moving=None) if seems_touched else hit
