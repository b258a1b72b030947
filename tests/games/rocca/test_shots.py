"""Shots: RO-26 to RO-53."""

from typing import Any

import pytest

from tests.games.rocca.tables import aiming, clauses, codes, shot, told

CALLED = ["p1", "p2"]


def test_clean_shot_through_the_called_gate_wins_the_shooter() -> None:
    state, said = told(aiming(gate_call=CALLED), shot())
    assert (state.phase, state.won, state.board) == ("AIM", 1, 4)
    assert codes(said) == ["OK"]
    assert state.pending_removal == ("p9",)


@pytest.mark.parametrize(
    ("facts", "clause"),
    [
        ({"hand_pieces": 2}, "RO-46"),
        ({"touched_other_moving": True}, "RO-46"),
        ({"motion": "multiple"}, "RO-47"),
        ({"motion": "guided"}, "RO-47"),
        ({"hands": 2}, "RO-47"),
        ({"tool": True}, "RO-47"),
        ({"start_inside": True}, "RO-48"),
        ({"through": False, "margin_mm": -4.0}, "RO-48"),
        ({"gate": ["p1", "p3"]}, "RO-48"),
        ({"gate_contact": True}, "RO-50"),
        ({"touched_moving": True}, "RO-52"),
        ({"off": ["p9"]}, "RO-53"),
    ],
)
def test_each_foul_ends_the_turn_and_names_its_clause(facts: dict[str, Any], clause: str) -> None:
    state, said = told(aiming(gate_call=CALLED, won=3), shot(**facts))
    assert state.phase == "SETTLE"
    assert codes(said) == ["FOUL"]
    assert said[0].clauses[0] == clause
    assert said[0].seat == "A"
    assert state.won == 0


def test_the_called_gate_may_be_named_in_either_order() -> None:
    state, _ = told(aiming(gate_call=["p2", "p1"]), shot())
    assert state.won == 1


def test_several_fouls_in_one_shot_are_all_named_but_cost_once() -> None:
    state, said = told(
        aiming(gate_call=CALLED, won=3, aside=1, board=5, bowls={"A": 4, "B": 4, "C": 4}),
        shot(gate_contact=True, off=["p9"]),
    )
    assert codes(said) == ["FOUL"]
    assert {"RO-50", "RO-53"} <= clauses(said)
    assert state.deltas == {"B": 2, "C": 2, "A": 1}
    assert state.board == 4


def test_hitting_another_piece_is_allowed_with_a_called_gate() -> None:
    state, said = told(aiming(gate_call=CALLED), shot(other_contact=["p5"]))
    assert state.won == 1
    assert "RO-37" in clauses(said)


def test_hitting_another_piece_without_a_call_is_a_foul() -> None:
    _, said = told(aiming(), shot(other_contact=["p5"]))
    assert said[0].clauses == ("RO-51",)


@pytest.mark.parametrize(("counts", "code"), [(False, "FOUL"), (True, "OK")])
def test_an_obvious_gate_counts_as_called_only_by_the_house_rule(counts: bool, code: str) -> None:
    state = aiming(sw={"obvious_counts_as_called": counts})
    _, said = told(state, {"ev": "obvious_agreed"}, shot(other_contact=["p5"]))
    assert codes(said)[-1] == code


def test_a_tool_is_allowed_to_a_player_who_needs_it() -> None:
    state, _ = told(aiming(gate_call=CALLED, assistive_tool=["A"]), shot(tool=True))
    assert state.won == 1


def test_two_hands_are_no_foul_when_the_house_says_so() -> None:
    state, _ = told(aiming(gate_call=CALLED, sw={"two_hands_foul": False}), shot(hands=2))
    assert state.won == 1


# --- Too close to call ---------------------------------------------------------------------------------


@pytest.mark.parametrize("margin_mm", [-1.0, -0.4, 0.0, 0.4, 1.0])
@pytest.mark.parametrize("through", [True, False, None])
def test_a_margin_inside_the_tolerance_is_for_the_players_to_decide(
    through: bool | None, margin_mm: float
) -> None:
    state, said = told(aiming(gate_call=CALLED), shot(through=through, margin_mm=margin_mm))
    assert codes(said) == ["REVIEW"]
    assert "RO-36" in said[0].clauses
    assert f"{margin_mm:+.1f} mm" in said[0].because
    assert (state.phase, state.won, state.board) == ("SHOT", 0, 5)


def test_the_camera_may_bring_its_own_tolerance() -> None:
    _, said = told(aiming(gate_call=CALLED), shot(margin_mm=0.6, tol_mm=0.3))
    assert codes(said) == ["OK"]


def test_a_sure_foul_needs_no_review() -> None:
    _, said = told(aiming(gate_call=CALLED), shot(through=None, margin_mm=0.2, gate_contact=True))
    assert codes(said) == ["FOUL"]


@pytest.mark.parametrize(("answer", "code", "won"), [(True, "OK", 1), (False, "FOUL", 0)])
def test_the_players_answer_decides(answer: bool, code: str, won: int) -> None:
    review = {"ev": "review_answer", "question": "through", "answer": answer, "seats": ["A", "B", "C"]}
    state, said = told(aiming(gate_call=CALLED), shot(through=None, margin_mm=0.2), review)
    assert codes(said) == ["REVIEW", code]
    assert state.won == won


def test_an_answer_the_opponents_do_not_share_is_not_taken() -> None:
    review = {"ev": "review_answer", "question": "through", "answer": True, "seats": ["A", "B"]}
    state, said = told(aiming(gate_call=CALLED), shot(through=None), review)
    assert codes(said) == ["REVIEW", "PROMPT"]
    assert state.phase == "SHOT"


def test_nothing_else_happens_while_a_question_is_open() -> None:
    state, said = told(aiming(gate_call=CALLED), shot(through=None), {"ev": "end_turn", "seat": "A"})
    assert codes(said) == ["REVIEW", "ILLEGAL"]
    assert state.phase == "SHOT"


def test_two_doubts_are_asked_one_after_the_other() -> None:
    first = {"ev": "review_answer", "question": "through", "answer": True}
    second = {"ev": "review_answer", "question": "gate_contact", "answer": True}
    state, said = told(aiming(gate_call=CALLED), shot(through=None, gate_contact=None), first, second)
    assert codes(said) == ["REVIEW", "REVIEW", "FOUL"]
    assert said[-1].clauses[0] == "RO-50"
    assert state.phase == "SETTLE"


@pytest.mark.parametrize(("jump", "code"), [("review", "REVIEW"), ("foul", "FOUL"), ("allow", "OK")])
def test_a_jump_over_a_gate_piece_is_ruled_by_the_house_rule(jump: str, code: str) -> None:
    _, said = told(aiming(gate_call=CALLED, sw={"jump": jump}), shot(jumped=True))
    assert codes(said) == [code]


# --- Clearing ------------------------------------------------------------------------------------------


def test_hitting_the_last_piece_wins_both_and_ends_the_turn() -> None:
    state, said = told(
        aiming(board=2, won=1, bowls={"A": 6, "B": 6, "C": 6}), shot(through=None, hit_last=True)
    )
    assert (state.phase, state.board, state.bowls["A"]) == ("SETTLE", 0, 9)
    assert "RO-43" in said[0].clauses


def test_missing_the_last_piece_is_a_foul() -> None:
    _, said = told(aiming(board=2), shot(through=None, hit_last=False))
    assert said[0].clauses == ("RO-49",)


@pytest.mark.parametrize(("beats", "code", "board"), [(False, "FOUL", 1), (True, "OK", 0)])
def test_a_clear_that_sends_a_piece_off_is_a_foul_unless_the_house_says_otherwise(
    beats: bool, code: str, board: int
) -> None:
    state = aiming(board=2, won=4, sw={"clear_beats_off": beats})
    after, said = told(state, shot(through=None, hit_last=True, off=["p2"]))
    assert codes(said)[0] == code
    assert after.board == board


def test_a_doubtful_hit_is_for_the_players() -> None:
    answer = {"ev": "review_answer", "question": "hit_last", "answer": True}
    state, said = told(aiming(board=2), shot(through=None, hit_last=None), answer)
    assert codes(said)[:2] == ["REVIEW", "OK"]
    assert state.board == 0


# --- Calls, claims and idle hands ----------------------------------------------------------------------


def test_the_first_shot_without_the_call_asked_for_is_replayed_and_the_second_a_foul() -> None:
    asked = {"ev": "call_requested", "seat": "B"}
    state, said = told(aiming(), asked, shot(), shot())
    assert codes(said) == ["PROMPT", "CORRECT", "FOUL"]
    assert said[-1].clauses == ("RO-48", "RO-32", "G-26")
    assert state.phase == "SETTLE"


def test_a_call_answers_the_request() -> None:
    asked, called = (
        {"ev": "call_requested", "seat": "B"},
        {"ev": "gate_called", "seat": "A", "a": "p1", "b": "p2"},
    )
    state, _ = told(aiming(), asked, called, shot())
    assert state.won == 1


@pytest.mark.parametrize(
    ("event", "clause"),
    [
        ({"ev": "gate_called", "seat": "B", "a": "p1", "b": "p2"}, "RO-11"),
        ({"ev": "gate_called", "seat": "A", "a": "p1", "b": "p1"}, "RO-26"),
        ({"ev": "call_requested", "seat": "A"}, "RO-33"),
        ({"ev": "end_turn", "seat": "C"}, "RO-11"),
        ({"ev": "foul_claimed", "seat": "B", "clause": "RO-13"}, "RO-45"),
        ({"ev": "review_answer", "question": "through", "answer": True}, "RO-36"),
        ({"ev": "ante_paid", "seat": "A", "n": 1}, "RO-40"),
        ({"ev": "win_announced", "seat": "A", "n": 14}, "RO-61"),
    ],
)
def test_what_has_no_place_while_aiming_changes_nothing(event: dict[str, Any], clause: str) -> None:
    state = aiming()
    after, said = told(state, event)
    assert after is state
    assert codes(said) == ["ILLEGAL"]
    assert clause in said[0].clauses


def test_no_shot_counts_while_a_won_piece_lies_on_the_board() -> None:
    state, said = told(aiming(gate_call=CALLED), shot(), shot(piece="p8"))
    assert codes(said) == ["OK", "CORRECT"]
    assert "RO-39" in said[1].clauses
    assert state.won == 1


def test_taking_a_piece_that_was_not_won_is_put_right() -> None:
    state = aiming()
    after, said = told(state, {"ev": "piece_collected", "n": 1})
    assert after is state
    assert codes(said) == ["CORRECT"]


def test_a_foul_the_camera_missed_is_decided_by_the_players_and_takes_the_good_shot_back() -> None:
    claim = {"ev": "foul_claimed", "seat": "B", "clause": "RO-46"}
    agreed = {"ev": "review_answer", "question": "foul", "answer": True, "seats": ["A", "B", "C"]}
    state, said = told(aiming(gate_call=CALLED, won=2), shot(), claim, agreed)
    assert codes(said) == ["OK", "REVIEW", "FOUL"]
    assert said[-1].clauses == ("RO-46",)
    assert (state.board, sum(state.deltas.values())) == (5, 2)


def test_a_player_may_own_up_to_a_foul() -> None:
    state, said = told(aiming(won=2), {"ev": "foul_claimed", "seat": "A", "clause": "RO-52"})
    assert codes(said) == ["FOUL"]
    assert state.phase == "SETTLE"


@pytest.mark.parametrize(("is_foul", "code"), [(False, "CORRECT"), (True, "FOUL")])
def test_pieces_moved_outside_a_shot_are_put_back(is_foul: bool, code: str) -> None:
    state = aiming(sw={"idle_touch_foul": is_foul})
    _, said = told(state, {"ev": "idle_touch", "seat": "A", "pieces": ["p3"]})
    assert codes(said) == [code]
    assert "RO-58" in said[0].clauses
