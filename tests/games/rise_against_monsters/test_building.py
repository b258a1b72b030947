"""Workers, roads, bonus cards and castles."""

import pytest

from referee.games.rise_against_monsters import GAME
from tests.games.rise_against_monsters.tables import (
    attack,
    drawn,
    moved,
    play,
    refusal,
    table,
    tell,
    untap,
)


def test_nothing_is_built_while_a_monster_roams_in_the_land() -> None:
    state = table({"A": "C2", "B": ""}, hand={"A": ["S4", "H9"]})
    assert "RA-58" in refusal(state, play("S4"))
    built, _ = tell(state, play("H9"), attack("H9", "C2"), play("S4"))
    assert (built.phase["A"], built.phase["B"], built.ever_building) == ("building", "clearing", True)


def test_cards_are_built_only_in_the_play_step_and_from_the_own_hand() -> None:
    assert "RA-58" in refusal(table({"A": "", "B": ""}, step="DRAW", hand={"A": ["S4"]}), play("S4"))
    assert "RA-19" in refusal(table({"A": "", "B": ""}), play("S4"))


def test_a_road_needs_two_ends_and_one_of_them_at_home() -> None:
    state = table({"A": "", "B": "", "C": ""}, hand={"A": ["D4"]})
    assert refusal(state, play("D4")) == ("RA-63",)
    assert refusal(state, play("D4", ends=["B", "C"])) == ("RA-63",)
    laid, _ = tell(state, play("D4", ends=["A", "C"]))
    assert laid.roads[0].ends == ("A", "C")


@pytest.mark.parametrize(("card", "cost"), [("HJ", 5), ("DQ", 10), ("SK", 15), ("CA", 20)])
def test_bonus_cards_and_castles_cost_their_workers(card: str, cost: int) -> None:
    workers = {5: "S5", 10: "S10", 15: "S10 S5", 20: "S10 S8 S2"}[cost].split()
    state = table({"A": "S10 S8 S5 S2 S4", "B": ""}, hand={"A": [card]})
    tell(state, play(card, *workers))
    assert refusal(state, play(card, "S4"))[0] == "RA-59"
    built, _ = tell(state, play(card, *workers))
    assert set(built.tapped) == set(workers)


def test_a_worker_supports_one_card_only() -> None:
    state = table({"A": "S10! HJ=S10", "B": ""}, hand={"A": ["DJ"]})
    assert "G-14" in refusal(state, play("DJ", "S10"))
    split = table({"A": "S10! HJ=S10", "B": ""}, hand={"A": ["DJ", "SJ"]}, sw={"split_worker": True})
    both, _ = tell(split, play("DJ", "S10"))
    assert len(both.lands["A"].bonus) == 2
    assert "RA-59" in refusal(both, play("SJ", "S10"))


def test_a_neighbours_worker_helps_over_a_road_that_is_wide_enough() -> None:
    state = table({"A": "S9 S4 D7-B", "B": "S7 S8"}, hand={"A": ["CA"]})
    assert refusal(state, play("CA", "S9", "S4", "S8", via={"S8": "D7"})) == ("RA-65",)
    built, rulings = tell(state, play("CA", "S9", "S4", "S7", via={"S7": "D7"}))
    assert built.roads[0].used_by == "S7"
    assert "RA-60" in rulings[0].clauses


def test_two_workers_do_not_share_a_road() -> None:
    state = table({"A": "S9 D7-B", "B": "S7 S4"}, hand={"A": ["CA"]})
    assert refusal(state, play("CA", "S9", "S7", "S4", via={"S7": "D7", "S4": "D7"})) == ("RA-67",)


def test_a_remote_worker_that_is_turned_upright_supports_no_more() -> None:
    lands = {"A": "S9! S4! D7-B CA=S9+S4+S7", "B": "S7!"}
    state = table(lands, turn="B", step="UNTAP", via={"S7": "D7"})
    gone, _ = tell(state, untap(seat="B"))
    assert (gone.lands["A"].castles[0].by, gone.roads[0].used_by) == (("S9", "S4"), None)
    kept, _ = tell(state, untap("S7", seat="B"))
    assert kept.lands["A"].castles[0].by == ("S9", "S4", "S7")


def test_remote_support_counts_in_the_owners_untap_only_while_the_road_lies() -> None:
    lands = {"A": "S9! S4! D7-B CA=S9+S4+S7", "B": "S7!"}
    kept, _ = tell(table(lands, step="UNTAP", via={"S7": "D7"}), untap("S9", "S4"))
    assert kept.lands["A"].castles
    cut = {"A": "S9! S4! CA=S9+S4+S7", "B": "S7!"}
    lost, _ = tell(table(cut, step="UNTAP"), untap("S9", "S4"))
    assert lost.discard == ("CA",)


def test_a_worker_sent_for_good_does_not_support_its_old_land() -> None:
    state = table({"A": "D10-B HJ=", "B": "S5!"}, step="UNTAP", via={"S5": "D10"})
    assert "RA-57" in refusal(state, untap(HJ=["S5"]))


# --- Untap pays --------------------------------------------------------------------------------------


def test_what_is_not_paid_goes() -> None:
    state, _ = tell(table({"A": "H4 HJ=", "B": ""}, step="UNTAP"), untap())
    assert (state.lands["A"].bonus, state.discard) == ((), ("HJ",))


def test_the_queen_of_spades_pays_herself_more_cheaply() -> None:
    state = table({"A": "S4! S6! SQ=S4+S6", "B": ""}, step="UNTAP")
    kept, _ = tell(state, untap("S6", SQ=["S6"]))
    assert (kept.lands["A"].bonus[0].by, kept.tapped) == (("S6",), ("S6",))
    lost, _ = tell(state, untap("S4", SQ=["S4"]))
    assert lost.discard == ("SQ",)


def test_one_lost_bonus_card_may_cost_another() -> None:
    lands = {"A": "S2! S6! SJ=S2 HQ=S6", "B": ""}
    lost, _ = tell(table(lands, step="UNTAP"), untap("S2", "S6"))
    assert set(lost.discard) == {"HQ"}
    both, _ = tell(table({"A": "S6! SJ= HJ=S2 S2!", "B": ""}, step="UNTAP"), untap("S2"))
    assert set(both.discard) == {"SJ", "HJ"}


def test_workers_are_regrouped_in_untap() -> None:
    state = table({"A": "S5! S7 HJ=S5", "B": ""}, step="UNTAP")
    after, _ = tell(state, untap("S7", HJ=["S7"]))
    assert (after.lands["A"].bonus[0].by, after.tapped) == (("S7",), ("S7",))
    twice = table({"A": "S10! HJ=S10 DJ=", "B": ""}, step="UNTAP")
    assert "G-14" in refusal(twice, untap("S10", HJ=["S10"], DJ=["S10"]))


def test_the_monsters_of_a_lost_castle_roam_and_act_in_the_same_turn() -> None:
    state = table({"A": "S10! S8! DA=S10+S8/C7+C8", "B": ""}, step="UNTAP")
    after, _ = tell(state, untap("S10", "S8"), {"ev": "step_begin", "seat": "A", "step": "MONSTERS"})
    assert after.lands["A"].monsters == ("C7", "C8")
    assert [(o.card, o.target, o.destroyed) for o in after.orders] == [
        ("C8", "S8", True),
        ("C7", "S10", False),
    ]


def test_untap_offers_idle_workers_for_lost_ones() -> None:
    state = table({"A": "S7 S4 HJ=", "B": ""}, step="UNTAP")
    offered = GAME.choices(state)[0]
    kept, _ = tell(state, {"ev": offered.event, **offered.fields})
    assert kept.lands["A"].bonus[0].by == ("S7",)


def test_the_step_waits_for_the_untap() -> None:
    state = table({"A": "HJ=", "B": ""}, step="UNTAP")
    assert "RA-57" in refusal(state, {"ev": "step_done", "seat": "A", "step": "UNTAP"})


def test_another_worker_takes_a_destroyed_ones_place_at_once() -> None:
    state = table({"A": "S7 S5! HJ=S5", "B": ""}, step="DRAW")
    state, _ = tell(state, drawn("C6"), attack("C6", "S5"))
    assert state.lands["A"].bonus[0].by == ()
    after, _ = tell(state, {"ev": "support_added", "target": "HJ", "workers": ["S7"]})
    assert (after.lands["A"].bonus[0].by, "S7" in after.tapped) == (("S7",), True)
    assert "G-14" in refusal(after, {"ev": "support_added", "target": "HJ", "workers": ["S7"]})


# --- Bonus cards -------------------------------------------------------------------------------------


def _rating(lands: dict[str, str], card: str, **given: object) -> object:
    return GAME.answer(table(lands, **given), {"name": "rating", "seat": "A", "card": card})


def test_bonus_cards_add_and_are_drawn_once_over_roads() -> None:
    assert _rating({"A": "H7 HJ= HK=", "B": ""}, "H7") == 15
    assert _rating({"A": "H7 DJ= D4-B D5-C", "B": "HJ=", "C": "HJ#2="}, "H7") == 10
    assert _rating({"A": "H7 DJ= HJ= D4-B", "B": "HJ#2="}, "H7") == 13
    assert _rating({"A": "H7 DQ= D4-B", "B": "HJ="}, "H7") == 7
    assert _rating({"A": "H7 DJ=", "B": "HJ="}, "H7") == 7
    assert _rating({"A": "H7 HJ= HJ#2=", "B": ""}, "H7") == 13
    assert _rating({"A": "H7 HJ= HJ#2=", "B": ""}, "H7", sw={"own_duplicates": False}) == 10


def test_only_the_builders_road_gets_the_bonus_by_house_rule() -> None:
    roads = [{"card": "D5", "ends": ["A", "B"], "used_by": None, "builder": "B"}]
    asked = {"name": "road_rating", "road": "D5", "seat": "A"}
    assert GAME.answer(table({"A": "DJ=", "B": ""}, roads=roads), asked) == 8
    strict = table({"A": "DJ=", "B": ""}, roads=roads, sw={"road_bonus_scope": "builder"})
    assert GAME.answer(strict, asked) == 5


# --- Sent for good -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("road", "hero", "allowed"), [(10, 5, True), (10, 6, False), (7, 3, True), (7, 4, False)]
)
def test_half_the_road_may_go_for_good(road: int, hero: int, allowed: bool) -> None:
    state = table({"A": f"H{hero} D{road}-B", "B": ""})
    sent = {"ev": "transfer", "card": f"H{hero}", "road": f"D{road}"}
    if not allowed:
        assert "RA-70" in refusal(state, sent)
        return
    after, _ = tell(state, sent)
    assert (after.lands["B"].heroes, after.tapped) == ((f"H{hero}",), (f"H{hero}",))
    assert after.roads[0].used_by == f"H{hero}"


# --- Castles -----------------------------------------------------------------------------------------

FULL = {"A": "S10! S8! S2! HA=S10+S8+S2/C7+C8+C3", "B": ""}


def _set(under: list[str], out: list[str]) -> dict[str, object]:
    return {"ev": "castle_set", "castle": "HA", "under": under, "out": out}


def test_a_castle_binds_what_fits_and_its_owner_regroups_when_one_arrives() -> None:
    state, _ = tell(table(FULL, step="DRAW"), drawn("C10"))
    assert state.lands["A"].monsters == ("C10",)
    assert "RA-84" in refusal(state, _set(["C10", "C8", "C3"], ["C7"]))
    after, _ = tell(state, _set(["C10", "C7", "C3"], ["C8"]))
    assert [(o.card, o.target) for o in after.orders] == [("C8", "S2")]
    both, _ = tell(state, _set(["C10", "C8"], ["C7", "C3"]))
    assert both.lands["A"].monsters == ("C7", "C3")


def test_a_castle_is_not_regrouped_later() -> None:
    assert "RA-84" in refusal(table(FULL, step="DRAW"), _set(["C7", "C8"], ["C3"]))
    state, _ = tell(table(FULL, step="DRAW"), drawn("C10"), attack("C10", "S2"))
    assert "RA-84" in refusal(state, _set(["C10", "C8"], ["C7", "C3"]))


def test_the_next_card_closes_the_castle() -> None:
    lands = {"A": "S10! S10#2! HA=S10+S10#2/C7", "B": ""}
    state, _ = tell(table(lands, step="DRAW"), drawn("C5"), drawn("S9"))
    assert "G-18" in refusal(state, _set(["C5"], ["C7"]))


def test_a_castle_with_room_takes_a_fitting_monster_by_itself() -> None:
    lands = {"A": "H6 S10! S10#2! SA=S10+S10#2/CJ", "B": ""}
    fits, _ = tell(table(lands, step="DRAW"), drawn("C5"))
    assert fits.lands["A"].castles[0].under == ("CJ", "C5")
    roams, _ = tell(table(lands, step="DRAW"), drawn("C6"))
    assert [(o.card, o.target) for o in roams.orders] == [("C6", "H6")]


def test_a_monster_released_for_one_that_moved_in_lies_sideways() -> None:
    lands = {"A": "C10", "B": FULL["A"]}
    state, _ = tell(table(lands, step="MONSTERS"), moved("C10", "B"))
    after, _ = tell(state, _set(["C10", "C7", "C3"], ["C8"]))
    assert (after.lands["B"].monsters, "C8" in after.tapped) == (("C8",), True)
    assert "C10" not in after.tapped
