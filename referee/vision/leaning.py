"""Whether a die lies flat: seen from straight above the table, a flat die's upper face is a square.

A view is a 2 x 3 matrix: what one edge of the die is in pixels along the table, across it and upwards.
"""

from pathlib import Path
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Point
from referee.vision.nets import Tensor, said

View = NDArray[np.float64]
Array = NDArray[np.float64]
SIDE_PX, FACE_PX = 48, 22.0
"""The straight picture, and the upper face of a flat die in it."""
STEP_MM = 8.0
STRAIGHT = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


def view_on_table(profile: Profile, px: Point, edge_px: float) -> View:
    """The view of a die whose middle is seen at a pixel of a camera over a known table."""
    x, y = profile.to_board(np.array([px]), STEP_MM)[0].tolist()
    flat = profile.to_pixels(
        np.array([[x - STEP_MM, y], [x + STEP_MM, y], [x, y - STEP_MM], [x, y + STEP_MM]]), STEP_MM
    )
    upright = profile.to_pixels(np.array([[x, y]]), 2 * STEP_MM) - profile.to_pixels(np.array([[x, y]]))
    view: View = np.stack([flat[1] - flat[0], flat[3] - flat[2], upright[0]], 1)
    return sized(view, edge_px)


def sized(view: View, edge_px: float) -> View:
    """The same view of a die whose edge is so many pixels on average."""
    out: View = view * (edge_px / _stretch(view))
    return out


def _stretch(way: Array) -> float:
    """By how much a map onto the picture enlarges, on average over the ways in which it does most and least."""
    (a, b), (_, c) = way @ way.T
    return float(np.sqrt(a + c + 2 * np.sqrt(max(0.0, a * c - b * b))) / 2)


def straight(
    image: Image, px: Point, view: View, side_px: int = SIDE_PX, face_px: float = FACE_PX
) -> tuple[Image, float]:
    """The picture as seen from above, upright edges pointing up in it, and how steeply they run."""
    run = _run(view)
    slope = float(np.hypot(*run))
    c, s = run / slope if slope > 1e-6 else (0.0, 1.0)
    # One pixel right and down on the straight picture.
    axes = view[:, :2] @ np.array([[-s, -c], [c, -s]]) / face_px
    shrink = _stretch(axes)
    if shrink > 1.6:
        image, px = _softened(image, px, shrink, side_px)
    corner = np.array(px) + view[:, 2] / 2 - axes.sum(axis=1) * (side_px / 2 - 0.5)
    out = cv2.warpAffine(
        image, np.c_[axes, corner], (side_px, side_px), flags=STRAIGHT, borderMode=cv2.BORDER_REPLICATE
    )
    return cast(Image, out), slope


def slope_of(view: View) -> float:
    """How steeply upright edges run: the tangent of the angle between the view and the upright."""
    return float(np.hypot(*_run(view)))


def _run(view: View) -> Array:
    """How far an upright edge runs along the table and across it, in the picture."""
    return np.asarray(np.linalg.solve(view[:, :2], view[:, 2]))


def _softened(image: Image, px: Point, shrink: float, side_px: int) -> tuple[Image, Point]:
    """The surroundings of a large die without what would be lost to chance when it is shrunk."""
    reach = round(1.5 * side_px * shrink)
    left, top = max(0, round(px[0]) - reach), max(0, round(px[1]) - reach)
    near = image[top : round(px[1]) + reach, left : round(px[0]) + reach]
    return cast(Image, cv2.GaussianBlur(near, (0, 0), 0.35 * shrink)), (px[0] - left, px[1] - top)


def scores(model: Path, pictures: NDArray[np.uint8], slopes: Array) -> Array:
    """What a network says of straight pictures on which upright edges run so steeply."""
    batch: Tensor = np.empty((len(pictures), 4, SIDE_PX, SIDE_PX), np.float32)
    batch[:, :3] = pictures.transpose(0, 3, 1, 2)
    batch[:, :3] /= 255
    batch[:, 3] = slopes[:, None, None]
    return said(model, batch).astype(np.float64)
