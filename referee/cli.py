"""The command line: one table of commands, each imported only when it is called."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from referee import __version__
from referee.errors import TableError

COMMANDS = {
    "demo": "referee the bundled recordings",
    "kiosk": "show the page full screen on this machine (Chromium)",
    "hall": "all tables of a room on one page, through their MQTT broker",
    "live": "referee a table: camera, rulings and the page people look at",
    "doctor": "camera, calibration, disk, display: a tick or the one thing to do",
    "calibrate": "lens, table plane and board outline from the stills of a folder",
    "print": "the calibration sheet or a deck of cards as a PDF, exact to size",
    "fold": "the bench alone: a state and events in, the new state and the rulings out",
    "replay": "look at recorded footage again, frame by frame, with what was ruled and why",
    "rejudge": "today's eyes over old footage: which rulings would change; exit 1 when any does",
    "evidence": "one ruling with its clip, numbers and seals as a page of its own",
    "verify": "whether evidence, a journal or footage was changed, and where",
    "report": "a match to look at: scores, shots, fouls and the closest calls",
    "submit": "a few seconds of footage round one ruling for a bug report, nothing secret in it",
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
    # The eyes' matrices are small: threads that share one spend more on waiting than they save. Read once, by NumPy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        code = _run(args)
        print(end="", flush=True)
        return code
    except BrokenPipeError:
        return _end(0)
    except KeyboardInterrupt:
        return _end(130)
    except TableError as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(_in_the_tables_words(error))


def _run(args: list[str]) -> int:
    if not args or args[0].startswith("-"):
        _parser().parse_args(args or ["--help"])
    if args[0] not in COMMANDS:
        raise TableError(f"no command called {args[0]!r}; commands: {', '.join(COMMANDS)}")
    command = import_module(f"referee.commands.{args[0].replace('-', '_')}")
    sub = _Parser(prog=f"referee {args[0]}", description=COMMANDS[args[0]])
    command.arguments(sub)
    code: int = command.run(sub.parse_args(args[1:]))
    return code


def _refuse(sentence: str) -> int:
    print(f"referee: {sentence}", file=sys.stderr)
    return _end(2)


def _in_the_tables_words(error: OSError) -> str:
    """A disk that is full, a folder nobody may write to: the place and the reason."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename is not None else reason


def _end(code: int) -> int:
    """What nobody can take any more, a closed pipe or a full disk, must not fail again when Python ends."""
    try:
        print(end="", flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


class _Parser(argparse.ArgumentParser):
    """Refuses in one sentence; the usage is for those who ask for help."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"referee: {message} ('{self.prog} --help' tells more)\n")


def _parser() -> argparse.ArgumentParser:
    lines = "\n".join(f"  {name:12s} {what}" for name, what in COMMANDS.items())
    parser = _Parser(
        prog="referee",
        usage="referee COMMAND ...",
        description="A camera over a real table that referees five games.",
        epilog=f"commands:\n{lines}\n\n'referee COMMAND --help' tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"table-referee {__version__}")
    parser.add_argument("command", metavar="COMMAND", help=argparse.SUPPRESS)
    return parser
