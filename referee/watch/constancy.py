"""A piece that slides keeps its footprint: of two outlines of unlike size one took a shadow in, or lost a side.

Which of the two it was tells how sure each is: a shadow is a lump on an oval, a lost side makes it flat, and both are
doubted for that. Where that does not tell, both are.
"""

import math
from dataclasses import replace

import numpy as np

from referee.types import Piece
from referee.vision.ovals import ANGLES, RAYS, TOWARDS, Points, Radii, centroid, from_hull
from referee.vision.steps import Steps

UNLIKE, OTHER = 1.08, 1.4
"""Areas that differ more are not of one outline; so much more, perhaps not of one piece."""
SURER = 1.3
"""So many times less sure is the one that is wrong."""
REACH, MOST = 0.35, 0.12
"""How far off the middle of the wrong one may be, and what a point of it counts at most, in radii."""
ROUNDS, ACROSS, FINER = 3, 9, 4
"""The search for the middle: how often, places across, and how much finer each time."""


def agreed(start: Piece, end: Piece) -> Steps[tuple[Piece, Piece]]:
    """A piece as it lay and as it lies, both with one footprint."""
    (_, before), (_, after) = shapes = _shape(start), _shape(end)
    larger = float((after**2).mean() / (before**2).mean())
    if not UNLIKE < max(larger, 1 / larger) < OTHER:
        return start, end
    if max(start.sigma_mm, end.sigma_mm) < SURER * min(start.sigma_mm, end.sigma_mm):
        off_mm = abs(float(after.mean() - before.mean()))
        return _doubted(start, off_mm), _doubted(end, off_mm)
    yield
    if end.sigma_mm > start.sigma_mm:
        return start, (yield from _fitted(end, *shapes[1], before))
    return (yield from _fitted(start, *shapes[0], after)), end


def _shape(piece: Piece) -> tuple[Points, Radii]:
    return from_hull(np.array(piece.outline_mm))


def _doubted(piece: Piece, off_mm: float) -> Piece:
    """The piece with so much more doubt."""
    return replace(piece, sigma_mm=math.hypot(piece.sigma_mm, off_mm))


def _fitted(piece: Piece, middle: Points, radii: Radii, true: Radii) -> Steps[Piece]:
    """The piece with the outline that it truly has, turned and shifted so that most of its rim stays where it was."""
    points, size = middle + radii[:, None] * TOWARDS, float(true.mean())
    best, turn, room = middle, 0, REACH * size
    for _ in range(ROUNDS):
        yield
        across = np.linspace(-room, room, ACROSS)
        places = best + np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
        best, turn = _nearest(points, places, true, MOST * size)
        room /= FINER
    outline = best + np.roll(true, turn)[:, None] * TOWARDS
    x, y = centroid(outline)
    off = math.dist((x, y), piece.mm)
    fitted = replace(
        piece, mm=(float(x), float(y)), outline_mm=tuple((float(a), float(b)) for a, b in outline)
    )
    return _doubted(fitted, off / 2)


def _nearest(points: Points, places: Points, true: Radii, most: float) -> tuple[Points, int]:
    """The place and the turn, in rays, at which an outline is nearest to most of some points."""
    off = points[None] - places[:, None]
    far, angle = np.hypot(off[..., 0], off[..., 1]), np.arctan2(off[..., 1], off[..., 0])
    ray = np.round(angle / ANGLES[1]).astype(np.int64)
    costs = [
        np.minimum(np.abs(far - true[(ray - turn) % RAYS]), most).mean(axis=1) for turn in range(0, RAYS, 2)
    ]
    turn, place = np.unravel_index(int(np.argmin(costs)), (len(costs), len(places)))
    return places[place], 2 * int(turn)
