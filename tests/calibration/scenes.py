"""A rendered table: a known camera looks at planes painted in millimetres."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.charuco import PAPER_MM, pattern
from calibration.profile import Profile

Picture = NDArray[np.uint8]
Paint = NDArray[np.float32]
PAINT_PER_MM = 2.0
REACH_MM = 430.0

CAMERA = Profile(
    image_size=(960, 720),
    K=((1050.0, 0.0, 486.3), (0.0, 1050.0, 351.2), (0.0, 0.0, 1.0)),
    dist=(-0.06, 0.02, 0.0004, -0.0003, 0.0),
    R=((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
    t_mm=(4.0, -6.0, 780.0),
    board_outline_mm=None,
    reprojection_px=0.0,
    plane_error_mm=0.0,
    smallest_margin_mm=0.0,
)


def posed(tilt_deg: tuple[float, float, float], t_mm: tuple[float, float, float]) -> Profile:
    """The same camera over a plane turned about x, y and z."""
    turns = [cv2.Rodrigues(np.radians(np.eye(3)[i] * a))[0] for i, a in enumerate(tilt_deg)]
    R = np.array(CAMERA.R) @ turns[0] @ turns[1] @ turns[2]
    rows = tuple(tuple(float(v) for v in row) for row in R)
    return Profile(CAMERA.image_size, CAMERA.K, CAMERA.dist, rows, t_mm, None, 0.0, 0.0, 0.0)


def canvas(colour: tuple[float, float, float]) -> Paint:
    side = round(2 * REACH_MM * PAINT_PER_MM)
    return np.full((side, side, 3), colour, np.float32)


def cells(mm: NDArray[np.float64]) -> NDArray[np.int32]:
    """Millimetres to 1/256 cells of a canvas, for cv2's drawing with shift 8."""
    mm = np.asarray(mm, float)
    at: NDArray[np.float64] = np.c_[
        (mm[:, 0] + REACH_MM) * PAINT_PER_MM - 0.5, (REACH_MM - mm[:, 1]) * PAINT_PER_MM - 0.5
    ]
    return np.rint(at * 256).astype(np.int32)


def fill(paint: Paint, outline_mm: NDArray[np.float64], colour: tuple[float, float, float]) -> None:
    cv2.fillPoly(paint, [cells(outline_mm)], colour, cv2.LINE_AA, 8)


def grain(paint: Paint, seed: int, strength: float, along: tuple[float, float]) -> Paint:
    """Noise drawn out along an axis, like wood; equal numbers give cloth."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=paint.shape[:2]).astype(np.float32)
    drawn = cv2.GaussianBlur(noise, (0, 0), sigmaX=along[0], sigmaY=along[1])
    return np.asarray(paint + (drawn / drawn.std() * strength)[..., None], np.float32)


def print_sheet(paint: Paint, turn_deg: float = 0.0) -> None:
    """Lay the sheet on the middle of a canvas."""
    half = np.array(PAPER_MM) / 2
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turn = np.array([[c, s], [-s, c]])
    fill(paint, np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn, (225, 228, 228))
    fine = 8
    sheet = pattern().generateImage((245 * fine, 175 * fine), marginSize=0)
    scale = PAINT_PER_MM / fine
    middle = REACH_MM * PAINT_PER_MM - 0.5
    place = np.array([[scale * c, scale * s], [-scale * s, scale * c]])
    shift = middle - place @ [245 * fine / 2 - 0.5, 175 * fine / 2 - 0.5]
    size = (paint.shape[1], paint.shape[0])
    small = cv2.GaussianBlur(sheet, (0, 0), fine / PAINT_PER_MM / 2)
    ink = cv2.warpAffine(small, np.c_[place, shift], size, flags=cv2.INTER_LINEAR, borderValue=255)
    paint *= (0.08 + 0.92 * ink.astype(np.float32) / 255)[..., None]


def shoot(paint: Paint, camera: Profile, seed: int = 0, behind: Picture | None = None) -> Picture:
    """What the camera sees of a painted plane; `behind` shows where the plane ends."""
    width, height = camera.image_size
    u, v = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    mm = camera.to_board(np.c_[u.ravel(), v.ravel()]).reshape(height, width, 2)
    x = ((mm[..., 0] + REACH_MM) * PAINT_PER_MM - 0.5).astype(np.float32)
    y = ((REACH_MM - mm[..., 1]) * PAINT_PER_MM - 0.5).astype(np.float32)
    soft = cv2.GaussianBlur(paint, (0, 0), 0.8)
    seen = cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderValue=(-1, -1, -1))
    if behind is not None:
        seen = np.where(seen < 0, behind.astype(np.float32), seen)
    noise = np.random.default_rng(seed).normal(size=seen.shape) * 2.0
    return np.asarray(np.clip(seen + noise, 0, 255), np.uint8)


def sheet_alone() -> Paint:
    """A sheet of paper held in the air: everything around it is transparent."""
    paint = canvas((-300.0, -300.0, -300.0))
    print_sheet(paint)
    paint[paint < 0] = -300
    return paint


POSES = (
    posed((22, 8, 12), (-40, 20, 640)),
    posed((-20, 15, -20), (60, -30, 660)),
    posed((10, -28, 80), (-70, -20, 680)),
    posed((-25, -18, 40), (30, 40, 620)),
    posed((30, 0, -70), (0, -10, 650)),
    posed((-12, 26, 5), (-50, 50, 700)),
)


def stills(paint: Paint, camera: Profile) -> tuple[Picture, list[Picture]]:
    """The flat sheet on what is painted, and tilted ones."""
    held = sheet_alone()
    bare = shoot(paint, camera)
    lying = paint.copy()
    print_sheet(lying)
    tilted = [shoot(held, pose, seed=i + 1, behind=bare) for i, pose in enumerate(POSES)]
    return shoot(lying, camera, seed=99), tilted
