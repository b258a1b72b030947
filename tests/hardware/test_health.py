"""What the doctor measures of a camera."""

import cv2
import numpy as np
import pytest

from hardware.frames import Frame, Image
from hardware.health import examine


def table(seed: int = 3) -> Image:
    """A crisp table: a noisy plain with hard-edged things on it."""
    rng = np.random.default_rng(seed)
    image = rng.normal(120, 2, (240, 320, 3))
    for _ in range(25):
        x, y = rng.integers(0, 300), rng.integers(0, 220)
        cv2.rectangle(
            image, (int(x), int(y)), (int(x) + 15, int(y) + 12), rng.uniform(20, 220, 3).tolist(), -1
        )
    return np.clip(image, 0, 255).astype(np.uint8)


def film(images: list[Image], step_ns: int = 20_000_000) -> list[Frame]:
    return [Frame(k, k * step_ns, image) for k, image in enumerate(images)]


def test_rate_and_gaps_are_measured_on_the_camera_s_own_clock() -> None:
    frames = film([table()] * 60)
    gappy = [f for f in frames if f.index not in (20, 40)]
    assert examine(frames, 60).fps == pytest.approx(50)
    assert examine(gappy, 60).dropped == 2


def test_a_blurred_lens_is_told_from_a_crisp_one() -> None:
    crisp = examine(film([table()] * 10), 10).blur
    blurred = np.asarray(cv2.GaussianBlur(table(), (0, 0), 4), np.uint8)
    soft = examine(film([blurred] * 10), 10).blur
    assert crisp < 0.5 < 0.7 < soft


def test_burnt_and_dark_pictures_are_told() -> None:
    assert examine(film([np.full((60, 80, 3), 255, np.uint8)] * 4), 4).burnt == 1
    assert examine(film([np.zeros((60, 80, 3), np.uint8)] * 4), 4).dark == 1


def test_mains_flicker_counts_and_a_passing_cloud_does_not() -> None:
    plain = table().astype(float)
    blink = [np.clip(plain * (1 + 0.05 * (-1) ** k), 0, 255).astype(np.uint8) for k in range(30)]
    cloud = [np.clip(plain * (1 - 0.01 * k), 0, 255).astype(np.uint8) for k in range(30)]
    assert examine(film(blink), 30).flicker > 0.03
    assert examine(film(cloud), 30).flicker < 0.005


def test_a_camera_that_gives_nothing_is_told_without_a_fault() -> None:
    assert examine([], 10).fps == 0
