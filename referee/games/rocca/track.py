"""Round pieces seen from above: did the shooter go through the gate, by how much (RO-34 to RO-36)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, inf, sqrt
from typing import Literal

from referee.types import Point

Answer = bool | Literal["REVIEW"]
TOUCH_MM = 1e-6
"""Nearer than this is touching: exact figures, so only their rounding counts."""
NEAR_MISS_MM = 0.5
"""A gate piece passed nearer than this may have been touched."""


@dataclass(frozen=True, slots=True)
class Circle:
    x: float
    y: float
    r: float
    id: int | str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    start_inside: Answer
    eligible: Answer
    through: Answer
    gate_contact: Answer
    margin_mm: float


@dataclass(frozen=True, slots=True)
class Gate:
    """Two round pieces and the band round them, with the line between them as axis."""

    a: Circle
    b: Circle

    @property
    def length(self) -> float:
        return hypot(self.b.x - self.a.x, self.b.y - self.a.y)

    def local(self, p: Point) -> Point:
        """Along the axis from `a`, and across it."""
        ux, uy = (self.b.x - self.a.x) / self.length, (self.b.y - self.a.y) / self.length
        dx, dy = p[0] - self.a.x, p[1] - self.a.y
        return dx * ux + dy * uy, dy * ux - dx * uy

    def distance(self, p: Point) -> float:
        """From a point to the band (convex hull of both pieces); negative inside."""
        along, across = self.local(p)
        lean = (self.a.r - self.b.r) / self.length
        if abs(lean) >= 1:
            bigger = max(self.a, self.b, key=lambda c: c.r)
            return hypot(p[0] - bigger.x, p[1] - bigger.y) - bigger.r
        up = sqrt(1 - lean * lean)
        foot = up * along - lean * abs(across)
        if foot < 0:
            return hypot(along, across) - self.a.r
        if foot > up * self.length:
            return hypot(along - self.length, across) - self.b.r
        return lean * along + up * abs(across) - self.a.r

    def is_between(self, along: float) -> bool:
        """On the open line between the facing points of the two pieces."""
        return self.a.r < along < self.length - self.b.r


def classify(
    gate: Gate, radius: float, path: Sequence[Point], tol_mm: float, at_rest: bool = False
) -> Passage:
    """What a round shooter did whose centre went along `path`."""
    start = gate.distance(path[0]) - radius
    inside: Answer = "REVIEW" if abs(start) <= TOUCH_MM else start < 0
    rest = gate.distance(path[-1]) - radius
    beyond = _beyond(gate, path, at_rest)
    clearance = max((gate.distance(p) - radius for p in beyond), default=-inf)
    stays = not beyond or (path[-1] == beyond[-1] and rest > tol_mm)
    margin = rest if stays else clearance
    through: Answer = "REVIEW" if abs(clearance) <= tol_mm else clearance > 0
    eligible: Answer = "REVIEW" if inside == "REVIEW" else not inside
    return Passage(inside, eligible, through, _contact(gate, radius, path), round(margin, 6))


def _beyond(gate: Gate, path: Sequence[Point], at_rest: bool) -> tuple[Point, ...]:
    """The points of the path on the far side, reached between the two pieces."""
    beyond = [p for p, through in _sides(gate, path) if through]
    if not at_rest:
        return tuple(beyond)
    return (path[-1],) if beyond and beyond[-1] == path[-1] else ()


def _sides(gate: Gate, path: Sequence[Point]) -> Iterator[tuple[Point, bool]]:
    """Each point off the axis, and whether it is on the far side after crossing between the pieces."""
    first, side, between = 0.0, 0.0, False
    on_axis: float | None = None
    for before, p in zip((path[0], *path), path, strict=False):
        along, across = gate.local(p)
        if across == 0:
            on_axis = along
            continue
        if side * across < 0:
            between ^= gate.is_between(_crossing(gate, before, p) if on_axis is None else on_axis)
        first, side, on_axis = first or across, across, None
        yield p, between and first * across < 0


def _crossing(gate: Gate, p: Point, q: Point) -> float:
    """Where a step crosses the axis."""
    (pa, pc), (qa, qc) = gate.local(p), gate.local(q)
    return pa + (qa - pa) * pc / (pc - qc)


def _contact(gate: Gate, radius: float, path: Sequence[Point]) -> Answer:
    steps = list(pairwise(path)) or [(path[0], path[0])]
    gap = min(_step_distance(c, p, q) - c.r - radius for c in (gate.a, gate.b) for p, q in steps)
    if gap <= TOUCH_MM:
        return True
    return "REVIEW" if gap < NEAR_MISS_MM else False


def _step_distance(c: Circle, p: Point, q: Point) -> float:
    dx, dy = q[0] - p[0], q[1] - p[1]
    length2 = dx * dx + dy * dy
    t = 0.0 if length2 == 0 else max(0.0, min(1.0, ((c.x - p[0]) * dx + (c.y - p[1]) * dy) / length2))
    return hypot(p[0] + t * dx - c.x, p[1] + t * dy - c.y)
