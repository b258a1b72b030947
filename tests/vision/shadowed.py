"""A round piece and its shadow, and outlines of them, for tests that need no picture."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.vision.board import Field
from referee.vision.outline import Traced
from referee.vision.ovals import TOWARDS, Points

MIDDLE, RADIUS, LENGTH = np.array([50.0, 50.0]), 14.0, 7.0
WAY = np.array([0.6, 0.8])
"""Where the shadow falls."""
ACROSS = np.array([100.0, 0.0])
"""From one piece of a row to the next."""


def lying(piece: float, shadow: float, tint: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Field:
    """Picture over board: a round piece of one shade, and its hard shadow."""
    rows, columns = np.mgrid[0:100, 0:100].astype(float)
    off = np.stack([columns, rows], axis=2) - MIDDLE
    along = off @ WAY
    nearest = off - np.clip(along, 0, LENGTH)[..., None] * WAY
    cast = np.clip(RADIUS + 0.5 - np.hypot(nearest[..., 0], nearest[..., 1]), 0, 1)[..., None]
    solid = np.clip(RADIUS + 0.5 - np.hypot(off[..., 0], off[..., 1]), 0, 1)[..., None]
    ground = cast * (shadow + np.array(tint))
    return np.asarray(ground * (1 - solid) + piece * solid, np.float32)


def round_both() -> Traced:
    """An outline that took the shadow in."""
    middle = MIDDLE + LENGTH / 2 * WAY
    along = np.abs(TOWARDS @ WAY)
    radii = RADIUS + LENGTH / 2 * along
    return Traced(middle, middle + radii[:, None] * TOWARDS, contrast=0.5, sigma_px=0.4, vague=0.0)


def round_one(beyond_px: float = 0.0) -> Traced:
    """The outline of the piece alone, or with so much of its shadow."""
    radii = RADIUS + beyond_px * np.clip(TOWARDS @ WAY, 0, 1)
    return Traced(MIDDLE, MIDDLE + radii[:, None] * TOWARDS, contrast=0.5, sigma_px=0.4, vague=0.0)


def in_a_row(outlines: Sequence[Traced]) -> list[Traced]:
    """Each on the next piece of a row."""
    return [
        replace(one, centre=one.centre + k * ACROSS, points=one.points + k * ACROSS)
        for k, one in enumerate(outlines)
    ]


def beyond_px(one: Traced, place: int) -> float:
    """How far an outline reaches beyond its piece of a row where the shadow falls."""
    return float(((one.points - MIDDLE - place * ACROSS) @ WAY).max()) - RADIUS


def rim(traced: Traced) -> Points:
    return np.asarray(np.hypot(*(traced.points - MIDDLE).T), float)
