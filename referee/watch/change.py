"""What differs between two still pictures, and how much of it lies inside an outline."""

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from hardware.frames import Image
from referee.types import Point
from referee.vision.motion import Mask

NOISE = 11.0
FLICKER = 0.05
"""Grey levels, and share of the light, that two pictures of the same thing stay within."""


def changed(before: Image, after: Image) -> Mask:
    """255 where two half pictures differ by more than noise and flicker."""
    a, b = before.astype(np.float32), after.astype(np.float32)
    gain = (np.median(b[:, ::8], axis=(1, 2)) + 2) / (np.median(a[:, ::8], axis=(1, 2)) + 2)
    # A row with a new card in it says little about the lamp: rows agree with their neighbours.
    steady = np.asarray(cv2.medianBlur(gain.astype(np.float32)[:, None], 5), np.float32)
    a *= np.clip(steady, 0.9, 1.1)[:, :, None]
    apart = _brightest(np.abs(a - b)) > NOISE + FLICKER * _brightest(a)
    return cast(
        Mask, cv2.morphologyEx(apart.astype(np.uint8) * 255, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    )


def _brightest(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of the three colours."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def share(mask: Mask, outline_px: Sequence[Point]) -> float:
    """How much of the inside of an outline (raw pixels) is set in a mask at half size; 0 when it is out of sight."""
    polygon = np.array(outline_px, np.float64) / 2
    low = np.maximum(np.floor(polygon.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(polygon.max(0)).astype(int) + 1, mask.shape[::-1])
    if (high <= low).any():
        return 0.0
    inside = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillPoly(inside, [np.round(polygon - low).astype(np.int32)], 255)
    area = int(cv2.countNonZero(inside))
    here = mask[low[1] : high[1], low[0] : high[0]]
    return cv2.countNonZero(cv2.bitwise_and(here, inside)) / area if area else 0.0


def changed_share(mask: Mask, shape: BaseGeometry) -> float:
    """The same for a shape that may be in several parts."""
    parts = [part for part in getattr(shape, "geoms", [shape]) if isinstance(part, Polygon) and part.area > 1]
    area = float(sum(part.area for part in parts))
    outlines = [[(x, y) for x, y in part.exterior.coords] for part in parts]
    shares = [share(mask, line) * part.area for line, part in zip(outlines, parts, strict=True)]
    return float(sum(shares)) / area if area else 0.0


def square(px: Point, radius: float) -> tuple[Point, ...]:
    """The outline of a square round a pixel."""
    x, y = px
    return (
        (x - radius, y - radius),
        (x + radius, y - radius),
        (x + radius, y + radius),
        (x - radius, y + radius),
    )
