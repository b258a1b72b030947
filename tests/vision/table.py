"""A painted table: a board seen by an ideal camera from straight above, and pieces with shadows on it."""

import numpy as np

from calibration.profile import Profile
from hardware.frames import Image

WIDTH, HEIGHT, PX_PER_MM = 640, 480, 1.5
CAMERA_MM = 800.0
WOOD = (150.0, 190.0, 215.0)
"""BGR"""


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
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    picture = np.ones((HEIGHT, WIDTH, 3)) * WOOD
    if checks_px:
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
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    picture = bare(seed, checks_px).astype(float)
    for x, y, long, short, _ in pieces:
        away = np.hypot((columns - x - shadow_px) / long, (rows - y - shadow_px) / short)
        picture *= 1 - shadow * np.clip((1 - away) * short / 4 + 0.5, 0, 1)[..., None]
    for x, y, long, short, colour in pieces:
        away = np.hypot((columns - x) / long, (rows - y) / short)
        share = np.clip((1 - away) * short + 0.5, 0, 1)[..., None]
        picture = picture * (1 - share) + np.array(colour) * share
    return _sensor(picture, seed)


def _sensor(picture: np.ndarray[tuple[int, ...], np.dtype[np.float64]], seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 1.2, picture.shape)
    image = np.clip(picture + noise, 0, 255).astype(np.uint8)
    image.flags.writeable = False
    return image
