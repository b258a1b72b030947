"""What lies on painted tables beside dice, and the tables themselves: printed cards, dominoes, keys, coins, blocks."""

import cv2
import numpy as np
from hand_camera import SIDE_PX, Array, Camera, clipped
from numpy.typing import NDArray
from paint import PIPS
from solid import Floats

Picture = NDArray[np.uint8]


def cloth(rng: np.random.Generator) -> Floats:
    """A plain, striped, checked, grained or woven ground, unevenly lit."""
    base = np.tile(rng.uniform(0, 1) * rng.uniform(0.5, 1, 3), (SIDE_PX, SIDE_PX, 1)).astype(np.float32)
    kind = rng.integers(5)
    g = np.arange(SIDE_PX) / rng.uniform(2, 60) + rng.uniform(0, 9)
    stripes = (np.sin(g) > 0).astype(np.float32)
    if kind == 1:
        base *= 1 - rng.uniform(0, 0.6) * stripes[:, None, None]
    elif kind == 2:
        base *= 1 - rng.uniform(0, 0.6) * (stripes[:, None, None] + stripes[None, :, None]) / 2
    elif kind >= 3:
        rough = rng.standard_normal((rng.integers(6, 150), rng.integers(2, 12 if kind == 3 else 150)))
        base *= 1 + rng.uniform(0, 0.25) * cv2.resize(rough.astype(np.float32), (SIDE_PX, SIDE_PX))[..., None]
    base *= 1 + rng.uniform(0, 0.08) * rng.standard_normal((SIDE_PX, SIDE_PX, 1)).astype(np.float32)
    lit = cv2.resize(rng.uniform(0.6, 1.2, (3, 3)).astype(np.float32), (SIDE_PX, SIDE_PX))
    turn = cv2.getRotationMatrix2D((SIDE_PX / 2, SIDE_PX / 2), rng.uniform(0, 360), 1.45)
    base = cv2.warpAffine(base, turn, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(np.clip(base * lit[..., None], 0, 1), np.float32)


def laid_down(
    out: Floats, card: Picture, px: Array, view: Array, half: tuple[float, float], rng: np.random.Generator
) -> None:
    """Lay a printed card on the table, turned anyhow."""
    yaw = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(yaw), np.sin(yaw)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ np.array([[c, s], [-s, c]])
    quad = (corners @ view[:, :2].T + px).astype(np.float32)
    h, w = card.shape[:2]
    small = min(1.0, 1.5 * float(np.linalg.norm(quad[2] - quad[1])) / h)
    if small < 0.7:
        card = np.asarray(cv2.resize(card, None, fx=small, fy=small, interpolation=cv2.INTER_AREA), np.uint8)
        h, w = card.shape[:2]
    to = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), quad)
    laid = cv2.warpPerspective(card.astype(np.float32) / 255, to, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR)
    mask = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    cv2.fillConvexPoly(mask, (quad * 16).astype(int), 1.0, cv2.LINE_AA, 4)
    shade = cv2.GaussianBlur(mask, (0, 0), 2)[..., None]
    out *= 1 - rng.uniform(0, 0.4) * shade
    out *= 1 - mask[..., None]
    out += laid * mask[..., None] * rng.uniform(0.75, 1.0)


def _blank(rng: np.random.Generator, w: int, h: int) -> Picture:
    return np.tile(rng.uniform(0, 255, 3), (h, w, 1)).astype(np.uint8)


def _dots(rng: np.random.Generator, w: int, h: int, places: Array, radius: float) -> Picture:
    """Round or square spots on a plain card."""
    face, ink = _blank(rng, w, h), rng.uniform(0, 255, 3).tolist()
    square = rng.random() < 0.25
    for x, y in places * (w, h):
        if square:
            cv2.rectangle(
                face, (int(x - radius), int(y - radius)), (int(x + radius), int(y + radius)), ink, -1
            )
        else:
            cv2.circle(face, (int(x), int(y)), max(1, int(radius)), ink, -1, cv2.LINE_AA)
    return face


def _domino(out: Floats, seen_by: Camera, edge: float, rng: np.random.Generator) -> None:
    halves = [np.array(PIPS[int(rng.integers(1, 7))], float) for _ in range(2)]
    places = np.concatenate([p * (0.26, 0.13) + (0.5, 0.25 + 0.5 * k) for k, p in enumerate(halves)])
    face = _dots(rng, 80, 160, places, rng.uniform(5, 9))
    if rng.random() < 0.7:
        cv2.line(face, (8, 80), (72, 80), (0, 0, 0), 2)
    _lay(out, face, seen_by, edge * rng.uniform(0.8, 1.6), (0.5, 1.0), rng)


def _keys(out: Floats, seen_by: Camera, edge: float, rng: np.random.Generator) -> None:
    """Rows of buttons or holes: a remote control, a cribbage board, printed dots."""
    columns, rows = int(rng.integers(1, 7)), int(rng.integers(2, 13))
    g = np.stack(np.meshgrid((np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows), -1)
    places = g.reshape(-1, 2)[rng.random(columns * rows) < rng.uniform(0.6, 1)]
    cell = 24
    face = _dots(rng, columns * cell, rows * cell, places, rng.uniform(3, 11))
    size = edge * rng.uniform(0.2, 0.7)
    _lay(out, face, seen_by, size, (columns / 2, rows / 2), rng)


def _printed_face(out: Floats, seen_by: Camera, edge: float, rng: np.random.Generator) -> None:
    """The pips of a die, printed flat on the table or on paper."""
    pips = np.array(PIPS[int(rng.integers(1, 7))], float) * rng.uniform(0.2, 0.3) + 0.5
    face = _dots(rng, 96, 96, pips, rng.uniform(6, 12))
    half = rng.uniform(0.4, 1.5)
    _lay(out, face, seen_by, edge, (half, half), rng)


def _coins(out: Floats, seen_by: Camera, edge: float, rng: np.random.Generator) -> None:
    """Coins, counters or buttons strewn about, or spots right on the table."""
    ink = rng.uniform(0, 1, 3).tolist()
    for _ in range(int(rng.integers(1, 9))):
        px = rng.uniform(0, SIDE_PX, 2)
        view = seen_by.view(px, edge * rng.uniform(0.2, 1.0))
        a = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        ring = np.stack([np.cos(a), np.sin(a)], 1) * 0.5 @ view[:, :2].T + px
        cv2.fillConvexPoly(out, (np.add(ring, (1, 2)) * 8).astype(int), [0.1] * 3, cv2.LINE_AA, 3)
        cv2.fillConvexPoly(out, (ring * 8).astype(int), ink, cv2.LINE_AA, 3)


def _block(out: Floats, seen_by: Camera, edge: float, rng: np.random.Generator) -> None:
    """A plain box, or one with something printed on it: no die."""
    px, base = rng.uniform(0, SIDE_PX, 2), rng.uniform(0, 1, 3)
    yaw, size = rng.uniform(0, 6.3), rng.uniform(0.4, 1.5, 3)
    c, s = np.cos(yaw), np.sin(yaw)
    view = seen_by.view(px, edge) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) * size
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    upper = square @ view[:, :2].T + px + view[:, 2] / 2
    lower = upper - view[:, 2]
    hull = cv2.convexHull(np.r_[upper, lower].astype(np.float32))
    cv2.fillConvexPoly(out, (hull * 8).astype(int), (base * 0.6).tolist(), cv2.LINE_AA, 3)
    cv2.fillConvexPoly(out, (upper * 8).astype(int), base.tolist(), cv2.LINE_AA, 3)
    if rng.random() < 0.5:
        letter, ink = rng.choice(list("ABKR0123456789?+")), rng.uniform(0, 1, 3).tolist()
        face = _blank(rng, 64, 64)
        face[:] = (base * 255).astype(np.uint8)
        cv2.putText(face, str(letter), (14, 50), 0, 1.7, [i * 255 for i in ink], 5, cv2.LINE_AA)
        to = cv2.getPerspectiveTransform(
            np.array([[0, 0], [64, 0], [64, 64], [0, 64]], np.float32), upper.astype(np.float32)
        )
        laid = cv2.warpPerspective(face.astype(np.float32) / 255, to, (SIDE_PX, SIDE_PX))
        mask = np.zeros((SIDE_PX, SIDE_PX), np.float32)
        cv2.fillConvexPoly(mask, (upper * 8).astype(int), 1.0, cv2.LINE_AA, 3)
        out *= 1 - mask[..., None]
        out += laid * mask[..., None]


def _lay(
    out: Floats,
    face: Picture,
    seen_by: Camera,
    edge: float,
    half: tuple[float, float],
    rng: np.random.Generator,
) -> None:
    px = rng.uniform(0, SIDE_PX, 2)
    laid_down(out, face, px, seen_by.view(px, edge * clipped(seen_by.nearness(px))), half, rng)


THINGS = (_domino, _keys, _keys, _printed_face, _coins, _block)
