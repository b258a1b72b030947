"""Nobody is asked about a kind of foul that the table ignores, neither first nor second."""

from typing import Any

import pytest

from referee.games.rocca import GAME
from referee.games.rocca.shot import examine
from tests.games.rocca.tables import aiming, shot

CALLED = ["p1", "p2"]
STRUCK = "a hand hid how the shooter was struck"


def asked(facts: dict[str, Any], ignored: list[str], **state: Any) -> tuple[str, ...]:
    """What is asked about a shot at a table that ignores these kinds."""
    aims = aiming(gate_call=CALLED, **state)
    spared: Any = GAME.spared(aims, GAME.event(shot(**facts)), ignored)
    verdict = examine(aims, spared)
    assert not verdict.fouls
    return verdict.questions


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        ({"hand_pieces": None}, "RO-46"),
        ({"motion": None, "unseen": [STRUCK]}, "RO-47"),
        ({"through": None}, "RO-48"),
        ({"margin_mm": -0.2}, "RO-48"),
        ({"start_inside": None}, "RO-48"),
        ({"gate_contact": None}, "RO-50"),
        ({"touched_moving": None}, "RO-52"),
    ],
)
def test_an_ignored_kind_is_not_asked_about(facts: dict[str, Any], kind: str) -> None:
    others = [clause for clause in GAME.fouls if clause != kind]
    assert asked(facts, []) == asked(facts, others) != ()
    assert asked(facts, [kind]) == ()


def test_of_two_questions_the_ignored_one_is_left_out_and_the_other_is_asked() -> None:
    facts = {"gate_contact": None, "motion": None}
    assert asked(facts, []) == ("gate_contact", "motion")
    assert asked(facts, ["RO-47"]) == ("gate_contact",)
    assert asked(facts, ["RO-50"]) == ("motion",)


def test_what_was_not_seen_is_still_the_reason_while_a_question_about_the_hand_is_left() -> None:
    doubtful = GAME.event(shot(motion=None, touched_moving=None, unseen=[STRUCK]))
    spared: Any = GAME.spared(aiming(gate_call=CALLED), doubtful, ["RO-47"])
    assert (spared.motion, spared.touched_moving, spared.unseen) == ("single", None, (STRUCK,))


def test_whether_the_last_piece_was_hit_is_not_asked_where_a_miss_is_ignored() -> None:
    assert asked({"hit_last": None}, [], board=2) == ("hit_last",)
    assert asked({"hit_last": None}, ["RO-49"], board=2) == ()


def test_of_a_shot_whose_shooter_nobody_knows_the_players_are_asked_whatever_is_ignored() -> None:
    facts = {"piece": None, "motion": None, "unseen": [STRUCK]}
    assert asked(facts, list(GAME.fouls)) == ("foul",)


def test_what_is_sure_stays_as_it_was_told() -> None:
    told = GAME.event(shot(gate_contact=True, motion="guided"))
    assert GAME.spared(aiming(gate_call=CALLED), told, GAME.fouls) == told
