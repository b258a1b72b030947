"""Pictures that end in the middle of play: nobody saw the end, and nothing is made up."""

from functools import cache

import pytest

from hardware.frames import Frame
from referee.games.rocca.reading import shot_result
from referee.happenings import Happening, ShotSeen, SightLost
from referee.watch.looking import Looker
from referee.watch.play import BROKEN_OFF, BoardWatch
from tests.vision import table
from tests.watch import painted


@cache
def film() -> tuple[Frame, ...]:
    return tuple(painted.flick("chessboard", "coin").frames())


def told_until(end: int) -> list[Happening]:
    watch = BoardWatch(table.profile(), Looker(table.profile(), painted.known("chessboard")).look)
    return [h for frame in film()[:end] for h in watch.feed(frame)] + watch.finish()


def test_a_shot_whose_end_is_not_in_the_pictures_is_a_shot_nobody_can_rule_on() -> None:
    (shot,) = told_until(58)
    assert isinstance(shot, ShotSeen)
    assert BROKEN_OFF in shot.unseen
    sheet = shot_result(shot, shot.gates[0] if shot.gates else None)
    assert (sheet.gate_contact, sheet.motion, sheet.touched_moving) == (None, None, None)


def test_a_shot_that_rests_before_the_pictures_end_is_told_as_ever() -> None:
    (shot,) = told_until(84)
    assert isinstance(shot, ShotSeen)
    assert shot.unseen == ()


def test_pieces_under_a_hand_at_the_end_of_the_pictures_are_not_gone() -> None:
    (lost,) = told_until(34)
    assert isinstance(lost, SightLost)
    assert lost.why == BROKEN_OFF


@pytest.mark.parametrize("end", [10, 18])
def test_of_a_table_at_rest_nothing_is_told_at_the_end_of_the_pictures(end: int) -> None:
    assert told_until(end) == []


def test_a_hand_at_work_from_the_first_picture_to_the_last_leaves_nothing_seen() -> None:
    at_work = [film()[24 + abs(k % 16 - 8)].image for k in range(90)]
    watch = BoardWatch(table.profile(), Looker(table.profile(), painted.known("chessboard")).look)
    frames = [Frame(k, k * 1_000_000_000 // 60, picture) for k, picture in enumerate(at_work)]
    (lost,) = [h for frame in frames for h in watch.feed(frame)] + watch.finish()
    assert isinstance(lost, SightLost)
    assert (lost.why, lost.frames) == (BROKEN_OFF, (0, 89))
