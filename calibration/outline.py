"""The board's outline found in the picture of the sheet lying on it.

Every edge around the sheet is measured against the texture near it, so that a faint rim on a plain table counts
as much as a bold line. Circles and rectangles are tried against the edges, a free polygon when neither fits; the
best backed is grown to the outermost parallel edge (a frame, a bevel) and settled on the edge itself.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges import FAR_MM, STEP_MM, EdgeField, Points, edge_field, paper_outline_mm
from calibration.path import free_polygon
from calibration.profile import Profile
from calibration.settling import settle
from calibration.shapes import Shape, backing, best_circles, best_rectangles, favour, score
from hardware.frames import Image

LEAST_SCORE = 0.33
"""Chance edges of wood, cloth and clutter reach 0.25; true outlines 0.5 and more."""
STRONG = 0.5
FRAME_MM = 32.0
"""A board's decorated frame is no wider than this."""
ALMOST_SQUARE, TRULY_SQUARE = 0.035, 0.008
FAINT = 0.15
"""Backing that even an edge in the shade has."""
EDGE_DROP_MM = 1.5
"""Edges are rounded or bevelled: their outermost line lies about this far under the top."""
CLEAREST = 0.99
"""Share of the clearest edge nearby that the outer one must have, where the outer one need not be the board's."""
PLAIN_BONUS = 1.15
"""Boards are round or rectangular unless the picture clearly says otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    shape: Shape
    score: float


def find_outline(image: Image, profile: Profile) -> Outline | None:
    """The board under the sheet, or None when no closed edge surrounds it."""
    return outline_in(edge_field(image, profile, paper_outline_mm()))


def outline_in(field: EdgeField) -> Outline | None:
    points, normals = _edge_points(field)
    circles = best_circles(field, _facing(points, normals))
    found = [settle(field, shape) for shape in (*circles, *best_rectangles(field, points, normals))]
    # Of a thick board seen aslant one side shows two edges, and the outer one lies on no circle with the others.
    found += [settle(field, shape, similar=CLEAREST) for shape in circles]
    free = free_polygon(field)
    best = max(found + ([settle(field, free)] if free else []), key=lambda s: _merit(field, s), default=None)
    if best is None or score(field, best) < LEAST_SCORE:
        return None
    whole = _without_shadow(field, _outermost(field, best))
    return Outline(whole, score(field, whole))


def _merit(field: EdgeField, shape: Shape) -> float:
    area = float(cv2.contourArea(shape.corners.astype(np.float32)))
    plain = 1.0 if shape.kind == "polygon" else PLAIN_BONUS
    return score(field, shape) * plain * float(favour(np.array(area)))


def _edge_points(field: EdgeField) -> tuple[Points, Points]:
    row, column = np.nonzero((field.strength > STRONG) & field.seen)
    places = np.stack([column * STEP_MM - FAR_MM, FAR_MM - row * STEP_MM], -1)
    return places, np.stack([field.across[row, column], field.up[row, column]], -1).astype(float)


def _facing(points: Points, normals: Points) -> Points:
    """Edges that look towards the middle, as a circle's do."""
    away = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1)
    facing: Points = points[np.abs((away * normals).sum(1)) > 0.9]
    return facing


def _outermost(field: EdgeField, shape: Shape) -> Shape:
    """Grown as long as a parallel edge runs all around it a little further out."""
    for _ in range(4):
        wider = _next_out(field, shape)
        if wider is None:
            return shape
        shape = wider
    return shape


def _without_shadow(field: EdgeField, shape: Shape) -> Shape:
    """A board almost square is square: the shadow beside a dark board makes one side seem further out."""
    if shape.kind != "rectangle" or not TRULY_SQUARE < abs(_oblong(shape)) < ALMOST_SQUARE:
        return shape
    width = float(np.linalg.norm(shape.corners[1] - shape.corners[0]))
    tries = [
        settle(field, grown(shape, -d * np.eye(4)[side]), 1.0)
        for side in ((1, 3) if _oblong(shape) > 0 else (0, 2))
        for d in np.arange(1.5, ALMOST_SQUARE * width, 0.5)
    ]
    square = [s for s in tries if abs(_oblong(s)) <= TRULY_SQUARE and backing(field, s)[0].min() > FAINT]
    return max(square, key=lambda s: score(field, s), default=shape)


def _oblong(shape: Shape) -> float:
    """How much longer the first side is than the second, as a share."""
    first, second = (float(np.linalg.norm(shape.corners[i + 1] - shape.corners[i])) for i in (0, 1))
    return (first - second) / max(first, second)


def _next_out(field: EdgeField, shape: Shape) -> Shape | None:
    """The shape at the outermost edge within a frame's width that backs every part.

    A side that already lies on the outer edge of the frame stays: it has the inner edge as far within.
    """
    distances = np.arange(1.5, FRAME_MM, STEP_MM)
    out, within = (_parallel(field, shape, sign * distances) for sign in (1, -1))
    stays = (within > out) & (out < LEAST_SCORE) & (shape.kind != "circle")
    backed = np.where(stays, within, out)
    weakest = np.sort(backed, axis=1)[:, : max(1, backed.shape[1] // 4)].mean(1)
    likely = (backed.mean(1) > LEAST_SCORE) & (weakest > 0.25) & (stays.mean(1) <= 0.5)
    for i in np.nonzero(likely)[0][::-1]:
        wider = settle(field, grown(shape, np.where(stays[i], 0, distances[i])), 2.0)
        if score(field, wider) >= LEAST_SCORE and _area(wider) > _area(shape) * 1.005:
            return wider
    return None


def _parallel(field: EdgeField, shape: Shape, shifts: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far each part, moved by each shift (give or take a millimetre), is an edge."""
    parts = np.array([backing(field, shape, float(d))[0] for d in shifts])
    hidden = backing(field, shape)[1] < 0.1
    parts[:, hidden] = parts[:, ~hidden].mean(1, keepdims=True)
    kernel = np.ones((2 * round(1.2 / STEP_MM) + 1, 1), np.uint8)
    return np.asarray(cv2.dilate(parts, kernel), float)


def _area(shape: Shape) -> float:
    return float(cv2.contourArea(shape.corners.astype(np.float32)))


def grown(shape: Shape, shift_mm: NDArray[np.float64]) -> Shape:
    """Every part moved outward by its own distance."""
    per_side = np.repeat(shift_mm, len(shape.corners) // shape.parts)[:, None]
    corners = shape.corners
    ahead = _outward(np.roll(corners, -1, axis=0) - corners)
    behind, before = np.roll(ahead, 1, axis=0), np.roll(per_side, 1, axis=0)
    lean = (ahead * behind).sum(1, keepdims=True)
    # Solves push . behind = before and push . ahead = per_side at every corner.
    push = ((before - per_side * lean) * behind + (per_side - before * lean) * ahead) / (1 - lean**2)
    return replace(shape, corners=corners + push)


def _outward(along: Points) -> Points:
    normal = np.stack([along[:, 1], -along[:, 0]], -1)
    unit: Points = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    return unit


def on_surface(shape: Shape, profile: Profile) -> tuple[tuple[float, float], ...]:
    """The outline in millimetres: what the camera sees of a board's edge lies a little below its surface."""
    mm = profile.to_board(profile.to_pixels(shape.corners), -EDGE_DROP_MM)
    return tuple((round(float(x), 3), round(float(y), 3)) for x, y in mm)
