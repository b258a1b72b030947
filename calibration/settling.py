"""From a rough shape to its true edge, to a fraction of a millimetre."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges import EdgeField, Points
from calibration.shapes import Shape, circle

SAMPLES = 48
FEW = 10
"""Places found on a side below which it stays where it was."""
RIGHT_ANGLE = np.radians(0.8)
OUTER = 0.65
"""Of what was found of a side, the share that lies within it: parts of a bevel lost in shadow lie too far in."""
STEP_MM = 0.3
SIMILAR = 0.7
"""An outer edge this much as clear as the clearest nearby is preferred to it."""
CLEAR = 0.3
"""Support from which a place counts as an edge."""

Line = tuple[Points, Points]
"""A place on it and its direction."""


def settle(field: EdgeField, shape: Shape, reach_mm: float = 3.0, similar: float = SIMILAR) -> Shape:
    """The shape moved onto the edges within reach, each side (or the circle) by robust fit."""
    for reach in (reach_mm, max(reach_mm / 2, 1.2)):
        places, found = _nearby(field, shape, reach, similar)
        shape = (
            _settled_circle(shape, places[found])
            if shape.kind == "circle"
            else _settled_sides(shape, places, found)
        )
    return shape


def _nearby(field: EdgeField, shape: Shape, reach: float, similar: float) -> tuple[Points, NDArray[np.bool_]]:
    """Along the outline, the clearest edge within reach of each place, and whether there is one."""
    places, normal = shape.walk(SAMPLES)
    shifts = np.arange(-reach, reach + STEP_MM / 2, STEP_MM)
    spread = places[..., None, :] + normal[..., None, :] * shifts[:, None]
    support, _ = field.support(spread, np.broadcast_to(normal[..., None, :], spread.shape))
    top = support.max(-1, keepdims=True)
    shift = shifts[0] + STEP_MM * _last_crest(support >= np.maximum(top * similar, 1e-6))
    return places + normal * shift[..., None], top[..., 0] > CLEAR


def _last_crest(high: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The middle of the outermost run of high samples: of a bevel's two edges the outer one is the board's."""
    count = high.shape[-1]
    last = count - 1 - high[..., ::-1].argmax(-1)
    steps = np.arange(count)
    gap = np.where(high | (steps > last[..., None]), -1, steps).max(-1)
    middle: NDArray[np.float64] = (last + gap + 1) / 2
    return middle


def _settled_circle(shape: Shape, points: Points) -> Shape:
    if len(points) < 24:
        return shape
    x, y, r = _circle_through(points)
    off = np.abs(np.hypot(points[:, 0] - x, points[:, 1] - y) - r)
    return circle(*_circle_through(points[off <= 2.5 * max(float(np.median(off)), 0.15)]))


def _circle_through(points: Points) -> tuple[float, float, float]:
    """Least squares."""
    terms = np.c_[2 * points, np.ones(len(points))]
    (x, y, rest), *_ = np.linalg.lstsq(terms, (points**2).sum(1), rcond=None)
    return float(x), float(y), float(np.sqrt(rest + x * x + y * y))


def _settled_sides(shape: Shape, places: Points, found: NDArray[np.bool_]) -> Shape:
    """Every side a robust line through what was found of it, the corners where the lines meet."""
    corners = shape.corners
    ahead = np.roll(corners, -1, axis=0) - corners
    sides = [places[i][found[i]] for i in range(len(corners))]
    lines = [_line(s) if len(s) >= FEW else (c, a) for s, c, a in zip(sides, corners, ahead, strict=True)]
    if shape.kind == "rectangle":
        lines = _squared(lines, sides, ahead)
    met = [_meeting(lines[i - 1], lines[i]) for i in range(len(lines))]
    if any(m is None or np.linalg.norm(m - c) > 12 for m, c in zip(met, corners, strict=True)):
        return shape
    return replace(shape, corners=np.array(met))


def _squared(lines: list[Line], sides: list[Points], ahead: Points) -> list[Line]:
    """Four sides at right angles: a side half lost in shadow takes its direction from the others."""
    fourfold = np.array([complex(*along) ** 4 / abs(complex(*along)) ** 4 for _, along in lines])
    shared = complex((fourfold * [len(side) for side in sides]).sum())
    if not shared or np.abs(np.angle(fourfold / shared)).max() > 4 * RIGHT_ANGLE:
        return lines
    squared = []
    for (place, _), side, way in zip(lines, sides, ahead, strict=True):
        quarter = np.exp(1j * (np.angle(shared) / 4 + np.arange(4) * np.pi / 2))
        turn = max(quarter, key=lambda q: q.real * way[0] + q.imag * way[1])
        along, outward = np.array([turn.real, turn.imag]), np.array([turn.imag, -turn.real])
        points = side if len(side) >= FEW else place[None]
        squared.append((outward * float(np.quantile(points @ outward, OUTER)), along))
    return squared


def _line(points: Points) -> Line:
    dx, dy, x, y = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    off = np.abs((points - [x, y]) @ [-dy, dx])
    kept = points[off <= 2.5 * max(float(np.median(off)), 0.15)]
    dx, dy, x, y = cv2.fitLine(kept.astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01).ravel()
    return np.array([x, y], float), np.array([dx, dy], float)


def _meeting(one: Line, other: Line) -> Points | None:
    (p, u), (q, v) = one, other
    det = u[0] * v[1] - u[1] * v[0]
    if abs(det) < 1e-3 * np.linalg.norm(u) * np.linalg.norm(v):
        return None
    along = ((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / det
    met: Points = p + u * along
    return met
