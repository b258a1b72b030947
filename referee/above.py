"""A part of the board from straight above, taken out of a camera picture: every millimetre has the same size."""

from typing import cast

import cv2
import numpy as np

from calibration.profile import Profile
from hardware.frames import Image

WIDTH = 900
"""Pixels of the enlarged picture across."""


def from_above(image: Image, profile: Profile, window_mm: tuple[float, ...], width: int = WIDTH) -> Image:
    """The window (left, low, right, high on the board) as seen from straight above, high at the top."""
    left, low, right, high = window_mm
    height = max(1, round(width * (high - low) / (right - left)))
    xs = np.linspace(left, right, width)
    ys = np.linspace(high, low, height)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    px = profile.to_pixels(grid).astype(np.float32).reshape(height, width, 2)
    return cast(Image, cv2.remap(image, px[..., 0], px[..., 1], cv2.INTER_CUBIC, borderValue=(32, 36, 33)))
