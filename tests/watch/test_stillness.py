"""Stillness is cheap to ask for, sees a die creep, and is not fooled by flickering lamps."""

import numpy as np
import pytest

from hardware.frames import Frame
from referee.watch.stillness import Stillness, thumb
from tests.watch.stage import Laid, film, paint

CARD = Laid("white", (300.0, 180.0))


def still_ns(pictures: list[np.ndarray]) -> int:
    stillness = Stillness()
    return [stillness.feed(frame, thumb(frame.image)) for frame in film(pictures)][-1]


def test_noise_alone_is_stillness() -> None:
    assert still_ns([paint((CARD,), noise=k + 1) for k in range(30)]) > 900_000_000


def test_a_lamp_flickering_in_bands_is_stillness() -> None:
    band = 1 + 0.04 * np.sin(np.arange(360) / 30)[:, None, None]
    pictures = [paint((CARD,), noise=k + 1) for k in range(30)]
    lit = [np.clip(p * (band if k % 2 else 1), 0, 255).astype(np.uint8) for k, p in enumerate(pictures)]
    assert still_ns(lit) > 900_000_000


def test_a_thing_of_a_dies_size_moving_three_pixels_is_seen() -> None:
    pictures = [paint((), noise=k + 1) for k in range(30)]
    for k, picture in enumerate(pictures):
        x = 200 if k < 20 else 203
        picture[100:120, x : x + 20] = 230
    assert still_ns(pictures) < 350_000_000


@pytest.mark.bench
def test_an_unchanged_frame_costs_less_than_a_millisecond() -> None:
    import time

    picture = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8)
    stillness = Stillness()
    spent = []
    for k in range(100):
        began = time.perf_counter()
        stillness.feed(Frame(k, k * 33_000_000, picture), thumb(picture))
        spent.append(time.perf_counter() - began)
    assert sorted(spent)[50] < 0.001
