"""Promises of the chess clock: only the player's own time counts, and an empty clock is told once."""

from collections.abc import Mapping
from typing import Any

import pytest

from referee.clocks import ChessClock, used_before
from referee.games import find_game
from referee.ledger import TIMER, Scroll
from referee.match import Match, open_match, resume_match
from referee.stage import Message

SECOND = 1_000_000_000
CLOCK = {"chess_clock": True, "clock_minutes": 1}
AIM = {"phase": "AIM", "turn": "A", "bowls": {"A": 6, "B": 6, "C": 6}, "board": 3, "hand": 0}


@pytest.fixture
def match() -> Match[Any, Any]:
    return begun(CLOCK)


def begun(switches: Mapping[str, object], **given: object) -> Match[Any, Any]:
    return open_match(find_game("rocca"), ("A", "B", "C"), switches, Scroll(), {**AIM, **given})


def ticked(match: Match[Any, Any], *seconds: float, stands: bool = False) -> list[Any]:
    clock = ChessClock(match, lambda _message: None)
    return [clock.tick(int(s * SECOND), stands) for s in seconds]


def test_a_clock_that_is_empty_is_told_once(match: Match[Any, Any]) -> None:
    assert ticked(match, 0, 59.9, 60.1, 61) == [None, None, {"ev": "clock_expired", "seat": "A"}, None]


def test_without_the_house_rule_no_time_counts() -> None:
    assert ticked(begun({}), 0, 1000) == [None, None]


def test_time_does_not_count_while_the_game_stands(match: Match[Any, Any]) -> None:
    clock = ChessClock(match, lambda _message: None)
    for second in range(300):
        assert clock.tick(second * SECOND, stands=second % 10 != 0) is None
    assert used_before(match.ledger)["A"] <= 30_000


def test_time_does_not_count_while_everybody_settles() -> None:
    assert ticked(begun(CLOCK, phase="SETTLE"), 0, 1000) == [None, None]


def test_what_was_used_is_used_after_a_crash(match: Match[Any, Any]) -> None:
    ticked(match, 0, 40)  # written down at thirty seconds, and the power goes at forty
    again = resume_match(match.game, match.ledger)
    assert ticked(again, 100, 119.9, 120.1)[1:] == [None, {"ev": "clock_expired", "seat": "A"}]


def test_a_seat_whose_time_was_given_back_plays_on(match: Match[Any, Any]) -> None:
    told = ticked(match, 0, 61)[-1]
    match.feed(match.read(told), TIMER)
    assert match.sitting.state.out[0].seat == "A"
    match.feed(match.read({"ev": "undo"}))
    assert match.sitting.state.turn == "A"
    assert ticked(match, 200, 300) == [None, None]


def test_the_screen_learns_who_has_how_much(match: Match[Any, Any]) -> None:
    shown: list[Message] = []
    clock = ChessClock(match, shown.append)
    clock.tick(0, stands=False)
    clock.tick(12 * SECOND, stands=True)
    assert shown == [
        {"kind": "clock", "running": "A", "left_ms": {"A": 60_000, "B": 60_000, "C": 60_000}},
        {"kind": "clock", "running": None, "left_ms": {"A": 48_000, "B": 60_000, "C": 60_000}},
    ]
