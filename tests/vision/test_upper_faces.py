"""Dice in pictures taken by hand are found by their upper faces, which a net knows by what stands round them."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.vision.upper import Upper, apart, whole
from referee.vision.upper_faces import larger_by, nearness, on_one_table, up_by, upper_faces

PICTURES = Path(__file__).parent / "dice"


def odds(value: int, sure: float) -> tuple[float, ...]:
    return tuple(sure if v == value else (1 - sure) / 5 for v in range(1, 7))


def upper(value: int, found: float = 0.9, sure: float = 0.95) -> Upper:
    return Upper((100.0, 80.0), (0.0, 30.0), 40.0, found, odds(value, sure))


@pytest.mark.parametrize("name", ["near-grey_2", "near-ivory_4", "near-orange_1", "near-wood_6"])
def test_the_net_finds_the_upper_face_of_a_large_die_and_reads_it(name: str) -> None:
    picture = np.asarray(cv2.imread(str(PICTURES / f"{name}.jpg")), np.uint8)
    best = upper_faces(picture)[0]
    assert best.found > 0.5
    assert int(np.argmax(best.odds)) + 1 == int(name.split("_")[1])


def test_dice_whose_feet_lie_straight_below_their_faces_were_seen_from_aside() -> None:
    up = up_by(np.zeros((160, 200, 3), np.uint8), [upper(3)])
    assert up is not None
    assert up[1] < -0.5
    assert abs(up[0]) < 0.1


def test_seen_from_aside_dice_lower_in_the_picture_are_nearer_and_larger() -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    aside = np.array([0.0, -0.7, -0.7])
    far, middle, near = (nearness(picture, aside, (200.0, y)) for y in (30.0, 150.0, 270.0))
    assert middle == pytest.approx(1.0)
    assert far < 0.7 < 1.3 < near


def test_seen_from_above_or_from_nobody_knows_where_all_dice_are_equally_large() -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    for up in (np.array([0.0, 0.0, -1.0]), None):
        assert nearness(picture, up, (20.0, 30.0)) == pytest.approx(1.0)


def test_a_far_die_may_be_smaller_by_any_lens_but_not_larger() -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    aside = np.array([0.0, -0.7, -0.7])
    near = lying_at((200.0, 270.0), 40.0)
    for edge, alike in ((20.0, True), (30.0, True), (40.0, True), (60.0, False), (8.0, False)):
        far = lying_at((200.0, 30.0), edge)
        assert (larger_by(picture, aside, far, near) == pytest.approx(1.0)) is alike


def lying_at(middle: tuple[float, float], edge_px: float) -> Upper:
    return Upper(middle, (0.0, 0.0), edge_px, 0.9, odds(1, 0.9))


def seen_at(x: float, y: float, foot: tuple[float, float]) -> Upper:
    return Upper((x, y), foot, 40.0, 0.9, odds(4, 0.95))


def test_seen_from_aside_dice_that_stand_close_behind_each_other_are_two() -> None:
    aside = (0.0, 33.0)
    assert len(apart([seen_at(100, 80, aside), seen_at(100, 102, aside)])) == 2
    assert len(apart([seen_at(100, 80, aside), seen_at(122, 80, aside)])) == 1


def sized(edge_px: float, found: float, sure: float) -> Upper:
    return Upper((100.0, 80.0), (0.0, 0.2 * edge_px), edge_px, found, odds(1, sure))


def test_a_pip_is_a_part_of_the_die_it_is_on_however_clear_it_looks() -> None:
    die, pip = sized(77.0, 0.91, 0.99), sized(10.0, 0.71, 0.98)
    assert whole([die, pip]) == [die]


def test_a_clear_die_is_no_part_of_a_larger_one_that_is_hardly_to_be_seen() -> None:
    """Seen in a picture of small dice on cards."""
    small, false = sized(25.0, 0.66, 0.84), sized(107.0, 0.60, 0.58)
    assert whole([small, false]) == [small, false]


def test_a_far_die_right_behind_a_near_one_is_no_part_of_it_but_a_pip_on_its_side_is() -> None:
    near = Upper((100.0, 80.0), (0.0, 66.0), 80.0, 0.95, odds(4, 0.95))
    behind = Upper((110.0, 36.0), (0.0, 41.0), 50.0, 0.9, odds(3, 0.9))
    pip = Upper((105.0, 130.0), (0.0, 12.0), 20.0, 0.9, odds(1, 0.9))
    assert whole([near, behind, pip]) == [near, behind]


def test_seen_from_above_dice_cannot_stand_in_each_other() -> None:
    above = (0.0, 2.0)
    assert len(apart([seen_at(100, 80, above), seen_at(100, 102, above)])) == 1
    assert len(apart([seen_at(100, 80, above), seen_at(100, 122, above)])) == 2


def test_a_face_that_says_up_is_elsewhere_than_all_others_say_is_a_side() -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    flat = [seen_at(x, 140, (0.0, 30.0)) for x in (100, 180, 260)]
    side = seen_at(180, 190, (34.0, -5.0))
    assert on_one_table(picture, [*flat, side]) == flat
    assert on_one_table(picture, [flat[0], side]) == [flat[0], side]


def test_seen_from_above_no_side_is_taken_for_an_upper_face() -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    faces = [*(seen_at(x, 140, (0.0, 3.0)) for x in (100, 180, 260)), seen_at(180, 190, (34.0, -5.0))]
    assert on_one_table(picture, faces) == faces
