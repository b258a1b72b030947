"""The end of a round and of the game."""

from typing import Any

import pytest

from referee.errors import BadEvent
from referee.folding import fold
from referee.games.monster_my_neighbour import GAME
from referee.games.monster_my_neighbour.scoring import points
from referee.types import Code
from tests.games.monster_my_neighbour.telling import Told, aims, caught, discards, plays, refused, table, tell

FIVE = tuple("ABCDE")


@pytest.mark.parametrize("n", range(3, 9))
@pytest.mark.parametrize("friends", [0, 1, 2])
def test_the_tokens_paid_out_add_up(n: int, friends: int) -> None:
    part = tuple("ABCDEFGH"[:n])
    others = part[1 : 1 + min(friends, n - 2)]
    f = len(others)
    assert sum(points(part, "escaped", "A", others).values()) == 2 * (1 + f)
    assert sum(points(part, "escaped", "A", others, vampire=True).values()) == 2 * (1 + f) + 1
    assert sum(points(part, "caught", "A", others, part[-1]).values()) == 2 + (n - 2 - f)
    assert sum(points(part, "betrayed", "A", others, part[1]).values()) == n - 1 - f


def test_the_vampires_extra_point_is_not_for_its_friends() -> None:
    assert points(FIVE, "escaped", "A", ("B",), None, True) == {"A": 3, "B": 2, "C": 0, "D": 0, "E": 0}


def test_a_friend_who_plays_the_monster_scores_once() -> None:
    assert points(FIVE, "escaped", "A", ("A", "B"))["A"] == 2


def test_the_monster_caught_by_hunter_or_dog_scores_for_the_catcher() -> None:
    for events in (
        (plays("A", "hunter"), aims("A", "C"), caught("C", True)),
        (plays("A", "dog"), aims("A", "C"), discards("C", True)),
    ):
        state, rulings = tell(table(friends=["D"]), *events)
        assert (state.round_result, dict(state.vp)) == ("caught", {"A": 2, "B": 1, "C": 0, "D": 0})
        assert rulings[-1].code == Code.SCORE and "MH-50" in rulings[-1].clauses


def test_a_friend_who_catches_the_monster_betrays_it() -> None:
    state, _ = tell(table(friends=["A"]), plays("A", "hunter"), aims("A", "C"), caught("C", True))
    assert (state.round_result, dict(state.vp)) == ("betrayed", {"A": 0, "B": 1, "C": 0, "D": 1})


def _scored(**given: Any) -> Any:
    return tell(table(turns=3, hand=1, **given), plays("A", "monster:vampire"))[0]


def test_wrong_tokens_are_put_right() -> None:
    state = _scored()
    refused(state, {"ev": "vp_seen", "vp": {"A": 2, "B": 0, "C": 0, "D": 0}}, Code.CORRECT, "MH-49", "MH-52")
    judged = GAME.judge(state, GAME.event({"ev": "vp_seen", "vp": {"A": 3}}))
    assert judged.state is state and judged.rulings[0].code == Code.OK
    refused(table(), {"ev": "vp_seen", "vp": {}}, Code.ILLEGAL, "MH-52")
    refused(table(), {"ev": "round_cleared"}, Code.ILLEGAL, "MH-53")


def test_a_new_round_begins_with_all_cards_but_the_used_monster() -> None:
    state, _ = tell(_scored(friends=["B"], hunters_played=2), {"ev": "round_cleared"})
    assert (state.phase, state.round, state.general_n) == ("ROUND_SETUP", 2, 33)
    assert (state.monster_deck_n, state.monsters_used) == (4, 1)
    assert (state.friends, state.hunters_played, dict(state.vp)) == ((), 0, {"A": 3, "B": 2, "C": 0, "D": 0})


def test_after_five_rounds_most_points_win() -> None:
    state, rulings = tell(_scored(round=5, vp={"B": 1}), {"ev": "round_cleared"})
    assert (state.phase, state.winner, rulings[-1].code) == ("GAME_OVER", "A", Code.WIN)
    refused(state, {"ev": "extra_round", "yes": True}, Code.ILLEGAL, "MH-55")


def _tied(**given: Any) -> Any:
    state, rulings = tell(_scored(round=5, vp={"B": 3}, **given), {"ev": "round_cleared"})
    assert rulings[-1].code == Code.DRAW and rulings[-1].seats == ("A", "B")
    return state


def test_a_tie_is_shared_or_played_off_with_shuffled_monsters() -> None:
    state = _tied()
    assert state.winner is None and state.winners == ("A", "B")
    assert GAME.judge(state, GAME.event({"ev": "extra_round", "yes": False})).state is state
    state, _ = tell(state, {"ev": "extra_round", "yes": True})
    assert (state.phase, state.round, state.monster_deck_n, state.part) == (
        "ROUND_SETUP",
        6,
        5,
        tuple("ABCD"),
    )


def test_extra_rounds_may_be_for_the_tied_alone() -> None:
    state, _ = tell(_tied(sw={"extra_players": "tied"}), {"ev": "extra_round", "yes": True})
    assert state.part == ("A", "B")
    dealt = {"ev": "round_setup_seen", "general_n": 26, "monster_deck_n": 4, "hand_n": {"A": 4, "B": 4}}
    state, _ = tell(state, dealt, plays("B", "wanted"))
    assert state.turn == "A" and state.hand_n["C"] == 0


def test_a_round_scored_by_hand_is_answered_and_entered() -> None:
    asked = {"ev": "query", "name": "score_round", "res": "caught", "monster": "B", "catcher": "A"}
    told = fold(GAME, {"given": {"players": ["A", "B", "C"]}, "when": [asked]})
    assert told["result"] == {"A": 2, "B": 0, "C": 1}
    state: Any = told["state"]
    assert (state["vp"], state["round"]) == ({"A": 2, "B": 0, "C": 1}, 2)
    entered: Told = {**{k: v for k, v in asked.items() if k != "name"}, "ev": "score_round"}
    refused(table(), entered, Code.ILLEGAL, "MH-54")
    refused(GAME.begin(("A", "B", "C"), {}), {**entered, "monster": "Z"}, Code.ILLEGAL, "MH-54")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ({"name": "odds"}, "no question called 'odds'"),
        ({"name": "setup", "n": 9}, "n is 9, not a number of players from 3 to 8"),
        ({"name": "score_round", "res": "won", "monster": "A"}, "score_round.res is 'won'"),
    ],
)
def test_a_question_nobody_can_answer_is_refused(query: dict[str, object], why: str) -> None:
    with pytest.raises(BadEvent, match=why):
        GAME.answer(table(), query)
