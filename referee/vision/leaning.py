"""Whether a die lies flat: seen from straight above the table, a flat die's upper face is a square.

A view is a 2 x 3 matrix: what one edge of the die is in pixels along the table, across it and upwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Point
from referee.vision.nets import odds_of, opened

View = NDArray[np.float64]
Array = NDArray[np.float64]

MODEL = "dice_lean.onnx"
SIDE_PX, FACE_PX = 48, 22.0
"""The straight picture, and the upper face of a flat die in it."""
STEP_MM = 8.0
SIZES = (0.9, 1.0, 1.1)
NEAR_PX, AROUND = 28.0, 3.0
"""The edge of a die in the picture of its surroundings, and how many edges these reach."""
STEEP = 0.2
"""How steeply upright edges must run before it matters to which side."""


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
    out: View = view * (edge_px / float(np.linalg.svd(view, compute_uv=False).mean()))
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Nearby:
    """The surroundings of a die, made small once, so that many looks at it cost little."""

    picture: Image
    corner: Array
    """Of the picture, in pixels of the whole one."""
    scale: float

    def here(self, px: Point, view: View) -> tuple[Point, View]:
        x, y = ((np.array(px) - self.corner + 0.5) * self.scale - 0.5).tolist()
        return (x, y), view * self.scale


Glimpse = tuple[Nearby, Point, View]
"""Where a die may be, and its view, in pixels of the whole picture."""


def nearby(image: Image, px: Point, edge_px: float) -> Nearby:
    """What lies within a few edges of a pixel."""
    reach = round(AROUND * edge_px)
    left, top = (max(0, round(at) - reach) for at in px)
    part = image[top : max(0, round(px[1]) + reach), left : max(0, round(px[0]) + reach)]
    scale = min(1.0, NEAR_PX / edge_px)
    size = [max(1, round(side * scale)) for side in part.shape[1::-1]]
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA) if scale < 1 else part
    return Nearby(cast(Image, small), np.array([left, top], float), small.shape[1] / part.shape[1])


def told(glimpses: Sequence[Glimpse]) -> tuple[Array, Array]:
    """For each glimpse the odds that the die leans, and the odds of no die and of the values of its upper face."""
    if not glimpses:
        return np.zeros(0), np.zeros((0, 7))
    net = opened(MODEL)
    net.setInput(
        np.stack([_layers(*straight(near.picture, *near.here(px, view))) for near, px, view in glimpses])
    )
    scores = np.asarray(net.forward(), np.float64)
    return 1 / (1 + np.exp(-scores[:, 0])), odds_of(scores[:, 1:])


def leaning(image: Image, dice: Sequence[tuple[Point, View]]) -> list[float]:
    """For each die the odds that it leans."""
    return [_leans(image, px, view) for px, view in dice]


def _leans(image: Image, px: Point, view: View) -> float:
    """Judged in several sizes: an edge is not known to the pixel."""
    seen = [straight(image, px, view * size) for size in SIZES]
    # From straight above no side of a flat die shows: the picture may be turned as one likes.
    turns = 4 if seen[0][1] < STEEP else 1
    net = opened(MODEL)
    net.setInput(
        np.stack([_layers(np.rot90(picture, k), slope) for k in range(turns) for picture, slope in seen])
    )
    scores = np.asarray(net.forward(), np.float64)[:, 0].reshape(turns, len(SIZES)).mean(axis=1)
    return float(1 / (1 + np.exp(-np.sort(scores)[-2:].mean())))


def straight(
    image: Image, px: Point, view: View, side_px: int = SIDE_PX, face_px: float = FACE_PX
) -> tuple[Image, float]:
    """The picture as seen from above, upright edges pointing up in it, and how steeply they run."""
    ground, rise, run = view[:, :2], view[:, 2], _run(view)
    slope = float(np.hypot(*run))
    c, s = run / slope if slope > 1e-6 else (0.0, 1.0)
    axes = ground @ np.array([[-s, -c], [c, -s]]) / face_px
    shrink = float(np.linalg.svd(axes, compute_uv=False).mean())
    if shrink > 1.6:
        image, px = _softened(image, px, shrink, side_px)
    middle = np.array(px) + rise / 2
    move = np.c_[axes, middle - axes @ np.full(2, side_px / 2 - 0.5)]
    size = (side_px, side_px)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(image, move, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
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


def _layers(picture: Image, slope: float) -> NDArray[np.float32]:
    steep = np.full((SIDE_PX, SIDE_PX, 1), slope, np.float32)
    return np.concatenate([picture.astype(np.float32) / 255, steep], 2).transpose(2, 0, 1)
