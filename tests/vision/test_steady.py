"""A camera on a light stand trembles; the board does not."""

import cv2
import numpy as np
import pytest

from hardware.frames import Frame, Image
from referee.vision.board import Window
from referee.vision.motion import half
from referee.vision.steady import UNMOVED, Steady, held, scaled
from referee.watch.scenes import SceneCutter

SIZE = (480, 360)
FRAME_NS = 16_666_667


def table(piece: tuple[int, int] = (150, 150), hand: bool = False) -> Image:
    picture = np.full((SIZE[1], SIZE[0], 3), (90, 110, 130), np.uint8)
    cv2.rectangle(picture, (90, 60), (390, 300), (70, 150, 60), -1)
    for y in range(80, 300, 40):
        cv2.line(picture, (90, y), (390, y + 10), (40, 110, 40), 3)
    for x in range(110, 390, 40):
        cv2.line(picture, (x, 60), (x - 20, 300), (60, 190, 80), 3)
    cv2.circle(picture, piece, 12, (30, 40, 160), -1)
    if hand:
        cv2.ellipse(picture, (260, 330), (60, 110), 10, 0, 360, (120, 150, 210), -1)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.9), np.uint8)


def seen(picture: Image, dx: float, dy: float, chance: np.random.Generator, light: float = 1.0) -> Image:
    """The picture as a camera shows it that has moved by so many pixels."""
    warp = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    moved = cv2.warpAffine(picture, warp, SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.clip(moved * light + chance.normal(0, 2, moved.shape), 0, 255), np.uint8)


@pytest.mark.parametrize("hand", [False, True])
@pytest.mark.parametrize(("dx", "dy"), [(0.6, -0.4), (-1.5, 1.2), (2.4, 0.3)])
def test_the_shift_of_a_picture_is_read_to_a_tenth_of_a_pixel(dx: float, dy: float, hand: bool) -> None:
    chance, steady = np.random.default_rng(1), Steady()
    assert steady.shift(half(seen(table(), 0, 0, chance)), 0) == UNMOVED
    assert steady.shift(half(seen(table(), -2.0, 2.0, chance)), FRAME_NS) != UNMOVED
    shift = steady.shift(half(seen(table(hand=hand), dx, dy, chance, light=1.03)), 2 * FRAME_NS)
    assert scaled(shift, 2) == pytest.approx((dx, dy), abs=0.2)


@pytest.mark.parametrize("hand", [False, True])
def test_a_camera_that_trembles_by_a_third_of_a_pixel_is_known_to_although_most_edges_look_as_they_did(
    hand: bool,
) -> None:
    chance, steady = np.random.default_rng(5), Steady()
    steady.shift(half(seen(table(), 0, 0, chance)), 0)
    shift = steady.shift(half(seen(table(hand=hand), 0.33, 0.3, chance)), FRAME_NS)
    assert scaled(shift, 2) == pytest.approx((0.33, 0.3), abs=0.2)
    assert steady.trembles(FRAME_NS)


def test_a_hand_over_a_camera_that_stands_still_is_no_shift() -> None:
    chance, steady = np.random.default_rng(2), Steady()
    steady.shift(half(seen(table(), 0, 0, chance)), 0)
    assert (
        steady.shift(half(seen(table((200, 220), hand=True), 0, 0, chance, light=0.97)), FRAME_NS) == UNMOVED
    )
    assert not steady.trembles(FRAME_NS)


def test_a_picture_moved_back_lies_on_the_first() -> None:
    chance = np.random.default_rng(3)
    back = held(seen(table(), 1.3, -0.7, chance), (1.3, -0.7))
    apart = cv2.absdiff(back, table())[20:-20, 20:-20]
    assert np.percentile(apart, 99) < 20


def test_a_trembling_camera_still_sees_where_a_piece_came_to_rest() -> None:
    chance, cutter = np.random.default_rng(4), SceneCutter(Window(80, 40, 320, 280))
    scenes = []
    for k in range(90):
        piece, hand = ((150, 150), False) if k < 30 else ((300, 200), 30 <= k < 50)
        dx, dy = 1.2 * np.sin(0.9 * k), 1.1 * np.sin(0.7 * k + 1) - 1.1 * np.sin(1)
        picture = seen(table(piece, hand), float(dx), float(dy), chance)
        scene = cutter.feed(Frame(k, k * FRAME_NS, picture))
        scenes += [scene] if scene is not None else []
    assert len(scenes) == 1
    assert scenes[0].after.frames[0] == pytest.approx(50, abs=2)
    apart = cv2.absdiff(scenes[0].after.image, table((300, 200)))[60:300, 90:390]
    assert np.percentile(apart, 98) < 25
