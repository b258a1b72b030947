"""A painted table: a board seen by an ideal camera from straight above, and pieces with shadows on it."""

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image

WIDTH, HEIGHT, PX_PER_MM = 640, 480, 1.5
CAMERA_MM = 800.0
WOOD = (150.0, 190.0, 215.0)
"""BGR"""
GRID = np.mgrid[0:HEIGHT, 0:WIDTH]
"""Row and column of every pixel."""

Drawn = NDArray[np.float64]


def profile(half_mm: float = 140.0) -> Profile:
    """A camera 800 mm over the middle of a square board."""
    focal = PX_PER_MM * CAMERA_MM
    return Profile(
        image_size=(WIDTH, HEIGHT),
        K=((focal, 0.0, WIDTH / 2), (0.0, focal, HEIGHT / 2), (0.0, 0.0, 1.0)),
        dist=(0.0, 0.0, 0.0, 0.0, 0.0),
        R=((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
        t_mm=(0.0, 0.0, CAMERA_MM),
        board_outline_mm=((-half_mm, -half_mm), (half_mm, -half_mm), (half_mm, half_mm), (-half_mm, half_mm)),
        reprojection_px=0.1,
        plane_error_mm=0.1,
        smallest_margin_mm=0.3,
    )


def bare(seed: int = 0, checks_px: int = 0) -> Image:
    """The empty board, with the camera's noise; with `checks_px` a chessboard."""
    picture = np.ones((HEIGHT, WIDTH, 3)) * WOOD
    if checks_px:
        rows, columns = GRID
        picture[((rows // checks_px + columns // checks_px) % 2).astype(bool)] *= 0.45
    return _sensor(picture, seed)


def laid(
    *pieces: tuple[float, float, float, float, tuple[float, float, float]],
    seed: int = 1,
    checks_px: int = 0,
    shadow: float = 0.45,
    shadow_px: float = 5.0,
) -> Image:
    """Pieces as (x px, y px, half length, half width, colour), each with a soft shadow to the lower right."""
    picture = bare(seed, checks_px).astype(float)
    for x, y, long, short, _ in pieces:
        part, away = _around(x + shadow_px, y + shadow_px, long, short, room=2 / short)
        picture[part] *= 1 - shadow * np.clip((1 - away) * short / 4 + 0.5, 0, 1)
    for x, y, long, short, colour in pieces:
        part, away = _around(x, y, long, short, room=0.5 / short)
        share = np.clip((1 - away) * short + 0.5, 0, 1)
        picture[part] = picture[part] * (1 - share) + np.array(colour) * share
    return _sensor(picture, seed)


def _around(x: float, y: float, long: float, short: float, room: float) -> tuple[tuple[slice, slice], Drawn]:
    """The part of the picture an oval touches, and how far its pixels are from the middle in halves of the oval."""
    wide, high = (1 + room) * long + 1, (1 + room) * short + 1
    part = (
        slice(max(0, int(y - high)), max(0, int(y + high) + 2)),
        slice(max(0, int(x - wide)), max(0, int(x + wide) + 2)),
    )
    rows, columns = (grid[part].astype(float) for grid in GRID)
    return part, np.hypot((columns - x) / long, (rows - y) / short)[..., None]


def _sensor(picture: Drawn, seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 1.2, picture.shape)
    image = np.clip(picture + noise, 0, 255).astype(np.uint8)
    image.flags.writeable = False
    return image
