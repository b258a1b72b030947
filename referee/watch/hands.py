"""Hands at a table: where one reached in, and whether one still lies in a picture that has gone still."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from referee.types import Outline, Point
from referee.vision.motion import Mask
from referee.watch.change import changed_share
from referee.watch.stillness import WIDTH, Thumb, apart

LEAST_AREA = 0.004
"""Share of the picture that a hand covers at least."""
LEAST_EDGE = 12
"""Half pixels of the picture's edge that an arm crosses at least."""
LEFT = 0.5
"""Share of a hand's place that has changed when it leaves."""
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
    return bool(resting_hands(mask, cards))


def resting_hands(mask: Mask, cards: Sequence[Outline]) -> tuple[BaseGeometry, ...]:
    """The large changes that no card explains and that reach in over the picture's edge, in raw pixels."""
    left = mask.copy()
    for outline in cards:
        cv2.fillPoly(left, [np.round(np.array(outline) / 2).astype(np.int32)], 0)
    left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8)), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(left)
    large = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] > LEAST_AREA * mask.size]
    return tuple(_outline(labels == k) for k in large if _crosses_edge(labels == k))


def _crosses_edge(part: NDArray[np.bool_]) -> bool:
    return sum(int(side.sum()) for side in (part[1], part[-2], part[:, 1], part[:, -2])) > LEAST_EDGE


def _outline(part: NDArray[np.bool_]) -> BaseGeometry:
    contours, _ = cv2.findContours(part.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return Polygon(2.0 * max(contours, key=len).reshape(-1, 2)).buffer(0)


def hands_now(
    rested: Sequence[BaseGeometry], found: Sequence[BaseGeometry], mask: Mask
) -> tuple[BaseGeometry, ...]:
    """The hands that rest in the picture now; where one rested and all has changed it is off again, not come."""
    off = [hand for hand in rested if changed_share(mask, hand) > LEFT]
    come = [hand for hand in found if not any(hand.intersection(o).area > LEFT * hand.area for o in off)]
    return (*(hand for hand in rested if hand not in off), *come)
