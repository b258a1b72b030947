"""When the eyes cannot see they say so, once and why; and what hides nothing is no loss."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from hardware.frames import Frame, Image
from referee.happenings import SightLost
from referee.watch.sight import Sight
from tests.watch.stage import Laid, paint

FPS = 15
CARDS = (Laid("red", (150.0, 150.0)), Laid("white", (400.0, 200.0)), Laid("back", (250.0, 90.0)))
SEEN = [paint(CARDS, noise=k + 1) for k in range(2 * FPS)]
Change = Callable[[Image, int], Image]


def dark(image: Image, _k: int) -> Image:
    return np.asarray(image * 0.03, np.uint8)


def glaring(image: Image, _k: int) -> Image:
    return np.clip(image.astype(np.int16) + 240, 0, 255).astype(np.uint8)


def covered(image: Image, k: int) -> Image:
    """A hand on the lens: a reddish glow without an edge."""
    glow = np.full(image.shape, (60, 70, 130), np.uint8)
    noise = np.random.default_rng(k).normal(0, 2, image.shape)
    return np.clip(glow + noise, 0, 255).astype(np.uint8)


def blurred(image: Image, _k: int) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 9), np.uint8)


def somebody(image: Image, k: int) -> Image:
    """A checked shirt between camera and table, never quite still."""
    rows, columns = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    checks = (((rows + 3 * k) // 40 + (columns + 5 * k) // 40) % 2).astype(bool)
    return np.where(checks[..., None], (150, 150, 160), (90, 30, 110)).astype(np.uint8)


def dimmed(image: Image, k: int) -> Image:
    return np.asarray(image * max(0.4, 1 - k / 20), np.uint8)


def cleared(_image: Image, k: int) -> Image:
    return paint((), noise=k + 1)


def reached_over(_image: Image, k: int) -> Image:
    return paint(CARDS, (100.0 + 8 * (k % 40), 60.0), noise=k + 1)


def film(*parts: Sequence[Image]) -> list[Frame]:
    pictures = [image for part in parts for image in part]
    return [Frame(k, k * 1_000_000_000 // FPS, image) for k, image in enumerate(pictures)]


def changed(by: Change, seconds: float) -> list[Image]:
    return [by(SEEN[k % len(SEEN)], k) for k in range(round(seconds * FPS))]


def told(sight: Sight, frames: list[Frame]) -> list[SightLost]:
    return [lost for frame in frames if (lost := sight.see(frame))]


@pytest.mark.parametrize(
    ("by", "why", "within_s"),
    [
        (dark, "it is too dark", 0.6),
        (glaring, "it is too bright", 0.8),
        (covered, "the lens is covered", 0.8),
        (blurred, "the picture is out of focus", 1.3),
        (somebody, "something hides the table, or the camera was moved", 2.4),
    ],
)
def test_a_loss_is_told_once_with_its_reason_and_is_over_when_the_table_is_seen(
    by: Change, why: str, within_s: float
) -> None:
    sight = Sight()
    (lost,) = told(sight, film(SEEN, changed(by, 5.0), SEEN))
    assert lost.why == why
    first, last = lost.frames
    assert 0 <= first - len(SEEN) <= 0.25 * FPS
    assert last - len(SEEN) <= within_s * FPS
    assert not sight.blind


@pytest.mark.parametrize("by", [dimmed, cleared, reached_over])
def test_less_light_an_emptied_table_and_a_hand_are_no_loss(by: Change) -> None:
    sight = Sight()
    frames = film(SEEN, changed(by, 5.0), SEEN)
    assert [k for k, frame in enumerate(frames) if sight.see(frame) or sight.blind] == []


def test_what_shows_nothing_for_a_moment_is_not_looked_at_and_no_loss() -> None:
    sight = Sight()
    assert told(sight, film(SEEN, changed(dark, 0.2))) == []
    assert sight.blind
    assert told(sight, film(SEEN, changed(dark, 0.2), SEEN)[len(SEEN) + 3 :]) == []
    assert not sight.blind


def test_pictures_that_do_not_come_are_missed_unless_nobody_wanted_them() -> None:
    frames = film(SEEN, SEEN)
    late = [Frame(f.index, f.t_ns + 3_000_000_000, f.image) for f in frames[len(SEEN) :]]
    sight = Sight()
    (lost,) = told(sight, frames[: len(SEEN)] + late)
    assert lost.why == "no picture came for 3.1 s"
    assert lost.frames == (len(SEEN) - 1, len(SEEN))
    sight = Sight()
    told(sight, frames[: len(SEEN)])
    sight.expect_nothing()
    assert told(sight, late) == []


def test_a_lens_uncovered_after_the_start_shows_the_table() -> None:
    sight = Sight()
    assert told(sight, film(changed(covered, 1.0), SEEN)) == []
    assert not sight.blind


def test_a_slow_camera_misses_no_pictures() -> None:
    slow = [Frame(k, k * 900_000_000, image) for k, image in enumerate(SEEN[:10])]
    assert told(Sight(), slow) == []


def test_a_table_laid_anew_is_seen_again_once_it_lies_still() -> None:
    """Whatever hid it may have been a cloth that is the table now."""
    cloth = [somebody(SEEN[0], 0)] * (8 * FPS)
    sight = Sight()
    assert len(told(sight, film(SEEN, cloth))) == 1
    assert not sight.blind
