"""Shapes a board can have, and how well each is backed by the edges that were seen."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from calibration.edges import EdgeField, Points

CIRCLE_CORNERS = 96
BEYOND_MM = np.arange(6.0, 40.0, 3.0)
"""Distances past a corner where a side must have ended."""
SAMPLES = 40
"""Places along each part (side of a polygon, or a twelfth of a circle) where an edge is looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A closed convex outline, counter-clockwise, cut into parts that are judged one by one."""

    kind: str
    """circle, rectangle or polygon"""
    corners: Points
    parts: int

    def walk(self, samples: int = SAMPLES) -> tuple[Points, Points]:
        """Places along the outline and the outward normal there, each shaped (parts, samples, 2)."""
        sides = len(self.corners) // self.parts
        share = (np.arange(samples) + 0.5) / samples * sides
        index = np.minimum(share.astype(int), sides - 1)
        corner = np.arange(self.parts)[:, None] * sides + index[None]
        a, b = self.corners[corner], self.corners[(corner + 1) % len(self.corners)]
        along = b - a
        normal = np.stack([along[..., 1], -along[..., 0]], -1)
        places: Points = a + along * (share - index)[None, :, None]
        return places, normal / np.linalg.norm(normal, axis=-1, keepdims=True)


def circle(x: float, y: float, radius: float) -> Shape:
    turn = np.arange(CIRCLE_CORNERS) * 2 * np.pi / CIRCLE_CORNERS
    # The corners lie a little outside the circle so that the polygon has the circle's area.
    reach = radius * np.sqrt(2 * np.pi / CIRCLE_CORNERS / np.sin(2 * np.pi / CIRCLE_CORNERS))
    corners = np.stack([x + reach * np.cos(turn), y + reach * np.sin(turn)], -1)
    return Shape("circle", corners, 12)


def rectangle(angle: float, left: float, right: float, low: float, high: float) -> Shape:
    """Sides at distances from the origin along axes turned by `angle`."""
    c, s = np.cos(angle), np.sin(angle)
    corners = np.array([[left, low], [right, low], [right, high], [left, high]])
    return Shape("rectangle", corners @ np.array([[c, s], [-s, c]]), 4)


def backing(
    field: EdgeField, shape: Shape, shift_mm: float = 0.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of each part moved outward by `shift_mm`: how much of it is an edge, and how much of it was seen."""
    places, normal = shape.walk()
    support, seen = field.support(places + normal * shift_mm, normal)
    return support.sum(-1) / np.maximum(seen.sum(-1), 1), seen.mean(-1)


def score(field: EdgeField, shape: Shape) -> float:
    """0 to about 1: how far the whole outline is an edge, with its weakest quarter counting double."""
    part, seen = backing(field, shape)
    fits = float(_weighed(part[None], seen[None])[0])
    return fits if shape.kind == "circle" else fits * float(_ending(field, shape.corners[None])[0])


def _weighed(part: NDArray[np.float64], seen: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of many shapes, each a row of parts; what was hidden neither helps nor harms much."""
    weight = np.minimum(seen / 0.5, 1) + 1e-6
    mean = (part * weight).sum(1) / weight.sum(1)
    filled = np.where(seen > 0.1, part, 0.4 * mean[:, None])
    weakest = np.sort(filled, axis=1)[:, : max(1, part.shape[1] // 4)].mean(1)
    known = np.minimum(weight.mean(1) / 0.5, 1)
    result: NDArray[np.float64] = (0.5 * mean + 0.5 * weakest) * known
    return result


def _ending(field: EdgeField, corners: Points) -> NDArray[np.float64]:
    """0 to 1 for many outlines: a board's sides end at its corners; lines of a cloth, planks or squares go on."""
    along = np.roll(corners, -1, axis=1) - corners
    along = along / np.linalg.norm(along, axis=-1, keepdims=True)
    normal = np.stack([along[..., 1], -along[..., 0]], -1)[:, :, None]
    beyond = along[:, :, None] * BEYOND_MM[:, None]
    ends = np.concatenate(
        [np.roll(corners, -1, axis=1)[:, :, None] + beyond, corners[:, :, None] - beyond], axis=1
    )
    support, seen = field.support(ends, np.broadcast_to(np.concatenate([normal, normal], axis=1), ends.shape))
    goes_on = support.sum((1, 2)) / np.maximum(seen.sum((1, 2)), 1)
    # Where both neighbours of one side go on past it, that is a seam between planks or squares of the board itself.
    each = support.sum(2) / np.maximum(seen.sum(2), 1)
    past_ahead, past_behind = np.split(each, 2, axis=1)
    crossed = np.minimum(np.roll(past_ahead, 1, axis=1), np.roll(past_behind, -1, axis=1)).max(axis=1)
    ending: NDArray[np.float64] = 1 - np.clip(np.maximum(goes_on - 0.1, 2 * (crossed - 0.15)), 0, 0.6)
    return ending


def best_circles(field: EdgeField, points: Points, tries: int = 6000) -> list[Shape]:
    """Circles through three of the edge points, the best backed first."""
    if len(points) < 12:
        return []
    rng = np.random.default_rng(7)
    a, b, c = (points[rng.integers(len(points), size=tries)] for _ in range(3))
    middle, radius = _circumcircles(a, b, c)
    fine = np.isfinite(radius) & (radius > 50) & (radius < 400) & (np.hypot(*middle.T) < 90)
    middle, radius = middle[fine], radius[fine]
    turn = np.arange(60) * np.pi / 30
    normal = np.stack([np.cos(turn), np.sin(turn)], -1)[None]
    support, seen = field.support(middle[:, None] + normal * radius[:, None, None], normal)
    good = support.sum(1) / np.maximum(seen.sum(1), 20)
    top = np.argsort(-good)[:12]
    return [circle(float(middle[i, 0]), float(middle[i, 1]), float(radius[i])) for i in top]


def _circumcircles(a: Points, b: Points, c: Points) -> tuple[Points, NDArray[np.float64]]:
    ab, ac = b - a, c - a
    with np.errstate(divide="ignore", invalid="ignore"):
        double = 2 * (ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0])
        bb, cc = (ab**2).sum(1), (ac**2).sum(1)
        x = (ac[:, 1] * bb - ab[:, 1] * cc) / double
        y = (ab[:, 0] * cc - ac[:, 0] * bb) / double
        return a + np.stack([x, y], -1), np.hypot(x, y)


def best_rectangles(field: EdgeField, points: Points, normals: Points) -> list[Shape]:
    """Rectangles whose four sides all run along edges, for the likeliest directions."""
    return [
        r for angle in _directions(points, normals) for r in _rectangles_along(field, points, normals, angle)
    ]


def _directions(points: Points, normals: Points) -> list[float]:
    """Directions, modulo a quarter turn, in which edge points line up best: texture points anywhere do not."""
    angles = np.radians(np.arange(0, 90, 0.5))
    lined = np.array([_lined_up(points, normals, a) for a in angles])
    picked: list[float] = []
    while len(picked) < 5 and lined.max() > 0:
        best = int(lined.argmax())
        picked.append(float(angles[best]))
        lined[np.arange(best - 2, best + 3) % len(angles)] = 0
    return picked


def _lined_up(points: Points, normals: Points, angle: float) -> float:
    """How unevenly the points spread over parallel lines square to the angle or along it."""
    total = 0.0
    for way in (angle, angle + np.pi / 2):
        across = np.array([np.cos(way), np.sin(way)])
        square = np.abs(normals @ across) > np.cos(np.radians(3))
        lines = np.bincount(((points[square] @ across) / 1.5 + 1000).astype(int), minlength=10).astype(float)
        total += float((np.sort(lines)[-6:] ** 2).sum())
    return total


def _rectangles_along(field: EdgeField, points: Points, normals: Points, angle: float) -> list[Shape]:
    c, s = np.cos(angle), np.sin(angle)
    x, y = points @ [c, s], points @ [-s, c]
    nx, ny = np.abs(normals @ [c, s]), np.abs(normals @ [-s, c])
    square = np.cos(np.radians(4))
    right, left = _peaks(x[(nx > square) & (x > 0)]), -_peaks(-x[(nx > square) & (x < 0)])
    high, low = _peaks(y[(ny > square) & (y > 0)]), -_peaks(-y[(ny > square) & (y < 0)])
    sides = np.array(list(product(left, right, low, high))).reshape(-1, 4)
    good = _rectangle_scores(field, angle, sides) if len(sides) else np.empty(0)
    return [rectangle(angle, *sides[i]) for i in np.argsort(-good)[:5]]


def _rectangle_scores(field: EdgeField, angle: float, sides: NDArray[np.float64]) -> NDArray[np.float64]:
    """The score of many rectangles at once, on a coarser walk and with size in their favour."""
    left, right, low, high = sides.T
    corners = np.stack([left, low, right, low, right, high, left, high], -1).reshape(-1, 4, 1, 2)
    share = ((np.arange(20) + 0.5) / 20)[:, None]
    places = corners + (np.roll(corners, -1, axis=1) - corners) * share
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, s], [-s, c]])
    normal = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]], float)[:, None] @ turn
    support, seen = field.support(places @ turn, np.broadcast_to(normal, places.shape))
    part, share_seen = support.sum(-1) / np.maximum(seen.sum(-1), 1), seen.mean(-1)
    fits = _weighed(part.astype(float), share_seen) * _ending(field, corners[:, :, 0] @ turn)
    return fits * favour((right - left) * (high - low))


def favour(area_mm2: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of two outlines as well backed the larger is the board: what lies inside is its decoration.

    Gentle enough that a side pushed out to the next line on the table costs more than it brings.
    """
    gentle: NDArray[np.float64] = (area_mm2 / 1e5) ** 0.15
    return gentle


def _peaks(offsets: NDArray[np.float64], most: int = 8) -> NDArray[np.float64]:
    """Distances at which most edge points line up."""
    bins = np.append(np.bincount((offsets / 1.5).astype(int), minlength=8), 0.0)
    bins[:20] = 0
    smooth = bins + 0.5 * (np.roll(bins, 1) + np.roll(bins, -1))
    picked: list[float] = []
    while len(picked) < most and smooth.max() > 6:
        best = int(smooth.argmax())
        middle = (best + 0.5) * 1.5
        picked.append(float(np.median(offsets[np.abs(offsets - middle) < 2.3])))
        smooth[max(0, best - 2) : best + 3] = 0
    return np.array(picked)
