"""Pieces of one set throw like shadows: an outline beyond which none lies, where its fellows have one, took it in.

Two lamps throw two shadows, and one way in which all of them fall is not to be found then. But what lies beyond the
rims of most pieces is known, and where an outline ran out into a shadow the same is found within it. The larger a piece
is, the higher it is, and the longer its shadow.
"""

from collections.abc import Sequence
from itertools import permutations

import cv2
import numpy as np

from referee.vision.board import Field, Flags, Mask, shade_of
from referee.vision.contact import Fellows
from referee.vision.outline import FINE, Traced, redrawn
from referee.vision.ovals import RAYS, TOWARDS, Points, Radii, from_hull

STEP = 1 / 28
"""Along a ray, as a share of the piece's radius."""
DEEPEST, FIRST, LAST = 10, 2, 14
"""Steps that an outline may be too far out; from which to which beyond a rim shadows are held against one another."""
STEPS = np.arange(FIRST - DEEPEST, LAST)
LEAST = 3
"""Steps that an outline must be too far out for anything to be told from it."""
NEARER, LIKER = 0.04, 0.7
"""How much liker that of its fellows a shadow must be so far within, in logarithms; and the most of unlikeness left."""
BESIDE, KNOWN = 4, 5
"""Rays to either side that are looked at together, and how many of them must be open to the board."""
FEWEST = 5
"""Rays along which a shadow must have been taken in."""
ROOM_PX = 3.0
"""Nothing is told along a ray that comes so near to another piece."""
TAKEN_OFF, VARIES = 0.7, 0.5
"""Share of what seems to be too much that is taken off, and the standard error of that."""

Shape = tuple[Points, Radii]
"""Middle and radii of an outline."""


def without_stray_shadows(
    outlines: Sequence[Traced], ratio: Field, inside: Mask, fellows: Fellows
) -> list[Traced]:
    """The outlines without the shadows that their fellows left out, and with the doubt that this leaves."""
    shapes = [from_hull(one.points) for one in outlines]
    spots = np.array([_spots(*shape) for shape in shapes])
    shade = _shade_at(ratio, spots)
    usual = fellows.shadows(shade[:, DEEPEST:])
    if usual is None:
        return list(outlines)
    return [
        one if np.count_nonzero(steps) < FEWEST else _drawn_in(one, shape, steps)
        for one, shape, steps in zip(
            outlines, shapes, _too_far(shade, usual, _open(spots, shapes, inside)), strict=True
        )
    ]


def _spots(middle: Points, radii: Radii) -> Points:
    """Where a piece is looked at: step, ray."""
    far = radii + STEP * radii.mean() * STEPS[:, None]
    return np.asarray(middle + far[..., None] * TOWARDS, np.float32)


def _shade_at(ratio: Field, spots: Points) -> Field:
    """How much lighter than the board it is at some spots: piece, step, ray."""
    x, y = (np.ascontiguousarray(spots[..., k]).reshape(-1, RAYS) for k in (0, 1))
    read = cv2.remap(ratio, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return shade_of(np.asarray(read, np.float32)).reshape(spots.shape[:3])


def _open(spots: Points, shapes: Sequence[Shape], inside: Mask) -> Flags:
    """Along which rays of each piece the board lies beyond it, and no other piece."""
    x, y = (np.clip(spots[:, -1, :, k], 0, inside.shape[1 - k] - 1).astype(np.int64) for k in (0, 1))
    open_ = inside[y, x] > 0
    reach = [float(radii.max() + STEP * LAST * radii.mean()) for _, radii in shapes]
    for (k, (middle, _)), (_, (other, radii)) in permutations(enumerate(shapes), 2):
        room = float(radii.max()) + ROOM_PX
        if np.hypot(*(other - middle)) < reach[k] + room:
            off = spots[k] - other
            open_[k] &= (np.hypot(off[..., 0], off[..., 1]) > room).all(axis=0)
    return np.asarray(open_, bool)


def _too_far(shade: Field, usual: Field, open_: Flags) -> Radii:
    """By how many steps each ray of each outline seems to be too long."""
    within = [shade[:, DEEPEST - k : DEEPEST - k + usual.shape[1]] for k in range(DEEPEST + 1)]
    unlike = np.array([np.abs(part - usual).mean(axis=1) for part in within])
    count = _with_neighbours(open_.astype(np.float32))
    unlike = _with_neighbours(unlike * open_) / np.maximum(count, 1)
    steps, least = unlike.argmin(axis=0), unlike.min(axis=0)
    too_far = open_ & (count >= KNOWN) & (steps >= LEAST)
    too_far &= (unlike[0] - least > NEARER) & (least < LIKER * unlike[0])
    return np.where(too_far, steps, 0).astype(float)


def _with_neighbours(values: Field) -> Field:
    """The sum over neighbouring rays; the last is the neighbour of the first."""
    round_ = np.concatenate([values[..., -BESIDE - 1 :], values, values[..., :BESIDE]], axis=-1)
    total = round_.cumsum(axis=-1, dtype=np.float64)
    return np.asarray(total[..., 2 * BESIDE + 1 :] - total[..., : -2 * BESIDE - 1], np.float32)


def _drawn_in(one: Traced, shape: Shape, steps: Radii) -> Traced:
    middle, radii = shape
    too_far = steps * STEP * radii.mean()
    off_px = VARIES * float(too_far[too_far > 0].mean())
    return redrawn(one, middle, radii - TAKEN_OFF * too_far, FINE, off_px)
