"""The games. A new one is one folder and one line here."""

from importlib import import_module
from typing import Any

from referee.errors import TableError
from referee.game import Game
from referee.reading import Secrets

GAMES = {
    "rocca": "referee.games.rocca",
    "rocca-monster": "referee.games.rocca_monster",
    "monster-my-neighbour": "referee.games.monster_my_neighbour",
    "shisogari": "referee.games.shisogari",
    "rise-against-monsters": "referee.games.rise_against_monsters",
}
"""Name -> module that offers GAME."""


def find_game(name: str) -> Game[Any, Any]:
    """The game called `name`."""
    if name not in GAMES:
        raise TableError(f"no game called {name!r}; games: {', '.join(GAMES)}")
    game: Game[Any, Any] = import_module(GAMES[name]).GAME
    return game


def find_reader(name: str) -> Any:
    """A fresh reader of the card game called `name`: happenings and the table in, its events out."""
    find_game(name)
    return import_module(f"{GAMES[name]}.reading").Reader()


def rolls_dice(name: str) -> bool:
    """Whether a game is played with dice; where none belong nobody looks for any."""
    return bool(getattr(import_module(f"{GAMES[name]}.reading"), "ROLLS_DICE", False))


def secrets_at_first(name: str) -> Secrets:
    """What the eyes must not read in the first picture of a game."""
    if name not in GAMES or name == "rocca":
        return Secrets()
    found: Secrets = getattr(import_module(f"{GAMES[name]}.reading"), "AT_FIRST", Secrets())
    return found
