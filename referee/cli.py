"""The command line: one table of commands, each imported only when it is called."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from referee import __version__
from referee.errors import TableError

COMMANDS = {
    "demo": "referee the bundled recordings",
    "kiosk": "show the page full screen on this machine (Chromium)",
    "live": "referee a table: camera, rulings and the page people look at",
    "doctor": "camera, calibration, disk, display: a tick or the one thing to do",
    "calibrate": "lens, table plane and board outline from the stills of a folder",
    "print": "the calibration sheet as a PDF, exact to size",
    "fold": "the bench alone: a state and events in, the new state and the rulings out",
    "journal": "read or verify the journal of a match",
    "play": "referee a game by hand in the terminal, without a camera",
    "rules": "a game's clauses and house rules for people",
    "judge": "eyes and bench: rulings from footage, with the physical facts behind them",
    "observe": "the eyes alone: one line of JSON per frame",
    "watch": "the eyes with memory: what happened on the table",
    "look": "one picture: the cards and dice on it",
    "learn": "learn a deck from pictures of its cards",
}
"""Name -> what it does; `referee.commands.<name>` offers `arguments(parser)` and `run(args) -> exit code`."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; wrong input is one sentence on stderr and exit code 2."""
    args = list(sys.argv[1:] if argv is None else argv)
    parser = _parser()
    if not args or args[0] not in COMMANDS:
        parser.parse_args(args or ["--help"])
    command = import_module(f"referee.commands.{args[0].replace('-', '_')}")
    sub = argparse.ArgumentParser(prog=f"referee {args[0]}", description=COMMANDS[args[0]])
    command.arguments(sub)
    try:
        code: int = command.run(sub.parse_args(args[1:]))
        return code
    except TableError as error:
        print(f"referee: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0


def _parser() -> argparse.ArgumentParser:
    lines = "\n".join(f"  {name:12s} {what}" for name, what in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="referee",
        usage="referee COMMAND ...",
        description="A camera over a real table that referees five games.",
        epilog=f"commands:\n{lines}\n\n'referee COMMAND --help' tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"table-referee {__version__}")
    parser.add_argument("command", choices=list(COMMANDS), metavar="COMMAND", help=argparse.SUPPRESS)
    return parser
