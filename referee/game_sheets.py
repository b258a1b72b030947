"""What the page is told of a game and of the match that is played."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from referee.codec import to_plain
from referee.errors import TableError
from referee.games import GAMES, find_game
from referee.rulebook import Rulebook, read_rulebook
from referee.setup import Setup


def match_sheet(setup: Setup) -> dict[str, Any]:
    """What the page needs to know of the match as a whole."""
    game = find_game(setup.game)
    return {
        "kind": "match",
        "game": setup.game,
        "title": game.title,
        "seats": list(setup.seats),
        "fouls": _fouls(setup.game),
        "overturns": game.overturn is not None,
        "overturn": setup.overturn,
    }


def _fouls(name: str) -> Mapping[str, Any]:
    book = read_rulebook(GAMES[name])
    return {clause: book.text(clause) for clause in find_game(name).fouls}


def game_sheet(name: str) -> Mapping[str, Any]:
    game, book = find_game(name), Rulebook("", ())
    with suppress(TableError):
        book = read_rulebook(GAMES[name])
    return {
        "name": name,
        "title": game.title,
        "seats": list(game.seats),
        "summary": book.summary,
        "switches": [{**to_plain(s), "kind": s.kind} for s in book.switches],
        "fouls": _fouls(name),
    }
