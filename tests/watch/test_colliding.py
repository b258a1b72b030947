"""Where pieces will be: as on a billiard table."""

import numpy as np

from referee.watch.colliding import foreseen
from referee.watch.following import Trail


def trail(x: float, y: float = 0.0, speed: float = 0.0, radius: float = 8.0, lost: int = 0) -> Trail:
    made = Trail(np.array([x, y]), radius, np.array([speed, 0.0]))
    made.lost = lost
    return made


def test_a_piece_goes_on_as_it_went_and_farther_the_longer_it_was_not_seen() -> None:
    free = foreseen([trail(0, speed=6), trail(0, 100, speed=6, lost=1)])
    assert np.allclose(free, [[6, 0], [12, 100]])


def test_what_is_struck_head_on_takes_the_speed_over() -> None:
    shooter, struck = foreseen([trail(0, speed=20), trail(20)])
    assert struck[0] > 30 and shooter[0] < struck[0] - 8


def test_a_glancing_blow_turns_both_aside() -> None:
    shooter, struck = foreseen([trail(0, speed=30), trail(20, 10)])
    assert struck[1] > 10 and shooter[1] < 0 < shooter[0]


def test_a_pebble_hardly_moves_a_stone() -> None:
    _, stone = foreseen([trail(0, speed=20, radius=4), trail(20, radius=12)])
    _, pebble = foreseen([trail(0, speed=20, radius=12), trail(20, radius=4)])
    assert stone[0] - 20 < (pebble[0] - 20) / 4


def test_what_lies_stays() -> None:
    assert np.array_equal(foreseen([trail(0), trail(10)]), [[0, 0], [10, 0]])
    assert not len(foreseen([]))
