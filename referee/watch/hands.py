"""Hands at a table: where one reached in, and whether one still lies in a picture that has gone still."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.types import Outline, Point
from referee.vision.motion import Mask
from referee.watch.stillness import WIDTH, Thumb, apart

LEAST_AREA = 0.004
"""Share of the picture that a hand covers at least."""
LEAST_EDGE = 12
"""Half pixels of the picture's edge that an arm crosses at least."""
SOFT = 8.0
"""Grey levels that a shadow at the picture's edge stays below, mostly."""


def border_crossing(before: Thumb | None, thumbs: Sequence[Thumb], width_px: int) -> Point | None:
    """Where at the picture's edge an arm came in, in raw pixels; None when nothing crossed it."""
    if before is None or not thumbs:
        return None
    weight = np.zeros(before.shape, np.float32)
    for small in thumbs:
        weight += apart(small, before) > SOFT
    edge = _edge(weight.shape)
    weight = np.where(edge, weight, 0)
    if float(weight.sum()) < 3:
        return None
    rows, columns = np.nonzero(weight > 0.5 * weight.max())
    crossed = weight[rows, columns]
    x, y = float(columns @ crossed / crossed.sum()), float(rows @ crossed / crossed.sum())
    scale = width_px / WIDTH
    return (x + 0.5) * scale, (y + 0.5) * scale


def _edge(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    edge = np.ones(shape, bool)
    edge[1:-1, 1:-1] = False
    return edge


def hand_lies_in(mask: Mask, cards: Sequence[Outline]) -> bool:
    """Whether a large change that no card explains reaches in over the picture's edge."""
    left = mask.copy()
    for outline in cards:
        cv2.fillPoly(left, [np.round(np.array(outline) / 2).astype(np.int32)], 0)
    left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8)), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(left)
    for k in range(1, count):
        if stats[k, cv2.CC_STAT_AREA] > LEAST_AREA * mask.size:
            part = labels == k
            crossing = sum(int(side.sum()) for side in (part[1], part[-2], part[:, 1], part[:, -2]))
            if crossing > LEAST_EDGE:
                return True
    return False
