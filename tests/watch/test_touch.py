"""Two witnesses for a touch: how near the shooter passed, and whether the post moved."""

import math
from dataclasses import replace

import pytest

from referee.happenings import GateSeen, PostSeen
from referee.watch.gates import touch
from referee.watch.sheet import moved_by_hand, was_hit

FAR = math.inf


@pytest.mark.parametrize(
    ("gap_mm", "moved_mm", "third_mm", "answer"),
    [
        (0.5, 2.1, FAR, True),
        (0.3, 0.2, FAR, True),
        (8.0, 0.2, FAR, False),
        (6.0, 0.0, FAR, False),
        (0.4, 0.0, FAR, False),
        (-3.0, 0.0, FAR, None),
        (9.0, 4.0, 1.0, False),
        (1.0, 4.0, 1.5, None),
        (9.0, 4.0, FAR, None),
    ],
    ids=[
        "a post that moved beside the shooter's way was touched",
        "a graze moves it by a hair",
        "a post far from the way crept by itself",
        "a post passed at a distance was not touched",
        "a sliver of space is enough",
        "a shooter seen over a post that did not move is for the players",
        "a post moved by a third piece is no foul",
        "either may have moved it",
        "moved, but nobody was seen near it",
    ],
)
def test_touch(gap_mm: float, moved_mm: float, third_mm: float, answer: bool | None) -> None:
    assert touch(gap_mm, moved_mm, third_mm)[0] is answer


def test_what_a_trembling_camera_makes_of_a_resting_piece_is_no_touch() -> None:
    assert touch(0.3, 0.15, 99.0, sigma_mm=0.06)[0] is True
    assert touch(0.3, 0.15, 99.0, sigma_mm=0.12)[0] is False


def test_a_post_that_the_hand_itself_moved_was_not_surely_touched_by_the_shooter() -> None:
    post = PostSeen(3, (0.0, 0.0), 1.0, 30.0, 0.3, True, True)
    gate = GateSeen((post, replace(post, id=4)), 5.0, 2.0, 0.3, True, False, ())
    seen = moved_by_hand(gate, (3,))
    assert [p.touched for p in seen.posts] == [None, True]
    assert [p.likely_touched for p in seen.posts] == [False, True]


@pytest.mark.parametrize(
    ("moved_mm", "path_gap", "start_gap", "answer"),
    [
        (1.4, 0.0, 50.0, True),
        (0.14, 0.2, 50.0, None),
        (0.0, 0.2, 50.0, None),
        (0.0, 2.0, 50.0, False),
        (0.5, 2.0, 50.0, None),
        (0.5, 4.0, 50.0, False),
        (0.0, 0.0, 0.2, False),
    ],
    ids=["moved", "stopped against it", "came to it", "missed", "stirred", "elsewhere", "touched before"],
)
def test_whether_the_last_piece_was_hit(
    moved_mm: float, path_gap: float, start_gap: float, answer: bool | None
) -> None:
    assert was_hit(moved_mm, path_gap, start_gap) is answer
