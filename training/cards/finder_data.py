"""Crops of drawn tables with, for every fourth pixel, which card lies there and how."""

import cv2
import numpy as np
from scenes import Face, World, cast_shadow, paint
from things import die, hand

SIDE, STRIDE = 256, 4
LONG_PX = (34, 84)
"""Shortest and longest cards of the crops, in pixels."""
ASPECTS = (63 / 88, 63 / 88, 63 / 88, 57 / 88, 0.66, 0.7)
LAYOUTS = {"loose": 1.5, "row": 4, "line": 2, "fan": 5, "pile": 1.5, "upon": 5, "cross": 3}


def plane(r, side: int, long: float) -> np.ndarray:
    """Map from table units (card length 1, origin in the picture's middle) to pixels."""
    tilt = np.radians(abs(r.gauss(0, 7)) if r.random() < 0.85 else r.uniform(10, 40))
    focal = side * r.uniform(1.2, 3.0)
    rot = lean(tilt) @ spin(r.uniform(0, 2 * np.pi))
    lens = np.diag([focal, focal, 1.0]) @ spin(r.uniform(0, 2 * np.pi))
    lens[:2, 2] = side / 2
    return lens @ np.column_stack([rot[:, 0], rot[:, 1], [0, 0, focal / long]])


def spin(a: float) -> np.ndarray:
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])


def lean(a: float) -> np.ndarray:
    return np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])


def project(h: np.ndarray, p: np.ndarray) -> np.ndarray:
    q = np.column_stack([p, np.ones(len(p))]) @ h.T
    return q[:, :2] / q[:, 2:]


def places(r, reach: float, n: int, aspect: float) -> list[tuple[float, float, float]]:
    """Middles and turns (radians) of about n cards, the lowest first."""
    out: list[tuple[float, float, float]] = []
    base = r.choice([0, 0, np.pi / 2, r.uniform(0, np.pi)])
    while len(out) < n:
        at = np.array([r.uniform(-reach, reach), r.uniform(-reach, reach)]) * 0.9
        turn = base + r.gauss(0, 0.06) + r.choice([0, 0, np.pi / 2, np.pi, r.uniform(0, 6.28)])
        kind = r.choices(list(LAYOUTS), list(LAYOUTS.values()))[0]
        out += group(r, kind, at, turn, aspect)
    return out[: n + 6]


def group(r, kind: str, at: np.ndarray, turn: float, aspect: float) -> list[tuple[float, float, float]]:
    """Cards that were laid down together."""
    if kind == "loose":
        return [(*at, turn)]
    if kind == "upon":
        return upon(r, at, turn)
    if kind == "cross":
        return cross(r, at, turn)
    count = r.randint(4, 8) if kind == "fan" else r.randint(2, 7)
    step, slack, swing = spacing(r, kind, aspect)
    along = turn + (np.pi / 2 if kind == "line" or (kind == "fan" and r.random() < 0.3) else 0)
    bend = r.gauss(0, 0.1) if kind == "fan" else 0.0
    start = r.uniform(-count, 0)
    out = []
    for i in range(count):
        a, s = along + i * bend * 0.5, (start + i) * step
        x, y = at[0] + s * np.cos(a) + r.gauss(0, slack), at[1] + s * np.sin(a) + r.gauss(0, slack)
        tapped = np.pi / 2 if kind == "row" and r.random() < 0.12 else 0
        out.append((x, y, turn + i * bend + r.gauss(0, swing) + tapped))
    return out if r.random() < 0.5 else out[::-1]


def spacing(r, kind: str, aspect: float) -> tuple[float, float, float]:
    """Step from card to card, and how carelessly they are laid in place and turn."""
    if kind == "row":
        return (
            aspect * r.choice([1.0, r.uniform(0.75, 1.05), r.uniform(1.0, 1.4)]),
            r.choice([0.005, 0.04]),
            0.05,
        )
    if kind == "line":
        return r.choice([1.0, r.uniform(0.6, 1.1)]), r.choice([0.005, 0.04]), 0.04
    if kind == "fan":
        return r.uniform(0.12, 0.45), r.choice([0.01, 0.03]), 0.03
    return 0.0, r.uniform(0.01, 0.06), r.choice([0.02, 0.1])


def upon(r, at: np.ndarray, turn: float) -> list[tuple[float, float, float]]:
    """A card, and one or two more across it."""
    out = [(*at, turn)]
    for _ in range(r.randint(1, 2)):
        off, a = r.choice([r.uniform(0.1, 0.75), r.uniform(0.3, 0.6)]), r.uniform(0, 6.28)
        other = turn + r.choice([r.gauss(0, 0.08), np.pi / 2, r.uniform(0, 6.28)])
        out.append((at[0] + off * np.cos(a), at[1] + off * np.sin(a), other))
    return out


def cross(r, at: np.ndarray, turn: float) -> list[tuple[float, float, float]]:
    """A card of which little more than two ends stick out from under another."""
    x, y = at[0] + r.gauss(0, 0.07), at[1] + r.gauss(0, 0.07)
    return [(*at, turn), (x, y, turn + np.pi / 2 + r.gauss(0, 0.1))]


class Hand:
    """Which faces the cards of one crop show."""

    def __init__(self, w: World) -> None:
        r = w.rng
        self.art = r.random() < 0.5
        self.deck = w.art_deck() if self.art else w.by_deck[r.choice(w.decks)]
        backs = [f for f in self.deck if f.name.startswith("back")]
        strange = r.random() < 0.6 or not backs
        self.back = self.deck[-1] if self.art else w.art_deck()[-1] if strange else r.choice(backs)
        self.down = r.choice([0.0, 0.15, 0.3, 0.6])

    def face(self, r) -> Face:
        return self.back if r.random() < self.down else r.choice(self.deck)


def outline(
    w: World, h: np.ndarray, place: tuple[float, float, float], aspect: float, long: float
) -> np.ndarray:
    """Corners of a card on the picture, from its place on the table."""
    x, y, turn = place
    half = np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]]) / 2
    c, s = np.cos(turn), np.sin(turn)
    on_table = half @ np.array([[c, s], [-s, c]]) + (x, y)
    corners = project(h, on_table) + w.np.standard_normal((4, 2)) * long * 0.006
    return corners[[2, 3, 0, 1]] if w.rng.random() < 0.5 else corners


def how_many(r, reach: float) -> int:
    if r.random() < 0.06:
        return 0
    return min(40, max(1, int(r.uniform(0.2, 1.0) * (2 * reach) ** 2 + r.random())))


def lay(w: World, out: np.ndarray, ids: np.ndarray, long: float) -> list[np.ndarray]:
    """Draw the cards; their corners, in the order of their numbers in `ids`."""
    r, h = w.rng, plane(w.rng, SIDE, long)
    reach, aspect, faces = 0.6 * SIDE / long, r.choice(ASPECTS), Hand(w)
    light_from = np.array([r.uniform(-1, 1), r.uniform(-1, 1)]) * long * r.uniform(0, 0.06)
    blur, strong, tint = r.uniform(0.6, 1 + long * 0.03), r.uniform(0, 0.6), r.uniform(0.86, 1.03)
    n, laid = how_many(r, reach), []
    for place in places(r, reach, n, aspect) if n else []:
        corners = outline(w, h, place, aspect, long)
        if strong > 0.05:
            cast_shadow(out, corners, light_from, blur, strong)
        shine = r.uniform(1.1, 2.0) if r.random() < 0.06 else r.uniform(0.94, 1.0)
        paint(out, ids, faces.face(r), corners, len(laid), tint * shine)
        laid.append(corners)
    return laid


def sample(w: World) -> tuple[np.ndarray, np.ndarray]:
    """One crop (uint8 BGR) and its target at stride 4: the mask, eight answers, and how much a cell counts."""
    r = w.rng
    long = np.exp(r.uniform(*np.log(LONG_PX)))
    out, ids = w.background(SIDE), np.full((SIDE, SIDE), -1, np.int32)
    if r.random() < 0.3:
        w.clutter(out, r.randint(1, 4))
    laid = lay(w, out, ids, long)
    for _ in range(r.choice([0, 0, 0, 1, 2])):
        die(w, out, ids, long)
    if r.random() < 0.2:
        hand(w, out, ids, long)
    if r.random() < 0.1:
        over = out.copy()
        w.clutter(over, 1)
        ids[np.abs(over - out).sum(2) > 1] = -1
        out = over
    return w.develop(out), target(ids, laid)


def target(ids: np.ndarray, laid: list[np.ndarray]) -> np.ndarray:
    """For every cell on a card: the way to its middle, and its half axes as size and double angle."""
    cell = ids[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    t = np.zeros((10, *cell.shape), np.float32)
    on = cell >= 0
    if not on.any():
        return t
    q, i = np.array(laid), cell[on]
    y, x = np.nonzero(on)
    t[0][on] = 1
    t[1:3, on] = (q.mean(1)[i].T - (np.stack([x, y]) * STRIDE + STRIDE // 2)) / 32
    long, short = (q[:, 2] + q[:, 3] - q[:, 0] - q[:, 1]) / 4, (q[:, 1] + q[:, 2] - q[:, 0] - q[:, 3]) / 4
    sizes = [np.log(np.linalg.norm(axis, axis=1) / 32) for axis in (long, short)]
    angles = [2 * np.arctan2(axis[:, 1], axis[:, 0]) for axis in (long, short)]
    t[3:9, on] = np.stack([*sizes, *(f(a) for a in angles for f in (np.cos, np.sin))])[:, i]
    t[9][on] = importance(cell, laid)[i]
    return t


def importance(cell: np.ndarray, laid: list[np.ndarray]) -> np.ndarray:
    """How much a cell of each card counts: more if little of it is open, less if the crop cuts it off."""
    opened = np.bincount(cell[cell >= 0], minlength=len(laid)).clip(1)
    out = np.zeros(len(laid))
    for number, quad in enumerate(laid):
        inside = np.zeros(cell.shape, np.uint8)
        cv2.fillConvexPoly(
            inside, np.round((quad - STRIDE / 2) / STRIDE * 8).astype(np.int32), 1, cv2.LINE_8, 3
        )
        whole = max(1.0, cv2.contourArea(quad.astype(np.float32)) / STRIDE**2)
        within = max(1, int(inside.sum()))
        out[number] = np.clip(np.sqrt(within / opened[number]), 1, 2.2) * np.clip(
            2 * within / whole - 0.4, 0.25, 1
        )
    return out
