"""referee journal verify|show FILE"""

import argparse
from pathlib import Path

from referee.journal import Journal, verify
from referee.ledger import Entry
from referee.types import TABLE, Audience


def arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="verify|show")
    check = verbs.add_parser("verify", help="find the first entry that was changed; exit 1 if there is one")
    check.add_argument("file", type=Path)
    show = verbs.add_parser("show", help="what the table, or one seat, may read")
    show.add_argument("file", type=Path)
    show.add_argument("--seat", help="read as this seat")


def run(args: argparse.Namespace) -> int:
    return _verify(args.file) if args.verb == "verify" else _show(args.file, args.seat)


def _verify(path: Path) -> int:
    check = verify(path)
    if check.broken is not None:
        print(f"entry {check.broken} is not what was written; the {check.entries} before it are")
        return 1
    print(f"{check.entries} entries, none changed; the last one's seal is {check.head[:16]}")
    return 0


def _show(path: Path, seat: str | None) -> int:
    verify(path)
    with Journal(path) as journal:
        for entry in journal.read(TABLE if seat is None else Audience("seat", seat)):
            print(_line(entry))
    return 0


def _line(entry: Entry) -> str:
    note = entry.note
    what = str(note.body.get("because") or note.body.get("ev") or note.body.get("game") or "")
    frames = f"  frames {note.frames[0]}-{note.frames[1]}" if note.frames else ""
    return f"{entry.number:5d}  {note.kind:8s} {note.cause!s:10s} {what}{frames}"
