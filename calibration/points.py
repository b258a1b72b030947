"""The rough way: four known points in the picture, a usual lens. The profile states the error that costs."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from calibration.quality import smallest_margin_mm
from hardware.errors import TableError

TAP_PX = 2.0
"""How well a finger or a mouse meets a point."""
USUAL_FOCAL = 0.85
"""Focal length of a phone's main camera, in widths of its picture."""
FOCAL_RANGE = (0.4, 3.0)
BENT_SHARE = 0.004
"""What an unknown lens bends, as a share of the distance on the table."""
Pair = tuple[tuple[float, float], tuple[float, float]]


def from_points(pairs: Sequence[Pair], size: tuple[int, int]) -> Profile:
    """A profile from four pairs (pixel, millimetres) of corners of one surface; the surface is the board."""
    if len(pairs) != 4:
        raise TableError(f"four known points are needed, not {len(pairs)}")
    px, mm = (np.array([pair[k] for pair in pairs], np.float64) for k in (0, 1))
    _check(px, mm, size)
    plane = cv2.getPerspectiveTransform(mm.astype(np.float32), px.astype(np.float32)).astype(np.float64)
    K = _camera_matrix(plane, size)
    R, t = _pose(plane, K)
    error = _error_mm(plane, mm)
    seen = Profile(
        image_size=size,
        K=tuple(tuple(float(v) for v in row) for row in K),
        dist=(0.0,) * 5,
        R=tuple(tuple(float(v) for v in row) for row in R),
        t_mm=tuple(float(v) for v in t),
        board_outline_mm=_counter_clockwise(mm),
        reprojection_px=TAP_PX,
        plane_error_mm=error,
        smallest_margin_mm=smallest_margin_mm(error, float(np.linalg.norm(t)) / K[0, 0]),
    )
    if np.abs(seen.to_pixels(mm) - px).max() > size[0] / 40:
        raise TableError("no camera sees these four points so: are their millimetres in the same order?")
    return seen


def _check(px: NDArray[np.float64], mm: NDArray[np.float64], size: tuple[int, int]) -> None:
    if (px < 0).any() or (px > size).any():
        raise TableError(f"a known point lies outside the picture of {size[0]} x {size[1]}")
    for what, points in (("picture", px), ("table", mm)):
        hull = cv2.convexHull(points.astype(np.float32))
        if len(hull) < 4 or cv2.contourArea(hull) < 100:
            raise TableError(f"the four known points do not span a surface on the {what}")


def _camera_matrix(plane: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float64]:
    """Square pixels, middle of the picture; the focal length from the two directions of the plane if they tell."""
    w, h = size
    centred = np.array([[1, 0, -w / 2], [0, 1, -h / 2], [0, 0, 1.0]]) @ plane
    (a, b, c), (d, e, f) = centred[:, 0], centred[:, 1]
    squares = [
        (-(a * d + b * e), c * f),
        (a * a + b * b - d * d - e * e, f * f - c * c),
    ]
    tells = max(squares, key=lambda pair: abs(pair[1]))
    focal = np.sqrt(tells[0] / tells[1]) if tells[1] and tells[0] / tells[1] > 0 else 0.0
    if not FOCAL_RANGE[0] * w < focal < FOCAL_RANGE[1] * w:
        focal = USUAL_FOCAL * max(size)
    return np.array([[focal, 0, w / 2], [0, focal, h / 2], [0, 0, 1.0]])


def _pose(
    plane: NDArray[np.float64], K: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The nearest rotation to the plane's directions; the z axis points to the camera."""
    directions = np.linalg.inv(K) @ plane
    scale = np.sqrt(np.linalg.norm(directions[:, 0]) * np.linalg.norm(directions[:, 1]))
    x, y, t = (directions / scale).T
    if t[2] < 0:
        x, y, t = -x, -y, -t
    u, _, v = np.linalg.svd(np.c_[x, y, np.cross(x, y)])
    R = u @ np.diag([1, 1, np.linalg.det(u @ v)]) @ v
    if (-R.T @ t)[2] < 0:
        raise TableError("the four points are mirrored: y grows away from you, like on paper")
    return R, t


def _error_mm(plane: NDArray[np.float64], mm: NDArray[np.float64]) -> float:
    """A tap's error on the table, and what the unknown lens may bend."""
    around = mm.mean(axis=0) + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    px = cv2.perspectiveTransform(around.reshape(1, 3, 2), plane).reshape(3, 2)
    per_mm = float(np.linalg.norm(px[1:] - px[0], axis=1).min())
    span = float(np.linalg.norm(mm.max(0) - mm.min(0)))
    return float(np.hypot(TAP_PX / max(per_mm, 1e-3), BENT_SHARE * span))


def _counter_clockwise(mm: NDArray[np.float64]) -> tuple[tuple[float, float], ...]:
    hull = cv2.convexHull(mm.astype(np.float32), clockwise=False).reshape(-1, 2)
    return tuple((float(x), float(y)) for x, y in hull)
