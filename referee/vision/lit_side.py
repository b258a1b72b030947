"""What an outline left out of a piece because it looks so much like the board.

A pale pebble on pale wood has a strong edge only against its shadow; its other side may be no lighter and no darker
than the board. But it is speckled, or of a slightly other tint, and on the side of the light no shadow lies: what
differs there from the bare board, ever so little, is the piece.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from referee.vision.board import Field, Flags, shade_of
from referee.vision.outline import FINE, bulging, in_others
from referee.vision.ovals import RAYS, STEP_PX, TOWARDS, Oval, Points, Radii, from_hull, rays, smooth

LIT = 0.2
"""How far a ray may point away from the light, as a cosine, and yet not end in shadow."""
DARKEST, DARKEST_AVERTED, DARKEST_UNKNOWN = -0.2, -0.05, -0.08
"""Step of light below which what lies there is shadow, on such a ray and on the others; and on all of them where nobody
knows from which side the light comes."""
SPOT = 0.05
"""Spots on a piece may be darker by so much."""
BARE, LEAST = 3.0, 0.035
"""What is no bare board: in medians of what the ends of the rays show, and in logarithms over three channels."""
LIKE = 0.5
"""What goes on beyond an outline differs from the board at least by this share of what lies within the outline."""
RIM_PX = (4.0, 0.7)
"""Where along a ray that is looked up, from the outline inwards."""
BEYOND_PX = 24.0
"""Farthest that a piece may go on."""
END = 8
"""Last steps of a ray, where no piece is."""
OVER = (5, 3)
"""Steps and rays over which a surface is looked at."""
SPECKS = np.ones((1, 9), np.uint8)
"""Steps along a ray over which a piece may look like the board."""
BESIDE_PX = 2.0
"""Nothing goes on nearer than this to another piece."""
SOFT_PX = 0.5
"""What is looked at over several steps seems to end so much too late."""
FEWEST, LONGER_PX = 6, 1.5
"""Rays along which a piece must go on, and how far."""


def lengthened(
    points: Points, ratio: Field, way: Points | None, others: Sequence[Oval] = ()
) -> Points | None:
    """The outline with what it left out; None if it left out nothing.

    `way` is where all shadows fall; where nobody knows, they may lie all round. `others` are the other pieces.
    """
    middle, radii = from_hull(points)
    along = rays(ratio, middle[None], float(radii.max()) + BEYOND_PX)[0]
    lit = np.zeros(RAYS, bool) if way is None else TOWARDS @ way < LIT
    goes_on = _goes_on(along, radii, lit) & ~in_others(middle, others, along.shape[1], BESIDE_PX)
    reach = _reach(goes_on, radii)
    if np.count_nonzero(reach - radii > LONGER_PX) < FEWEST:
        return None
    longer = np.maximum(radii, reach - SOFT_PX)
    return bulging(middle + smooth(longer[None], FINE)[0][:, None] * TOWARDS)


def _goes_on(along: Field, radii: Radii, lit: Flags) -> Flags:
    """Which steps of the rays look like the piece rather than like the board or a shadow on it."""
    shade = _over_neighbours(shade_of(along))
    all_ = _over_neighbours(np.einsum("rsc,rsc->rs", along, along))
    # Of a shadow, dark and smooth, nothing is left without its shade.
    own = np.sqrt(np.maximum(all_ - 3 * np.minimum(shade, 0) ** 2, 0))
    differs = own > max(LEAST, BARE * float(np.median(own[lit if lit.any() else ~lit, -END:])))
    level = np.sqrt(all_)
    differs &= level > LIKE * _at_the_rim(level, radii)[:, None]
    darkest = np.where(lit, DARKEST, DARKEST_AVERTED if lit.any() else DARKEST_UNKNOWN)[:, None]
    whole = cv2.morphologyEx((differs & (shade >= darkest)).astype(np.uint8), cv2.MORPH_CLOSE, SPECKS)
    return np.asarray((whole > 0) & (shade >= darkest - SPOT), bool)


def _over_neighbours(steps: Field) -> Field:
    """The mean over neighbouring steps and rays; the last ray is the neighbour of the first."""
    round_ = np.concatenate([steps[-1:], steps, steps[:1]])
    return np.asarray(cv2.blur(round_, OVER)[1:-1], np.float32)


def _at_the_rim(values: Field, radii: Radii) -> Radii:
    """The mean along each ray just within the outline."""
    within = radii[:, None] - np.arange(values.shape[1]) * STEP_PX
    rim = (within < RIM_PX[0]) & (within > RIM_PX[1])
    return np.asarray(np.where(rim, values, 0).sum(axis=1) / np.maximum(rim.sum(axis=1), 1), float)


def _reach(goes_on: Flags, radii: Radii) -> Radii:
    """How far along each ray a piece goes on beyond its outline."""
    first = np.round(radii / STEP_PX).astype(np.int64)
    ends = ~goes_on & (np.arange(goes_on.shape[1]) >= first[:, None])
    return np.asarray(np.where(ends.any(axis=1), ends.argmax(axis=1), first) * STEP_PX, float)
