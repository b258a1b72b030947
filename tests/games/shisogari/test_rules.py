"""Take, give, determine: what the referee lets through and what it says."""

from typing import Any

import pytest

from referee.errors import TableError
from referee.games.shisogari import GAME
from referee.games.shisogari.state import State
from referee.types import Ruling

HANDS = {"A": (3, 2), "B": (3, 2), "C": (2, 3), "D": (2, 3)}


def table(hands: dict[str, tuple[int, int]] = HANDS, **given: Any) -> State:
    hand = {seat: {"white": white, "black": black} for seat, (white, black) in hands.items()}
    return GAME.load({"players": list(hands), "turn": "A", "phase": "TURN", "hand": hand, **given})


def tell(state: State, *events: dict[str, Any]) -> tuple[State, list[Ruling]]:
    rulings: list[Ruling] = []
    for plain in events:
        judged = GAME.judge(state, GAME.event(plain))
        state, rulings = judged.state, rulings + list(judged.rulings)
    return state, rulings


def refusal(state: State, event: dict[str, Any]) -> tuple[str, ...]:
    after, rulings = tell(state, event)
    assert after is state, f"not refused: {rulings}"
    return rulings[0].clauses


def action(kind: str, target: str, item: str | None = None, seat: str = "A") -> dict[str, Any]:
    return {"ev": "action", "seat": seat, "kind": kind, "target": target, "item": item}


def picked(picker: str, from_: str, colour: str) -> dict[str, Any]:
    return {"ev": "card_picked", "picker": picker, "from": from_, "colour": colour}


def resolved(seat: str, outcome: str, colour: str, item: str | None = None) -> dict[str, Any]:
    return {"ev": "resolved", "seat": seat, "outcome": outcome, "colour": colour, "item": item}


def counts(state: State) -> dict[str, tuple[int, int]]:
    return {seat: (hand.white, hand.black) for seat, hand in state.hand.items()}


# --- Set-up ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "phase"), [("ABCD", "TABLE_PICK"), ("ABCDE", "TURN")])
def test_everybody_begins_with_two_and_two(players: str, phase: str) -> None:
    hand = {seat: {"white": 2, "black": 2} for seat in players}
    fresh = GAME.begin(tuple(players), {})
    state, _ = tell(fresh, {"ev": "setup_seen", "hand": hand, "start": "C"})
    assert (state.phase, state.turn) == (phase, "C")
    wrong = {**hand, "B": {"white": 3, "black": 1}}
    assert {"SH-05", "SH-08"} <= set(refusal(fresh, {"ev": "setup_seen", "hand": wrong, "start": "C"}))


def test_table_cards_are_taken_clockwise_and_two_of_each_colour_lie_there() -> None:
    state = table(dict.fromkeys("ABCD", (2, 2)), phase="TABLE_PICK", start="A")
    assert refusal(state, {"ev": "table_card_taken", "seat": "B", "colour": "white"}) == ("SH-09",)
    whites = [{"ev": "table_card_taken", "seat": s, "colour": "white"} for s in "ABC"]
    state, _ = tell(state, *whites[:2])
    assert refusal(state, whites[2]) == ("SH-09",)


def test_only_four_or_five_play() -> None:
    with pytest.raises(TableError, match="4 or 5 players, not 3"):
        GAME.begin(("A", "B", "C"), {})


# --- Actions -----------------------------------------------------------------------------------------


def test_a_named_pair_is_laid_open() -> None:
    events = (
        action("take", "B", "dagger"),
        picked("A", "B", "white"),
        resolved("A", "pair_up", "white", "dagger"),
    )
    state, _ = tell(table(), *events)
    assert counts(state) == {**HANDS, "A": (2, 2), "B": (2, 2)}
    assert (state.pairs[0].item, state.pairs[0].face, state.turn) == ("dagger", "up", "B")


def test_a_kept_card_and_a_face_down_pair_change_the_counts() -> None:
    given = (action("give", "B", "bible"), picked("B", "A", "black"))
    kept, _ = tell(table(), *given, resolved("B", "added", "black"))
    assert counts(kept) == {**HANDS, "A": (3, 1), "B": (3, 3)}
    laid, rulings = tell(table(), *given, resolved("B", "pair_down", "black"))
    assert counts(laid) == {**HANDS, "A": (3, 1), "B": (3, 1)}
    assert rulings[-1].because == "A face-down pair, black."


@pytest.mark.parametrize(
    ("event", "clause"),
    [
        (action("take", "C", "dagger", seat="B"), "SH-13"),
        (action("take", "A", "dagger"), "SH-16"),
        (action("take", "Z", "dagger"), "SH-16"),
        (action("take", "B", "sword"), "SH-18"),
        (action("take", "B"), "SH-18"),
        (action("determine", "A"), "G-10"),
        ({"ev": "pass", "seat": "A"}, "SH-13"),
        (picked("A", "B", "white"), "SH-13"),
    ],
)
def test_what_may_not_be_declared(event: dict[str, Any], clause: str) -> None:
    assert clause in refusal(table(), event)


def test_colours_must_meet() -> None:
    state = table({"A": (2, 0), "B": (0, 3), "C": (1, 2), "D": (2, 2)})
    assert refusal(state, action("take", "B", "crucifix")) == ("SH-17",)
    assert refusal(state, action("take", "C", "stake")) == ("SH-18",)
    pick, _ = tell(state, action("take", "C", "crucifix"))
    assert refusal(pick, picked("A", "C", "black")) == ("G-03",)
    assert refusal(pick, picked("A", "D", "white")) == ("SH-19",)
    stuck = table({"A": (2, 0), "B": (0, 3), "C": (0, 2), "D": (0, 4)})
    passed, _ = tell(stuck, {"ev": "pass", "seat": "A"})
    assert passed.turn == "B"


@pytest.mark.parametrize(
    ("rule", "colours"), [("picker_holds", {"white"}), ("item", {"white"}), ("any", {"white", "black"})]
)
def test_which_colour_may_be_picked_is_a_house_rule(rule: str, colours: set[str]) -> None:
    state = table({"A": (2, 0), "B": (1, 3), "C": (1, 2), "D": (2, 2)}, sw={"pick_colour": rule})
    state, _ = tell(state, action("take", "B", "crucifix"))
    assert {choice.fields["colour"] for choice in GAME.choices(state)} == colours


def test_the_last_card_is_not_given_but_may_be_taken() -> None:
    state = table({**HANDS, "A": (1, 0)})
    assert refusal(state, action("give", "B", "dagger")) == ("SH-32",)
    last = table({**HANDS, "B": (0, 1)})
    over, rulings = tell(
        last, action("take", "B", "bible"), picked("A", "B", "black"), resolved("A", "added", "black")
    )
    assert (over.phase, over.winner, rulings[-1].code) == ("GAME_OVER", "vampire", "WIN")
    assert "SH-27" in refusal(over, action("take", "C", "bible", seat="B"))


@pytest.mark.parametrize(
    ("event", "clause"),
    [
        (resolved("A", "pair_up", "white", "crucifix"), "SH-20"),
        (resolved("A", "pair_up", "white"), "SH-20"),
        (resolved("A", "pair_down", "black"), "SH-21"),
        (resolved("B", "added", "white"), "SH-20"),
    ],
)
def test_what_the_picker_may_not_lay(event: dict[str, Any], clause: str) -> None:
    state, _ = tell(table(), action("take", "B", "dagger"), picked("A", "B", "white"))
    assert clause in refusal(state, event)


def test_a_pair_needs_a_partner_of_the_colour() -> None:
    state = table({**HANDS, "A": (0, 2)}, sw={"pick_colour": "any"})
    state, _ = tell(state, action("take", "B", "bible"), picked("A", "B", "white"))
    assert "SH-24" in refusal(state, resolved("A", "pair_down", "white"))


def test_doubles_of_the_first_hand_are_laid_out_only_by_house_rule() -> None:
    assert "SH-13" in refusal(table(), resolved("B", "pair_down", "white"))
    state, _ = tell(table(sw={"lay_initial_pairs": True}), resolved("B", "pair_down", "white"))
    assert counts(state)["B"] == (1, 2)


# --- The reveal --------------------------------------------------------------------------------------

ROLES = {"A": "hunter", "B": "hunter", "C": "vampire", "D": "hunter"}


def reveal(pairs: list[str], accused: str = "C", by: str = "A", **more: Any) -> State:
    """Pairs are typed as the terminal takes them: owner, two cards, face, named Item."""
    claim = action("determine", accused, seat=by)
    shown = {"ev": "role_shown", "seat": by, "role": ROLES[by]}
    everything = {"ev": "all_shown", "roles": ROLES, "pairs": pairs, "hands": more.pop("hands", {})}
    state, _ = tell(table(turn=by, **more), claim, shown, everything)
    return state


TWO = ["A dagger dagger up dagger", "B bible bible down stake"]


@pytest.mark.parametrize(
    ("pairs", "accused", "count", "winner"),
    [
        (TWO, "C", 5, "hunter"),
        (TWO, "B", 5, "vampire"),
        ([*TWO, "B blood_black garlic down stake"], "C", 4, "vampire"),
        ([*TWO, "B blood_black garlic down stake", "D stake stake down bible"], "C", 5, "hunter"),
        (["C blank_white dagger down stake", *TWO[:1]], "C", 4, "vampire"),
    ],
)
def test_pairs_and_hunters_are_counted(pairs: list[str], accused: str, count: int, winner: str) -> None:
    state = reveal(pairs, accused)
    assert (state.count, state.winner, state.audit) == (count, winner, ())


@pytest.mark.parametrize(
    ("pairs", "hands", "audit"),
    [
        (["A dagger stake up dagger"], {}, ("AU-2",)),
        (["A dagger dagger down dagger"], {}, ("AU-3",)),
        (["A dagger crucifix down stake"], {}, ("AU-4",)),
        (["A blank_white dagger down stake"], {}, ("AU-5",)),
        (["C blank_white stake down stake"], {}, ("AU-4",)),
        ([], {"B": ["blood_white"]}, ("AU-6",)),
        ([], {"C": ["blood_white"]}, ()),
    ],
)
def test_breaches_come_to_light(
    pairs: list[str], hands: dict[str, list[str]], audit: tuple[str, ...]
) -> None:
    assert reveal(pairs, hands=hands).audit == audit


@pytest.mark.parametrize(
    ("rule", "winner"), [("offender_loses", "hunter"), ("as_counted", "vampire"), ("void", None)]
)
def test_a_kin_or_the_vampire_who_determines_is_judged_by_the_house(rule: str, winner: str | None) -> None:
    kin = reveal(["B blood_white dagger down stake"], accused="A", by="B", sw={"illegal_claim": rule})
    assert (kin.kin, kin.audit, kin.winner) == (("B",), ("AU-1",), winner)
    vampire = reveal([], accused="A", by="C", sw={"illegal_claim": rule})
    assert (vampire.audit, vampire.winner) == (("AU-1",), winner)


def test_blood_kept_where_any_colour_may_be_picked_makes_kin() -> None:
    state = reveal(TWO, hands={"B": ["blood_white"]}, sw={"pick_colour": "any"})
    assert (state.kin, state.count, state.audit) == (("B",), 4, ())


def test_everything_must_be_open_before_it_is_counted() -> None:
    laid = [{"owner": "A", "colour": "white", "face": "down"}]
    state, _ = tell(
        table(pairs=laid), action("determine", "C"), {"ev": "role_shown", "seat": "A", "role": "hunter"}
    )
    assert refusal(state, {"ev": "all_shown", "roles": ROLES, "pairs": []}) == ("SH-34",)
    assert refusal(state, {"ev": "all_shown", "roles": {"A": "hunter"}, "pairs": TWO}) == ("SH-34",)


@pytest.mark.parametrize("players", [4, 5])
def test_hunters_need_two_pairs_and_one_more_for_every_kin(players: int) -> None:
    asked = [{"name": "pairs_needed", "n": players, "kin": kin} for kin in range(3)]
    assert [GAME.answer(GAME.load({}), q) for q in asked] == [2, 3, 4]
