"""Dealing, turns, and when which card may be played."""

import pytest

from referee.games.monster_my_neighbour import GAME
from referee.games.monster_my_neighbour.rules import playable
from referee.types import Code
from tests.games.monster_my_neighbour.telling import aims, caught, plays, refused, table, tell

ALWAYS = {"hide", "villager", "friend", "dog", "rumor", "gossip", "steal", "deal", "fog"}
MONSTERS = {f"monster:{m}" for m in ("vampire", "werewolf", "goomiho", "mermaid", "mandrake")}


def _setup(**changed: object) -> dict[str, object]:
    hand = dict.fromkeys("ABCD", 4)
    return {"ev": "round_setup_seen", "general_n": 18, "monster_deck_n": 4, "hand_n": hand, **changed}


@pytest.mark.parametrize(
    ("n", "x", "left"), [(3, 8, 22), (4, 12, 18), (5, 16, 14), (6, 20, 10), (7, 24, 6), (8, 28, 2)]
)
def test_the_starting_deck_is_dealt_out_completely(n: int, x: int, left: int) -> None:
    answer = GAME.answer(table(), {"name": "setup", "n": n})
    assert answer == {"random_cards": x, "dealt": 4 * n, "general_left": left, "hand": 4}


def test_four_cards_each_and_the_rest_in_the_centre() -> None:
    fresh = GAME.begin(("A", "B", "C", "D"), {})
    refused(fresh, _setup(hand_n={"A": 4, "B": 5, "C": 4, "D": 4}), Code.CORRECT, "MH-08")
    refused(fresh, _setup(hand_n=3), Code.CORRECT, "MH-08")
    refused(fresh, _setup(general_n=17), Code.CORRECT, "MH-06")
    refused(fresh, _setup(monster_deck_n=5), Code.CORRECT, "MH-07")
    refused(fresh, _setup(apart=False), Code.CORRECT, "MH-10")
    state, _ = tell(fresh, _setup())
    assert (state.phase, state.general_n, state.monster_deck_n) == ("WANTED", 18, 4)
    refused(state, _setup(), Code.ILLEGAL, "MH-08")


def test_the_piles_are_seen_before_the_first_dealing() -> None:
    fresh = GAME.begin(("A", "B", "C", "D"), {})
    state, _ = tell(fresh, _setup(general_n=33, monster_deck_n=5, hand_n=0))
    assert state.phase == "ROUND_SETUP"


def test_a_round_begins_with_wanted_and_goes_clockwise() -> None:
    begun = table(phase="WANTED", turn="A", turns=0, hand=4)
    refused(begun, plays("C", "villager"), Code.ILLEGAL, "MH-11")
    refused(begun, {"ev": "facedown_discard", "seat": "C"}, Code.ILLEGAL, "MH-11")
    state, _ = tell(begun, plays("D", "wanted"))
    assert (state.turn, state.turns["D"], state.hand_n["D"]) == ("A", 1, 3)
    refused(state, plays("B", "villager"), Code.ILLEGAL, "MH-12")
    refused(state, plays("D", "villager"), Code.ILLEGAL, "MH-13")
    refused(state, plays("A", "wanted"), Code.ILLEGAL, "MH-11")


def test_nothing_is_played_before_dealing_or_after_the_round() -> None:
    refused(GAME.begin(("A", "B", "C"), {}), plays("A", "hide"), Code.ILLEGAL, "MH-08")
    refused(table(phase="ROUND_END"), plays("A", "hide"), Code.ILLEGAL, "MH-16")
    refused(table(), plays("Z", "hide"), Code.ILLEGAL, "MH-12")


def test_a_second_card_waits_until_the_first_is_finished() -> None:
    state, _ = tell(table(), plays("A", "hunter"))
    refused(state, plays("A", "hide"), Code.ILLEGAL, "MH-13")
    refused(state, plays("B", "hide"), Code.ILLEGAL, "MH-13")


def test_empty_hands_are_passed_over() -> None:
    state, _ = tell(table(hands={"B": 0, "C": 0}), plays("A", "hide"))
    assert state.turn == "D"


@pytest.mark.parametrize(
    ("turns", "hand", "counted", "more"),
    [
        (0, 4, {}, set()),
        (0, 4, {"villagers_played": 2}, {"monster:mandrake"}),
        (1, 3, {}, {"hunter"}),
        (1, 3, {"hunters_played": 1, "villagers_played": 1}, {"hunter"}),
        (1, 3, {"hunters_played": 2}, {"hunter", "monster:werewolf"}),
        (2, 2, {"villagers_played": 3}, {"hunter", "monster:mandrake"}),
        (3, 1, {}, {"hunter"} | MONSTERS),
        (2, 1, {}, {"hunter"} | MONSTERS),
    ],
)
def test_the_turn_table_says_which_cards_may_be_played(
    turns: int, hand: int, counted: dict[str, int], more: set[str]
) -> None:
    assert set(playable(table(turn="A", turns=turns, hand=hand, **counted), "A")) == ALWAYS | more


@pytest.mark.parametrize(
    ("card", "clause"),
    [
        ("monster:vampire", "MH-17"),
        ("monster:goomiho", "MH-17"),
        ("monster:mermaid", "MH-17"),
        ("monster:werewolf", "MH-27"),
        ("monster:mandrake", "MH-30"),
    ],
)
def test_a_monster_shown_too_early_is_taken_back(card: str, clause: str) -> None:
    refused(table(), plays("A", card), Code.ILLEGAL, clause, "MH-17", "G-16")


def test_a_monster_shown_too_early_may_lose_the_round_by_house_rule() -> None:
    state, _ = tell(table(friends=["C"], sw={"early_monster": "round_lost"}), plays("A", "monster:vampire"))
    assert (state.phase, state.round_result) == ("ROUND_END", "exposed")
    assert state.vp == {"A": 0, "B": 1, "C": 0, "D": 1}


def test_no_hunter_on_a_first_turn() -> None:
    refused(table(turns=0, hand=4), plays("A", "hunter"), Code.ILLEGAL, "MH-18")


def test_a_hand_of_hunters_puts_one_face_down_uncounted() -> None:
    state, _ = tell(table(turns=0, hand=4), {"ev": "facedown_discard", "seat": "A"})
    assert (state.turn, state.hand_n["A"], state.hunters_played) == ("B", 3, 0)
    assert GAME.dump(state)["played_facedown"] == {"A": 1}
    refused(table(), {"ev": "facedown_discard", "seat": "A"}, Code.ILLEGAL, "MH-42")


def test_three_hunters_left_by_a_friend_are_stuck_on_a_first_turn_too() -> None:
    state, _ = tell(table(turns=0, hand=4, hands={"A": 3}), {"ev": "facedown_discard", "seat": "A"})
    assert state.hand_n["A"] == 2


def test_the_face_down_hunter_is_shown_at_the_end_if_the_table_wants_it() -> None:
    state = table(3, turns=0, hand=4, sw={"round_audit": True}, hands={"B": 1})
    state, rulings = tell(state, {"ev": "facedown_discard", "seat": "A"}, plays("B", "monster:mermaid"))
    assert rulings[-1].code == Code.PROMPT and "G-11" in rulings[-1].clauses


def test_under_the_fourth_turn_rule_a_last_monster_waits() -> None:
    state = table(turns=2, hand=2, hands={"A": 1}, sw={"last_turn": "fourth_turn"})
    refused(state, plays("A", "monster:vampire"), Code.ILLEGAL, "MH-17")
    state, _ = tell(state, {"ev": "turn_passed", "seat": "A"})
    assert (state.turn, state.turns["A"], state.hand_n["A"]) == ("B", 3, 1)
    refused(table(), {"ev": "turn_passed", "seat": "A"}, Code.ILLEGAL, "G-24")


def test_investigate_is_only_in_some_boxes() -> None:
    refused(table(), plays("A", "investigate"), Code.ILLEGAL, "MH-41")
    state, _ = tell(table(sw={"has_investigate": True}), plays("A", "investigate"), aims("A", "C"))
    assert (state.phase, state.turn) == ("TURN", "B")


def test_a_round_without_any_monster_ends_without_points() -> None:
    state, rulings = tell(table(hand=0, hands={"A": 1}), plays("A", "hide"))
    assert (state.phase, state.round_result, sum(state.vp.values())) == ("ROUND_END", "nobody", 0)
    assert "G-12" in rulings[-1].clauses


def test_an_answer_for_nothing_is_refused() -> None:
    refused(table(), caught("B", True), Code.ILLEGAL, "MH-13")
    refused(table(), aims("A", "B"), Code.ILLEGAL, "MH-13")
