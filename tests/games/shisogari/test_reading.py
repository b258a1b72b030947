"""Shisogari read from the table: colours of backs, open pairs, and faces only at the end."""

from dataclasses import replace

from referee.card_happenings import CardMoved, CardTurned
from referee.games import find_game, find_reader
from referee.games.shisogari.reading import Reader
from referee.games.shisogari.state import State
from referee.reading import Table
from referee.types import Card, Face
from tests.games.tables import AT, card, place, seated, table

SEATING = seated("A", "B", "C", "D")
ROW = ("back_white", "back_white", "back_black", "back_black")


def hands() -> list[Card]:
    """Four backs in a row and a role before each seat."""
    out = []
    for seat in SEATING.seats:
        far = SEATING.reach_mm(seat) - 50
        out += [card(n, SEATING.to_table(seat, 70.0 * k - 105, far), face="down") for k, n in enumerate(ROW)]
        out.append(card("back_role", SEATING.to_table(seat, 200.0, far - 40), face="down"))
    return out


def begun(**given: object) -> tuple[Reader, State, Table]:
    reader: Reader = find_reader("shisogari")
    lying = table(SEATING, *hands())
    told = {"players": list(SEATING.seats), "phase": "TURN", "turn": "A", **given}
    return reader, find_game("shisogari").load({**told, **reader.begin(lying, told)}), lying


def pick(state: State) -> State:
    game = find_game("shisogari")
    action = {"ev": "action", "seat": "A", "kind": "take", "target": "B", "item": "stake"}
    after: State = game.judge(state, game.event(action)).state
    return after


def pair_before_a(name: str, face: Face) -> tuple[Card, Card]:
    far = SEATING.reach_mm("A") - 160
    left, right = (card(name, SEATING.to_table("A", x, far), face=face) for x in (-40.0, 40.0))
    return left, right


def moved(now: Card, was: Card) -> CardMoved:
    return CardMoved(AT, now, was)


def of(lying: Table, seat: str, name: str) -> Card:
    return next(c for c in lying.cards if c.name == name and lying.seat_of(c) == seat)


def test_hands_are_counted_by_the_colour_of_their_backs() -> None:
    _, state, _ = begun()
    assert (state.hand["C"].white, state.hand["C"].black) == (2, 2)


def test_a_pair_laid_open_is_a_pick_and_its_resolution() -> None:
    reader, state, lying = begun()
    left, right = pair_before_a("stake", "up")
    batch = (moved(left, of(lying, "B", "back_black")), moved(right, of(lying, "A", "back_black")))
    read = reader.read(pick(state), batch, lying)
    assert [r.event["ev"] for r in read] == ["card_picked", "resolved"]
    assert read[0].event == {"ev": "card_picked", "picker": "A", "from": "B", "colour": "black"}
    assert read[1].event["outcome"] == "pair_up" and read[1].event["item"] == "stake"


def test_a_pair_laid_face_down_tells_its_colour_and_nothing_more() -> None:
    reader, state, lying = begun()
    left, right = pair_before_a("back_white", "down")
    batch = (moved(left, of(lying, "B", "back_white")), moved(right, of(lying, "A", "back_white")))
    resolved = reader.read(pick(state), batch, lying)[1].event
    assert resolved == {"ev": "resolved", "seat": "A", "colour": "white", "outcome": "pair_down"}


def test_a_picked_card_that_joins_the_hand_is_added() -> None:
    reader, state, lying = begun()
    was = of(lying, "B", "back_white")
    far = SEATING.reach_mm("A") - 50
    read = reader.read(
        pick(state), (moved(card("back_white", SEATING.to_table("A", 160.0, far)), was),), lying
    )
    assert read[1].event["outcome"] == "added"


def test_hands_and_roles_are_masked_until_somebody_determines() -> None:
    reader, state, lying = begun()
    secrets = reader.secrets(state, lying)
    assert len(secrets.zones) == 4
    assert "role_" in secrets.unread
    assert not any(secrets.shows(place(c)) for c in lying.cards if c.name in ("back_white", "back_black"))
    assert secrets.shows((0.0, 0.0))
    reader.declared({"ev": "action", "seat": "C", "kind": "determine", "target": "D"})
    assert reader.secrets(state, lying).zones == ()
    assert all(reader.secrets(state, lying).shows(place(c)) for c in lying.cards)


def test_the_first_role_turned_up_is_the_claim_and_all_is_told_when_all_lies_open() -> None:
    reader, state, lying = begun()
    roles = {c.id: replace(c, name="role_hunter", face="up") for c in lying.cards if c.name == "back_role"}
    shown = replace(lying, cards=tuple(roles.get(c.id, c) for c in lying.cards))
    first = next(c for c in roles.values() if lying.seat_of(c) == "C")
    read = reader.read(state, (CardTurned(AT, first, None),), shown)
    assert [r.event["ev"] for r in read] == ["role_shown", "all_shown"]
    assert read[0].event["seat"] == "C"
