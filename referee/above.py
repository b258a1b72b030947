"""A part of the board from straight above, taken out of a camera picture: every millimetre has the same size."""

from typing import cast

import cv2
import numpy as np

from calibration.profile import Profile
from hardware.frames import Image

WIDTH = 900
"""Pixels of the enlarged picture across."""
STEP = 10
"""The lens is reckoned for one pixel in so many; between them it is as good as straight."""


def from_above(image: Image, profile: Profile, window_mm: tuple[float, ...], width: int = WIDTH) -> Image:
    """The window (left, low, right, high on the board) as seen from straight above, high at the top."""
    left, low, right, high = window_mm
    height = max(1, round(width * (high - low) / (right - left)))
    step_mm = (right - left) / width
    knots = np.arange(0, width + STEP, STEP), np.arange(0, height + STEP, STEP)
    xs, ys = left + (knots[0] + 0.5) * step_mm, high - (knots[1] + 0.5) * step_mm
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    px = profile.to_pixels(grid.reshape(-1, 2)).astype(np.float32).reshape(grid.shape)
    at = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.float32) / STEP
    sought = cv2.remap(px, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    return cast(
        Image, cv2.remap(image, sought[..., 0], sought[..., 1], cv2.INTER_CUBIC, borderValue=(32, 36, 33))
    )
