"""A dark piece in a strong light: its outline may have swallowed its shadow.

All shadows on one board fall to one side, and those of pieces of one kind are about as long. An outline with nothing
but bare board on that side, and as dark there as the shadows of the others, holds its shadow; what is left when it is
pushed back towards the lamp by that length, and cut with itself, is the piece.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.vision.board import Field, Mask
from referee.vision.outline import Traced
from referee.vision.ovals import TOWARDS, Points, centroid, from_hull

AS_DARK = 0.5
"""How dark the swallowed part is at least, as a share of the other shadows."""
DARKER = 0.15
"""Step of light by which the shadow is darker than the piece."""
BARE = -0.12
"""Step of light above which the board beyond an outline lies in no shadow."""
SHORTEST_PX = 2.0
RIM = np.ones((3, 3), np.uint8)
VARIES = 0.12
"""Standard error of the length of a shadow, as a share, on all of an outline."""


@dataclass(frozen=True, slots=True, eq=False)
class Shadows:
    """How far and which way the shadows on a board reach, and how dark they are."""

    by_px: Points
    depth: float


def without_shadow(traced: Traced, ratio: Field, shadows: Shadows) -> Traced:
    """The outline without its shadow, if it has swallowed one."""
    length = float(np.hypot(*shadows.by_px))
    if length < SHORTEST_PX:
        return traced
    whole = np.asarray(cv2.convexHull(traced.points.astype(np.float32))[:, 0], np.float32)
    by = shadows.by_px.astype(np.float32)
    both = cv2.intersectConvexConvex(whole, whole - by)[1]
    kept = np.zeros((0, 2), np.float32) if both is None else np.asarray(both[:, 0], np.float32)
    if len(kept) < 5 or not _holds_shadow(whole, kept, by, ratio, shadows.depth):
        return traced
    middle, radii = from_hull(kept.astype(np.float64))
    points = middle + radii[:, None] * TOWARDS
    sigma = float(np.hypot(traced.sigma_px, VARIES * length))
    return replace(traced, centre=centroid(points), points=points, sigma_px=sigma)


def _holds_shadow(whole: Field, kept: Field, by: Field, ratio: Field, depth: float) -> bool:
    """Whether the part beyond what is kept is dark as a shadow, darker than the rest, and beyond it is bare."""
    corner = np.floor(np.minimum(whole.min(axis=0), (whole + by).min(axis=0))).astype(int) - 1
    end = np.ceil(np.maximum(whole.max(axis=0), (whole + by).max(axis=0))).astype(int) + 2
    low, high = np.maximum(corner, 0), np.minimum(end, ratio.shape[1::-1])
    shade = ratio[low[1] : high[1], low[0] : high[0]].mean(axis=2)
    inside, rest, beyond = (_filled(outline - low, shade.shape) for outline in (whole, kept, whole + by))
    # The rim itself is a mixture of both sides.
    within, without = cv2.erode(inside, RIM), cv2.dilate(inside, RIM)
    thrown, bare = (within > 0) & (rest == 0), (beyond > 0) & (without == 0)
    if not thrown.any() or not bare.any():
        return False
    dark = float(np.median(shade[thrown]))
    piece = float(shade[rest > 0].mean())
    return dark < AS_DARK * depth and dark < piece - DARKER and float(np.median(shade[bare])) > BARE


def _filled(outline: Field, shape: tuple[int, ...]) -> Mask:
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 1)
    return mask
