"""A free outline: the closed path around the sheet that keeps to edges best, as a polygon."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges import EdgeField, Points
from calibration.shapes import Shape

RAYS = 360
NEAR_MM, FAR_MM, STEP_MM = 60.0, 400.0, 0.8
SLOPE = 6
"""Steps a path may move outward or inward from one ray to the next."""
HIDDEN = 0.55
"""What passing a hidden place costs, against 0 on a perfect edge and 1 on none."""
MOST_CORNERS = 12
BEND_MM = 3.0


def free_polygon(field: EdgeField) -> Shape | None:
    """The polygon around the sheet whose sides keep to edges, or None when the path has too many bends."""
    hull = cv2.convexHull(_path(_costs(field)).astype(np.float32))
    corners = cv2.approxPolyDP(hull, BEND_MM, True).reshape(-1, 2).astype(float)
    if not 3 <= len(corners) <= MOST_CORNERS:
        return None
    turn = np.cross(
        np.c_[corners, np.zeros(len(corners))], np.c_[np.roll(corners, -1, 0), np.zeros(len(corners))]
    )
    return Shape("polygon", corners if turn[:, 2].sum() > 0 else corners[::-1], len(corners))


def _costs(field: EdgeField) -> NDArray[np.float32]:
    """Rays by radii: 1 where there is no edge."""
    turn = np.arange(RAYS) * 2 * np.pi / RAYS
    reach = np.arange(NEAR_MM, FAR_MM, STEP_MM)
    places = np.stack([np.cos(turn)[:, None] * reach, np.sin(turn)[:, None] * reach], -1)
    row, column, seen = field.cells(places)
    strength = np.asarray(cv2.dilate(field.strength, np.ones((3, 3), np.uint8)))[row, column]
    return np.where(seen, 1 - strength, HIDDEN).astype(np.float32)


def _path(costs: NDArray[np.float32]) -> Points:
    """The cheapest closed way around: twice around, so that the second half has forgotten where it began."""
    twice = np.concatenate([costs, costs])
    total, came = twice[0].copy(), np.zeros(twice.shape, np.int32)
    moves = np.arange(-SLOPE, SLOPE + 1)
    for ray in range(1, len(twice)):
        total, came[ray] = _step(total, twice[ray], moves)
    at = int(total.argmin())
    track = np.empty(len(twice), int)
    for ray in range(len(twice) - 1, -1, -1):
        track[ray] = at
        at = at - int(came[ray, at]) if ray else at
    middle = np.r_[track[RAYS : RAYS + RAYS // 2], track[RAYS // 2 : RAYS]]
    turn = np.arange(RAYS) * 2 * np.pi / RAYS
    reach = NEAR_MM + middle * STEP_MM
    return np.stack([np.cos(turn) * reach, np.sin(turn) * reach], -1)


def _step(
    total: NDArray[np.float32], cost: NDArray[np.float32], moves: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    padded = np.pad(total, SLOPE, constant_values=np.float32(1e9))
    options = np.stack([padded[SLOPE - m : SLOPE - m + len(total)] + 0.01 * abs(int(m)) for m in moves])
    best = options.argmin(0)
    return np.asarray(options[best, np.arange(len(total))] + cost, np.float32), moves[best]
