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
from referee.vision.nets import Tensor, run_by_fours

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
    """The same view, or views (n, 2, 3), of a die whose edge is so many pixels on average."""
    out: View = view * (edge_px / _stretch(view))[..., None, None]
    return out


def _stretch(ways: Array) -> Array:
    """By how much maps onto the picture enlarge, on average over the ways in which each does most and least."""
    both = ways @ ways.swapaxes(-1, -2)
    a, b, c = both[..., 0, 0], both[..., 0, 1], both[..., 1, 1]
    return np.asarray(np.sqrt(a + c + 2 * np.sqrt(np.maximum(0.0, a * c - b * b))) / 2)


def straight(
    image: Image, px: Point, view: View, side_px: int = SIDE_PX, face_px: float = FACE_PX
) -> tuple[Image, float]:
    """The picture as seen from above, upright edges pointing up in it, and how steeply they run."""
    axes, slopes = _straightening(view[None], face_px)
    shrink = float(_stretch(axes)[0])
    if shrink > 1.6:
        image, px = _softened(image, px, shrink, side_px)
    (move,) = _moves(axes, np.array(px) + view[None, :, 2] / 2, side_px)
    size = (side_px, side_px)
    out = cv2.warpAffine(image, move, size, flags=STRAIGHT, borderMode=cv2.BORDER_REPLICATE)
    return cast(Image, out), float(slopes[0])


def _straightening(views: Array, face_px: float) -> tuple[Array, Array]:
    """(n, 2, 2): one pixel right and down on each straight picture; and how steeply upright edges run."""
    runs = _runs(views)
    slopes = np.hypot(runs[:, 0], runs[:, 1])
    c, s = np.where(slopes > 1e-6, runs.T / np.maximum(slopes, 1e-6), [[0.0], [1.0]])
    turns = np.stack([np.stack([-s, -c], axis=1), np.stack([c, -s], axis=1)], axis=1)
    return views[..., :2] @ turns / face_px, np.asarray(slopes)


def _moves(axes: Array, middles: Array, side_px: int) -> Array:
    """(n, 2, 3): from straight pictures to the one they are made of."""
    corners = middles - axes.sum(axis=2) * (side_px / 2 - 0.5)
    return np.concatenate([axes, corners[..., None]], axis=2)


def slope_of(view: View) -> float:
    """How steeply upright edges run: the tangent of the angle between the view and the upright."""
    return float(np.hypot(*_runs(view[None])[0]))


def _runs(views: Array) -> Array:
    """(n, 2): how far an upright edge runs along the table and across it, in the picture."""
    return np.asarray(np.linalg.solve(views[..., :2], views[..., 2:])[..., 0])


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
    return run_by_fours(model, batch).astype(np.float64)
