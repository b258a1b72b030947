"""The rim of a piece is found to a fraction of a pixel, though the piece darkens towards it and its shadow begins."""

import cv2
import numpy as np
import pytest

from referee.vision.board import Field
from referee.vision.ovals import RAYS, TOWARDS, Radii, rays
from referee.vision.rim import sharpened

MIDDLE, RADIUS, BOARD = np.array([40.0, 40.0]), 14.3, 0.3
AWAY = np.array([0.6, 0.8])
"""Where the shadow falls."""
FINE = 5
"""Of so many parts each pixel is the mean."""


def lying(piece: float, dim: float, shadow: float) -> Field:
    """A round piece in light: dimmer towards its averted rim by some share, and the board in a shadow that fades."""
    at = (np.arange(80 * FINE) + 0.5) / FINE - 0.5 - MIDDLE[0]
    columns, rows = np.meshgrid(at, at)
    far = np.hypot(columns, rows)
    averted = np.clip((columns * AWAY[0] + rows * AWAY[1]) / np.maximum(far, 1), 0, 1)
    own = piece * (1 - dim * averted * np.clip(far / RADIUS, 0, 1) ** 4)
    ground = BOARD * (1 - shadow * averted * np.clip(1 - (far - RADIUS) / 8, 0, 1))
    light = cv2.resize(np.where(far < RADIUS, own, ground), (80, 80), interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(light, (0, 0), 0.6)
    return np.repeat(grey[..., None], 3, axis=2).astype(np.float32)


def found(light: Field, begun: Radii) -> Radii:
    ratio = np.log(light / BOARD) / 2.2
    along, lit = (rays(picture, MIDDLE[None], 24.0) for picture in (ratio.astype(np.float32), light))
    return np.asarray(sharpened(begun[None], along, lit)[0], float)


@pytest.mark.parametrize(
    ("piece", "dim", "shadow"), [(0.9, 0.0, 0.0), (0.9, 0.5, 0.7), (0.05, 0.0, 0.0), (0.6, 0.4, 0.6)]
)
def test_a_rim_that_was_found_too_far_within_is_set_right(piece: float, dim: float, shadow: float) -> None:
    off = found(lying(piece, dim, shadow), np.full(RAYS, RADIUS - 0.5)) - RADIUS
    assert abs(off.mean()) < 0.2
    assert np.abs(off[TOWARDS @ AWAY > 0.7]).mean() < 0.35


def test_where_nothing_is_seen_of_it_a_rim_stays_where_it_was() -> None:
    begun = RADIUS + np.cos(np.arange(RAYS))
    assert found(lying(BOARD, 0.0, 0.0), begun) == pytest.approx(begun)
