"""Today's rules over what a journal holds: where eyes cannot look again, the bench still can."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from referee.codec import from_plain
from referee.games import find_game
from referee.journal import read_entries
from referee.ledger import Entry, Scroll
from referee.match import resume_match
from referee.types import TABLE, Code, Ruling

QUIET = (Code.INFO, Code.ASSUME)
Rulings = tuple[Ruling, ...]


def judged_again(journal: Path) -> Iterator[tuple[int, Rulings, Rulings]]:
    """Every event that counts by its number, with what the whole table heard of it then and would hear today."""
    entries = read_entries(journal, None)
    scroll = Scroll()
    scroll.append([entry.note for entry in entries])
    match = resume_match(find_game(str(entries[0].note.body.get("game")) if entries else ""), scroll)
    then = _said(entries)
    for number, rulings in match.ruled():
        yield number, then.get(number, ()), tuple(r for r in rulings if _is_loud(r))


def _said(entries: tuple[Entry, ...]) -> Mapping[int, Rulings]:
    """Event -> its rulings as they last stood; a correction takes the place of what it corrects."""
    about: dict[int, int] = {}
    amended: dict[int, int] = {}
    said: dict[int, Rulings] = {}
    for entry in entries:
        if entry.note.kind != "ruling":
            continue
        ruling, of = _ruling(entry), int(str(entry.note.body["of"]))
        event = about[entry.number] = about.get(ruling.corrects or 0, of)
        if amended.get(event, event) != of:
            amended[event], said[event] = of, ()
        if _is_loud(ruling):
            said[event] = (*said.get(event, ()), ruling)
    return said


def _ruling(entry: Entry) -> Ruling:
    body = {key: value for key, value in entry.note.body.items() if key != "of"}
    return from_plain(Ruling, body, f"entry {entry.number}")


def _is_loud(ruling: Ruling) -> bool:
    return ruling.audience == TABLE and ruling.code not in QUIET
