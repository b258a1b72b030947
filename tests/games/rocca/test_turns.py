"""Set-up, ante, drop, settlement, elimination, announcement and the variations."""

from typing import Any

import pytest

from referee.games.rocca import GAME
from referee.games.rocca.settle import shares
from referee.games.rocca.state import State, pieces
from referee.match import open_match
from tests.games.rocca.tables import aiming, clauses, codes, shot, told

FULL = {"A": 7, "B": 7, "C": 7}


def _at(phase: str, **fields: Any) -> State:
    return GAME.load({"players": ["A", "B", "C"], "phase": phase, "turn": "A", **fields})


# --- Set-up --------------------------------------------------------------------------------------------


def test_seven_in_every_bowl_and_an_empty_board_begin_the_game() -> None:
    state, said = told(GAME.begin(("A", "B", "C"), {}), {"ev": "setup_seen", "bowls": FULL})
    assert state.phase == "ANTE"
    assert codes(said) == ["OK"]


@pytest.mark.parametrize(
    ("seen", "clause"),
    [
        ({"bowls": {**FULL, "C": 6}}, "RO-08"),
        ({"bowls": {"A": 7, "B": 7}}, "RO-08"),
        ({"bowls": FULL, "board": 2}, "RO-06"),
    ],
)
def test_a_wrong_setup_is_put_right(seen: dict[str, Any], clause: str) -> None:
    begun = GAME.begin(("A", "B", "C"), {})
    state, said = told(begun, {"ev": "setup_seen", **seen})
    assert state is begun
    assert codes(said) == ["CORRECT"]
    assert said[0].clauses == (clause,)


def test_practice_counts_nothing_and_leads_back_to_the_setup() -> None:
    begun = GAME.begin(("A", "B", "C"), {})
    state, said = told(begun, {"ev": "practice_on"}, shot(), {"ev": "practice_off"})
    assert codes(said) == ["INFO", "INFO", "INFO"]
    assert state == begun


def test_the_players_say_who_begins_and_by_which_house_rules() -> None:
    configured = {"ev": "game_configured", "players": ["A", "B"], "first": "B", "sw": {"start_pieces": 5}}
    state, _ = told(GAME.begin(("A", "B", "C"), {}), configured)
    assert (state.turn, dict(state.bowls)) == ("B", {"A": 5, "B": 5})


def test_a_covered_bowl_must_be_opened() -> None:
    state = aiming()
    after, said = told(state, {"ev": "bowl_covered", "seat": "B"})
    assert after is state
    assert said[0].clauses == ("RO-09",)


# --- Ante ----------------------------------------------------------------------------------------------


def _antes(*seats: str, n: int = 1) -> list[dict[str, Any]]:
    return [{"ev": "ante_paid", "seat": seat, "n": n} for seat in seats]


def test_every_player_antes_one_piece_to_the_turn_player() -> None:
    state, _ = told(_at("ANTE"), {"ev": "turn_begin", "seat": "A"}, *_antes("A", "B", "C"))
    assert (state.phase, state.hand, dict(state.bowls)) == ("DROP", 3, {"A": 6, "B": 6, "C": 6})


@pytest.mark.parametrize("event", [*_antes("B", n=2), *_antes("B", n=0), {"ev": "drop", "on_board_after": 3}])
def test_a_wrong_ante_or_an_early_drop_is_put_right(event: dict[str, Any]) -> None:
    begun, _ = told(_at("ANTE"), {"ev": "turn_begin", "seat": "A"})
    state, said = told(begun, event)
    assert state is begun
    assert codes(said) == ["CORRECT"]
    assert "RO-13" in said[0].clauses


def test_who_has_paid_pays_no_more_and_who_is_out_pays_nothing() -> None:
    begun, _ = told(_at("ANTE", active=["A", "B"]), {"ev": "turn_begin", "seat": "A"}, *_antes("A", n=2))
    for seat in ("A", "C"):
        state, said = told(begun, *_antes(seat, n=2))
        assert state is begun
        assert codes(said) == ["CORRECT"]


def test_a_turn_out_of_order_is_refused() -> None:
    state = _at("ANTE")
    after, said = told(state, {"ev": "turn_begin", "seat": "B"})
    assert after is state
    assert codes(said) == ["ILLEGAL"]


def test_the_last_player_wins_and_gets_what_the_other_could_not_ante() -> None:
    state, said = told(
        GAME.load(
            {"players": ["A", "B"], "phase": "ANTE", "turn": "A", "bowls": {"A": 9, "B": 1}, "board": 4}
        ),
        {"ev": "turn_begin", "seat": "A"},
    )
    assert codes(said) == ["ELIMINATED", "WIN"]
    assert (state.winner, dict(state.bowls)) == ("A", {"A": 10, "B": 0})


def test_leftovers_leave_the_game_by_the_house_rule() -> None:
    given = {"players": ["A", "B"], "phase": "ANTE", "bowls": {"A": 9, "B": 1}, "sw": {"leftovers": "remove"}}
    state, _ = told(GAME.load(given), {"ev": "turn_begin", "seat": "A"})
    assert (dict(state.bowls), state.removed) == ({"A": 9, "B": 0}, 1)


@pytest.mark.parametrize(("double_from", "ante"), [("immediately", 2), ("next_turn", 1)])
def test_when_the_ante_doubles_is_a_house_rule(double_from: str, ante: int) -> None:
    given = _at("ANTE", bowls={"A": 5, "B": 0, "C": 9}, sw={"double_ante_from": double_from})
    state, _ = told(given, {"ev": "turn_begin", "seat": "A"})
    assert state.ante_size == ante


def test_a_doubled_ante_that_one_of_two_cannot_pay_ends_the_game() -> None:
    given = _at("ANTE", bowls={"A": 5, "B": 0, "C": 1}, board=15)
    state, said = told(given, {"ev": "turn_begin", "seat": "A"})
    assert codes(said) == ["ELIMINATED", "ELIMINATED", "WIN"]
    assert state.winner == "A"


# --- Drop ----------------------------------------------------------------------------------------------


def test_a_splash_is_put_aside_and_is_no_foul() -> None:
    state, said = told(_at("DROP", hand=3, board=4), {"ev": "drop", "on_board_after": 5, "off": 2})
    assert (state.phase, state.board, state.aside, state.hand) == ("AIM", 5, 2, 0)
    assert codes(said) == ["INFO", "INFO"]


@pytest.mark.parametrize(("split", "code"), [("redo", "CORRECT"), ("foul", "FOUL")])
def test_pieces_not_dropped_together(split: str, code: str) -> None:
    given = _at("DROP", hand=3, sw={"split_drop": split})
    _, said = told(given, {"ev": "drop", "on_board_after": 3, "at_once": False})
    assert codes(said)[-1] == code
    assert "RO-21" in said[-1].clauses


def test_a_drop_that_loses_a_piece_from_sight_is_put_right() -> None:
    given = _at("DROP", hand=3, board=4)
    state, said = told(given, {"ev": "drop", "on_board_after": 6})
    assert state is given
    assert codes(said) == ["CORRECT"]


def test_a_shot_before_the_drop_is_refused() -> None:
    given = _at("DROP", hand=3)
    state, said = told(given, shot())
    assert state is given
    assert (codes(said), said[0].clauses) == (["ILLEGAL"], ("RO-19",))


# --- End of the turn -----------------------------------------------------------------------------------


def test_pieces_go_round_one_at_a_time() -> None:
    assert shares(6, 4) == (2, 2, 1, 1)
    assert shares(5, 3) == (2, 2, 1)
    assert shares(0, 3) == (0, 0, 0)


@pytest.mark.parametrize(
    ("sw", "deltas"),
    [
        ({}, {"B": 2, "C": 1, "A": 1}),
        ({"fouler_in_rotation": False}, {"B": 2, "C": 2}),
        ({"splash_merge": False}, {"B": 2, "C": 1, "A": 1}),
        (
            {"splash_merge": False, "splash_includes_dropper": False, "fouler_in_rotation": False},
            {"B": 3, "C": 1},
        ),
    ],
)
def test_who_shares_after_a_foul(sw: dict[str, bool], deltas: dict[str, int]) -> None:
    state = aiming(won=3, aside=1, gate_call=["p1", "p2"], sw=sw)
    after, _ = told(state, shot(through=False, margin_mm=-9.0))
    assert after.deltas == deltas


@pytest.mark.parametrize(
    ("includes", "deltas"), [(True, {"A": 3, "B": 1, "C": 1}), (False, {"A": 2, "B": 2, "C": 1})]
)
def test_who_shares_a_splash_after_a_stop(includes: bool, deltas: dict[str, int]) -> None:
    state = aiming(won=2, aside=3, sw={"splash_includes_dropper": includes})
    after, _ = told(state, {"ev": "end_turn", "seat": "A"})
    assert after.deltas == deltas


def test_a_turn_may_be_ended_before_a_shot_unless_the_house_says_otherwise() -> None:
    end = {"ev": "end_turn", "seat": "A"}
    assert told(aiming(), end)[0].phase == "SETTLE"
    strict = aiming(sw={"must_shoot_once": True})
    assert told(strict, end)[0] is strict
    assert told(strict, shot(), end)[0].phase == "SETTLE"


def test_wrong_bowls_are_put_right_before_the_next_turn() -> None:
    given = _at("SETTLE", bowls={"A": 5, "B": 6, "C": 6}, board=4)
    state, said = told(given, {"ev": "bowls_verified", "bowls": {"A": 5, "B": 7, "C": 6}})
    assert state is given
    assert codes(said) == ["CORRECT"]
    assert "B has 7, should have 6" in said[0].because


def test_the_next_player_clockwise_who_is_in_the_game_follows() -> None:
    state, _ = told(_at("ANNOUNCE", active=["A", "C"]), {"ev": "announce_closed"})
    assert (state.phase, state.turn) == ("ANTE", "C")


def test_the_first_ante_closes_the_window_for_announcements() -> None:
    given = _at("ANNOUNCE", bowls={"A": 14, "B": 3, "C": 4})
    state, said = told(given, *_antes("B"), {"ev": "win_announced", "seat": "A", "n": 14})
    assert (state.turn, state.hand, state.winner) == ("B", 1, None)
    assert said[-1].clauses[0] == "RO-61"


# --- Winning -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("has", "says", "code"), [(14, 14, "WIN"), (16, 16, "WIN"), (16, 14, "ILLEGAL"), (13, 13, "ILLEGAL")]
)
def test_a_win_is_the_own_total_said_aloud(has: int, says: int, code: str) -> None:
    _, said = told(
        _at("ANNOUNCE", bowls={"A": has, "B": 2, "C": 3}), {"ev": "win_announced", "seat": "A", "n": says}
    )
    assert codes(said) == [code]


def test_another_seat_may_announce_only_by_the_house_rule() -> None:
    bowls, event = {"A": 2, "B": 14, "C": 3}, {"ev": "win_announced", "seat": "B", "n": 14}
    assert told(_at("ANNOUNCE", bowls=bowls), event)[0].winner is None
    assert told(_at("ANNOUNCE", bowls=bowls, sw={"win_window": "any_turn_end"}), event)[0].winner == "B"


@pytest.mark.parametrize(
    ("sw", "last"), [({}, "OK"), ({"remind_win": True}, "PROMPT"), ({"auto_win": True}, "WIN")]
)
def test_the_referee_neither_reminds_nor_decides_unless_the_house_says_so(
    sw: dict[str, bool], last: str
) -> None:
    bowls = {"A": 14, "B": 2, "C": 3}
    _, said = told(_at("SETTLE", bowls=bowls, sw=sw), {"ev": "bowls_verified", "bowls": bowls})
    assert codes(said)[-1] == last


def test_the_number_that_wins_is_twice_the_start() -> None:
    given = _at("ANNOUNCE", bowls={"A": 10, "B": 2, "C": 3}, sw={"start_pieces": 5})
    assert told(given, {"ev": "win_announced", "seat": "A", "n": 10})[0].winner == "A"


def test_nothing_happens_after_the_end() -> None:
    over = _at("GAME_OVER", winner="A")
    for event in (shot(), {"ev": "end_turn", "seat": "A"}, {"ev": "clock_expired", "seat": "B"}):
        state, said = told(over, event)
        assert state is over
        assert codes(said) == ["ILLEGAL"]


# --- Variations ----------------------------------------------------------------------------------------


def test_without_a_clock_no_time_runs_out() -> None:
    state = aiming()
    after, said = told(state, {"ev": "clock_expired", "seat": "A"})
    assert after is state
    assert said[0].clauses == ("RO-64",)


def test_an_opponent_out_of_time_owes_no_ante_any_more() -> None:
    given = _at("ANTE", sw={"chess_clock": True})
    state, _ = told(
        given, {"ev": "turn_begin", "seat": "A"}, *_antes("A", "B"), {"ev": "clock_expired", "seat": "C"}
    )
    assert (state.phase, state.active, state.hand) == ("DROP", ("A", "B"), 2)
    assert pieces(state) == 21


def test_the_pieces_of_a_timed_out_player_leave_the_game_by_the_house_rule() -> None:
    given = aiming("A", "B", "C", won=3, sw={"chess_clock": True, "timeout_pieces": "remove"})
    state, _ = told(given, {"ev": "clock_expired", "seat": "A"})
    assert (state.phase, state.removed, state.bowls["A"]) == ("SETTLE", 10, 0)


def test_solitaire_is_won_with_an_empty_board() -> None:
    begun = GAME.begin(("A",), {"solo_pieces": 3})
    drop = {"ev": "drop", "on_board_after": 3}
    state, said = told(
        begun, drop, shot(), {"ev": "piece_collected", "n": 1}, shot(through=None, hit_last=True)
    )
    assert codes(said)[-1] == "WIN"
    assert (state.winner, state.board, pieces(state)) == ("A", 0, 3)


def test_solitaire_is_lost_at_the_first_foul() -> None:
    begun = GAME.begin(("A",), {})
    state, said = told(begun, {"ev": "drop", "on_board_after": 15}, shot(through=False, margin_mm=-8.0))
    assert codes(said)[-2:] == ["FOUL", "LOSS"]
    assert (state.phase, state.winner) == ("GAME_OVER", None)


def test_two_players_ante_two_each() -> None:
    match = open_match(GAME, ("A", "B"), {})
    match.tell({"ev": "setup_seen", "bowls": {"A": 7, "B": 7}})
    assert dict(match.state.ante_due) == {"A": 2, "B": 2}


def test_clauses_are_cited_with_a_sentence() -> None:
    _, said = told(aiming(won=1), {"ev": "end_turn", "seat": "A"})
    assert clauses(said) == {"RO-41", "RO-57"}
    assert said[0].because == "A ends the turn. A +1."
