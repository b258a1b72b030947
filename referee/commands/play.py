"""referee play GAME --seats A,B,C"""

import argparse
import contextlib
import tomllib
from pathlib import Path
from typing import Any

from referee.errors import TableError
from referee.game import Game, Plain
from referee.games import GAMES, find_game
from referee.journal import Journal
from referee.match import Match, check_seats, open_match, resume_match
from referee.rulebook import check_switches, read_rulebook
from referee.terminal import play


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help=f"one of {', '.join(GAMES)}")
    parser.add_argument("--seats", default="", help="clockwise as seen from above: A,B,C")
    parser.add_argument("--switch", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="keep the match; taken up again if it exists"
    )


def run(args: argparse.Namespace) -> int:
    game = find_game(args.game)
    with contextlib.ExitStack() as stack:
        match = _match(game, args, stack)
        with contextlib.suppress(KeyboardInterrupt):
            play(match, input, print)
    return 0


def _match(game: Game[Any, Any], args: argparse.Namespace, stack: contextlib.ExitStack) -> Match[Any, Any]:
    begun = args.journal is not None and args.journal.exists() and args.journal.stat().st_size > 0
    kept = stack.enter_context(Journal(args.journal)) if begun else None
    if kept is not None and kept.length():
        return resume_match(game, kept)
    seats = tuple(seat.strip() for seat in args.seats.split(",") if seat.strip())
    switches = _switches(args)
    check_seats(game, seats)
    if kept is None and args.journal:
        kept = stack.enter_context(Journal(args.journal))
    return open_match(game, seats, switches, kept)


def _switches(args: argparse.Namespace) -> Plain:
    chosen: dict[str, object] = {}
    for setting in args.switch:
        name, _, value = setting.partition("=")
        chosen[name.strip()] = _value(value.strip())
    if chosen:
        check_switches(read_rulebook(GAMES[args.game]), chosen)
    return chosen


def _value(word: str) -> object:
    """`true`, `7` and `distribute` alike, without quotes."""
    try:
        return tomllib.loads(f"value = {word}")["value"]
    except tomllib.TOMLDecodeError:
        if not word:
            raise TableError("a house rule is set as NAME=VALUE") from None
        return word
