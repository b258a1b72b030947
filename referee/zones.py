"""Where things belong on a table: sides, seats, and the zones of each game in millimetres. Plain arithmetic only."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from referee.types import Outline, Point, Seat, Shape

SIDES = {"S": -90.0, "W": 180.0, "N": 90.0, "E": 0.0}
"""Direction of each side of a table from its middle, counter-clockwise from the right; in clockwise order of seats."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where round the visible table."""

    seats: tuple[Seat, ...]
    angles_deg: tuple[float, ...]
    """From the middle towards each seat, counter-clockwise from the picture's right."""
    half_mm: tuple[float, float] = (400.0, 250.0)
    """Half of the visible table's width and height."""
    middle_mm: Point = (0.0, 0.0)

    def seat_at(self, mm: Point) -> Seat:
        """Whose side of the table a place is on."""
        angle = self._angle(mm)
        return min(zip(self.seats, self.angles_deg, strict=True), key=lambda s: _between(angle, s[1]))[0]

    def seat_looking(self, turn_deg: float) -> Seat:
        """To whom a card turned so stands upright."""
        return min(
            zip(self.seats, self.angles_deg, strict=True), key=lambda s: _between(turn_deg - 90, s[1])
        )[0]

    def upright_deg(self, mm: Point) -> float:
        """Turn of a card that stands upright to the owner of a place."""
        return self.angle_of(self.seat_at(mm)) + 90

    def angle_of(self, seat: Seat) -> float:
        return self.angles_deg[self.seats.index(seat)]

    def from_seat(self, seat: Seat, mm: Point) -> Point:
        """A place as its owner sees it: to the right, and towards the owner, from the middle of the table."""
        angle = math.radians(self.angle_of(seat))
        x, y = mm[0] - self.middle_mm[0], mm[1] - self.middle_mm[1]
        towards = x * math.cos(angle) + y * math.sin(angle)
        return -x * math.sin(angle) + y * math.cos(angle), towards

    def to_table(self, seat: Seat, right: float, towards: float) -> Point:
        """The other way round."""
        angle = math.radians(self.angle_of(seat))
        c, s = math.cos(angle), math.sin(angle)
        return self.middle_mm[0] + towards * c - right * s, self.middle_mm[1] + towards * s + right * c

    def reach_mm(self, seat: Seat) -> float:
        """From the middle to the edge of the visible table before a seat."""
        angle = math.radians(self.angle_of(seat))
        across = abs(math.cos(angle)) / self.half_mm[0], abs(math.sin(angle)) / self.half_mm[1]
        return 1 / max(*across, 1e-9)

    def _angle(self, mm: Point) -> float:
        x = (mm[0] - self.middle_mm[0]) / self.half_mm[0]
        y = (mm[1] - self.middle_mm[1]) / self.half_mm[1]
        return math.degrees(math.atan2(y, x))


def _between(a: float, b: float) -> float:
    return abs((a - b + 180) % 360 - 180)


def seat_round(
    seats: tuple[Seat, ...],
    cards_mm: Sequence[Point],
    half_mm: tuple[float, float],
    middle_mm: Point = (0.0, 0.0),
) -> Seating:
    """The seating that fits best to where cards lie: on the sides of the table, or evenly round it."""
    plans = [Seating(seats, angles, half_mm, middle_mm) for angles in _plans(len(seats))]
    return min(plans, key=lambda plan: _misfit(plan, cards_mm))


def _plans(count: int) -> list[tuple[float, ...]]:
    """The first sits at the bottom, the others follow clockwise."""
    even = tuple(-90.0 - 360.0 * k / count for k in range(count))
    if not 2 <= count <= 4:
        return [even]
    south, *others = SIDES.values()
    sides = [(south, *rest) for rest in combinations(others, count - 1)]
    # Opposite each other first: it wins when the cards say nothing.
    return sorted({*sides, even}, key=lambda plan: _spread(plan))


def _spread(plan: tuple[float, ...]) -> float:
    """Smaller the more evenly the seats surround the table."""
    ordered = sorted(a % 360 for a in plan)
    gaps = [(b - a) % 360 or 360 for a, b in zip(ordered, [*ordered[1:], ordered[0]], strict=True)]
    return max(gaps)


def _misfit(plan: Seating, cards_mm: Sequence[Point]) -> float:
    """How far cards lie from the directions of the seats, plus a fine for a seat without any."""
    angles = [plan._angle(mm) for mm in cards_mm]
    apart = sum(min(_between(a, s) for s in plan.angles_deg) ** 2 for a in angles)
    empty = sum(all(_between(a, s) > 40 for a in angles) for s in plan.angles_deg)
    return apart + empty * 2000 * bool(angles)


# --- Zones -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Zone:
    name: str
    outline_mm: Outline
    seat: Seat | None = None
    read: bool = True
    """False: no face is read here."""

    def holds(self, mm: Point) -> bool:
        """Whether a place lies inside."""
        inside = False
        for (x1, y1), (x2, y2) in sides(self.outline_mm):
            if (y1 > mm[1]) != (y2 > mm[1]) and mm[0] < (x2 - x1) * (mm[1] - y1) / (y2 - y1) + x1:
                inside = not inside
        return inside

    @property
    def middle_mm(self) -> Point:
        xs, ys = zip(*self.outline_mm, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)

    def dragged(self, to_mm: Point) -> "Zone":
        """The zone with its middle somewhere else."""
        x, y = self.middle_mm
        dx, dy = to_mm[0] - x, to_mm[1] - y
        return replace(self, outline_mm=tuple((a + dx, b + dy) for a, b in self.outline_mm))

    def shape(self) -> Shape:
        """To be drawn over the live picture."""
        return Shape("zone", self.outline_mm, self.name, "read" if self.read else "masked")


def sides(outline: Outline) -> Iterable[tuple[Point, Point]]:
    return zip(outline, (*outline[1:], outline[0]), strict=True)


def dragged(zones: tuple[Zone, ...], name: str, to_mm: Point) -> tuple[Zone, ...]:
    """All zones, the one called `name` moved."""
    return tuple(z.dragged(to_mm) if z.name == name else z for z in zones)


def strip(
    seating: Seating, seat: Seat, name: str, near: float, far: float, wide: float = 0.8, read: bool = True
) -> Zone:
    """A strip before a seat; `near` and `far` from the middle of the table as shares of the way to the edge."""
    reach, side = seating.reach_mm(seat), wide * min(seating.half_mm)
    corners = [(-side, near * reach), (side, near * reach), (side, far * reach), (-side, far * reach)]
    return Zone(name, tuple(seating.to_table(seat, r, t) for r, t in corners), seat, read)


def circle(name: str, middle_mm: Point, radius_mm: float, read: bool = True) -> Zone:
    x, y = middle_mm
    turn = [math.radians(30 * k) for k in range(12)]
    return Zone(
        name, tuple((x + radius_mm * math.cos(a), y + radius_mm * math.sin(a)) for a in turn), None, read
    )


def open_table(seating: Seating, nearest_mm: Mapping[Seat, float]) -> Zone:
    """The visible table as far from each seat as its hand begins: there everything lies open."""
    (x, y), (w, h) = seating.middle_mm, seating.half_mm
    outline: Outline = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
    for seat, towards in nearest_mm.items():
        outline = _cut(outline, seating, seat, towards)
    return Zone("TABLE", outline)


def _cut(outline: Outline, seating: Seating, seat: Seat, most: float) -> Outline:
    """What of a convex outline is no nearer to a seat than `most` from the middle."""
    kept: list[Point] = []
    for a, b in sides(outline):
        from_a, from_b = seating.from_seat(seat, a)[1], seating.from_seat(seat, b)[1]
        if from_a <= most:
            kept.append(a)
        if (from_a > most) != (from_b > most):
            share = (most - from_a) / (from_b - from_a)
            kept.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
    return tuple(kept)


def moved(zones: Iterable[Zone], placed: Mapping[str, Point]) -> tuple[Zone, ...]:
    """Zones where people put their middles."""
    return tuple(z.dragged(placed[z.name]) if z.name in placed else z for z in zones)
