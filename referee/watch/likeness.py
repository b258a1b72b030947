"""Do two cards, one on the picture before and one on the picture after, look the same? Asked without knowing names."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.types import Card, Outline

SIZE = (42, 60)
INSIDE = 0.06
SAME = 0.8
"""Correlation from which two pictures show the same side of the same card, or of two equal ones."""
PLAIN = 6.0
"""Grey levels: a card with less drawing than this tells nothing."""

ROUND = 8
"""Pixels round a card that are smoothed with it."""

Patch = NDArray[np.float32]


def looks_same(before: Image, was: Card, after: Image, now: Card) -> bool:
    """Whether both show the same drawing, either way up."""
    one, other = _patch(before, was.corners_px), _patch(after, now.corners_px)
    if min(one.std(), other.std()) < PLAIN:
        return False
    return max(_alike(one, other), _alike(one, other[::-1, ::-1])) > SAME


def _alike(one: Patch, other: Patch) -> float:
    """Correlation, the better of some small shifts: corners are never exact."""
    inner = one[3:-3, 3:-3]
    return float(
        cv2.matchTemplate(
            np.ascontiguousarray(other), np.ascontiguousarray(inner), cv2.TM_CCOEFF_NORMED
        ).max()
    )


def _patch(image: Image, corners: Outline) -> Patch:
    w, h = SIZE
    target = np.array([[-INSIDE * w, -INSIDE * h], [w * (1 + INSIDE), -INSIDE * h]], np.float32)
    target = np.concatenate([target, target[::-1] + np.array([0, h * (1 + 2 * INSIDE)], np.float32)])
    quad = np.array(corners, np.float32)
    low = np.clip(quad.min(0).astype(int) - ROUND, 0, np.array(image.shape[1::-1]) - 1)
    high = np.maximum(quad.max(0).astype(int) + ROUND, low + 1)
    part = image[low[1] : high[1], low[0] : high[0]]
    warp = cv2.getPerspectiveTransform(quad - low.astype(np.float32), target.astype(np.float32))
    smooth = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    return np.asarray(cv2.warpPerspective(smooth, warp, SIZE, borderMode=cv2.BORDER_REPLICATE), np.float32)
