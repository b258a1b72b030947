"""The rules of Rocca Monster, one by one."""

import pytest

from referee.errors import TableError
from referee.games.rocca_monster import GAME
from referee.games.rocca_monster.state import named
from referee.types import Code
from tests.games.rocca_monster.telling import (
    CLOSE,
    executed,
    found,
    refused,
    rolled,
    tell,
    turned,
    village,
    votes,
)

# --- Set-up ------------------------------------------------------------------------------------------


def _setup(n: int = 3, **changed: object) -> dict[str, object]:
    members = {m: "plain" for seat in "ABCDEF"[:n] for m in named(seat)}
    return {"ev": "setup_seen", "members": members, "voting_cards": n, "die": "centre", **changed}


@pytest.mark.parametrize(("n", "needed"), [(3, 5), (4, 7), (5, 8), (6, 10)])
def test_more_than_half_dead_wins_for_the_monster(n: int, needed: int) -> None:
    state, rulings = tell(GAME.begin(tuple("ABCDEF"[:n]), {}), _setup(n))
    assert (state.phase, state.threshold, len(state.members)) == ("NIGHT", needed, 3 * n)
    assert rulings[0].because == f"{n} players, {3 * n} villagers; the Monster needs {needed} dead."


def test_every_family_has_three_members() -> None:
    short = dict.fromkeys(("A1", "A2", "A3", "B1", "B2", "C1", "C2", "C3"), "plain")
    fresh = GAME.begin(("A", "B", "C"), {})
    refused(fresh, _setup(members=short), Code.CORRECT, "RM-08")
    refused(fresh, _setup(members={**short, "Z1": "plain"}), Code.CORRECT, "RM-10")


def test_die_and_voting_cards_lie_ready() -> None:
    fresh = GAME.begin(("A", "B", "C"), {})
    refused(fresh, _setup(die=None), Code.CORRECT, "RM-12")
    refused(fresh, _setup(voting_cards=2), Code.CORRECT, "RM-13")


def test_a_chosen_mayor_must_lie_on_the_table() -> None:
    fresh = GAME.begin(("A", "B", "C"), {"mayor": True})
    refused(fresh, _setup(), Code.CORRECT, "RM-39")
    state, _ = tell(fresh, _setup(mayor="B2"))
    assert state.members["B2"].face == "mayor" and state.opts.mayor


def test_special_bodies_need_four_players() -> None:
    with pytest.raises(TableError, match="the Healer needs 4 players or more, not 3"):
        GAME.begin(("A", "B", "C"), {"healer": True})
    assert GAME.begin(("A", "B", "C"), {"healer": True, "special_bodies_min": 3}).third == 3


def test_the_game_master_is_the_referee_or_a_seat() -> None:
    with pytest.raises(TableError, match="the Game Master is 'Z'"):
        GAME.begin(("A", "B", "C"), {"gm": "Z"})
    assert GAME.begin(("A", "B", "C"), {"gm": "B"}).gm == "B"


# --- Night and morning -------------------------------------------------------------------------------


def test_what_is_told_at_night_is_dropped_unread() -> None:
    night, _ = tell(village(phase="NIGHT"), {"ev": "night_begin"})
    begin: dict[str, object] = {"ev": "night_begin"}
    for event in (found("B2"), turned("B2", "monster"), *votes(A="B1"), CLOSE, begin):
        refused(night, event, Code.ILLEGAL, "RM-17")
    said = {GAME.judge(night, GAME.event(e)).rulings[0].because for e in (found("B2"), found("A1"), CLOSE)}
    assert len(said) == 1


def test_the_count_of_ten_is_of_the_same_length_on_every_night() -> None:
    first, _ = tell(village(phase="NIGHT"), {"ev": "night_begin"})
    later, _ = tell(village(phase="NIGHT", dead="A1 B1", day=3), {"ev": "night_begin"})
    evening, _ = tell(village(phase="EVENING", dead="A1 B1 C1 D1"), {"ev": "evening_begin"})
    script = GAME.script(first)
    assert [c.say for c in script[:2]] == ["One.", "Two."] and len(script) == 11
    assert script[-1].after_ms == 12_000 and script[-1].event == "night_end"
    assert GAME.script(later) == script
    assert [c.after_ms for c in GAME.script(evening)] == [c.after_ms for c in script]
    assert GAME.script(village()) == ()


def test_a_player_as_game_master_counts_in_the_same_time() -> None:
    night, _ = tell(village(phase="NIGHT", gm="B"), {"ev": "night_begin"})
    assert [(c.after_ms, c.event) for c in GAME.script(night)] == [(12_000, "night_end")]


def test_the_camera_is_blind_only_while_eyes_are_shut() -> None:
    dusk = village(phase="NIGHT")
    night, _ = tell(dusk, {"ev": "night_begin"})
    morning, _ = tell(night, {"ev": "night_end"})
    assert [GAME.blind(s) for s in (dusk, night, morning)] == [False, True, False]


@pytest.mark.parametrize("where", ["centre", "ambiguous", "grave:A1", "A1"])
def test_without_a_victim_the_night_is_repeated_once_and_no_hint_is_given(where: str) -> None:
    state, rulings = tell(village(dead="A1"), found(where))
    assert (state.phase, state.night_repeats) == ("NIGHT", 1)
    assert (
        rulings[0].because == GAME.judge(village(dead="A1"), GAME.event(found("centre"))).rulings[0].because
    )
    state, rulings = tell(state, {"ev": "night_begin"}, {"ev": "night_end"}, found(where))
    assert state.phase == "DAY" and "G-09" in rulings[-1].clauses


def test_a_table_may_play_without_repeated_nights() -> None:
    state, _ = tell(village(sw={"no_attack": "no_victim"}), found("centre"))
    assert state.phase == "DAY"


def test_a_villager_nobody_knows_is_refused() -> None:
    refused(village(), found("Z9"), Code.ILLEGAL, "RM-21")


# --- The roll ----------------------------------------------------------------------------------------

TABLES = {
    "3to6": ("3456", "23456", "123456"),
    "3or4": ("34", "234", "1234"),
    "reroll56": ("34", "234", "1234"),
    "mild": ("3456", "23456", "23456"),
    "police_paragraph": ("12", "23", "123"),
}


@pytest.mark.parametrize("preset", TABLES)
@pytest.mark.parametrize("value", range(1, 7))
def test_the_attack_table_decides_who_survives(preset: str, value: int) -> None:
    for victim, saving in zip(("C1", "B2", "B1"), TABLES[preset], strict=True):
        state = village(faces={"B1": "police"}, sw={"attack_table": preset})
        state, _ = tell(state, found(victim), rolled(value))
        again = preset == "reroll56" and value > 4
        survived = str(value) in saving
        assert state.phase == ("DAY" if survived else "ROLL")
        assert (state.rolled is None) == (survived or again)


def test_the_police_protects_only_while_he_lives() -> None:
    state, _ = tell(village(faces={"B1": "police"}, dead="B1"), found("B3"), rolled(2))
    assert state.rolled == 2


def test_a_leaning_die_is_rolled_again() -> None:
    state, _ = tell(village(), found("B2"))
    refused(state, rolled(None), Code.PROMPT, "G-19")


def test_only_the_owner_of_the_victim_rolls() -> None:
    state, _ = tell(village(), found("B2"))
    refused(state, rolled(4, by="C"), Code.ILLEGAL, "G-19")


def test_five_and_six_are_told_as_a_house_rule() -> None:
    _, rulings = tell(village(), found("B2"), rolled(5))
    assert [r.code for r in rulings if r.clauses == ("G-01",)] == [Code.ASSUME]


def test_the_dead_are_turned_before_anything_else() -> None:
    state, _ = tell(village(), found("B2"), rolled(1))
    refused(state, votes(A="B1")[0], Code.CORRECT, "RM-24")
    refused(state, turned("B1"), Code.CORRECT, "RM-24")
    refused(state, turned("B2", up=True), Code.CORRECT, "RM-24")
    refused(state, {"ev": "member_turned", "member": "B2"}, Code.PROMPT, "RM-24")


def test_nothing_of_a_survivor_is_turned() -> None:
    state, _ = tell(village(), found("B2"), rolled(3))
    refused(state, turned("B2"), Code.CORRECT, "RM-25")


def test_only_the_mayor_moves_the_die() -> None:
    state, _ = tell(village(faces={"A1": "mayor"}), found("B2"))
    refused(state, {"ev": "mayor_redirect", "to": "C1"}, Code.ILLEGAL, "RM-39")
    refused(state, found("C1"), Code.ILLEGAL, "RM-39")
    refused(village(), {"ev": "mayor_redirect", "to": "C1"}, Code.ILLEGAL, "RM-39")


def test_the_mayor_is_asked_when_his_family_is_attacked() -> None:
    _, rulings = tell(village(faces={"A1": "mayor"}), found("A3"))
    assert rulings[-1].code == Code.PROMPT and rulings[-1].seat == "A"


def test_the_mayor_moves_the_die_once_and_before_the_roll() -> None:
    attacked, _ = tell(village(faces={"A1": "mayor"}), found("A3"))
    declined, _ = tell(attacked, {"ev": "mayor_declined"})
    refused(declined, {"ev": "mayor_redirect", "to": "C1"}, Code.ILLEGAL, "RM-39")
    doomed, _ = tell(attacked, rolled(1))
    refused(doomed, {"ev": "mayor_redirect", "to": "C1"}, Code.ILLEGAL, "RM-39")
    moved, _ = tell(attacked, {"ev": "mayor_redirect", "to": "C1"})
    refused(moved, {"ev": "mayor_redirect", "to": "D1"}, Code.ILLEGAL, "RM-39")
    refused(moved, {"ev": "mayor_declined"}, Code.ILLEGAL, "RM-39")


def test_a_dead_mayor_has_no_power() -> None:
    state, _ = tell(village(faces={"A1": "mayor"}, dead="A1"), found("A3"))
    refused(state, {"ev": "mayor_redirect", "to": "C1"}, Code.ILLEGAL, "RM-40")


def test_the_die_goes_to_a_living_villager_of_another_family() -> None:
    attacked, _ = tell(village(faces={"A1": "mayor"}, dead="C1"), found("A3"))
    refused(attacked, {"ev": "mayor_redirect", "to": "C1"}, Code.ILLEGAL, "G-10")
    refused(attacked, {"ev": "mayor_redirect", "to": "A2"}, Code.ILLEGAL, "G-10")
    free = village(faces={"A1": "mayor"}, sw={"mayor_target": "any"})
    state, _ = tell(free, found("A3"), {"ev": "mayor_redirect", "to": "A2"})
    assert state.die_on == "A2"


def test_the_mayor_who_dies_unused_loses_his_power() -> None:
    state, rulings = tell(village(faces={"A1": "mayor"}), found("A1"), rolled(1), turned("A1"))
    assert state.mayor_lost and "RM-40" in rulings[-1].clauses


# --- Day and execution -------------------------------------------------------------------------------


def test_votes_lie_on_living_villagers_only() -> None:
    day = village(phase="DAY", dead="D1")
    refused(day, votes(A="D1")[0], Code.CORRECT, "RM-27")
    refused(day, votes(A="Z1")[0], Code.CORRECT, "RM-27")


def test_a_moved_voting_card_counts_once() -> None:
    state, _ = tell(village(phase="DAY"), *votes(A="B1"), *votes(A="C1"))
    assert state.votes == {"C1": 1} and state.voters == {"A": "C1"}


def test_nameless_voting_cards_are_counted_and_no_more_than_there_are() -> None:
    cards: list[dict[str, object]] = [{"ev": "vote_set", "seat": None, "member": "B1"}] * 4
    state, _ = tell(village(phase="DAY"), *cards)
    assert state.votes == {"B1": 4}
    refused(state, cards[0], Code.CORRECT, "RM-13")
    state, _ = tell(state, {"ev": "vote_lifted", "seat": None, "member": "B1"})
    assert state.votes == {"B1": 3}


def test_only_a_card_that_lies_there_can_be_lifted() -> None:
    day, _ = tell(village(phase="DAY"), *votes(A="B1"))
    refused(day, {"ev": "vote_lifted", "seat": "A", "member": "C1"}, Code.ILLEGAL, "RM-29")


def test_a_tie_keeps_the_talk_going() -> None:
    state, _ = tell(village(phase="DAY"), *votes(A="B1", B="C3", C="B1", D="C3"))
    refused(state, CLOSE, Code.ILLEGAL, "RM-31")


def test_more_than_half_may_be_asked_for() -> None:
    state, _ = tell(
        village(5, "DAY", sw={"vote_rule": "absolute"}), *votes(A="B1", B="B1", C="C1", D="D1", E="E1")
    )
    refused(state, CLOSE, Code.ILLEGAL, "G-07")


def test_dead_families_keep_voting_unless_the_table_says_otherwise() -> None:
    state, _ = tell(village(phase="DAY", dead="D1 D2 D3"), *votes(D="A1"))
    assert state.votes == {"A1": 1}
    silent = village(phase="DAY", dead="D1 D2 D3", sw={"dead_family_votes": False})
    refused(silent, votes(D="A1")[0], Code.CORRECT, "G-08")
    state, _ = tell(silent, *votes(A="B1", B="B1", C="B1"), CLOSE)
    assert state.condemned == "B1"


def test_only_the_condemned_is_turned() -> None:
    state, _ = tell(village(phase="DAY"), *votes(A="B1", B="B1", C="B1", D="C1"), CLOSE)
    refused(state, turned("C1"), Code.CORRECT, "RM-32")
    refused(state, CLOSE, Code.ILLEGAL, "RM-32")


def test_an_innocent_death_that_completes_the_half_wins_for_the_monster() -> None:
    state = executed(village(3, "DAY", dead="A1 B1 B2 C1"), "villager")
    assert (state.phase, state.winner, state.graves) == ("GAME_OVER", "monster", 5)


def test_the_monster_as_the_deciding_death_loses_by_default() -> None:
    assert executed(village(3, "DAY", dead="A1 B1 B2 C1"), "monster").winner == "villagers"
    counted_first = village(3, "DAY", dead="A1 B1 B2 C1", sw={"monster_check_first": False})
    assert executed(counted_first, "monster").winner == "monster"


def test_a_day_after_an_execution_begins_clean() -> None:
    state = executed(village(3, "DAY"), "villager")
    assert (state.phase, state.day, state.votes, state.condemned) == ("NIGHT", 2, {}, None)


def test_the_monster_that_kills_itself_is_found_unless_the_table_lets_it_go_on() -> None:
    state, _ = tell(village(), found("D3"), rolled(1), turned("D3", "monster"))
    assert state.winner == "villagers"
    state, _ = tell(village(sw={"self_kill": "continues"}), found("D3"), rolled(1), turned("D3", "monster"))
    assert (state.phase, state.winner, state.graves) == ("DAY", None, 1)
