"""How far a calibration can be trusted, in millimetres on the table."""

import cv2
import numpy as np

from calibration.lens import Array, Lens, LensFit, refit_lens
from calibration.pose import board_pose

GRID = 9
EDGE_PX = 0.3
"""How finely the edge of a piece is read in a single frame."""
SIGMAS = 2.0


def to_plane(lens: Lens, pose: tuple[Array, Array], px: Array) -> Array:
    """Raw pixels to millimetres on the board."""
    R, t = pose
    flat = cv2.undistortPoints(px.reshape(-1, 1, 2), lens.K, lens.dist).reshape(-1, 2)
    rays = np.c_[flat, np.ones(len(flat))] @ R
    eye = -R.T @ t
    mm: Array = (eye - rays * (eye[2] / rays[:, 2])[:, None])[:, :2]
    return mm


def plane_error_mm(fit: LensFit, region_mm: Array) -> float:
    """Standard error of a place on the board: how much it moves when any one still is left out (jackknife).

    The first view is the flat sheet, which stays.
    """
    px = _grid_px(fit.lens, board_pose(fit.poses[0]), region_mm)
    rests = [[*fit.views[:i], *fit.views[i + 1 :]] for i in range(1, len(fit.views))]
    fits = [refit_lens(rest, fit.lens) for rest in rests]
    places = [_aligned(to_plane(f.lens, board_pose(f.poses[0]), px)) for f in fits]
    spread = np.sum((np.array(places) - np.mean(places, axis=0)) ** 2, axis=(0, 2))
    return float(np.median(np.sqrt(spread * (len(places) - 1) / len(places))))


def smallest_margin_mm(plane_error: float, mm_per_px: float) -> float:
    """Below this a measured distance may be chance: two standard deviations of plane and edge together."""
    return SIGMAS * float(np.hypot(plane_error, EDGE_PX * mm_per_px))


def _grid_px(lens: Lens, pose: tuple[Array, Array], region_mm: Array) -> Array:
    (left, low), (right, high) = region_mm.min(0), region_mm.max(0)
    x, y = np.meshgrid(np.linspace(left, right, GRID), np.linspace(low, high, GRID))
    solid = np.c_[x.ravel(), y.ravel(), np.zeros(GRID * GRID)]
    R, t = pose
    px, _ = cv2.projectPoints(solid, cv2.Rodrigues(R)[0], t, lens.K, lens.dist)
    return np.asarray(px, float).reshape(-1, 2)


def _aligned(mm: Array) -> Array:
    """Without what a shift or a turn of the whole board would explain: that costs no ruling."""
    centred = mm - mm.mean(0)
    side = centred[GRID - 1] - centred[0]
    turn = -np.arctan2(side[1], side[0])
    c, s = np.cos(turn), np.sin(turn)
    aligned: Array = centred @ np.array([[c, -s], [s, c]]).T
    return aligned
