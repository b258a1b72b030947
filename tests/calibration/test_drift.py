"""A bump is noticed within two seconds, in millimetres; light and hands are not bumps."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.drift import DriftWatch, Standing
from calibration.profile import Profile
from tests.calibration import scenes
from tests.calibration.test_outline import rectangle

BOARD = rectangle(340, 340)
CAMERA = replace(
    scenes.posed((3, 2, 0), (0, 0, 790)), board_outline_mm=tuple((float(x), float(y)) for x, y in BOARD)
)
STEP_NS = 33_000_000


def table(board_at: tuple[float, float] = (0, 0)) -> scenes.Paint:
    paint = scenes.grain(scenes.canvas((120, 120, 120)), 5, 10, (4, 4))
    for i, (x, y) in enumerate([(-260, 100), (250, 120), (-240, -120), (240, -140), (-220, 0), (220, 10)]):
        scenes.fill(paint, rectangle(40, 25, 20 * i, (x, y)), (40 + 20 * i, 80, 200 - 20 * i))
    scenes.fill(paint, BOARD + board_at, (60, 90, 60))
    return paint


@pytest.fixture(scope="module")
def still() -> scenes.Picture:
    return scenes.shoot(table(), CAMERA)


def watched(watch: DriftWatch, image: scenes.Picture, seconds: float, start_ns: int = 0) -> list[Standing]:
    times = range(start_ns, start_ns + int(seconds * 1e9), STEP_NS)
    return [watch.see(image, t).standing for t in times]


def bumped_camera(by_mm: float = 3.0) -> Profile:
    return replace(CAMERA, t_mm=(CAMERA.t_mm[0] + by_mm, CAMERA.t_mm[1], CAMERA.t_mm[2]))


def test_a_still_table_is_steady(still: scenes.Picture) -> None:
    assert set(watched(DriftWatch(CAMERA), still, 3)) == {Standing.STEADY}


def test_slow_light_is_no_bump(still: scenes.Picture) -> None:
    watch = DriftWatch(CAMERA)
    for i in range(90):
        darker = np.clip(still * (1 - 0.005 * i) + 0.1 * i, 0, 255).astype(np.uint8)
        assert watch.see(darker, i * STEP_NS).standing is Standing.STEADY


def test_a_hand_is_no_bump(still: scenes.Picture) -> None:
    watch = DriftWatch(CAMERA)
    watched(watch, still, 0.5)
    hand = still.copy()
    hand[300:, 350:600] = (120, 150, 200)
    assert set(watched(watch, hand, 2, 10**9)) == {Standing.STEADY}


def test_a_bumped_camera_is_noticed_said_in_mm_and_found_again(still: scenes.Picture) -> None:
    watch = DriftWatch(CAMERA)
    watched(watch, still, 0.5)
    after = scenes.shoot(table(), bumped_camera(), seed=2)
    stands = watched(watch, after, 0.8, 10**9)
    assert Standing.MOVED in stands
    said = watch.see(after, 1_700_000_000)
    assert said.camera_mm == pytest.approx(3.0, abs=0.5)
    assert "mm" in said.because
    assert Standing.REFOUND in watched(watch, after, 2, 1_800_000_000)
    again = watch.see(after, 4_000_000_000).profile
    mm = again.to_board(bumped_camera().to_pixels(BOARD))
    assert np.abs(mm - BOARD).max() < 1.0


def test_a_board_that_slid_is_told_from_a_bumped_camera(still: scenes.Picture) -> None:
    watch = DriftWatch(CAMERA)
    watched(watch, still, 0.5)
    after = scenes.shoot(table((4, 0)), CAMERA, seed=2)
    watched(watch, after, 0.8, 10**9)
    said = watch.see(after, 1_700_000_000)
    assert said.standing is Standing.MOVED
    assert said.board_mm == pytest.approx(4.0, abs=0.8)
    assert said.camera_mm < 0.5
    assert "board" in said.because


def test_a_large_bump_stops_judging(still: scenes.Picture) -> None:
    watch = DriftWatch(CAMERA)
    watched(watch, still, 0.5)
    far = scenes.shoot(table(), replace(CAMERA, t_mm=(40.0, 30.0, 790.0)), seed=2)
    assert watched(watch, far, 2, 10**9)[-1] is Standing.MOVED


def trembling(picture: scenes.Picture, k: int) -> scenes.Picture:
    x, y = np.random.default_rng(k).uniform(-1.4, 1.4, 2)
    by = np.array([[1.0, 0.0, x], [0.0, 1.0, y]])
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, by, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_a_camera_that_trembles_has_not_been_bumped_until_it_is(still: scenes.Picture) -> None:
    watch, bump = DriftWatch(CAMERA), scenes.shoot(table(), bumped_camera(5.0), seed=2)
    for k in range(240):
        assert watch.see(trembling(still, k), k * STEP_NS).standing is Standing.STEADY
    stands = [watch.see(trembling(bump, k), k * STEP_NS).standing for k in range(240, 330)]
    assert Standing.MOVED in stands
