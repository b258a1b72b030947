"""A die that leans on a known table is told from one that lies flat, and nobody says what it shows."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Card, Die
from referee.vision.dice import find_dice
from referee.vision.leaning import straight, view_on_table
from referee.vision.printed import without_faces
from tests.vision.dice_drawn import put_die, turned
from tests.vision.table import profile

COLOURS = (((205, 225, 232), (25, 25, 28)), ((40, 30, 175), (240, 244, 246)), ((28, 28, 26), (235, 238, 240)))
"""Ivory, red and black, with their pips (BGR)."""
PLACES = ((-160.0, 60.0), (30.0, -20.0), (170.0, -70.0))


def over_a_table() -> Profile:
    """A camera straight above on which a die is 29 pixels wide."""
    lens = ((1440.0, 0.0, 480.0), (0.0, 1440.0, 270.0), (0.0, 0.0, 1.0))
    return replace(profile(), image_size=(960, 540), K=lens)


def cloth() -> Image:
    noise = np.random.default_rng(4).normal((70, 105, 60), 5, (540, 960, 3))
    return np.asarray(cv2.GaussianBlur(np.clip(noise, 0, 255), (0, 0), 0.8), np.uint8)


@pytest.mark.parametrize("k", range(3))
@pytest.mark.parametrize("value", [2, 4, 5, 6])
def test_a_flat_die_does_not_lean_wherever_it_lies(value: int, k: int) -> None:
    body, ink = COLOURS[k]
    picture = put_die(cloth(), over_a_table(), PLACES[k], turned(value, 23.0 + 40 * k), body, ink)
    (die,) = find_dice(picture, over_a_table())
    assert not die.cocked
    assert die.value == value


@pytest.mark.parametrize("k", [0, 2])
@pytest.mark.parametrize("lean_deg", [36, 41])
def test_a_die_that_leans_is_cocked_and_shows_nothing(lean_deg: float, k: int) -> None:
    body, ink = COLOURS[k]
    turn = turned(5, 23.0 + 40 * k, lean_deg, 70.0 * k)
    (die,) = find_dice(put_die(cloth(), over_a_table(), PLACES[k], turn, body, ink), over_a_table())
    assert die.cocked
    assert die.value is None


@pytest.mark.parametrize("lean_deg", [28, 36])
def test_a_die_that_leans_right_below_the_camera_is_never_told_with_confidence(lean_deg: float) -> None:
    body, ink = COLOURS[1]
    turn = turned(5, 63.0, lean_deg, 70.0)
    (die,) = find_dice(put_die(cloth(), over_a_table(), PLACES[1], turn, body, ink), over_a_table())
    assert die.cocked or die.confidence < 0.9


@pytest.mark.parametrize(("value", "yaw_deg"), [(2, 10), (5, 30)])
def test_a_die_whose_picture_shows_that_it_was_taken_from_aside_is_not_told_with_confidence(
    value: int, yaw_deg: float
) -> None:
    down = cv2.Rodrigues(np.array([np.radians(48.0), 0, 0]))[0] @ np.array(over_a_table().R)
    tilted = replace(over_a_table(), R=tuple(tuple(row) for row in down.tolist()))
    dice = find_dice(put_die(cloth(), tilted, (20.0, 10.0), turned(value, yaw_deg)))
    assert len(dice) == 1
    assert all(die.confidence < 0.9 for die in dice)


def test_dice_in_a_picture_taken_from_aside_show_their_upper_faces_not_those_towards_the_camera() -> None:
    down = cv2.Rodrigues(np.array([np.radians(45.0), 0, 0]))[0] @ np.array(over_a_table().R)
    tilted = replace(over_a_table(), R=tuple(tuple(row) for row in down.tolist()))
    picture, values = cloth(), (5, 3, 6)
    for value, at, yaw_deg in zip(
        values, ((-40.0, 20.0), (10.0, -15.0), (50.0, 30.0)), (10, 35, 62), strict=True
    ):
        picture = put_die(picture, tilted, at, turned(value, yaw_deg))
    dice = sorted(find_dice(picture), key=lambda die: die.px[0])
    assert tuple(die.value for die in dice) == values


def test_the_straight_picture_of_a_flat_die_shows_its_upper_face_as_a_square_in_the_middle() -> None:
    above, at = over_a_table(), np.array([150.0, 60.0])
    square = at + np.array([[-8, -8], [8, -8], [8, 8], [-8, 8]])
    picture = np.zeros((540, 960, 3), np.uint8)
    cv2.fillPoly(picture, [np.round(above.to_pixels(square, 16.0)).astype(np.int32)], (255, 255, 255))
    middle = above.to_pixels(at[None], 8.0)[0]
    view = view_on_table(above, (float(middle[0]), float(middle[1])), 29.0)
    seen, slope = straight(picture, (float(middle[0]), float(middle[1])), view)
    rows, columns = np.nonzero(seen[..., 0] > 128)
    corners = cv2.minAreaRect(np.stack([columns, rows], 1).astype(np.float32))
    assert corners[0] == pytest.approx((23.5, 23.5), abs=1.5)
    assert corners[1] == pytest.approx((22, 22), abs=2.5)
    assert slope == pytest.approx(np.hypot(*at) / 790, abs=0.02)


def test_a_small_card_that_is_less_sure_than_the_die_in_it_is_the_face_of_that_die() -> None:
    die = Die(0, 4, (50.0, 50.0), None, settled=True, confidence=0.95, edge_px=40.0)
    face = Card(0, "JOKER", "up", ((30, 25), (70, 25), (70, 75), (30, 75)), None, 0.0, 0.85)
    under = replace(face, corners_px=((0, 0), (150, 0), (150, 210), (0, 210)))
    assert without_faces((face, under), (die,)) == (under,)
    assert without_faces((replace(face, confidence=0.99),), (die,)) != ()
