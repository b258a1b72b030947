"""Margins of a shot in board millimetres, each with its standard error; pure.

The band is the convex hull of both gate footprints; the two straight bridges between them are its long sides.
Every question answers with a signed distance: positive on the shooter's good side, negative by how much it fell short.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from shapely.geometry import LineString, Polygon, box
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry

Array = npt.NDArray[np.float64]
Point = tuple[float, float]
Outline = tuple[Point, ...]
Side = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Margin:
    """A signed distance and how far it may be off."""

    mm: float
    sigma_mm: float

    def beyond(self, tolerance_mm: float) -> bool:
        """Whether the margin is surely positive."""
        return self.mm > max(tolerance_mm, 3 * self.sigma_mm)

    def short_of(self, tolerance_mm: float) -> bool:
        """Whether the margin is surely negative."""
        return self.mm < -max(tolerance_mm, 3 * self.sigma_mm)

    def close(self, tolerance_mm: float) -> bool:
        """Whether nobody should decide from this number alone."""
        return not (self.beyond(tolerance_mm) or self.short_of(tolerance_mm))


@dataclass(frozen=True, slots=True)
class Band:
    """The rubber band round a gate, seen from where the shooter started."""

    hull: Outline
    posts: Side
    """Centres of the two gate pieces."""
    entry: Side
    exit: Side
    heading: Point
    """Unit vector from the entry side to the exit side."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """How the centre of the shooter went: between the posts, over the entry side, over the exit side."""

    between: bool
    entered: bool
    left: bool

    @property
    def through(self) -> bool:
        """In by one long side, between the pieces, out by the other."""
        return self.between and self.entered and self.left

    @property
    def missed(self) -> bool:
        """Never in the gate at all."""
        return not (self.between or self.entered)


def centroid(outline: Outline) -> Point:
    """Middle of the area."""
    (x0, y0), area, mx, my = outline[0], 0.0, 0.0, 0.0
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        # From one corner, so that a small outline far out loses no digits.
        cross = (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
        area, mx, my = area + cross, mx + (ax + bx - 2 * x0) * cross, my + (ay + by - 2 * y0) * cross
    return (x0 + mx / (3 * area), y0 + my / (3 * area)) if area else (x0, y0)


def band(a: Outline, b: Outline, start: Outline) -> Band:
    """The band round the gate a, b for a shooter that starts at the outline start."""
    posts = (centroid(a), centroid(b))
    heading = _across(posts, centroid(start))
    hull, sides = _bridges(a, b)
    near, far = sorted(sides, key=lambda side: _along(side[0], heading) + _along(side[1], heading))
    return Band(hull=hull, posts=posts, entry=near, exit=far, heading=heading)


def clearance_mm(shooter: Outline, gate: Band) -> float:
    """Distance of the shooter beyond the exit side; negative by how much of it has not come out."""
    short = min(_beyond(point, gate.exit, gate.heading) for point in shooter)
    foot, hull = _polygon(shooter), _polygon(gate.hull)
    if foot.intersects(hull) or _side_of_posts(shooter, gate) < 0:
        return min(short, 0.0)
    return float(foot.distance(hull))


def start_margin_mm(start: Outline, gate: Band) -> float:
    """Distance of the shooter from the band before the shot; negative by how deep it lies inside."""
    foot, hull = _polygon(start), _polygon(gate.hull)
    if not foot.intersects(hull):
        return float(foot.distance(hull))
    return -_depth(foot, hull)


def gap_mm(a: Outline, b: Outline) -> float:
    """Free space between two outlines, negative by how deep they overlap."""
    return _gap(_polygon(a), _polygon(b))


@lru_cache(maxsize=32)
def _polygon(outline: Outline) -> Polygon:
    return Polygon(outline)


def _gap(one: BaseGeometry, other: BaseGeometry) -> float:
    apart = float(one.distance(other))
    return apart if apart > 0 else -_depth(one, other)


def comes_near(path: Outline, a: Outline, b: Outline) -> bool:
    """A quick look: whether a path enters the box round two outlines, without which it cannot cross their gate."""
    xs, ys = zip(*a, *b, strict=True)
    return bool(LineString(path).intersects(box(min(xs), min(ys), max(xs), max(ys))))


def crossing(path: Outline, gate: Band) -> Crossing:
    """How the path of the shooter's centre crossed the gate."""
    if len(path) < 2:
        return Crossing(between=False, entered=False, left=False)
    line = LineString(path)
    return Crossing(
        between=_odd(line, gate.posts),
        entered=bool(line.intersects(LineString(gate.entry))),
        left=bool(line.intersects(LineString(gate.exit))),
    )


def path_gap_mm(shooter: Outline, path: Outline, other: Outline) -> float:
    """Least free space between an outline carried along the path (of its centroid) and another outline.

    Between two stops the outline sweeps the hull of both: nothing that lies between frames is missed.
    """
    middle, post = centroid(shooter), centroid(other)
    size = _radius(shooter, middle) + _radius(other, post)
    stops = path if len(path) > 1 else (path[0], path[0])
    legs = sorted((_apart(post, leg) - size, leg) for leg in pairwise(stops))
    best = math.inf
    for at_least, leg in legs:
        if at_least >= best:
            break
        swept = _hull([p for stop in leg for p in _moved(shooter, middle, stop)])
        best = min(best, _gap(swept, _polygon(other)))
    return best


def _radius(outline: Outline, middle: Point) -> float:
    return max(math.dist(point, middle) for point in outline)


def _apart(point: Point, leg: Side) -> float:
    """Distance of a point from a straight leg."""
    (ax, ay), (bx, by) = leg
    length2 = (bx - ax) ** 2 + (by - ay) ** 2
    along = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / length2 if length2 else 0.0
    along = min(max(along, 0.0), 1.0)
    return math.dist(point, (ax + along * (bx - ax), ay + along * (by - ay)))


def off_board_margin_mm(at: Point, board: Outline) -> float:
    """How far a point lies outside the board; negative inside."""
    area, spot = Polygon(board), ShapelyPoint(at)
    return float(area.distance(spot)) or -float(area.exterior.distance(spot))


def _odd(line: LineString, posts: Side) -> bool:
    signs = [_turn(posts, point) for point in line.coords]
    crossings = 0
    for k in range(len(signs) - 1):
        if signs[k] * signs[k + 1] < 0 or signs[k + 1] == 0:
            piece = LineString([line.coords[k], line.coords[k + 1]])
            crossings += bool(piece.intersects(LineString(posts)))
    return crossings % 2 == 1


def _turn(side: Side, point: tuple[float, ...]) -> float:
    (ax, ay), (bx, by) = side
    return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)


def _across(posts: Side, start: Point) -> Point:
    (ax, ay), (bx, by) = posts
    length = math.dist(*posts) or 1.0
    normal = (-(by - ay) / length, (bx - ax) / length)
    behind = (start[0] - (ax + bx) / 2) * normal[0] + (start[1] - (ay + by) / 2) * normal[1]
    return (-normal[0], -normal[1]) if behind > 0 else normal


def _bridges(a: Outline, b: Outline) -> tuple[Outline, list[Side]]:
    """Hull of both and the two hull edges that lead from one to the other."""
    hull = tuple((float(x), float(y)) for x, y in _ring(_hull([*a, *b]))[:-1])
    mine = set(a)
    owner = [point in mine for point in hull]
    edges = [(hull[k - 1], hull[k]) for k in range(len(hull)) if owner[k - 1] != owner[k]]
    return hull, edges


def _hull(points: Sequence[Point]) -> BaseGeometry:
    # From one array: shapely would build a geometry for every point of a MultiPoint.
    return LineString(np.array(points)).convex_hull


def _along(point: Point, heading: Point) -> float:
    return point[0] * heading[0] + point[1] * heading[1]


def _beyond(point: Point, side: Side, heading: Point) -> float:
    (ax, ay), (bx, by) = side
    length = math.dist(*side) or 1.0
    normal = (-(by - ay) / length, (bx - ax) / length)
    sign = 1.0 if _along(normal, heading) >= 0 else -1.0
    return sign * ((point[0] - ax) * normal[0] + (point[1] - ay) * normal[1])


def _side_of_posts(shooter: Outline, gate: Band) -> float:
    (ax, ay), (bx, by) = gate.posts
    middle = centroid(shooter)
    return _along((middle[0] - (ax + bx) / 2, middle[1] - (ay + by) / 2), gate.heading)


def _moved(outline: Outline, middle: Point, to: Point) -> Outline:
    dx, dy = to[0] - middle[0], to[1] - middle[1]
    return tuple((x + dx, y + dy) for x, y in outline)


def _depth(one: BaseGeometry, other: BaseGeometry) -> float:
    """Least push along an edge normal of either hull that would part them."""
    a, b = _ring(one.convex_hull), _ring(other.convex_hull)
    normals = np.vstack([_normals(a), _normals(b)])
    spans_a, spans_b = a @ normals.T, b @ normals.T
    overlap = np.minimum(spans_a.max(0) - spans_b.min(0), spans_b.max(0) - spans_a.min(0))
    return float(max(0.0, overlap.min()))


def _ring(shape: BaseGeometry) -> Array:
    return np.asarray(shape.boundary.coords, dtype=np.float64)


def _normals(ring: Array) -> Array:
    edges = np.diff(ring, axis=0)
    normals = np.column_stack([edges[:, 1], -edges[:, 0]])
    lengths = np.hypot(normals[:, 0], normals[:, 1])
    return np.asarray(normals[lengths > 0] / lengths[lengths > 0, None], dtype=np.float64)
