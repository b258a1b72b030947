"""The deal, drawing, the steps, and the end."""

import pytest

from referee.errors import TableError
from referee.games.rise_against_monsters import GAME
from tests.games.rise_against_monsters.tables import attack, drawn, play, refusal, table, tell

A_HAND = ["C9", "CK", "CA", "H4", "S7", "JK", "D2"]
B_HAND = ["H10", "SJ", "C2", "D9", "S3", "HA", "H6"]


@pytest.mark.parametrize(
    ("players", "decks", "cards", "pile"),
    [(2, 1, 54, 40), (3, 1, 54, 33), (4, 2, 108, 80), (5, 2, 108, 73), (6, 2, 108, 66), (7, 2, 108, 59)],
)
def test_the_set_up_for_every_number_of_players(players: int, decks: int, cards: int, pile: int) -> None:
    told = GAME.answer(GAME.load({}), {"name": "setup", "n": players})
    assert isinstance(told, dict)
    assert (told["decks"], told["cards"], told["draw_pile"]) == (decks, cards, pile)


def test_clubs_but_the_ace_go_into_play_and_a_joker_stays_in_the_hand() -> None:
    state, _ = tell(GAME.begin(("A", "B"), {}), {"ev": "dealt", "hands": {"A": A_HAND, "B": B_HAND}})
    assert state.lands["A"].monsters == ("C9", "CK")
    assert state.hand["A"] == ("CA", "H4", "S7", "JK", "D2")
    assert (state.step, state.deck_n) == ("UNTAP", 40)


def test_a_dealt_joker_strikes_by_house_rule() -> None:
    state, _ = tell(
        GAME.begin(("A", "B"), {"dealt_joker": "play"}), {"ev": "dealt", "seat": "A", "cards": A_HAND}
    )
    assert (state.lands["A"].monsters, set(state.discard)) == ((), {"JK", "C9", "CK"})
    assert state.step == "DEAL"


def test_a_wrong_deal_is_put_right() -> None:
    fresh = GAME.begin(("A", "B"), {})
    assert refusal(fresh, {"ev": "dealt", "seat": "A", "cards": A_HAND[:6]}) == ("RA-07",)
    assert refusal(fresh, {"ev": "dealt", "hands": {"A": A_HAND, "B": A_HAND}}) == ("RA-07",)
    assert refusal(fresh, attack("H4", "C9")) == ("RA-07",)


def test_a_turn_draws_at_least_one_and_no_more_than_seven_hold() -> None:
    state = table({"A": "", "B": ""}, step="DRAW", hand={"A": ["S2", "S3", "D4", "D5", "HJ"]})
    assert refusal(state, {"ev": "draw_stop", "seat": "A"}) == ("RA-36",)
    assert "RA-36" in refusal(state, {"ev": "step_done", "seat": "A"})
    state, _ = tell(state, drawn("S4"), drawn("H9"))
    assert refusal(state, drawn("S9")) == ("RA-35",)
    assert state.hand["A"][-1] == "S4"
    assert state.lands["A"].heroes == ("H9",)


def test_the_discard_pile_becomes_the_deck_when_it_is_used_up() -> None:
    state = table({"A": "", "B": ""}, step="DRAW", deck_n=0, discard=["C2", "S9"])
    assert refusal(state, drawn("S4")) == ("RA-38",)
    assert refusal(state, {"ev": "reshuffled", "deck_n": 5}) == ("RA-38",)
    state, _ = tell(state, {"ev": "reshuffled", "deck_n": 2}, drawn("S9"))
    assert (state.deck_n, state.discard) == (1, ())
    empty = table({"A": "", "B": ""}, step="DRAW", deck_n=0)
    assert refusal(empty, drawn("S4")) == ("G-28",)
    assert tell(empty, {"ev": "draw_stop", "seat": "A"})[0].step == "PLAY"


def test_a_drawn_monster_attacks_before_anything_else() -> None:
    state, _ = tell(table({"A": "S5 H3 H9!", "B": ""}, step="DRAW"), drawn("C4"))
    assert [(o.card, o.target) for o in state.orders] == [("C4", "H3")]
    assert "RA-40" in refusal(state, drawn("S9"))
    assert "G-22" in refusal(state, attack("H3", "C4"))
    eager, _ = tell(table({"A": "H4", "B": ""}, step="DRAW", sw={"hero_interrupt": True}), drawn("C4"))
    assert tell(eager, attack("H4", "C4"))[0].discard == ("C4",)
    after, _ = tell(state, attack("C4", "H3"), drawn("S9"))
    assert after.drawn == 2


def test_a_drawn_monster_without_prey_stays_upright() -> None:
    state, _ = tell(table({"A": "", "B": "H3"}, step="DRAW"), drawn("C9"))
    assert (state.orders, state.pending, state.tapped) == ((), (), ())
    assert "RA-41" in refusal(state, {"ev": "monster_moved", "card": "C9", "from": "A", "to": "B"})


def test_a_card_that_lies_elsewhere_cannot_be_drawn() -> None:
    state = table({"A": "H3", "B": ""}, step="DRAW", hand={"B": ["S7"]})
    assert refusal(state, drawn("H3")) == ("RA-37",)
    assert refusal(state, drawn("S7")) == ("RA-37",)


def test_the_turn_goes_to_the_left_and_the_first_round_ends() -> None:
    state = table({"A": "", "B": ""}, step="DISCARD", first_round=True, turn_no=1, hand={"A": ["S2"]})
    state, _ = tell(
        state, {"ev": "discarded", "seat": "A", "cards": ["S2"]}, {"ev": "step_done", "seat": "A"}
    )
    assert (state.turn, state.step, state.turn_no, state.first_round) == ("B", "UNTAP", 2, True)
    short = table({"A": "", "B": ""}, step="DISCARD", first_round=True, sw={"first_turn": "first_player"})
    assert tell(short, {"ev": "step_done", "seat": "A"})[0].first_round is False


def test_only_hand_cards_are_discarded_and_only_by_the_turn_player() -> None:
    state = table({"A": "H3", "B": ""}, step="DISCARD", hand={"A": ["S2"], "B": ["S4"]})
    assert refusal(state, {"ev": "discarded", "seat": "A", "cards": ["H3"]}) == ("RA-52",)
    assert "RA-10" in refusal(state, {"ev": "discarded", "seat": "B", "cards": ["S4"]})


def test_the_referee_goes_on_by_itself_when_nothing_is_left_to_do() -> None:
    state = table({"A": "", "B": ""}, step="UNTAP")
    steps = []
    while followers := GAME.follow(state):
        state = GAME.judge(state, followers[0]).state
        steps.append(state.step)
    assert steps == ["MONSTERS", "DRAW"]
    full = table({"A": "", "B": ""}, step="DRAW", hand={"A": ["S2", "S3", "S4", "S5", "S6", "S7", "S8"]})
    assert GAME.judge(full, GAME.follow(full)[0]).state.step == "PLAY"


# --- The end -----------------------------------------------------------------------------------------


def test_only_monsters_in_play_after_building_is_lost() -> None:
    state = table({"A": "S4", "B": "C5"}, step="DRAW", ever_building=True)
    lost, rulings = tell(state, drawn("C9"), attack("C9", "S4"))
    assert (lost.step, lost.outcome, rulings[-1].code) == ("GAME_OVER", "monsters_win", "LOSS")
    assert refusal(lost, drawn("S2")) == ("RA-03",)


@pytest.mark.parametrize("saved_by", ["road", "house rule", "clearing"])
def test_the_game_goes_on_while_anything_else_is_in_play(saved_by: str) -> None:
    lands = {"A": "S4 D9-B", "B": "C5"} if saved_by == "road" else {"A": "S4", "B": "C5", "C": ""}
    sw = {"loss_needs_monster_everywhere": saved_by == "house rule"}
    state = table(lands, step="DRAW", ever_building=saved_by != "clearing", sw=sw)
    assert tell(state, drawn("C9"), attack("C9", "S4"))[0].outcome is None


def test_castles_for_all_and_no_roaming_monster_is_won() -> None:
    lands = {"A": "S10! S10#2! S9 S8 S3 HA=S10+S10#2/C8", "B": "H5"}
    state, rulings = tell(table(lands, hand={"A": ["SA"]}), play("SA", "S9", "S8", "S3"))
    assert (state.outcome, rulings[-1].code) == ("players_win", "WIN")
    roaming, _ = tell(table({**lands, "B": "C2"}, hand={"A": ["SA"]}), play("SA", "S9", "S8", "S3"))
    assert roaming.outcome is None
    won, _ = tell(
        table({**lands, "B": "H5 C2"}, hand={"A": ["SA"]}), play("SA", "S9", "S8", "S3"), attack("H5", "C2")
    )
    assert won.outcome == "players_win"


@pytest.mark.parametrize(
    "given",
    [
        {"players": ["A"]},
        {"players": ["A", "A"]},
        {"turn": "Z"},
        {"hand": {"A": ["X9"]}},
        {"sw": {"jokers": 3}},
    ],
)
def test_a_state_that_cannot_be_is_refused_in_one_sentence(given: dict[str, object]) -> None:
    with pytest.raises(TableError):
        GAME.load(given)
