"""The band and the margins: shapes whose answers can be worked out by hand."""

import math

import pytest

from referee.geometry import (
    band,
    clearance_mm,
    crossing,
    gap_mm,
    off_board_margin_mm,
    path_gap_mm,
    start_margin_mm,
)
from referee.types import Outline


def square(x: float, y: float, half: float = 5.0) -> Outline:
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


LEFT, RIGHT = square(-20, 0), square(20, 0)
START = square(0, -40)
GATE = band(LEFT, RIGHT, START)


def test_the_exit_side_is_the_one_away_from_where_the_shooter_started() -> None:
    assert GATE.heading == pytest.approx((0, 1))
    assert {point[1] for point in GATE.exit} == {5.0}
    assert {point[1] for point in GATE.entry} == {-5.0}


def test_a_shooter_beyond_the_band_is_clear_by_the_space_between() -> None:
    assert clearance_mm(square(0, 12), GATE) == pytest.approx(2.0)


def test_a_shooter_partly_in_the_band_is_short_by_what_has_not_come_out() -> None:
    assert clearance_mm(square(0, 8), GATE) == pytest.approx(-2.0)


def test_a_shooter_that_never_reached_the_band_is_short_by_its_whole_way() -> None:
    assert clearance_mm(START, GATE) == pytest.approx(-50.0)


def test_a_shooter_partly_inside_the_band_is_not_eligible() -> None:
    assert start_margin_mm(square(0, -9), GATE) == pytest.approx(-1.0)
    assert start_margin_mm(square(0, -13), GATE) == pytest.approx(3.0)


def test_a_straight_shot_between_the_posts_goes_through() -> None:
    assert crossing(((0, -40), (0, 30)), GATE).through


def test_a_shot_round_a_post_is_not_through_and_misses() -> None:
    way = crossing(((0, -40), (40, 0), (0, 30)), GATE)
    assert way.missed and not way.through


def test_a_shot_that_comes_back_by_the_entry_side_is_not_between() -> None:
    assert not crossing(((0, -40), (0, 10), (3, -30)), GATE).between


def test_the_way_past_a_post_is_measured_between_the_frames_too() -> None:
    assert path_gap_mm(square(0, 0), ((0, -40), (0, 40)), square(12, 0)) == pytest.approx(2.0)


def test_touching_outlines_have_no_gap_and_overlapping_ones_a_negative_gap() -> None:
    assert gap_mm(square(0, 0), square(10, 0)) == pytest.approx(0.0)
    assert gap_mm(square(0, 0), square(9, 0)) == pytest.approx(-1.0)


def test_a_point_off_the_board_is_outside_by_its_distance_from_the_edge() -> None:
    assert off_board_margin_mm((13, 0), square(0, 0, 10)) == pytest.approx(3.0)
    assert off_board_margin_mm((8, 0), square(0, 0, 10)) == pytest.approx(-2.0)


def test_clearance_does_not_depend_on_how_the_board_is_turned() -> None:
    turn = math.radians(33)

    def turned(outline: Outline) -> Outline:
        return tuple(
            (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
            for x, y in outline
        )

    gate = band(turned(LEFT), turned(RIGHT), turned(START))
    assert clearance_mm(turned(square(0, 12)), gate) == pytest.approx(2.0)
