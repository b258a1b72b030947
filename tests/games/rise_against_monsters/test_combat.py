"""Attacks, pins, roads and jokers."""

from tests.games.rise_against_monsters.tables import attack, begin, drawn, refusal, table, tell, untap


def test_a_tie_goes_to_the_attacker() -> None:
    state, rulings = tell(table({"A": "H6 C6", "B": ""}), attack("H6", "C6"))
    assert (state.discard, state.tapped) == (("C6",), ("H6",))
    assert "RA-88" in rulings[0].clauses


def test_attackers_add_up_while_they_stay() -> None:
    state, rulings = tell(table({"A": "H3 H4 C7", "B": ""}), attack("H3", "C7"), attack("H4", "C7"))
    assert state.discard == ("C7",)
    assert "RA-89" in rulings[0].clauses
    assert {"RA-88", "RA-90"} <= set(rulings[1].clauses)


def test_a_sideways_card_is_not_used_again_and_workers_never_attack() -> None:
    state = table({"A": "H6! S9 C6", "B": ""})
    assert refusal(state, attack("H6", "C6")) == ("RA-20",)
    assert refusal(state, attack("S9", "C6")) == ("RA-95",)


def test_nothing_is_used_during_untap() -> None:
    state = table({"A": "H9 C5 D9-B", "B": "H3"}, step="UNTAP")
    assert refusal(state, attack("H9", "C5")) == ("RA-43",)
    assert refusal(state, {"ev": "transfer", "card": "H3", "road": "D9"}) == ("RA-43",)


def test_over_a_road_only_what_fits_and_one_at_a_time() -> None:
    state = table({"A": "H5 H6 D5-B", "B": "C8 H3 H9", "C": "H2"})
    assert refusal(state, attack("H6", "C8", "D5")) == ("RA-65",)
    assert refusal(state, attack("H5", "C8")) == ("RA-64",)
    assert refusal(state, attack("H2", "C8", "D5")) == ("RA-64",)
    sent, _ = tell(state, attack("H5", "C8", "D5"))
    assert sent.roads[0].used_by == "H5"
    busy = table({"A": "H5! C4 D5-B", "B": "C8 H3"}, via={"H5": "D5"})
    assert refusal(busy, attack("H3", "C4", "D5")) == ("RA-67",)


def test_a_bonus_to_roads_counts_only_from_its_owners_end() -> None:
    state = table({"A": "H8 DJ=S5 S5! C2 D5-B", "B": "H6 C8"})
    assert refusal(state, attack("H6", "C2", "D5")) == ("RA-65",)
    assert tell(state, attack("H8", "C8", "D5"))[0].discard == ("C8",)
    printed = table({"A": "H5 HK= C2", "B": "C9 D5-A"}, sw={"road_limit": "printed"})
    tell(printed, attack("H5", "C9", "D5"))
    assert refusal(table({"A": "H5 HK=", "B": "C9 D5-A"}), attack("H5", "C9", "D5")) == ("RA-65",)


def test_bound_monsters_are_attacked_only_by_house_rule() -> None:
    lands = {"A": "H9 HA=S10+S10#2/C8 S10! S10#2!", "B": ""}
    assert "G-19" in refusal(table(lands), attack("H9", "C8"))
    after, _ = tell(table(lands, sw={"attack_bound": True}), attack("H9", "C8"))
    assert (after.discard, after.lands["A"].castles[0].under) == (("C8",), ())


# --- Untap and pins ----------------------------------------------------------------------------------


def test_a_hero_left_sideways_pins_a_stronger_monster() -> None:
    state = table({"A": "H3! C9!", "B": ""}, step="UNTAP", contacts=[["H3", "C9"]])
    pinned, _ = tell(state, untap("H3"), begin("MONSTERS"))
    assert (set(pinned.tapped), pinned.orders) == ({"H3", "C9"}, ())
    freed, _ = tell(state, untap(), begin("MONSTERS"))
    assert (freed.tapped, [o.target for o in freed.orders]) == ((), ["H3"])


def test_a_pinned_hero_is_not_turned_upright_and_its_monster_does_not_let_go() -> None:
    state = table({"A": "H8! H2 C5!", "B": ""}, step="UNTAP", contacts=[["C5", "H8"]])
    assert {"RA-92", "RA-94"} <= set(refusal(state, untap()))
    after, _ = tell(state, untap("H8", "C5"), begin("MONSTERS"))
    assert (set(after.tapped), after.orders) == ({"H8", "C5"}, ())


def test_a_hero_attacked_while_upright_is_not_pinned_later() -> None:
    state = table({"A": "H8 C5 C2", "B": ""}, step="MONSTERS")
    state, _ = tell(state, begin("MONSTERS"), attack("C5", "H8"), attack("C2", "H8"))
    state, _ = tell(state, attack("H8", "C2"))
    ended = ({"ev": "step_done", "seat": "A"}, drawn("S2"), {"ev": "draw_stop", "seat": "A"})
    state, _ = tell(state, *ended, *[{"ev": "step_done", "seat": "A"}] * 2)
    state, _ = tell(state, *[{"ev": "step_done", "seat": "B"}] * 2, drawn("S3", "B"))
    state, _ = tell(state, {"ev": "draw_stop", "seat": "B"}, *[{"ev": "step_done", "seat": "B"}] * 2)
    assert (state.turn, state.step) == ("A", "UNTAP")
    assert tell(state, untap())[0].tapped == ()


def test_a_free_monster_is_not_left_sideways() -> None:
    assert refusal(table({"A": "C9!", "B": ""}, step="UNTAP"), untap("C9")) == ("RA-21",)


def test_a_hero_sent_over_a_road_keeps_its_pin_through_the_other_untap() -> None:
    lands = {"A": "C9! D5-B", "B": "H4!"}
    state = table(lands, step="UNTAP", contacts=[["H4", "C9"]], via={"H4": "D5"})
    assert set(tell(state, untap())[0].tapped) == {"C9", "H4"}
    mine = table(lands, step="UNTAP", turn="B", contacts=[["H4", "C9"]], via={"H4": "D5"})
    after, _ = tell(mine, untap(seat="B"))
    assert (after.tapped, after.contacts, after.roads[0].used_by) == (("C9",), (), None)


def test_workers_hold_nobody_and_are_held_by_nobody() -> None:
    state = table({"A": "S9! C4! HJ=S9", "B": ""}, step="UNTAP", contacts=[["C4", "S9"]])
    assert set(tell(state, untap("S9"))[0].tapped) == {"S9"}


def test_everybodys_cards_turn_upright_by_house_rule() -> None:
    lands = {"A": "H3!", "B": "H4! C5! S6!"}
    assert set(tell(table(lands, step="UNTAP"), untap())[0].tapped) == {"H4", "C5", "S6"}
    everybody = table(lands, step="UNTAP", sw={"untap_scope": "all"})
    assert tell(everybody, untap())[0].tapped == ("S6",)


# --- Jokers ------------------------------------------------------------------------------------------


def test_a_joker_in_the_hand_comes_before_a_drawn_monster() -> None:
    state = table({"A": "S5", "B": ""}, step="DRAW", hand={"A": ["JK"]})
    state, _ = tell(state, drawn("CK"))
    after, _ = tell(state, {"ev": "joker_used", "seat": "A"})
    assert (after.lands["A"].workers, after.pending, after.orders) == (("S5",), (), ())
    assert set(after.discard) == {"JK", "CK"}


def test_a_joker_works_only_in_the_own_land_and_from_the_hand() -> None:
    state = table({"A": "C5", "B": "C6"}, hand={"A": ["JK"]})
    assert refusal(state, {"ev": "joker_used", "seat": "A", "land": "B"}) == ("RA-48",)
    assert refusal(state, {"ev": "joker_used", "seat": "B"}) == ("RA-47",)


def test_bound_monsters_escape_a_joker_by_house_rule() -> None:
    lands = {"A": "H3 S10! S10#2! HA=S10+S10#2/C8", "B": ""}
    hit, _ = tell(table(lands, step="DRAW"), drawn("JK"))
    assert (hit.lands["A"].castles[0].under, hit.lands["A"].heroes) == ((), ("H3",))
    spared, _ = tell(table(lands, step="DRAW", sw={"joker_hits_bound": False}), drawn("JK"))
    assert (spared.lands["A"].castles[0].under, spared.lands["A"].heroes) == (("C8",), ())
