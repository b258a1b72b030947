"""Who met whom between two frames."""

import math

from referee.types import Outline, Piece, Point
from referee.watch.bounces import bounced_off
from referee.watch.movers import Mover, Place

FRAME_NS = 33_333_333
RADIUS = 28.0


def ball(number: int, at: Point) -> Piece:
    turns = [2 * math.pi * k / 32 for k in range(32)]
    outline: Outline = tuple((at[0] + RADIUS * math.cos(a), at[1] + RADIUS * math.sin(a)) for a in turns)
    return Piece(number, at, at, outline, on_board=True, sigma_mm=0.5)


def rolls(number: int, way: dict[int, Point], start: Point) -> Mover:
    """A ball seen in some frames of its way."""
    places = tuple(Place(k, k * FRAME_NS, at, 100.0) for k, at in way.items())
    return Mover(ball(number, start), ball(number, places[-1].mm), places[-1].mm, places, ())


def cue_ball() -> Mover:
    """It comes a hundred millimetres a frame, meets something between frames 3 and 4 and bounces off upwards."""
    return rolls(1, {1: (100, 0), 2: (200, 0), 3: (300, 0), 4: (345, 35), 5: (360, 85)}, start=(0, 0))


def test_a_fast_ball_met_the_one_it_bounced_off_although_no_frame_shows_them_together() -> None:
    hit = rolls(2, {4: (430, -60), 5: (470, -100)}, start=(395, -25))
    assert bounced_off(cue_ball(), (hit,), FRAME_NS) == {2}


def test_of_two_on_the_way_the_nearer_was_met() -> None:
    near, far = (
        rolls(2, {4: (430, -60), 5: (470, -100)}, start=(385, -20)),
        rolls(3, {5: (520, -40), 6: (560, -50)}, start=(440, -22)),
    )
    assert bounced_off(cue_ball(), (far, near), FRAME_NS) == {2}


def test_a_ball_that_moved_at_another_time_was_not_met() -> None:
    late = rolls(2, {40: (430, -60), 41: (470, -100)}, start=(395, -25))
    assert bounced_off(cue_ball(), (late,), FRAME_NS) == set()


def test_a_ball_that_goes_straight_on_met_none() -> None:
    straight = rolls(1, {k: (100.0 * k, 0.0) for k in range(1, 7)}, start=(0, 0))
    beside = rolls(2, {4: (430, -160), 5: (470, -200)}, start=(395, -125))
    assert bounced_off(straight, (beside,), FRAME_NS) == set()
