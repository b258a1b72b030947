"""What every review of a match begins with, and its rulings as marks on the time line; loads no eyes."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee import __version__
from referee.codec import to_plain
from referee.games import GAMES, find_game
from referee.rulebook import read_rulebook
from referee.types import TABLE, Ruling

QUIET = ("INFO", "ASSUME")
Plain = dict[str, Any]


def frame_of(game: str, seats: Sequence[str], size: tuple[int, int], state: Mapping[str, object]) -> Plain:
    """What every review begins with: the game, and how it stands at the end."""
    known = find_game(game)
    view = to_plain(known.view(known.load(state), TABLE)) if state else {"headline": "", "scores": []}
    return {
        "version": __version__,
        "game": game,
        "title": known.title,
        "seats": list(seats),
        "size": list(size),
        "headline": view["headline"],
        "scores": view["scores"],
    }


def marks(game: str, rulings: Sequence[Ruling], numbers: Sequence[int] | None = None) -> list[Plain]:
    """The rulings for the time line, numbered as `--ruling` counts them."""
    say = clause_words(game)
    return [
        {
            "number": number,
            "code": ruling.code.value,
            "because": ruling.because,
            "seat": ruling.seat,
            "frames": list(ruling.frames) if ruling.frames else None,
            "clauses": [{"id": c, "text": say(c)} for c in ruling.clauses],
            "quiet": ruling.code.value in QUIET,
            "corrects": ruling.corrects,
        }
        for number, ruling in zip(numbers or range(1, len(rulings) + 1), rulings, strict=True)
    ]


def clause_words(game: str) -> Any:
    """Clause id -> our own words for it."""
    books = read_rulebook(GAMES[game]), read_rulebook("referee", "house.toml")
    return lambda clause: next((text for book in books if (text := book.text(clause))), "")
