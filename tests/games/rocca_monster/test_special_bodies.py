"""Healer and Vampire, and the end of the game."""

from typing import Any

import pytest

from referee.games.rocca_monster.state import State
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
)

# --- Healer ------------------------------------------------------------------------------------------

HEALER = {"healer": True}


def test_the_third_grave_of_a_third_wakes_the_healer_on_the_same_day() -> None:
    state = executed(village(4, "DAY", dead="A1 B1 C1", opts=HEALER), "villager")
    assert (state.phase, state.healer_awake, state.graves) == ("EVENING", True, 4)


def test_a_healer_who_died_before_never_wakes() -> None:
    state = executed(village(4, "DAY", dead="A1 B1 C1", opts=HEALER, healer_dead=True), "villager")
    assert (state.phase, state.healer_awake) == ("NIGHT", False)


def test_a_healer_who_is_executed_takes_the_evening_along() -> None:
    state = executed(village(4, "DAY", dead="A1 B1 C1 D1", opts=HEALER, healer_awake=True), "healer")
    assert (state.phase, state.healer_awake, state.healer_dead) == ("NIGHT", False, True)


def _evening(**given: Any) -> State:
    state = village(4, "EVENING", dead="A1 B1 C1 D1", opts=HEALER, healer_awake=True, **given)
    return tell(state, {"ev": "evening_begin"}, {"ev": "evening_end"})[0]


def test_a_miracle_brings_the_dead_back_and_the_power_stays() -> None:
    state, _ = tell(_evening(), found("grave:A1"), rolled(3, "A"), turned("A1", up=True))
    assert (state.phase, state.graves, state.healer_awake) == ("NIGHT", 3, True)
    assert state.members["A1"].alive and state.members["A1"].revealed is None


def test_prayer_rolls_of_one_and_two_do_nothing() -> None:
    for value in (1, 2):
        state, _ = tell(_evening(), found("grave:A1"), rolled(value, "A"))
        assert (state.phase, state.graves) == ("NIGHT", 4)


@pytest.mark.parametrize("where", ["A2", "centre", "ambiguous"])
def test_a_die_on_no_grave_revives_nobody(where: str) -> None:
    state, rulings = tell(_evening(), found(where))
    assert state.phase == "NIGHT" and "G-15" in rulings[-1].clauses


def test_the_prayer_goes_in_order() -> None:
    awake = _evening()
    refused(awake, rolled(3), Code.ILLEGAL, "RM-47")
    refused(awake, turned("A1", up=True), Code.CORRECT, "RM-48")
    prayed, _ = tell(awake, found("grave:A1"))
    refused(prayed, rolled(None), Code.PROMPT, "G-19")
    saved, _ = tell(prayed, rolled(6))
    refused(saved, turned("B1", up=True), Code.CORRECT, "RM-48")
    refused(saved, {"ev": "night_begin"}, Code.CORRECT, "RM-48")


def test_what_is_told_during_the_prayer_is_dropped_unread() -> None:
    state = village(4, "EVENING", dead="A1 B1 C1 D1", opts=HEALER, healer_awake=True)
    praying, _ = tell(state, {"ev": "evening_begin"})
    refused(praying, found("grave:A1"), Code.ILLEGAL, "RM-46")


def test_a_revived_police_protects_again_and_a_revived_mayor_does_not() -> None:
    faces = {"A1": "mayor", "B1": "police"}
    for member, owner in (("A1", "A"), ("B1", "B")):
        begun = _evening(faces=faces)
        assert begun.mayor_lost and not begun.police_alive
        state, _ = tell(begun, found(f"grave:{member}"), rolled(4, owner), turned(member, up=True))
        assert state.mayor_lost
        assert state.police_alive == (member == "B1")
    kind = _evening(faces=faces, sw={"mayor_revive": True, "police_revive": False})
    state, _ = tell(kind, found("grave:A1"), rolled(4), turned("A1", up=True))
    assert not state.mayor_lost


def test_graves_are_counted_as_they_lie_or_all_deaths_by_house_rule() -> None:
    for rule, winner in (("current", None), ("cumulative", "monster")):
        state = village(4, "DAY", dead="A1 B1 C1 D1 A2", deaths=6, sw={"count_deaths": rule})
        assert executed(state, "villager").winner == winner


# --- Vampire -----------------------------------------------------------------------------------------

VAMPIRE = {"vampire": True}


def _claim(seat: str) -> dict[str, object]:
    return {"ev": "vampire_claim", "seat": seat}


def _says(seat: str, yes: bool) -> dict[str, object]:
    return {"ev": "clan_confirm", "seat": seat, "yes": yes}


def test_all_living_families_must_confirm_the_claim() -> None:
    day = village(4, "DAY", dead="D1 D2 D3", opts=VAMPIRE)
    state, _ = tell(day, _claim("B"), _says("A", True), _says("C", True))
    assert (state.phase, state.winner) == ("GAME_OVER", "vampire")
    state, rulings = tell(day, _claim("B"), _says("A", False), _says("C", True))
    assert (state.phase, state.winner, state.claim) == ("DAY", None, None)
    assert "penalty" in rulings[-1].because


def test_a_claim_is_made_by_day_by_a_living_family_in_a_game_with_a_vampire() -> None:
    refused(village(4, "DAY"), _claim("B"), Code.ILLEGAL, "RM-58")
    refused(village(4, "DAY", dead="B1 B2 B3", opts=VAMPIRE), _claim("B"), Code.ILLEGAL, "RM-58")
    refused(village(4, "MORNING", opts=VAMPIRE), _claim("B"), Code.ILLEGAL, "RM-58")
    claimed, _ = tell(village(4, "DAY", opts=VAMPIRE), _claim("B"))
    refused(claimed, _claim("C"), Code.ILLEGAL, "RM-58")
    refused(claimed, _says("B", True), Code.ILLEGAL, "RM-58")


def test_half_the_village_dead_wins_for_the_vampire_or_for_the_monster_once_it_is_turned() -> None:
    state = executed(village(4, "DAY", dead="A1 A2 B1 B2 C1 D1", opts=VAMPIRE), "villager")
    assert state.winner == "vampire"
    state, _ = tell(state, turned("D3", "monster"))
    assert state.winner == "monster"


def test_two_monsters_are_found_when_all_is_turned() -> None:
    over = executed(village(3, "DAY"), "monster")
    _, rulings = tell(over, turned("A1", "monster"))
    assert rulings[-1].code == Code.AUDIT


def test_after_the_end_nothing_happens_any_more() -> None:
    refused(executed(village(3, "DAY"), "monster"), CLOSE, Code.ILLEGAL, "RM-35")
