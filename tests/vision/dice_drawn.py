"""Dice drawn as solids: every face that looks to the camera, shaded, with its pips and a shadow."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image
from referee.vision.pips import PATTERNS

Array = NDArray[np.float64]

FACES = {1: (0, 1), 6: (0, -1), 2: (1, 1), 5: (1, -1), 3: (2, 1), 4: (2, -1)}
"""Along which axis of the die each value looks."""
FINE = 6
"""How much larger dice are drawn than shown."""
PITCH, RADIUS = 0.25, 0.09
LAMP = np.array([0.3, 0.2, 0.93])


def turned(value: int, yaw_deg: float, lean_deg: float = 0.0, towards_deg: float = 0.0) -> Array:
    """The turn of a die that shows a value, and then leans."""
    axis, sign = FACES[value]
    up = np.roll(np.eye(3), 2 - axis, axis=0)
    if sign < 0:
        up = np.diag([1.0, -1.0, -1.0]) @ up
    lean = _about(towards_deg, 2) @ _about(lean_deg, 0) @ _about(-towards_deg, 2)
    return np.asarray(lean @ _about(yaw_deg, 2) @ up)


def put_die(
    picture: Image,
    profile: Profile,
    at_mm: tuple[float, float],
    turn: Array,
    body: tuple[float, float, float] = (205, 225, 232),
    ink: tuple[float, float, float] = (25, 25, 28),
    size_mm: float = 16.0,
) -> Image:
    """The picture with one more die, its lowest corner on the table."""
    big = np.asarray(cv2.resize(picture, None, fx=FINE, fy=FINE, interpolation=cv2.INTER_LINEAR), np.uint8)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size_mm / 2
    middle = np.array([*at_mm, -(corners @ turn.T)[:, 2].min()])
    _shadow(big, profile, corners @ turn.T + middle)
    for value, (axis, sign) in FACES.items():
        normal = turn[:, axis] * sign
        at = middle + normal * size_mm / 2
        if normal @ (profile.camera_mm - at) <= 0:
            continue
        light = 0.45 + 0.55 * max(0.0, float(normal @ LAMP))
        u, v = (turn[:, a] * size_mm for a in range(3) if a != axis)
        square = [at + a * u + b * v for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
        _fill(big, profile, np.array(square), np.array(body) * light)
        ring = np.radians(np.arange(0, 360, 15))
        for a, b in np.array(PATTERNS[value][0], float) * PITCH:
            pip = [at + (a + RADIUS * np.cos(t)) * u + (b + RADIUS * np.sin(t)) * v for t in ring]
            _fill(big, profile, np.array(pip), np.array(ink) * light)
    seen = cv2.resize(big, None, fx=1 / FINE, fy=1 / FINE, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.6), np.uint8)


def _shadow(big: Image, profile: Profile, corners: Array) -> None:
    on_table = corners[:, :2] - corners[:, 2:] * LAMP[:2] / LAMP[2]
    px = (profile.to_pixels(on_table) + 0.5) * FINE
    dark = np.zeros(big.shape[:2], np.float32)
    cv2.fillConvexPoly(dark, cv2.convexHull(np.round(px).astype(np.int32)), 0.4)
    big[:] = big * (1 - cv2.GaussianBlur(dark, (0, 0), 2.0 * FINE))[..., None]


def _fill(big: Image, profile: Profile, points: Array, colour: Array) -> None:
    px = np.array([profile.to_pixels(p[None, :2], float(p[2]))[0] for p in points])
    cv2.fillPoly(big, [np.round((px + 0.5) * FINE).astype(np.int32)], colour.tolist(), cv2.LINE_AA)


def _about(angle_deg: float, axis: int) -> Array:
    turn = np.zeros(3)
    turn[axis] = np.radians(angle_deg)
    return np.asarray(cv2.Rodrigues(turn)[0])
