"""A dark piece in a soft light: its outline may have run out into its shadow, which is as dark as the piece.

Under the averted rim, where piece and shadow meet, lies the darkest line. From there a shadow grows lighter evenly and
slowly; a piece ends in a step.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.board import Field, Flags, shade_of
from referee.vision.outline import FINE, Traced
from referee.vision.ovals import RAYS, STEP_PX, TOWARDS, Points, Radii, centroid, from_hull, rays, smooth

BEYOND_PX = 5.0
FARTHEST_PX = 2.5
"""An outline nearer than this to the darkest line is the rim itself."""
DARKER, LIGHTER = 0.1, 0.2
"""Steps of light by which the darkest line is darker than the middle of the piece, and than the outline."""
SLOPE, STEEPEST, BACK = 0.22, 0.165, -0.04
"""Most by which a soft shadow grows lighter over a pixel, on the mean and over any step, and how much it may waver."""
SHADE, TINT = 0.2, 0.15
"""Least depth of the shadow between line and outline, in logarithms; how far its channels may part, for each logarithm
of light that is left or taken."""
LIGHTEST = 0.1
"""The shade at an outline that ran out into a shadow is deeper."""
RIM_PX = 0.75
"""The rim lies so far beyond the darkest line."""
FEWEST, ONE_SIDE = 8, 0.7
"""Rays that must tell of a shadow, and how well they agree on its side (1 is perfectly)."""
GAP = np.ones((1, 5), np.uint8)
VARIES = 0.12
"""Standard error of the part that is taken off, as a share."""

Steps = NDArray[np.int64]


def without_penumbra(traced: Traced, ratio: Field) -> Traced:
    """The outline without the soft shadow it ran out into, if it did."""
    if not _in_the_dark(traced.points, ratio):
        return traced
    middle, radii = from_hull(traced.points)
    along = rays(ratio, middle[None], float(radii.max()) + BEYOND_PX)[0]
    darkest, soft = _soft_sides(along, radii)
    if soft.sum() < FEWEST or np.hypot(*TOWARDS[soft].mean(axis=0)) < ONE_SIDE:
        return traced
    rim = darkest * STEP_PX + RIM_PX
    whole_side = cv2.morphologyEx(np.tile(soft, 3).astype(np.uint8)[None], cv2.MORPH_CLOSE, GAP)[0]
    known = soft | (whole_side[RAYS : 2 * RAYS] == 0)
    kept = np.interp(np.arange(RAYS), np.flatnonzero(known), np.where(soft, rim, radii)[known], period=RAYS)
    points = middle + smooth(kept[None], FINE)[0][:, None] * TOWARDS
    off = VARIES * float((radii - rim)[soft].mean())
    return replace(
        traced, centre=centroid(points), points=points, sigma_px=float(np.hypot(traced.sigma_px, off))
    )


def _in_the_dark(points: Points, ratio: Field) -> bool:
    """A quick look: whether enough of an outline lies in any shade at all."""
    columns, rows = np.round(points).astype(np.int64).T
    height, width = ratio.shape[:2]
    on_it = ratio[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
    return int(np.count_nonzero(shade_of(on_it) < -LIGHTEST)) >= FEWEST


def _soft_sides(along: Field, radii: Radii) -> tuple[Steps, Flags]:
    """The darkest step of each ray near the outline, and whether from there on lies but a soft shadow."""
    light = shade_of(along)
    shade = np.asarray(cv2.blur(light, (3, 3), borderType=cv2.BORDER_REPLICATE), np.float32)
    step, every = np.arange(shade.shape[1]), np.arange(RAYS)
    end = np.minimum(np.round(radii / STEP_PX).astype(np.int64), len(step) - 7)
    rim = (step >= (0.5 * radii / STEP_PX)[:, None]) & (step < end[:, None] + 2)
    darkest = np.where(rim, shade, np.inf).argmin(axis=1)
    first, last = darkest[:, None], end[:, None]
    core = (step > (0.2 * radii / STEP_PX)[:, None]) & (step < (0.6 * radii / STEP_PX)[:, None])
    low, far = shade[every, darkest], (end - darkest) * STEP_PX
    rise, steps = shade[every, end] - low, np.diff(shade, axis=1)
    at = step[:-1]
    soft = (far >= FARTHEST_PX) & (rise >= LIGHTER) & (rise <= SLOPE * far)
    soft &= low <= _mean(shade, core) - DARKER
    soft &= np.where((at >= first) & (at < last + 4), steps, 0).min(axis=1) >= BACK
    soft &= np.where((at >= first + 2) & (at < last + 3), steps, 0).max(axis=1) <= STEEPEST
    between = (step >= first + 3) & (step <= last)
    tint = np.linalg.norm(along - light[..., None], axis=2)
    depth = -_mean(light, between)
    soft &= (depth >= SHADE) & (_mean(tint, between) <= TINT * (1 + depth))
    return np.asarray(darkest, np.int64), np.asarray(soft, bool)


def _mean(values: Field, where: Flags) -> Radii:
    """The mean of some steps of each ray."""
    return np.asarray(np.where(where, values, 0).sum(axis=1) / np.maximum(where.sum(axis=1), 1), float)
