"""The outline of one piece to a fraction of a pixel, in the picture divided by the empty board.

Round a point inside the piece the picture is read along rays. Where each ray leaves the piece is a matter of colour
(what lies in the middle of the piece, lit or shaded, against the board in any shadow), of the strength of the edge,
and of its neighbours: the cheapest closed path is the outline. The crossing is then refined between pixels.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from referee.vision.board import Field, Mask

Points = NDArray[np.float64]
Radii = NDArray[np.float64]

RAYS = 64
STEP_PX = 0.5
ANGLES = np.arange(RAYS) * (2 * np.pi / RAYS)
SMALLEST_PX = 3.5
COARSE, FINE = 3, 5
"""Harmonics of the outline while it is sought, and in the end."""
BINS, BIN, LOWEST = 24, 0.14, -2.1
"""Of the colour histograms, in logarithms of picture over board."""


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """One closed outline, and how sure the picture is of it."""

    centre: Points
    points: Points
    """In the window's pixels, one per ray."""
    contrast: float
    """Median step across the outline in logarithms of the picture; nothing is there when it is small."""
    wobble_px: float
    """What smoothing took away, as a standard deviation."""


def trace(ratio: Field, light: Field, core: Mask, centre: Points, reach_px: float) -> Traced | None:
    """The outline of the piece round `centre`; `core` marks pixels that are surely of it.

    `ratio` is the logarithm of picture over empty board, `light` the picture in linear light.
    """
    inner = _colours(_rays(ratio, centre, reach_px)[_rays(core, centre, reach_px) > 0])
    radii = _leave(ratio, light, inner, centre, reach_px, None)
    for _ in range(2):
        points = _on_rays(centre, _smooth(radii, COARSE))
        middle, size = _middle(points)
        if size < SMALLEST_PX:
            return None
        expected, centre = _seen_from(points, middle), middle
        reach_px = 1.6 * size + 6
        around = _rays(ratio, centre, reach_px)
        inner = _colours(around[np.arange(around.shape[1]) * STEP_PX < 0.75 * expected[:, None]])
        radii = _leave(ratio, light, inner, centre, reach_px, expected)
    smooth = _smooth(radii, FINE)
    wobble = float(np.median(np.abs(radii - smooth))) * 1.48
    return Traced(centre, _on_rays(centre, smooth), _contrast(light, centre, smooth), wobble)


def _rays(picture: Field | Mask, centre: Points, reach_px: float) -> Field:
    """The picture read along the rays: angle by distance."""
    distance = np.arange(0, reach_px, STEP_PX, dtype=np.float32)
    x = centre[0] + np.cos(ANGLES)[:, None] * distance
    y = centre[1] + np.sin(ANGLES)[:, None] * distance
    read = cv2.remap(
        picture, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(read, np.float32)


def _on_rays(centre: Points, radii: Radii) -> Points:
    return np.stack([centre[0] + np.cos(ANGLES) * radii, centre[1] + np.sin(ANGLES) * radii], axis=1)


def _seen_from(points: Points, centre: Points) -> Radii:
    """The same outline as distances from another centre."""
    away = points - centre
    angle = np.arctan2(away[:, 1], away[:, 0]) % (2 * np.pi)
    order = np.argsort(angle)
    radii: Radii = np.interp(ANGLES, angle[order], np.hypot(*away.T)[order], period=2 * np.pi)
    return radii


def _middle(points: Points) -> tuple[Points, float]:
    """Centroid and radius of the circle of the same area."""
    x, y = points.T
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    area = cross.sum() / 2
    centre = np.array([((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()])
    return (centre / (6 * area), float(np.sqrt(abs(area) / np.pi))) if abs(area) > 1 else (centre, 0.0)


# --- Colour -------------------------------------------------------------------------------------------


def _bins(colours: Field) -> NDArray[np.int32]:
    k = np.clip((colours - LOWEST) / BIN, 0, BINS - 1).astype(np.int32)
    return np.asarray((k[..., 0] * BINS + k[..., 1]) * BINS + k[..., 2], np.int32)


def _histogram(colours: Field) -> Field:
    """How often each colour occurs, blurred by a bin either way."""
    counts = np.bincount(_bins(colours).ravel(), minlength=BINS**3).astype(np.float32)
    cube = np.asarray(counts.reshape(BINS, BINS, BINS), np.float32)
    for axis in range(3):
        edge = np.pad(cube, [(1, 1) if a == axis else (0, 0) for a in range(3)], mode="edge")
        parts = np.moveaxis(edge, axis, 0)
        blurred = (parts[:-2] + 2 * parts[1:-1] + parts[2:]) / 4
        cube = np.asarray(np.moveaxis(blurred, 0, axis), np.float32)
    return np.asarray(cube.ravel() / max(colours.size // 3, 1), np.float32)


def _colours(core: Field) -> Field:
    """The piece's colours, as lit in its middle and darker towards the rim that turns from the light."""
    shaded = np.concatenate([core - step for step in (0.2, 0.4, 0.6, 0.8, 1.0)])
    return 0.6 * _histogram(core) + 0.4 * _histogram(shaded)


@cache
def _board_colours() -> Field:
    """The board's colours: itself, and every shadow on it, a little tinted by the other lamps."""
    chance = np.random.default_rng(1)
    shade = -1.9 * chance.random(40000) ** 2
    tint = chance.normal(size=(40000, 3))
    tint -= tint.mean(axis=1, keepdims=True)
    noise = chance.normal(0, 0.05, (2, 40000, 3))
    shadow = shade[:, None] + tint * 0.12 * np.abs(shade)[:, None] + noise[0]
    board = 0.5 * _histogram(shadow.astype(np.float32)) + 0.5 * _histogram(noise[1].astype(np.float32))
    return np.asarray(board, np.float32)


def _belongs(ratio: Field, inner: Field) -> Field:
    """Evidence per pixel that it is the piece (positive) or the board (negative)."""
    odds = np.log((inner + 2e-4) / (_board_colours() + 2e-4))
    return np.asarray(np.clip(odds, -2.5, 2.5)[_bins(ratio)], np.float32)


# --- Where the rays leave the piece -------------------------------------------------------------------


def _leave(
    ratio: Field, light: Field, inner: Field, centre: Points, reach_px: float, expected: Radii | None
) -> Radii:
    """Distance along each ray at which it leaves the piece."""
    along = _rays(ratio, centre, reach_px)
    distance = np.arange(along.shape[1], dtype=np.float32) * np.float32(STEP_PX)
    step = along[:, 4:] - along[:, :-4]
    edge = np.zeros(along.shape[:2], np.float32)
    edge[:, 2:-2] = np.minimum(np.sqrt((step * step).sum(axis=2)), 1)
    cost = -0.06 * np.cumsum(_belongs(along, inner) * distance / 10, axis=1) - 0.8 * edge
    cost[:, distance < SMALLEST_PX] = 50
    if expected is not None:
        cost += 0.04 * np.minimum((distance - expected[:, None]) ** 2, 9)
    path = _cheapest_ring(cost.astype(np.float32))
    # A dark rim in a shadow shows in the logarithm, a dark piece on a bright board in the light itself: in either
    # case the other reading falls short.
    return np.maximum(_crossing(along, path), _crossing(_rays(light, centre, reach_px), path))


def _cheapest_ring(cost: Field, jump: int = 2) -> NDArray[np.int64]:
    """One distance per ray, neighbours at most `jump` steps apart, of least total cost."""
    rays, steps = cost.shape
    toll = (0.15 * np.abs(np.arange(-jump, jump + 1))).astype(np.float32)
    # Begun half a turn early and ended half a turn late, the ring closes by itself.
    turn = np.concatenate([cost[rays // 2 :], cost, cost[: rays // 2]])
    padded = np.full(steps + 2 * jump, 1e6, np.float32)
    choices = sliding_window_view(padded, 2 * jump + 1)
    back = np.zeros((len(turn), steps), np.int64)
    every = np.arange(steps)
    padded[jump:-jump] = turn[0]
    for k in range(1, len(turn)):
        total = choices + toll
        back[k] = total.argmin(axis=1)
        padded[jump:-jump] = total[every, back[k]] + turn[k]
    path = np.empty(len(turn), np.int64)
    path[-1] = padded[jump:-jump].argmin()
    for k in range(len(turn) - 1, 0, -1):
        path[k - 1] = path[k] + back[k, path[k]] - jump
    return path[rays // 2 : rays // 2 + rays]


def _crossing(along: Field, path: NDArray[np.int64]) -> Radii:
    """The place near the path where a ray is half inside, half outside."""
    ray, last = np.arange(RAYS), along.shape[1] - 1

    def near(first: int, stop: int) -> Field:
        part = along[ray[:, None], np.clip(path[:, None] + np.arange(first, stop), 0, last)]
        return np.asarray(part, np.float32)

    inside, outside = near(-6, -2).mean(axis=1), near(3, 7).mean(axis=1)
    across = inside - outside
    share = np.einsum("ijc,ic->ij", near(-4, 5) - outside[:, None], across)
    share = share / np.maximum((across * across).sum(axis=1), 1e-9)[:, None] - 0.5
    falls = (share[:, :-1] > 0) & (share[:, 1:] <= 0)
    far = np.where(falls, np.abs(np.arange(8) - 3.5), 99)
    k = far.argmin(axis=1)
    found = far[ray, k] < 99
    part = share[ray, k] / np.where(found, share[ray, k] - share[ray, np.minimum(k + 1, 8)], 1)
    return np.where(found, path + k - 4 + part, path) * STEP_PX


@cache
def _harmonics(count: int) -> Points:
    waves = [f(k * ANGLES) for k in range(1, count + 1) for f in (np.cos, np.sin)]
    return np.stack([np.ones(RAYS), *waves], axis=1)


def _smooth(radii: Radii, count: int) -> Radii:
    """The outline as a few harmonics; rays that stand out count less."""
    basis, weight = _harmonics(count), np.ones(RAYS)
    for _ in range(3):
        root = np.sqrt(weight)
        fitted: Radii = basis @ np.linalg.lstsq(basis * root[:, None], radii * root, rcond=None)[0]
        off = radii - fitted
        scale = max(0.15, 1.48 * float(np.median(np.abs(off))))
        weight = 1 / (1 + (off / (2.5 * scale)) ** 2) ** 2
    return fitted


def _contrast(light: Field, centre: Points, radii: Radii) -> float:
    """Median step of the logarithm of the picture across the outline."""
    along = np.log(_rays(light, centre, float(radii.max()) + 4) + 1e-3) / 2.2
    ray, last = np.arange(RAYS), along.shape[1] - 1
    at = radii / STEP_PX
    inside = along[ray, np.clip(at - 4, 0, last).astype(int)]
    outside = along[ray, np.clip(at + 4, 0, last).astype(int)]
    return float(np.median(np.sqrt(((inside - outside) ** 2).sum(axis=1))))
