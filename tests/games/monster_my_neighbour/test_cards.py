"""What the cards do."""

import pytest

from referee.games.monster_my_neighbour import GAME
from referee.types import Code
from tests.games.monster_my_neighbour.telling import (
    aims,
    caught,
    discards,
    gives_hunter,
    moved,
    plays,
    refused,
    table,
    tell,
)

# --- Hunter ------------------------------------------------------------------------------------------


def test_a_hunter_without_success_still_counts_as_played() -> None:
    state, rulings = tell(table(), plays("A", "hunter"), aims("A", "C"), caught("C", False))
    assert (state.phase, state.turn, state.hunters_played) == ("TURN", "B", 1)
    assert rulings[-1].because == "No effect."


def test_only_the_target_answers() -> None:
    state, _ = tell(table(), plays("A", "hunter"), aims("A", "C"))
    refused(state, caught("B", True), Code.ILLEGAL, "MH-23")
    refused(state, discards("C", True), Code.ILLEGAL, "MH-23")


def test_a_target_is_another_player_and_chosen_by_the_cards_player() -> None:
    state, _ = tell(table(), plays("A", "hunter"))
    refused(state, aims("A", "A"), Code.ILLEGAL, "MH-23")
    refused(state, aims("A", "Z"), Code.ILLEGAL, "MH-23")
    refused(state, aims("B", "C"), Code.ILLEGAL, "MH-23")


def test_who_has_no_cards_has_no_monster() -> None:
    state, _ = tell(table(hands={"C": 0}), plays("A", "hunter"), aims("A", "C"))
    refused(state, caught("C", True), Code.ILLEGAL, "MH-23")


@pytest.mark.parametrize(
    ("rule", "asked", "safe"),
    [
        ("round", {"hunters_played_before": 0}, True),
        ("round", {"hunters_played_before": 1}, False),
        ("on_holder", {"hunters_played_before": 1, "hunters_on_holder_before": 0}, True),
        ("on_holder", {"hunters_played_before": 1, "hunters_on_holder_before": 1}, False),
    ],
)
def test_the_mermaid_is_safe_from_the_first_hunter(rule: str, asked: dict[str, int], safe: bool) -> None:
    state = table(sw={"mermaid": rule})
    assert GAME.answer(state, {"name": "mermaid_protected", **asked}) is safe


# --- Dog ---------------------------------------------------------------------------------------------


def test_the_dog_changes_hands_and_the_discard_lies_face_down_with_its_player() -> None:
    state, _ = tell(table(), plays("A", "dog"), aims("A", "C"), discards("C", False))
    assert dict(state.hand_n) == {"A": 2, "B": 3, "C": 3, "D": 3}
    assert [(laid.card, laid.up) for laid in state.played["A"]] == [(None, False)]


@pytest.mark.parametrize(("card", "clause"), [("dog", "MH-31"), ("steal", "MH-34"), ("deal", "MH-38")])
def test_some_cards_need_a_card_in_the_others_hand(card: str, clause: str) -> None:
    state, _ = tell(table(hands={"C": 0}), plays("A", card))
    refused(state, aims("A", "C"), Code.ILLEGAL, clause)


@pytest.mark.parametrize("card", ["dog", "steal", "deal", "rumor", "gossip", "fog"])
def test_without_any_other_hand_they_have_no_effect(card: str) -> None:
    state, _ = tell(table(hand=0, hands={"A": 2}), plays("A", card))
    assert (state.phase, state.turn) == ("TURN", "A")
    assert [laid.card for laid in state.played["A"]] == [card]


# --- Friend ------------------------------------------------------------------------------------------


def test_a_friend_takes_a_hunter_under_the_general_deck() -> None:
    state, _ = tell(table(), plays("A", "friend"), aims("A", "C"), gives_hunter("C", True))
    assert (state.friends, state.general_n, state.hand_n["C"]) == (("A",), 19, 2)
    assert state.hunters_played == 0


def test_a_friend_without_a_hunter_to_take_is_a_friend_all_the_same() -> None:
    state, rulings = tell(table(), plays("A", "friend"), aims("A", "C"), gives_hunter("C", False))
    assert (state.friends, state.general_n, state.hand_n["C"]) == (("A",), 18, 3)
    assert "MH-48" in rulings[-1].clauses


def test_the_lost_hunter_may_be_replaced_by_house_rule() -> None:
    state = table(sw={"friend_redraw": True})
    state, _ = tell(state, plays("A", "friend"), aims("A", "C"), gives_hunter("C", True))
    assert (state.general_n, state.hand_n["C"]) == (18, 3)


# --- Exchanges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["rumor", "gossip"])
def test_one_card_of_everybody_goes_to_the_left(card: str) -> None:
    state, _ = tell(table(), plays("A", card))
    refused(state, moved(card, "AB", "BC", "CD"), Code.CORRECT)
    refused(state, moved(card, "AD", "DC", "CB", "BA"), Code.CORRECT)
    refused(state, moved("fog", "AB"), Code.ILLEGAL)
    state, _ = tell(state, moved(card, "AB", "BC", "CD", "DA"))
    assert (state.turn, dict(state.hand_n)) == ("B", {"A": 2, "B": 3, "C": 3, "D": 3})


def test_empty_hands_are_left_out_of_the_circle() -> None:
    state, _ = tell(table(hands={"B": 0}), plays("A", "rumor"), moved("rumor", "AC", "CD", "DA"))
    assert state.turn == "C"


def test_players_may_just_say_that_it_is_done() -> None:
    state, _ = tell(table(), plays("A", "rumor"), {"ev": "exchange_done", "kind": "rumor"})
    assert state.turn == "B"


@pytest.mark.parametrize("card", ["fog", "gossip", "rumor", "deal"])
def test_some_cards_do_nothing_as_the_last_card(card: str) -> None:
    state, rulings = tell(table(turns=3, hand=1), plays("A", card))
    assert (state.phase, state.turn) == ("TURN", "B")
    assert rulings[-1].code == Code.INFO and "MH-43" in rulings[-1].clauses


def test_steal_works_as_the_last_card() -> None:
    state, _ = tell(table(turns=3, hand=1), plays("A", "steal"), aims("A", "C"))
    refused(state, moved("steal", "CA"), Code.CORRECT, "MH-34")
    state, _ = tell(state, moved("steal", "CA", "AC"))
    assert dict(state.hand_n) == {"A": 0, "B": 1, "C": 1, "D": 1}


def test_fog_collects_one_card_each_and_gives_one_back() -> None:
    state, rulings = tell(table(3), plays("A", "fog"))
    assert rulings[0].code == Code.ASSUME and rulings[0].clauses == ("G-03",)
    refused(state, moved("fog", "A>middle", "B>middle", "middle>A", "middle>B"), Code.CORRECT, "MH-39")
    pooled = ("A>middle", "B>middle", "C>middle", "middle>A", "middle>B", "middle>C")
    assert tell(state, moved("fog", *pooled))[0].turn == "B"
    assert tell(state, moved("fog", "AC", "BB", "CA"))[0].turn == "B"


@pytest.mark.parametrize(
    ("fog", "moves"), [("rotate_left", ("AB", "BC", "CA")), ("rotate_right", ("AC", "BA", "CB"))]
)
def test_fog_is_what_the_owners_read_on_their_card(fog: str, moves: tuple[str, ...]) -> None:
    state, _ = tell(table(3, sw={"fog": fog}), plays("A", "fog"))
    refused(state, moved("fog", *(m[::-1] for m in moves)), Code.CORRECT, "MH-39")
    assert tell(state, moved("fog", *moves))[0].turn == "B"
    assert tell(table(3, sw={"fog": "none"}), plays("A", "fog"))[0].turn == "B"


def test_the_deals_player_chooses_one_or_two_as_the_hands_allow() -> None:
    state, _ = tell(table(), plays("A", "deal"), aims("A", "C"))
    refused(state, moved("deal", "AC", "CA"), Code.ILLEGAL, "MH-46")
    refused(state, {"ev": "deal_number", "seat": "C", "n": 1}, Code.ILLEGAL, "MH-46")
    refused(state, {"ev": "deal_number", "seat": "A", "n": 3}, Code.ILLEGAL, "MH-38")
    refused(state, {"ev": "deal_number", "seat": "A", "n": 0}, Code.ILLEGAL, "MH-38")
    state, _ = tell(state, {"ev": "deal_number", "seat": "A", "n": 2})
    refused(state, {"ev": "deal_number", "seat": "A", "n": 1}, Code.ILLEGAL, "MH-46")
    refused(state, moved("deal", "AC", "CA"), Code.CORRECT, "MH-38")
    assert tell(state, moved("deal", "AC", "AC", "CA", "CA"))[0].turn == "B"


# --- Nobody tells the referee ------------------------------------------------------------------------


def test_when_the_next_player_goes_on_the_card_counts_as_played() -> None:
    state, _ = tell(table(), plays("A", "hunter"))
    refused(state, {"ev": "went_on", "seat": "C"}, Code.ILLEGAL, "MH-13")
    refused(table(), {"ev": "went_on", "seat": "B"}, Code.ILLEGAL, "MH-13")
    state, _ = tell(state, {"ev": "went_on", "seat": "B"}, plays("B", "hide"))
    assert (state.turn, state.hunters_played, state.round_result) == ("C", 1, None)
