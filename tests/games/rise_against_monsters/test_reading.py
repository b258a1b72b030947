"""Rise against Monsters read from the table: lands, attacks by touch, draws, plays and untaps."""

from dataclasses import replace

from referee.card_happenings import CardMoved, CardPlaced, CardTapped, CardTurned
from referee.games import find_game, find_reader
from referee.games.rise_against_monsters.state import State
from referee.reading import Table
from referee.types import Card
from referee.zones import seat_round
from tests.games.tables import AT, HALF_MM, card, table

SEATING = seat_round(("A", "B"), ((0.0, -220.0), (0.0, 220.0)), HALF_MM)
HERO, MONSTER = card("3H", (-60.0, -190.0)), card("8C", (-60.0, -100.0), turn_deg=90.0)
WORKER = card("8S", (250.0, -190.0), turn_deg=90.0)
LYING = table(SEATING, HERO, MONSTER, WORKER, card("5H", (60.0, 200.0), turn_deg=180.0))


def begun(lying: Table = LYING) -> State:
    given = {"players": ["A", "B"], "step": "MONSTERS", "turn": "A"}
    state: State = find_game("rise-against-monsters").load(
        {**given, **find_reader("rise-against-monsters").begin(lying, given)}
    )
    return state


def read(*batch: object) -> list[dict[str, object]]:
    reads = find_reader("rise-against-monsters").read(begun(), batch, LYING)
    return [dict(r.event) for r in reads]


def tapped(what: Card, *touched: Card, sideways: bool = True) -> CardTapped:
    return CardTapped(AT, what, replace(what, turn_deg=0.0), sideways, tuple(c.id for c in touched))


def test_lands_are_what_lies_before_each_seat() -> None:
    state = begun()
    assert state.lands["A"].heroes == ("H3",) and state.lands["A"].monsters == ("C8",)
    assert state.lands["B"].heroes == ("H5",)
    assert set(state.tapped) == {"C8", "S8"}


def test_a_monster_laid_sideways_against_a_hero_attacks_it() -> None:
    assert read(tapped(MONSTER, HERO)) == [{"ev": "attack", "attacker": "C8", "target": "H3"}]


def test_a_monster_laid_sideways_alone_attacks_nobody() -> None:
    assert read(tapped(MONSTER)) == []


def test_a_card_that_was_turned_up_on_the_table_is_drawn() -> None:
    new = card("10H", (60.0, -190.0))
    events = read(CardPlaced(AT, new), CardTurned(AT, new, None))
    assert events[-1] == {"ev": "drawn", "seat": "A", "card": "H10"}
    assert events[0] == {"ev": "step_done", "seat": "A", "step": "MONSTERS"}


def test_a_card_laid_open_is_played() -> None:
    assert read(CardPlaced(AT, card("4S", (-180.0, -190.0))))[-1] == {"ev": "play", "seat": "A", "card": "S4"}


def test_a_monster_carried_into_another_land_moved() -> None:
    there = replace(MONSTER, mm=(0.0, 150.0))
    assert read(CardMoved(AT, there, MONSTER)) == [
        {"ev": "monster_moved", "card": "C8", "from": "A", "to": "B"}
    ]


def test_a_card_set_upright_is_untapped() -> None:
    assert read(tapped(replace(WORKER, turn_deg=0.0), sideways=False))[0]["ev"] == "untap"
