"""Where cards lie in rendered lessons: in groups as players leave them, mostly cards on cards."""

import math
import random
from collections.abc import Sequence

Place = tuple[float, float, float]
"""Millimetres and degrees counter-clockwise."""
WIDE, LONG = 63.0, 88.0
GROUPS = {
    "fan": 6,
    "cross": 4,
    "attached": 4,
    "upon": 4,
    "village": 2,
    "row": 2,
    "meeting": 1.5,
    "loose": 2,
    "pile": 0.7,
}


def fan(r: random.Random) -> list[Place]:
    """Cards spread sideways or lengthways, straight or in a bow."""
    count, long = r.randint(3, 8), r.random() < 0.2
    step, bow, slack = r.uniform(14, 44), r.gauss(0, 4) if r.random() < 0.5 else 0.0, r.choice([0.6, 2.5])
    out, x, y = [], 0.0, 0.0
    for k in range(count):
        turn = bow * k + r.gauss(0, 1.5)
        out.append((x + r.gauss(0, slack), y + r.gauss(0, slack), turn))
        way = math.radians(bow * k + (90 if long else 0))
        x, y = x + step * math.cos(way), y + step * math.sin(way)
    return out if r.random() < 0.5 else out[::-1]


def cross(r: random.Random) -> list[Place]:
    """One card across another, not always in the middle."""
    return [(0, 0, 0), (r.gauss(0, 8), r.gauss(0, 12), r.choice([90, -90]) + r.gauss(0, 7))]


def attached(r: random.Random) -> list[Place]:
    """One or two cards under or on another that leave a strip of it."""
    step, side, count = r.uniform(11, 36), r.gauss(0, 6), r.choice([2, 2, 3])
    way = math.radians(r.choice([90, -90, 0, 180, r.uniform(0, 360)]))
    dx, dy = step * math.cos(way) - side * math.sin(way), step * math.sin(way) + side * math.cos(way)
    return [(dx * k, dy * k, r.gauss(0, 4)) for k in range(count)]


def upon(r: random.Random) -> list[Place]:
    """A card, and one or two carelessly on it."""
    out: list[Place] = [(0, 0, 0)]
    for _ in range(r.choice([1, 1, 2])):
        turn = r.choice([0, 90, 25, -40, r.uniform(0, 360)]) + r.gauss(0, 6)
        out.append((r.choice([-1, 1]) * r.uniform(8, 38), r.uniform(-40, 40), turn))
    return out


def village(r: random.Random) -> list[Place]:
    """Two cards head to foot and perhaps one on them."""
    apart = LONG - r.choice([20, 6, -2])
    out: list[Place] = [(0, 0, r.gauss(0, 2)), (r.gauss(0, 2), apart, r.gauss(0, 2) + r.choice([0, 180]))]
    if r.random() < 0.7:
        turn = r.choice([0, 90, 25, -40]) + r.gauss(0, 6)
        out.append(
            (r.choice([-1, 1]) * r.uniform(14, 30), apart * r.choice([1, 1, 0.5]) + r.uniform(-25, 18), turn)
        )
    return out


def row(r: random.Random) -> list[Place]:
    """Cards side by side, some turned by a quarter."""
    step, out, x = r.choice([63.5, r.uniform(55, 68), r.uniform(66, 95)]), [], 0.0
    for _ in range(r.randint(2, 5)):
        out.append((x, r.gauss(0, 3), r.gauss(0, 2.5) + (90 if r.random() < 0.2 else 0)))
        x += step
    return out


def meeting(r: random.Random) -> list[Place]:
    """Two cards that touch or overlap with their short sides."""
    return [(0, 0, r.gauss(0, 5)), (r.gauss(0, 15), LONG - r.choice([18, 4, 0]), 180 + r.gauss(0, 5))]


def loose(r: random.Random) -> list[Place]:
    return [(0, 0, r.uniform(0, 360))]


def pile(r: random.Random) -> list[Place]:
    return [(r.gauss(0, 1), r.gauss(0, 1), r.gauss(0, 1)) for _ in range(r.randint(2, 5))]


MAKE = {"fan": fan, "cross": cross, "attached": attached, "upon": upon, "village": village}
MAKE |= {"row": row, "meeting": meeting, "loose": loose, "pile": pile}


def groups(r: random.Random, view: Sequence[float], most: int) -> list[tuple[str, list[Place]]]:
    """Groups of cards within the view (x0, x1, y0, y1), few of which touch each other."""
    base, out, taken = r.choice([0, 0, 90, r.uniform(0, 90)]), [], []
    for _ in range(400):
        if sum(len(group) for _, group in out) >= most:
            break
        kind = r.choices(list(GROUPS), list(GROUPS.values()))[0]
        turn = base + r.gauss(0, 4) + r.choice([0, 0, 90, 180, 270, r.uniform(0, 360)])
        at = r.uniform(view[0], view[1]), r.uniform(view[2], view[3])
        group = moved(MAKE[kind](r), *at, turn)
        inside = all(view[0] + 20 < x < view[1] - 20 and view[2] + 20 < y < view[3] - 20 for x, y, _ in group)
        apart = min((math.dist(a[:2], b[:2]) for a in group for b in taken), default=math.inf)
        if inside and apart > r.choice([112, 100, 80]):
            out.append((kind, group))
            taken += group
    return out


def moved(group: list[Place], x: float, y: float, turn: float) -> list[Place]:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    mx, my = (sum(place[k] for place in group) / len(group) for k in (0, 1))
    return [(x + (a - mx) * c - (b - my) * s, y + (a - mx) * s + (b - my) * c, t + turn) for a, b, t in group]
