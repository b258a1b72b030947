"""Ovals laid on the strong edges of a picture, many at a time: one rough outline in, one smooth curve out.

Every oval is read along rays from its middle. All arrays begin with the oval, then the ray, then the step along it.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.board import Field, Flags

Points = NDArray[np.float64]
Radii = NDArray[np.float64]

RAYS = 64
STEP_PX, ROUGH_PX = 0.5, 1.0
"""Along a ray, for outlines and while an oval still looks for its place."""
TURN = 2 * np.pi
ANGLES = np.arange(RAYS) * (TURN / RAYS)
TOWARDS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
_ACROSS, _DOWN = np.ascontiguousarray(TOWARDS.T.astype(np.float32))[..., None]
SMALLEST_PX = 3.5
STRONG = 1.0
"""An edge of this step, in logarithms, is as good as any stronger one."""
BARE = 0.2
"""The bare board differs from the remembered one by less, in logarithms over three channels."""
ROUNDS = 4
VOTES = 3
"""How often rays that stand out are weighed anew."""


@dataclass(frozen=True, slots=True, eq=False)
class Oval:
    """A smooth closed curve, and what the picture says of it."""

    centre: Points
    radii: Radii
    edge: float
    """Mean strength of the edge along it, 0 to 1."""
    bare: Flags
    """Rays along which the bare board lies outside it."""
    shade: float
    """Mean step of light from the board to the inside."""

    @property
    def clean(self) -> float:
        """Share of it outside of which the bare board lies."""
        return np.count_nonzero(self.bare) / RAYS

    @property
    def area(self) -> float:
        return float(np.pi * (self.radii**2).mean())

    @property
    def points(self) -> Points:
        return np.asarray(self.centre + self.radii[:, None] * TOWARDS, float)


def settle(
    ratio: Field, hulls: list[Points], pull_px: list[float], log: Field | None = None
) -> list[Oval | None]:
    """Draw rough outlines onto strong edges not farther than `pull_px`; None for what shrinks to nothing.

    On a board with a pattern `log` is the picture itself: see `edges_of_both`.
    """
    if not hulls:
        return []
    seen = [from_hull(hull) for hull in hulls]
    centres, radii = np.array([c for c, _ in seen]), np.array([r for _, r in seen])
    reach = np.array(pull_px)
    for k in range(ROUNDS):
        pull = reach + (2.0 - reach) * k / (ROUNDS - 1)
        edge = edges(rays(ratio, centres, float(radii.max()) + 6, ROUGH_PX), ROUGH_PX)
        if log is not None:
            own = edges(rays(log, centres, float(radii.max()) + 6, ROUGH_PX), ROUGH_PX)
            edge = edges_of_both(edge, own, ROUGH_PX)
        found, trust = _nearest_edges(edge, radii, pull)
        last = k == ROUNDS - 1
        terms = fit(found, 2, trust, VOTES if last else VOTES - 1)
        centres, radii = _recentred(centres, terms, 2 if last else 1)
    ovals = _weighed(ratio, centres, radii, log)
    return [oval if oval.radii.mean() > SMALLEST_PX else None for oval in ovals]


def rays(picture: Field, centres: Points, reach_px: float, step_px: float = STEP_PX) -> Field:
    """The picture read along the rays of every oval: oval, ray, step, channel."""
    distance = np.arange(0, reach_px, step_px, dtype=np.float32)
    starts = centres.astype(np.float32)[:, None, None]
    x, y = (
        (starts[..., k] + towards * distance).reshape(-1, len(distance))
        for k, towards in enumerate((_ACROSS, _DOWN))
    )
    read = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(read, np.float32).reshape(len(centres), RAYS, len(distance), -1)


def edges(along: Field, step_px: float = STEP_PX) -> Field:
    """Strength of the edge at each step of each ray, 0 to 1."""
    near = round(1 / step_px)
    step = along[:, :, 2 * near :] - along[:, :, : -2 * near]
    step *= step
    edge = np.zeros(along.shape[:3], np.float32)
    # Three channels one by one are summed in half the time that numpy takes for so short an axis.
    total = step[..., 0] + step[..., 1]
    total += step[..., 2]
    np.sqrt(total, out=total)
    total /= STRONG
    np.minimum(total, 1, out=edge[:, :, near:-near])
    return edge


def edges_of_both(ratio: Field, log: Field, step_px: float = STEP_PX) -> Field:
    """Edges of pieces alone: the board's own show in its picture but not in the ratio, or, under a piece, in the ratio
    but not in the picture."""
    # The two need not lie on the very same step: the lens and the sheet's stills are good to a pixel.
    near = np.ones((1, 2 * round(1 / step_px) + 1), np.uint8)
    wide = cv2.dilate(log.reshape(-1, log.shape[2]), near).reshape(log.shape)
    return np.asarray(np.minimum(ratio, wide), np.float32)


def steps_at(along: Field, at: NDArray[np.int64], first: int, stop: int) -> Field:
    """What the rays show from `first` to `stop` steps beyond a place on each."""
    steps = along.shape[2]
    k = at[..., None] + np.arange(first, stop)
    np.minimum(np.maximum(k, 0, out=k), steps - 1, out=k)
    k += (np.arange(len(along) * RAYS) * steps).reshape(-1, RAYS, 1)
    return along.reshape(len(along) * RAYS * steps, -1).take(k, axis=0)


def from_hull(hull: Points) -> tuple[Points, Radii]:
    """Middle of a rough outline and its distance along each ray."""
    middle = centroid(hull)
    across, down = (hull - middle).T
    angle = np.arctan2(down, across) % TURN
    order = np.argsort(angle)
    angle, far = angle[order], np.hypot(across, down)[order]
    # The last point comes before the first once more, and the first after the last.
    angle = np.concatenate([angle[-1:] - TURN, angle, angle[:1] + TURN])
    return middle, np.interp(ANGLES, angle, np.concatenate([far[-1:], far, far[:1]]))


def centroid(outline: Points) -> Points:
    """Middle of the area within an outline."""
    following = np.concatenate([outline[1:], outline[:1]])
    cross = outline[:, 0] * following[:, 1] - following[:, 0] * outline[:, 1]
    twice = float(cross.sum())
    if abs(twice) < 1e-9:
        return np.asarray(outline.mean(axis=0), float)
    return np.asarray(cross @ (outline + following) / (3 * twice), float)


def radius_of(outline: Points) -> float:
    """Radius of the circle that is as large as an outline."""
    return float(np.sqrt(cv2.contourArea(outline.astype(np.float32)) / np.pi))


def within(spots: NDArray[np.floating], radii: Radii) -> Flags:
    """Which spots, seen from the middle of a curve, lie in it."""
    turn = np.arctan2(spots[..., 1], spots[..., 0]) * (RAYS / (2 * np.pi))
    return np.asarray(np.hypot(spots[..., 0], spots[..., 1]) < radii[np.round(turn).astype(np.int64) % RAYS])


def _nearest_edges(edge: Field, radii: Radii, pull: Radii) -> tuple[Radii, Radii]:
    """On each ray the strongest edge not far from the curve, and how far to trust it."""
    distance = np.arange(edge.shape[2], dtype=np.float32) * np.float32(ROUGH_PX)
    off = (distance - radii[..., None].astype(np.float32)) / pull[:, None, None].astype(np.float32)
    off *= off
    near = np.exp(np.negative(off, out=off), out=off)
    near *= edge
    near[..., distance < SMALLEST_PX] = 0
    k = near.argmax(axis=2)
    strength = near.max(axis=2)
    return k * ROUGH_PX, np.minimum(4 * strength, 1) + 1e-3


@cache
def _harmonics(count: int) -> Points:
    waves = [wave(k * ANGLES) for k in range(1, count + 1) for wave in (np.cos, np.sin)]
    return np.stack([np.ones(RAYS), *waves], axis=-1)


@cache
def _products(count: int) -> Points:
    """Each harmonic times each, one row a ray."""
    basis = _harmonics(count)
    return (basis[:, :, None] * basis[:, None, :]).reshape(len(basis), -1)


def fit(radii: Radii, count: int, trust: Radii | None = None, votes: int = VOTES) -> Points:
    """Harmonics of the curves, one row each; rays that stand out count less."""
    basis, trust = _harmonics(count), np.ones_like(radii) if trust is None else trust
    weight = trust
    for _ in range(votes):
        square = (weight @ _products(count)).reshape(len(radii), basis.shape[1], basis.shape[1])
        terms = np.linalg.solve(square, ((weight * radii) @ basis)[..., None])[..., 0]
        off = radii - terms @ basis.T
        scale = np.maximum(0.15, 1.48 * _middle(np.abs(off)))
        weight = trust / (1 + (off / (2.5 * scale)) ** 2) ** 2
    return np.asarray(terms, float)


def _middle(rows: Radii) -> Radii:
    """The median of each row of rays; `np.median` spends more time on asking than on sorting."""
    half = RAYS // 2
    ordered = np.partition(rows, (half - 1, half), axis=1)
    return np.asarray((ordered[:, half - 1 : half] + ordered[:, half : half + 1]) / 2, float)


def smooth(radii: Radii, count: int) -> Radii:
    """The curves as a few harmonics."""
    return np.asarray(fit(radii, count) @ _harmonics(count).T, float)


def _recentred(centres: Points, terms: Points, steps: int) -> tuple[Points, Radii]:
    """The curves seen from their own middle."""
    radii = np.maximum(terms @ _harmonics((terms.shape[1] - 1) // 2).T, 1.0)
    # For a curve r(a) about a point, the first harmonic is very nearly the way to its middle.
    shift = terms[:, 1:3]
    again = radii - shift @ TOWARDS.T
    for _ in range(steps):
        spot = shift[:, None, :] + again[..., None] * TOWARDS
        far = np.hypot(spot[..., 0], spot[..., 1])
        again = np.maximum(again + _curve(terms, spot, far) - far, 1.0)
    return centres + shift, again


def _curve(terms: Points, spot: Points, far: Radii) -> Radii:
    """How far the curves lie on the way to each spot, which is so far away."""
    turn = (spot[..., 0] + 1j * spot[..., 1]) / np.maximum(far, 1e-9)
    curve, wave = np.broadcast_to(terms[:, :1], far.shape), np.ones_like(turn)
    for k in range(1, terms.shape[1], 2):
        wave = wave * turn
        curve = curve + terms[:, k : k + 1] * wave.real + terms[:, k + 1 : k + 2] * wave.imag
    return np.asarray(curve, float)


def _weighed(ratio: Field, centres: Points, radii: Radii, log: Field | None) -> list[Oval]:
    """The ovals with what speaks for them."""
    along = rays(ratio, centres, float(radii.max()) + 6)
    at = np.round(radii / STEP_PX).astype(np.int64)
    edge = edges(along)
    if log is not None:
        edge = edges_of_both(edge, edges(rays(log, centres, float(radii.max()) + 6)))
    strength = steps_at(edge[..., None], at, -2, 3)[..., 0].max(axis=2)
    outside = steps_at(along, at, 5, 9).mean(axis=2)
    outside *= outside
    bare = np.sqrt(outside[..., 0] + outside[..., 1] + outside[..., 2]) < BARE
    inner = (np.arange(along.shape[2]) < 0.8 * at[..., None]).astype(np.float32)
    shade = (inner.reshape(len(at), 1, -1) @ along.reshape(len(at), -1, 3)).sum(axis=(1, 2))
    shade /= 3 * inner.sum(axis=(1, 2))
    return [
        Oval(centres[k], radii[k], float(strength[k].mean()), bare[k], float(shade[k]))
        for k in range(len(centres))
    ]
