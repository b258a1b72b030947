"""The outline of one piece to a fraction of a pixel, in the picture divided by the empty board.

Round a point inside the piece the picture is read along rays. Where each ray leaves the piece is a matter of colour
(what lies in the middle of the piece, lit or shaded, against the board in any shadow), of the strength of the edge,
and of its neighbours: the cheapest closed path is the outline. The crossing is then refined between pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from referee.vision.board import Field

Points = NDArray[np.float64]
Radii = NDArray[np.float64]

RAYS = 64
IN_SHADOW = -0.12
"""Step of light, in logarithms, below which the board beside a piece lies in its shadow."""
STEP_PX = 0.5
ANGLES = np.arange(RAYS) * (2 * np.pi / RAYS)
SMALLEST_PX = 3.5
FINE = 4
"""Harmonics of the outline in the end."""
STRONG = 1.0
"""An edge of this step, in logarithms, is as good as any stronger one."""
BARE = 0.2
"""The bare board differs from the remembered one by less, in logarithms over three channels."""
COLOUR, SHARP = 0.06, 1.2
"""Weight of colour, per pixel of a ray, and of the edge."""
NEAR_OVAL = 0.1
"""Price of leaving the oval, per square pixel."""
BINS, BIN, LOWEST = 24, 0.14, -2.1
"""Of the colour histograms, in logarithms of picture over board."""


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """One closed outline, and how sure the picture is of it."""

    centre: Points
    points: Points
    """In the window's pixels, one per ray."""
    edge: float
    """Mean strength of the edge along it, 0 to 1."""
    contrast: float
    """Median step across the outline in logarithms of the picture; nothing is there when it is small."""
    wobble_px: float
    """What smoothing took away, as a standard deviation."""


@dataclass(frozen=True, slots=True, eq=False)
class Oval:
    """A smooth closed curve laid on the edges of the picture."""

    centre: Points
    radii: Radii
    edge: float = 0.0
    """Mean strength of the edge along it, 0 to 1."""
    clean: float = 0.0
    """Share of it outside of which the bare board lies."""
    shade: float = 0.0
    """Mean step of light from the board to the inside."""

    @property
    def area(self) -> float:
        return float(np.pi * (self.radii**2).mean())

    @property
    def points(self) -> Points:
        return _on_rays(self.centre, self.radii)


def settle_oval(ratio: Field, points: Points, pull_px: float) -> Oval | None:
    """Draw a rough outline onto the nearest strong edges, as long as they make an oval."""
    oval = _oval(points)
    for pull in np.linspace(pull_px, 2.0, 5):
        if oval is None:
            return None
        edge = _edges(_rays(ratio, oval.centre, float(oval.radii.max()) + 10))
        radii, weight = _nearest_edges(edge, oval.radii, float(pull))
        oval = _oval(_on_rays(oval.centre, _smooth(radii, 2, weight)))
    return None if oval is None else _weighed(ratio, oval)


def _oval(points: Points) -> Oval | None:
    middle, size = _middle(points)
    if size < SMALLEST_PX:
        return None
    return Oval(middle, _seen_from(points, middle))


def _edges(along: Field) -> Field:
    """Strength of the edge at each step of each ray, 0 to 1."""
    step = along[:, 4:] - along[:, :-4]
    edge = np.zeros(along.shape[:2], np.float32)
    edge[:, 2:-2] = np.minimum(np.sqrt((step * step).sum(axis=2)) / STRONG, 1)
    return edge


def _nearest_edges(edge: Field, radii: Radii, pull_px: float) -> tuple[Radii, Radii]:
    """On each ray the strongest edge not far from the curve, and its strength."""
    distance = np.arange(edge.shape[1]) * STEP_PX
    near = edge * np.exp(-(((distance - radii[:, None]) / pull_px) ** 2))
    near[:, distance < SMALLEST_PX] = 0
    k = near.argmax(axis=1)
    return k * STEP_PX, np.minimum(4 * near[np.arange(RAYS), k], 1) + 1e-3


def _weighed(ratio: Field, oval: Oval) -> Oval:
    """The oval with what speaks for it."""
    along = _rays(ratio, oval.centre, float(oval.radii.max()) + 6)
    edge, ray = _edges(along), np.arange(RAYS)[:, None]
    at = np.round(oval.radii / STEP_PX).astype(int)[:, None]
    last = along.shape[1] - 1
    strength = edge[ray, np.clip(at + np.arange(-2, 3), 0, last)].max(axis=1)
    outside = along[ray, np.clip(at + np.arange(5, 9), 0, last)].mean(axis=1)
    bare = np.sqrt((outside * outside).sum(axis=1)) < BARE
    inside = along[np.arange(last + 1) < 0.8 * at]
    return replace(oval, edge=float(strength.mean()), clean=float(bare.mean()), shade=float(inside.mean()))


def trace(ratio: Field, light: Field, oval: Oval, outside: Field) -> Traced:
    """The outline near an oval, to a fraction of a pixel.

    `ratio` is the logarithm of picture over empty board, `light` the picture in linear light.
    """
    centre, expected = oval.centre, oval.radii
    reach_px = float(expected.max()) + 8
    along = _rays(ratio, centre, reach_px)
    core = along[np.arange(along.shape[1]) * STEP_PX < 0.75 * expected[:, None]]
    radii = _leave(along, _rays(light, centre, reach_px), _odds(core, outside), expected)
    smooth = _smooth(radii, FINE)
    wobble = float(np.median(np.abs(radii - smooth))) * 1.48
    points = _on_rays(centre, smooth)
    contrast = _contrast(light, centre, smooth)
    return Traced(_middle(points)[0], points, oval.edge, contrast, wobble)


def _rays(picture: Field, centre: Points, reach_px: float) -> Field:
    """The picture read along the rays: angle by distance."""
    distance = np.arange(0, reach_px, STEP_PX, dtype=np.float32)
    x = (centre[0] + np.cos(ANGLES)[:, None] * distance).astype(np.float32)
    y = (centre[1] + np.sin(ANGLES)[:, None] * distance).astype(np.float32)
    read = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
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


def outside_colours(ratio: Field, pieces: Sequence[Oval]) -> Field:
    """What is not a piece: the board in any shadow, and the shadows seen round these pieces."""
    shadows = [_shadow(ratio, oval) for oval in pieces]
    seen = np.concatenate(shadows) if shadows else np.zeros((0, 3), np.float32)
    if len(seen) < 100:
        return _board_colours()
    return np.asarray(0.5 * _board_colours() + 0.5 * _histogram(seen), np.float32)


def _shadow(ratio: Field, oval: Oval) -> Field:
    """Dark pixels just outside an oval."""
    along = _rays(ratio, oval.centre, float(oval.radii.max()) + 10)
    distance = np.arange(along.shape[1]) * STEP_PX - oval.radii[:, None]
    near = (distance > 1.5) & (distance < 9) & (along.mean(axis=2) < -0.06)
    return np.asarray(along[near], np.float32)


def _odds(core: Field, outside: Field) -> Field:
    """Evidence per colour that it is the piece (positive) or the board (negative)."""
    odds = np.log((_colours(core) + 2e-4) / (outside + 2e-4))
    return np.asarray(np.clip(odds, -2.5, 2.5), np.float32)


# --- Where the rays leave the piece -------------------------------------------------------------------


def _leave(along: Field, light: Field, odds: Field, expected: Radii) -> Radii:
    """Distance along each ray at which it leaves the piece."""
    distance = np.arange(along.shape[1], dtype=np.float32) * np.float32(STEP_PX)
    cost = -COLOUR * np.cumsum(odds[_bins(along)] * distance / 10, axis=1) - SHARP * _edges(along)
    cost[:, distance < SMALLEST_PX] = 50
    cost += NEAR_OVAL * np.minimum((distance - expected[:, None]) ** 2, 25)
    path = _cheapest_ring(cost.astype(np.float32))
    rim, bulk = _crossing(along, path), _crossing(light, path)
    # A dark rim in a shadow shows in the logarithm; a dark piece on the bright board in the light itself, where the
    # logarithm falls short.
    beyond = np.clip(path[:, None] + np.arange(5, 9), 0, along.shape[1] - 1)
    shaded = along[np.arange(RAYS)[:, None], beyond].mean(axis=(1, 2)) < IN_SHADOW
    return np.where(shaded, rim, np.maximum(rim, bulk))


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


def _smooth(radii: Radii, count: int, trust: Radii | None = None) -> Radii:
    """The outline as a few harmonics; rays that stand out count less."""
    basis, weight = _harmonics(count), np.ones(RAYS)
    for _ in range(3):
        root = np.sqrt(weight if trust is None else weight * trust)
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
