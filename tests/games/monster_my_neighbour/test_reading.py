"""Monster My Neighbour read from the table: cards laid open before a player, and nothing else."""

from referee.card_happenings import CardMoved, CardPlaced
from referee.games import find_game, find_reader
from referee.types import Point
from tests.games.tables import AT, card, seated, table

SEATING = seated("A", "B", "C", "D")
LYING = table(SEATING)
GAME = find_game("monster-my-neighbour")
SOUTH: Point = (0.0, -220.0)
EAST: Point = (400.0, -80.0)


def state(**given: object) -> object:
    return GAME.load({"players": ["A", "B", "C", "D"], "phase": "TURN", "turn": "A", **given})


def test_a_card_laid_open_is_played_by_the_player_before_whom_it_lies() -> None:
    read = find_reader("monster-my-neighbour").read(state(), (CardPlaced(AT, card("hide", EAST)),), LYING)
    assert [r.event for r in read] == [{"ev": "card_played", "seat": "D", "card": "hide"}]


def test_a_monster_is_played_as_a_monster() -> None:
    read = find_reader("monster-my-neighbour").read(state(), (CardPlaced(AT, card("vampire", SOUTH)),), LYING)
    assert read[0].event["card"] == "monster:vampire"


def test_a_card_in_the_middle_of_the_table_is_nobodys() -> None:
    read = find_reader("monster-my-neighbour").read(
        state(), (CardPlaced(AT, card("hide", (20.0, 10.0))),), LYING
    )
    assert read == ()


def test_the_dog_carried_to_another_player_is_aimed_there() -> None:
    given = state(phase="TARGET", turn="D", pending={"card": "dog", "by": "D"})
    moved = CardMoved(AT, card("dog", SOUTH), card("dog", EAST))
    read = find_reader("monster-my-neighbour").read(given, (moved,), LYING)
    assert [r.event for r in read] == [{"ev": "target", "seat": "D", "target": "A"}]


def test_the_next_players_card_ends_what_the_last_one_asked_for() -> None:
    given = state(phase="TARGET", turn="D", pending={"card": "hunter", "by": "D"})
    read = find_reader("monster-my-neighbour").read(given, (CardPlaced(AT, card("hide", SOUTH)),), LYING)
    assert [r.event["ev"] for r in read] == ["went_on", "card_played"]


def test_a_monster_laid_open_by_the_hunted_is_the_answer() -> None:
    given = state(phase="ANSWER", turn="D", pending={"card": "hunter", "by": "D", "target": "A"})
    read = find_reader("monster-my-neighbour").read(given, (CardPlaced(AT, card("werewolf", SOUTH)),), LYING)
    assert read[0].event == {"ev": "hunter_answer", "seat": "A", "monster": True, "card": "monster:werewolf"}


def test_nothing_is_shown_beyond_where_hands_begin() -> None:
    secrets = find_reader("monster-my-neighbour").secrets(state(), LYING)
    (x, y), (w, h) = SEATING.middle_mm, SEATING.half_mm
    assert secrets.shows(SOUTH)
    assert not any(secrets.shows((x + a * w, y + b * h)) for a in (-0.99, 0.99) for b in (-0.99, 0.0, 0.99))
