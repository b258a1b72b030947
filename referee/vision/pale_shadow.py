"""A very dark piece: its shadow is lighter than itself, and what a ray shows last is the shadow's end, not the piece's.

On the side turned from the light a ray rises twice: out of the piece into the shadow, where it stays for a while, and
out of the shadow into the light. The second step is often the stronger one; the first is the outline.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.board import Field, Flags, shade_of
from referee.vision.contact import AVERTED, INNERMOST, MOST_AVERTED, SHAPE, VARIES, mean_along, paths_along
from referee.vision.outline import Traced, redrawn
from referee.vision.ovals import RAYS, STEP_PX, TOWARDS, Points, Radii, from_hull, rays

HALF = 3
"""Steps to either side over which a rise is measured."""
RISE, FEWER = 0.2, 20
"""Least rise out of the piece, in logarithms, on all but so many in a hundred of the rays."""
FARTHEST_PX = 2.5
"""A rise nearer than this to the outline is the outline."""
LEVEL = 0.6
"""Least rise between the two: where it is steeper all the way, it is but one."""
DARK, SHADOW, DARKER = -1.0, -0.5, 0.25
"""Most light on the averted side of the piece, and in the shadow; how much darker of the two the piece is."""
TINT = 0.4
"""How far the shadow's channels may part, as a share of its depth."""
RIM_PX = 1.6
"""The rim of the piece catches light from the board: the outline lies so far outside of the rise."""

Steps = NDArray[np.int64]


def without_pale_shadow(traced: Traced, ratio: Field, way: Points) -> Traced:
    """The outline of a dark piece without the lighter shadow it took in, if it did; `way` is where shadows fall."""
    middle, radii = from_hull(traced.points)
    along = rays(ratio, middle[None], float(radii.max()) + HALF)[0]
    soft = np.asarray(cv2.blur(along, (3, 3), borderType=cv2.BORDER_REPLICATE), np.float32)
    shade, toward = shade_of(soft), TOWARDS @ way
    averted, most = toward > AVERTED, toward > MOST_AVERTED
    if mean_along(shade, most, INNERMOST * radii, radii - FARTHEST_PX) > SHADOW:
        return traced
    rises, inside = _rises(shade), _well_inside(shade, radii)
    if not _clear(np.where(inside, rises, 0)[most].max(axis=1)):
        return traced
    first = paths_along([(np.clip(rises, 0, LEVEL), inside, radii)], averted)[0]
    met = np.where(averted, first * STEP_PX, radii)
    if not _rises_twice(rises, first, most, radii) or not _is_shadow(soft, shade, most, met, radii):
        return traced
    rim = np.where(averted, np.minimum(met + RIM_PX, radii), radii)
    return redrawn(traced, middle, rim, SHAPE, VARIES * float((radii - rim)[most].mean()))


def _rises(shade: Field) -> Field:
    """For each step of each ray how much lighter it gets there."""
    rises = np.zeros(shade.shape, np.float32)
    rises[:, HALF:-HALF] = shade[:, 2 * HALF :] - shade[:, : -2 * HALF]
    return rises


def _well_inside(shade: Field, radii: Radii) -> Flags:
    """The steps of each ray at which a shadow may begin that the outline took in."""
    distance = np.arange(shade.shape[1]) * STEP_PX
    return (distance > INNERMOST * radii[:, None]) & (distance < radii[:, None] - FARTHEST_PX)


def _clear(rises: Field) -> bool:
    """Whether most rays get lighter by as much as where a piece ends and its shadow begins."""
    return bool(np.percentile(rises, FEWER) >= RISE)


def _rises_twice(rises: Field, first: Steps, most: Flags, radii: Radii) -> bool:
    """Whether a ray rises at the first step already, and stays level before it rises to the outline."""
    if not _clear(rises[np.arange(RAYS), first][most]):
        return False
    step = np.arange(rises.shape[1])
    between = (step > first[:, None] + 1) & (step < (radii / STEP_PX)[:, None] - 1)
    least = np.where(between, rises, np.inf)[most].min(axis=1)
    known = np.isfinite(least)
    return bool(known.any()) and float(least[known].mean()) < LEVEL


def _is_shadow(soft: Field, shade: Field, most: Flags, met: Radii, radii: Radii) -> bool:
    """Whether what lies between is a shadow, and a dark piece before it."""
    between = met + 1.5, np.maximum(radii - 1.5, met + FARTHEST_PX)
    depth, inner = mean_along(shade, most, *between), mean_along(shade, most, met - 4, met - 1.5)
    tint = mean_along(np.linalg.norm(soft - shade[..., None], axis=2), most, *between)
    return inner < min(DARK, depth - DARKER) and depth < SHADOW and tint < -TINT * depth
