"""Rocca Monster read from the table: slots, the die in the morning, graves and votes."""

from dataclasses import replace

from referee.card_happenings import CardMoved, CardPlaced, CardTurned, DieCocked, DieSettled
from referee.games import find_game, find_reader
from referee.games.rocca_monster.reading import Reader
from referee.games.rocca_monster.state import State
from referee.reading import Table
from referee.types import Card, Die
from tests.games.tables import AT, card, die, seated, table

SEATING = seated("A", "B", "C")


def families() -> list[Card]:
    """Three villagers for each seat, faces nearer the middle."""
    cards = []
    for seat in SEATING.seats:
        for k, right in enumerate((-80.0, 0.0, 80.0)):
            reach = SEATING.reach_mm(seat)
            cards.append(card(f"villager_0{k + 1}", SEATING.to_table(seat, right, reach - 150)))
            cards.append(card("body", SEATING.to_table(seat, right, reach - 60)))
    return cards


def begun(*things: Card | Die, phase: str = "MORNING", **given: object) -> tuple[Reader, State, Table]:
    reader: Reader = find_reader("rocca-monster")
    lying = table(SEATING, *families(), *things)
    given = {"players": ["A", "B", "C"], "phase": phase, **given}
    return reader, find_game("rocca-monster").load({**given, **reader.begin(lying, given)}), lying


def test_villagers_are_numbered_from_their_owners_left() -> None:
    reader, state, _ = begun()
    assert sorted(state.members) == ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"]
    assert reader.slots["A1"][0] < reader.slots["A3"][0]
    assert reader.slots["C1"][0] > reader.slots["C3"][0]


def test_a_mayor_is_known_by_the_face() -> None:
    reader: Reader = find_reader("rocca-monster")
    cards = [replace(c, name="mayor") if k == 0 else c for k, c in enumerate(families())]
    members = reader.begin(table(SEATING, *cards), {})["members"]
    assert isinstance(members, dict)
    assert members["A1"]["face"] == "mayor"


def test_the_die_in_the_morning_names_the_victim() -> None:
    reader, state, _ = begun()
    lying = table(SEATING, *families(), die(6, reader.slots["C3"]))
    assert [r.event for r in reader.standing(state, lying)] == [{"ev": "die_found", "where": "C3"}]


def test_the_die_in_the_middle_found_nobody() -> None:
    reader, state, lying = begun(die(6, (10.0, 5.0)))
    assert [r.event["where"] for r in reader.standing(state, lying)] == ["centre"]


def test_a_roll_is_the_victims_owners() -> None:
    reader, state, lying = begun()
    state = replace(state, phase="ROLL", die_on="C3")
    read = reader.read(state, (DieSettled(AT, die(2, (200.0, 0.0)), rolled=True),), lying)
    assert [r.event for r in read] == [{"ev": "die_rolled", "value": 2, "by": "C"}]


def test_a_leaning_die_has_no_value() -> None:
    reader, state, lying = begun()
    state = replace(state, phase="ROLL", die_on="C3")
    read = reader.read(state, (DieCocked(AT, die(2, (200.0, 0.0))),), lying)
    assert read[0].event["value"] is None


def test_a_body_turned_over_tells_who_it_was() -> None:
    reader, state, lying = begun(phase="EXECUTION", condemned="A2")
    turned = card("body_back_monster", reader.slots["A2"], face="down")
    read = reader.read(state, (CardTurned(AT, turned, None),), lying)
    assert read[0].event == {"ev": "member_turned", "member": "A2", "body": "monster", "up": False}


def test_a_voting_card_is_its_layers_vote_and_moves_with_it() -> None:
    reader, state, lying = begun(phase="DAY")
    vote = card("vote", reader.slots["A2"], turn_deg=-90.0)
    first = reader.read(state, (CardPlaced(AT, vote),), lying)
    assert first[0].event == {"ev": "vote_set", "seat": "B", "member": "A2"}
    moved = replace(vote, mm=reader.slots["C1"])
    then = reader.read(state, (CardMoved(AT, moved, vote),), lying)
    assert [r.event["ev"] for r in then] == ["vote_lifted", "vote_set"]
    assert then[1].event == {"ev": "vote_set", "seat": "B", "member": "C1"}


def test_backs_of_bodies_are_not_known_by_day() -> None:
    reader, state, lying = begun(phase="DAY")
    assert reader.secrets(state, lying).unread == ("body_back_",)
    assert reader.secrets(replace(state, phase="EXECUTION"), lying).unread == ()


def test_nothing_is_read_while_the_village_sleeps() -> None:
    reader, state, lying = begun(phase="NIGHT")
    asleep = replace(state, asleep=True)
    assert reader.read(asleep, (DieSettled(AT, die(2, (200.0, 0.0)), rolled=True),), lying) == ()
