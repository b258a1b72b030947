"""Laying a picture out flat: where each millimetre of a plane lies in the raw picture."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Map = NDArray[np.float32]
BLOCK = 7
"""Only the middles of blocks of this many samples are projected; lens and tilt are smooth between them."""


def pixel_maps(
    to_pixels: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    left_top_mm: tuple[float, float],
    shape: tuple[int, int],
    step_mm: float,
) -> tuple[Map, Map]:
    """Column and row in the picture of every sample of a grid; row 0 is the upper edge, y points up."""
    rows, columns = shape
    x = left_top_mm[0] + _middles(columns) * step_mm
    y = left_top_mm[1] - _middles(rows) * step_mm
    nodes_mm = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    nodes = to_pixels(nodes_mm).reshape(len(y), len(x), 2).astype(np.float32)
    fine = cv2.resize(nodes, (len(x) * BLOCK, len(y) * BLOCK), interpolation=cv2.INTER_LINEAR)
    inside = fine[BLOCK : BLOCK + rows, BLOCK : BLOCK + columns]
    return np.ascontiguousarray(inside[..., 0]), np.ascontiguousarray(inside[..., 1])


def _middles(samples: int) -> NDArray[np.float64]:
    """In samples, with one block more at either end so that the border is interpolated too."""
    middles: NDArray[np.float64] = (np.arange(-1.0, samples // BLOCK + 2) + 0.5) * BLOCK - 0.5
    return middles
