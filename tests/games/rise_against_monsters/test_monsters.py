"""Monster Activity: who acts, whom it attacks, where it goes."""

from tests.games.rise_against_monsters.tables import attack, begin, moved, refusal, table, tell


def _plan(lands: dict[str, str], **given: object) -> list[tuple[str, str, str | None]]:
    state, _ = tell(table(lands, step="MONSTERS", **given), begin("MONSTERS"))
    return [(o.card, o.do, o.target or o.to) for o in state.orders]


def test_the_largest_monster_attacks_the_weakest_hero_first() -> None:
    assert _plan({"A": "C4 CJ H9 H2", "B": ""}) == [("CJ", "attack", "H2"), ("C4", "attack", "H9")]


def test_without_heroes_workers_are_attacked_and_then_roads() -> None:
    assert _plan({"A": "C9 C8 S3 D2-B", "B": ""}) == [("C9", "attack", "S3"), ("C8", "attack", "D2")]


def test_a_road_seen_with_the_bonus_of_the_land_may_not_be_the_weakest() -> None:
    assert _plan({"A": "C9 DJ= D2-B", "B": ""})[0] == ("C9", "attack", "D2")
    state, _ = tell(table({"A": "C4 DJ= D2-B", "B": ""}, step="MONSTERS"), begin("MONSTERS"))
    assert (state.orders[0].needed, state.orders[0].destroyed) == (5, False)


def test_monsters_without_prey_go_one_to_each_land_in_order_of_appeal() -> None:
    lands = {"A": "C9 C7 C5 C3", "B": "H2 H8", "C": "H4 H9 S6 S7", "D": "H4#2 H10"}
    assert _plan(lands) == [
        ("C9", "move", "B"),
        ("C7", "move", "C"),
        ("C5", "move", "D"),
        ("C3", "stay", None),
    ]


def test_with_heroes_only_counted_workers_do_not_draw_a_monster() -> None:
    lands = {"A": "C9", "B": "H4", "C": "H4#2 S6"}
    assert _plan(lands) == [("C9", "move", "C")]
    assert _plan(lands, sw={"count_targets": "heroes"}) == [("C9", "move", "B")]


def test_wrong_target_order_and_land_are_put_right() -> None:
    state = table({"A": "C9 C4 H5 H2", "B": ""}, step="MONSTERS")
    assert refusal(state, attack("C9", "H5")) == ("RA-24",)
    assert refusal(state, attack("C4", "H2")) == ("RA-23",)
    assert "RA-24" in refusal(state, moved("C9", "B"))
    alone = table({"A": "C9 C4", "B": "H2", "C": "S2", "D": "H2#2 S3"}, step="MONSTERS")
    assert refusal(alone, moved("C9", "C")) == ("RA-29",)
    assert refusal(alone, moved("C9", "B")) == ("RA-30",)
    assert refusal(alone, moved("C4", "D")) == ("RA-23",)
    after, _ = tell(alone, moved("C9", "D"))
    assert refusal(after, moved("C4", "D")) == ("RA-31",)


def test_workers_are_named_as_the_prey_when_there_are_no_heroes() -> None:
    assert refusal(table({"A": "C9 S5 S2", "B": ""}, step="MONSTERS"), attack("C9", "S5")) == ("RA-25",)


def test_equal_monsters_may_go_in_any_order() -> None:
    state, _ = tell(table({"A": "C9 C9#2 H5 H10", "B": ""}, step="MONSTERS"), begin("MONSTERS"))
    after, _ = tell(state, attack("C9#2", "H5"))
    assert [(o.card, o.target) for o in after.orders] == [("C9", "H10")]


def test_a_tie_is_the_turn_players_to_settle() -> None:
    state, _ = tell(table({"A": "C9", "B": "H4", "C": "H4#2"}, step="MONSTERS"), begin("MONSTERS"))
    assert [o.to for o in state.orders] == ["B"]
    settled, _ = tell(state, {"ev": "choice", "what": "C9", "value": "C"})
    assert [o.to for o in settled.orders] == ["C"]
    assert refusal(state, {"ev": "choice", "what": "C9", "value": "A"}) == ("G-06",)
    tell(state, moved("C9", "C"))


def test_no_monster_moves_in_the_first_turn() -> None:
    state = table({"A": "C9", "B": "H3"}, step="MONSTERS", first_round=True)
    assert tell(state, begin("MONSTERS"))[0].orders == ()
    assert "RA-27" in refusal(state, moved("C9", "B"))


def test_a_moved_monster_lies_sideways_and_may_be_attacked_at_once() -> None:
    state, _ = tell(table({"A": "C5", "B": "H6"}, step="MONSTERS"), moved("C5", "B"))
    assert (state.lands["B"].monsters, state.tapped) == (("C5",), ("C5",))
    after, _ = tell(state, attack("H6", "C5"))
    assert after.discard == ("C5",)


def test_a_monster_turns_on_the_weakest_card_that_lies_on_it() -> None:
    contacts = [["H6", "C9"], ["H3", "C9"]]
    state = table({"A": "C9 H2 H6! H3!", "B": ""}, step="MONSTERS", contacts=contacts)
    assert refusal(state, attack("C9", "H2")) == ("RA-91",)
    after, _ = tell(state, attack("C9", "H3"))
    assert after.discard == ("H3",)


def test_a_heros_blow_makes_the_plan_anew() -> None:
    state, _ = tell(table({"A": "C9 H8 H2", "B": ""}, step="MONSTERS"), begin("MONSTERS"))
    assert [o.target for o in state.orders] == ["H2"]
    after, _ = tell(state, attack("H8", "C9"))
    assert [(o.target, o.clauses) for o in after.orders] == [("H8", ("RA-91",))]


def test_a_destroyed_road_sends_its_hero_home_sideways() -> None:
    lands = {"A": "C9 C5! D4-B", "B": "H3!"}
    roads = [{"card": "D4", "ends": ["A", "B"], "used_by": "H3"}]
    state = table(lands, step="MONSTERS", roads=roads, contacts=[["H3", "C5"]])
    after, _ = tell(state, attack("C9", "D4"))
    assert (after.roads, after.contacts, after.lands["B"].heroes) == ((), (), ("H3",))
    assert "H3" in after.tapped


def test_the_step_is_not_left_while_a_monster_must_act() -> None:
    state = table({"A": "C9 H2", "B": ""}, step="MONSTERS")
    assert "RA-23" in refusal(state, {"ev": "step_done", "seat": "A", "step": "MONSTERS"})
    assert "RA-23" in refusal(state, {"ev": "drawn", "seat": "A", "card": "S2"})
    done, _ = tell(state, attack("C9", "H2"), {"ev": "drawn", "seat": "A", "card": "S2"})
    assert (done.step, done.draw_max, done.drawn) == ("DRAW", 7, 1)
