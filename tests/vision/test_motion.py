"""Shifts to a fraction of a pixel, and things told from their shadows."""

import cv2
import numpy as np
import pytest

from hardware.frames import Image
from referee.vision.glimpses import glimpse
from referee.vision.motion import change, half, plate_between, shift_between, solid

TURNS = np.linspace(0, 2 * np.pi, 40, endpoint=False)
OUTLINE = 100 + 9 * np.column_stack([np.cos(TURNS), np.sin(TURNS)])


def board(seed: int = 3) -> Image:
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 30, (200, 200, 3)), (0, 0), 2)
    return np.clip(np.array([120, 160, 190]) + grain, 0, 255).astype(np.uint8)


def with_disc(image: Image, x: float, y: float, radius: float = 9.0) -> Image:
    big = cv2.resize(image, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    cv2.circle(big, (round(x * 8 + 3), round(y * 8 + 3)), round(radius * 8), (40, 45, 60), -1)
    cv2.circle(big, (round((x - 2) * 8), round((y - 3) * 8)), 14, (220, 220, 220), -1)
    return np.asarray(cv2.resize(big, (200, 200), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize(("dx", "dy"), [(0.0, 0.0), (0.25, 0.0), (-0.5, 0.375), (1.5, -2.0)])
def test_a_piece_that_was_grazed_is_found_to_have_moved_by_a_fraction_of_a_pixel(
    dx: float, dy: float
) -> None:
    before, after = with_disc(board(), 100, 100), with_disc(board(), 100 + dx, 100 + dy)
    shift = shift_between(before, after, OUTLINE)
    assert shift is not None
    assert (shift.dx, shift.dy) == pytest.approx((dx, dy), abs=0.1)


def test_a_lamp_that_dims_moves_no_piece() -> None:
    before = with_disc(board(), 100, 100)
    after = np.clip(before * 0.9, 0, 255).astype(np.uint8)
    shift = shift_between(before, after, OUTLINE)
    assert shift is not None and np.hypot(shift.dx, shift.dy) < 0.05


def test_a_shadow_is_no_thing() -> None:
    plate = board()
    shaded = plate.copy()
    shaded[50:150, 50:150] = (shaded[50:150, 50:150] * 0.7).astype(np.uint8)
    changed = change(shaded, plate)
    assert changed[100, 100] == 255
    assert cv2.countNonZero(solid(shaded, plate, changed)) == 0


def test_a_hand_is_told_from_a_piece_by_its_size() -> None:
    plate = half(board())
    picture = plate.copy()
    picture[40:100, 30:60] = (90, 120, 210)
    picture[20:28, 80:88] = (30, 30, 30)
    seen = glimpse(picture, plate, hand_area=400)
    assert len(seen.hands) == 1
    assert len(seen.blobs()) == 1
    assert seen.blobs()[0][:2] == pytest.approx([83.5, 23.5], abs=0.6)
    assert seen.reach(np.array([83.5, 23.5])) > 20


def test_the_plate_shows_the_board_where_a_piece_lay() -> None:
    empty = board()
    before, after = with_disc(empty, 60, 60), with_disc(empty, 140, 140)
    left, taken = np.zeros((200, 200), np.uint8), np.zeros((200, 200), np.uint8)
    cv2.circle(left, (60, 60), 13, 255, -1)
    cv2.circle(taken, (140, 140), 13, 255, -1)
    plate = plate_between(before, after, left, taken)
    assert np.abs(plate.astype(int) - empty).max() < 25
