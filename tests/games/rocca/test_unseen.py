"""Of what nobody saw the players decide: a shot with an unseen part is never ruled by itself."""

from dataclasses import replace
from typing import Any

import pytest

from referee.games.rocca import GAME
from referee.games.rocca.reading import fact_sheet, read
from referee.games.rocca.views import view
from referee.happenings import GateSeen, Moved, PostSeen, ShotSeen
from referee.match import Match
from referee.report import report_shot
from referee.types import TABLE
from tests.games.rocca.tables import aiming, codes, shot, told

CALLED = ["p1", "p2"]
STRUCK = "a hand hid how the shooter was struck"
EVERYBODY = ["A", "B", "C"]


def answer(question: str, yes: bool) -> dict[str, Any]:
    return {"ev": "review_answer", "question": question, "answer": yes, "seats": EVERYBODY}


@pytest.mark.parametrize(
    ("facts", "question", "clause"),
    [
        ({"hand_pieces": None}, "hand_pieces", "RO-46"),
        ({"motion": None}, "motion", "RO-47"),
        ({"touched_moving": None}, "touched_moving", "RO-52"),
    ],
)
@pytest.mark.parametrize("unseen", [[], [STRUCK]])
def test_what_the_hand_did_unseen_is_for_the_players(
    facts: dict[str, Any], question: str, clause: str, unseen: list[str]
) -> None:
    doubtful = shot(**facts, unseen=unseen)
    state, said = told(aiming(gate_call=CALLED, won=2), doubtful)
    assert codes(said) == ["UNSEEN" if unseen else "REVIEW"]
    assert clause in said[0].clauses
    assert "Yes: a foul. No: a good shot." in said[0].because
    assert all(why in said[0].because for why in unseen)
    assert (state.phase, state.won, state.board) == ("SHOT", 2, 5)
    state, said = told(aiming(gate_call=CALLED, won=2), doubtful, answer(question, False))
    assert codes(said)[1:] == ["OK"]
    assert (state.won, state.board) == (3, 4)
    state, said = told(aiming(gate_call=CALLED, won=2), doubtful, answer(question, True))
    assert codes(said)[1:] == ["FOUL"]
    assert said[-1].clauses[0] == clause
    assert (state.phase, state.won, state.board) == ("SETTLE", 0, 5)


@pytest.mark.parametrize(("yes", "code", "board"), [(False, "OK", 4), (True, "FOUL", 5)])
@pytest.mark.parametrize(
    "facts",
    [
        {"hand_pieces": None, "motion": None, "touched_moving": None},
        {},
        {"piece": None, "through": None, "start_inside": None, "gate_contact": None, "motion": None},
    ],
    ids=["the whole strike", "the way alone", "which piece it was"],
)
def test_a_shot_of_which_much_was_unseen_is_one_question(
    facts: dict[str, Any], yes: bool, code: str, board: int
) -> None:
    doubtful = shot(**{"margin_mm": None, **facts}, unseen=[STRUCK])
    state, said = told(aiming(gate_call=CALLED), doubtful, answer("foul", yes))
    assert codes(said) == ["UNSEEN", code]
    assert state.board == board


def test_a_margin_is_asked_about_before_the_hand() -> None:
    close = shot(through=None, margin_mm=0.2, motion=None, unseen=[STRUCK])
    state, said = told(aiming(gate_call=CALLED), close, answer("through", True), answer("motion", False))
    assert codes(said) == ["REVIEW", "UNSEEN", "OK"]
    assert "Yes: one more question. No: a foul." in said[0].because
    assert state.won == 1


def test_a_foul_that_was_seen_is_ruled_whatever_was_not() -> None:
    _, said = told(aiming(gate_call=CALLED), shot(off=["p9"], motion=None, unseen=[STRUCK]))
    assert codes(said) == ["FOUL"]


def test_what_was_unseen_of_a_clear_is_asked_too() -> None:
    unseen = shot(through=None, hit_last=True, motion=None, unseen=[STRUCK])
    state, said = told(aiming(board=2), unseen, answer("motion", False))
    assert codes(said)[:2] == ["UNSEEN", "OK"]
    assert state.board == 0


def test_the_screen_says_that_it_was_not_seen_and_offers_both_answers() -> None:
    state, _ = told(aiming(gate_call=CALLED), shot(motion=None, unseen=[STRUCK]))
    shown = view(state, TABLE)
    assert shown.headline == "A: not seen"
    assert [choice.fields["answer"] for choice in shown.choices] == [True, False]


@pytest.mark.parametrize(
    ("ruling", "code", "won"),
    [({"code": "OK"}, "OK", 1), ({"code": "FOUL", "clauses": ["RO-47"]}, "FOUL", 0)],
)
def test_an_unseen_shot_is_undone_and_overruled_like_any_other(
    ruling: dict[str, Any], code: str, won: int
) -> None:
    unseen = shot(motion=None, unseen=[STRUCK])
    match = Match(GAME, aiming(gate_call=CALLED), alone=True)
    before = match.state
    match.tell(unseen)
    match.tell({"ev": "undo"})
    assert match.state == before
    match.tell(unseen)
    said = match.tell({"ev": "override", "by": EVERYBODY, "ruling": ruling})
    assert code in codes(list(said))
    assert match.state.won == won


# --- One path: what a film is judged by is what the bench is told ------------------------------------------


def gate(a: int, b: int, clearance_mm: float, crossed: bool = True) -> GateSeen:
    posts = tuple(PostSeen(i, (0.0, 0.0), 9.0, 0.0, 0.1, False, False) for i in (a, b))
    return GateSeen((posts[0], posts[1]), 30.0, clearance_mm, 0.2, crossed, not crossed, ())


CLEAN = ShotSeen(
    frames=(10, 90),
    t_ns=0,
    shooter=Moved(1, (0.0, 0.0), (0.0, 0.0), (9.0, 9.0), (90.0, 0.0), 90.0, 0.2, "hand"),
    path_mm=(),
    path_frames=(),
    on_board_before=5,
    gates=(gate(2, 3, 12.0),),
    called=None,
    moved=(),
    contacts=(),
    off=(),
    hand_pieces=(1,),
    hand_two=False,
    hand_contact_ms=40.0,
    guided=False,
    touched_moving=False,
    hit_last=None,
)
AIMED = (gate(2, 3, 12.0, crossed=False), gate(4, 5, 12.0))
CASES = {
    "through": CLEAN,
    "not through": replace(CLEAN, gates=(gate(2, 3, -9.0),)),
    "pushed along?": replace(CLEAN, guided=None),
    "struck unseen": replace(CLEAN, guided=None, touched_moving=None, unseen=(STRUCK,)),
    "way unseen": replace(CLEAN, unseen=("a hand hid the shooter's way",)),
    "a second piece?": replace(CLEAN, hand_two=None, unseen=("frames of the shot are missing",)),
    "which piece?": replace(CLEAN, unseen=("a piece was not found again",), unknown=True),
    "which piece, and one fell off": replace(CLEAN, unseen=("frames are missing",), unknown=True, off=(4,)),
    "close": replace(CLEAN, gates=(gate(2, 3, 0.3),)),
    "close, and struck unseen": replace(CLEAN, gates=(gate(2, 3, 0.3),), guided=None, unseen=(STRUCK,)),
    "which gate?": replace(CLEAN, gates=AIMED),
}
WORDS = {"OK": "through", "FOUL": "foul", "REVIEW": "review", "UNSEEN": "unseen"}


@pytest.mark.parametrize("seen", CASES.values(), ids=CASES)
def test_the_verdict_on_a_film_is_the_ruling_at_the_table(seen: ShotSeen) -> None:
    match = Match(GAME, aiming(), alone=True)
    report = report_shot(seen, match.state)
    (event,) = read(seen, match.state)
    (ruling, *_) = match.tell(GAME.plain(event))
    assert WORDS[str(ruling.code)] == report.verdict
    assert all(why in ruling.because for why in seen.unseen if ruling.code == "UNSEEN")


@pytest.mark.parametrize(("meant", "code"), [(True, "OK"), (False, "FOUL")])
def test_a_shot_that_missed_one_gate_and_went_through_another_is_asked_about(meant: bool, code: str) -> None:
    match = Match(GAME, aiming(), alone=True)
    match.tell(GAME.plain(fact_sheet(CASES["which gate?"], match.state)))
    said = match.tell(answer("meant", meant))
    assert codes(list(said))[0] == code
