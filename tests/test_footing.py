"""A bumped camera is said, stops rulings by the camera, and is found again."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from hardware.frames import Frame, Image
from referee.footing import Footing

PROFILE = Profile(
    image_size=(640, 480),
    K=((600.0, 0.0, 320.0), (0.0, 600.0, 240.0), (0.0, 0.0, 1.0)),
    dist=(0.0,) * 5,
    R=((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
    t_mm=(0.0, 0.0, 700.0),
    board_outline_mm=((-150.0, -150.0), (150.0, -150.0), (150.0, 150.0), (-150.0, 150.0)),
    reprojection_px=0.2,
    plane_error_mm=0.1,
    smallest_margin_mm=0.5,
)


def table() -> Image:
    rng = np.random.default_rng(2)
    image = np.full((480, 640, 3), 150, np.uint8)
    for _ in range(60):
        x, y = rng.integers(0, 630), rng.integers(0, 470)
        cv2.rectangle(
            image, (int(x), int(y)), (int(x) + 14, int(y) + 11), rng.uniform(30, 230, 3).tolist(), -1
        )
    cv2.rectangle(image, (192, 112), (448, 368), (60, 90, 40), -1)
    return image


def shifted(image: Image, dx: float) -> Image:
    move = np.array([[1, 0, dx], [0, 1, 0.0]])
    moved = cv2.warpAffine(image, move, (640, 480), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def told(footing: Footing, images: list[Image], start: int = 0) -> list[str]:
    frames = [Frame(start + k, (start + k) * 50_000_000, image) for k, image in enumerate(images)]
    return [lost.why for frame in frames if (lost := footing.step(frame))]


def test_a_bump_blocks_the_camera_within_two_seconds_and_then_it_is_found_again() -> None:
    footing = Footing(PROFILE)
    assert told(footing, [table()] * 20) == []
    said = told(footing, [shifted(table(), 5.0)] * 40, start=20)
    assert ["mm" in why for why in said] == [True]
    assert footing.firm
    assert footing.profile != PROFILE


@pytest.mark.parametrize("gain", [0.7, 1.25])
def test_a_lamp_that_changes_does_not_block_the_camera(gain: float) -> None:
    footing = Footing(PROFILE)
    lit = [np.clip(table() * (1 + (gain - 1) * k / 40), 0, 255).astype(np.uint8) for k in range(40)]
    assert told(footing, lit) == []
    assert footing.profile == replace(PROFILE)
