"""What an outline left out of a dark piece on the side of the light.

A highlight parts a dark piece: its bright rim may be taken for the edge of the piece, and what is dark beyond for
shadow. But shadows fall away from the light, and none lies on the side that is turned to it: what is as dark there as a
dark piece is the piece, as far as the board begins.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from referee.vision.board import Field, Flags, shade_of
from referee.vision.outline import FINE, bulging, in_others
from referee.vision.ovals import RAYS, STEP_PX, TOWARDS, Oval, Points, Radii, from_hull, rays, smooth

FACING = -0.3
"""How far a ray points towards the light, as a cosine with the way of shadows."""
DARK = -0.45
"""Most light, in logarithms, on what may go on: at the foot of a lit rim there is less shade than that."""
BESIDE_PX, BEYOND_PX = 2.5, 14.0
"""From the outline to where it is looked whether a piece goes on, and the farthest that it may."""
FEWEST, LONGER_PX = 6, 2.0
"""Rays along which a piece must go on, and how far."""
HIGHLIGHT, AT_IT_PX, SPARKS = 0.5, 3.5, 3
"""How much lighter than what goes on a highlight is, in logarithms, so near to an outline that is cut off at it, and
the rays along which it shows."""
SHADOWS = 3.0
"""Radii over which another piece throws its shadow."""


def darkly_lengthened(points: Points, ratio: Field, way: Points, others: Sequence[Oval]) -> Points | None:
    """The outline with the dark side that it left out; None if it left out none.

    `way` is where all shadows fall; `others` are the other pieces.
    """
    middle, radii = from_hull(points)
    facing = TOWARDS @ way < FACING
    if not _goes_on(middle, radii, facing, ratio) or any(_shades(o, middle, radii, way) for o in others):
        return None
    along = rays(ratio, middle[None], float(radii.max()) + BEYOND_PX)[0]
    reach = np.where(facing, _reach(along, radii, in_others(middle, others, along.shape[1])), radii)
    longer = reach - radii > LONGER_PX
    if np.count_nonzero(longer) < FEWEST or not _at_a_highlight(along, radii, longer):
        return None
    return bulging(middle + smooth(np.maximum(radii, reach)[None], FINE)[0][:, None] * TOWARDS)


def _goes_on(middle: Points, radii: Radii, facing: Flags, ratio: Field) -> bool:
    """A quick look: whether it is dark beside an outline on the side of the light."""
    spots = middle + ((radii + BESIDE_PX)[:, None] * TOWARDS)[facing]
    columns, rows = np.round(spots).astype(np.int64).T
    height, width = ratio.shape[:2]
    beside = ratio[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
    return int(np.count_nonzero(shade_of(beside) < DARK)) >= FEWEST


def _shades(other: Oval, middle: Points, radii: Radii, way: Points) -> bool:
    """Whether another piece stands between a piece and the light, and may throw its shadow there."""
    off = middle - other.centre
    along, aside = float(off @ way), abs(float(off @ np.array([-way[1], way[0]])))
    size = float(other.radii.max())
    return 0 < along < SHADOWS * size + float(radii.max()) and aside < size + float(radii.max())


def _at_a_highlight(along: Field, radii: Radii, longer: Flags) -> bool:
    """Whether the outline runs along a highlight, and what goes on beyond it has none."""
    from_it = np.arange(along.shape[1]) * STEP_PX - radii[:, None]
    shade = shade_of(along)
    within = np.where((from_it < 0) & (from_it > -AT_IT_PX), shade, -np.inf).max(axis=1)
    beyond = np.where((from_it > 0) & (from_it < LONGER_PX), shade, np.inf).min(axis=1)
    return int(np.count_nonzero((within - beyond > HIGHLIGHT) & longer)) >= SPARKS


def _reach(along: Field, radii: Radii, taken: Flags) -> Radii:
    """How far along each ray it stays dark; where that has no end, or another piece begins, as far as the outline."""
    shade = np.asarray(cv2.blur(shade_of(along), (3, 3), borderType=cv2.BORDER_REPLICATE), np.float32)
    first = np.round(radii / STEP_PX).astype(np.int64)
    beyond = np.arange(shade.shape[1]) >= first[:, None]
    ends = beyond & (shade > DARK)
    last = np.where(ends.any(axis=1), ends.argmax(axis=1), first)
    met = (beyond & taken)[np.arange(RAYS), last]
    return np.where(met, radii, last * STEP_PX)
