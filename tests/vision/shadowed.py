"""A round piece and its shadow, and outlines of them, for tests that need no picture."""

import numpy as np

from referee.vision.board import Field
from referee.vision.outline import Traced
from referee.vision.ovals import TOWARDS, Points

MIDDLE, RADIUS, LENGTH = np.array([50.0, 50.0]), 14.0, 7.0
WAY = np.array([0.6, 0.8])
"""Where the shadow falls."""


def lying(piece: float, shadow: float) -> Field:
    """Picture over board: a round piece of one shade, and its hard shadow."""
    rows, columns = np.mgrid[0:100, 0:100].astype(float)
    off = np.stack([columns, rows], axis=2) - MIDDLE
    along = off @ WAY
    nearest = off - np.clip(along, 0, LENGTH)[..., None] * WAY
    cast = np.clip(RADIUS + 0.5 - np.hypot(nearest[..., 0], nearest[..., 1]), 0, 1)[..., None]
    solid = np.clip(RADIUS + 0.5 - np.hypot(off[..., 0], off[..., 1]), 0, 1)[..., None]
    shade = cast * shadow * (1 - solid) + piece * solid
    return np.asarray(np.repeat(shade, 3, axis=2), np.float32)


def round_both() -> Traced:
    """An outline that took the shadow in."""
    middle = MIDDLE + LENGTH / 2 * WAY
    along = np.abs(TOWARDS @ WAY)
    radii = RADIUS + LENGTH / 2 * along
    return Traced(middle, middle + radii[:, None] * TOWARDS, contrast=0.5)


def round_one() -> Traced:
    """The outline of the piece alone."""
    return Traced(MIDDLE, MIDDLE + RADIUS * TOWARDS, contrast=0.5)


def rim(traced: Traced) -> Points:
    return np.asarray(np.hypot(*(traced.points - MIDDLE).T), float)
