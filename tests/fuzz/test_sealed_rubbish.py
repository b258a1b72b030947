"""A journal whose seals are all right and whose entries are nonsense: whoever can write the file can make one."""

import hashlib
import json
import sqlite3
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.errors import TableError
from referee.games import find_game
from referee.journal import Journal, read_rulings, verify
from referee.ledger import GENESIS, canonical
from referee.match import resume_match
from referee.verifying import verify_path
from tests.fuzz.bounds import bounded
from tests.fuzz.mutations import ODD_VALUES, mutated
from tests.fuzz.readers import _journal_seeds
from tests.fuzz.test_readers import fuzz

KINDS = ("open", "event", "ruling", "follow", "undo", "redo", "overrule", "x")
WORDS = ("camera", "seat:A", "timer", "referee", "", "x:y", "table", "master", "seat:")


def _rows(path: Path) -> list[list[Any]]:
    db = sqlite3.connect(path)
    try:
        return [
            list(row) for row in db.execute("SELECT kind, body, cause, audience, frames, t_ns FROM entries")
        ]
    finally:
        db.close()


def _seal(before: str, number: int, row: list[Any]) -> str:
    return hashlib.sha256(canonical([before, number, *row]).encode()).hexdigest()


def _write(path: Path, rows: list[list[Any]]) -> None:
    db = sqlite3.connect(path)
    db.executescript("DROP TRIGGER no_removal; DELETE FROM entries")
    before = GENESIS
    for number, row in enumerate(rows, 1):
        before = _seal(before, number, row)
        db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (number, *row, before))
    db.commit()
    db.close()


@st.composite
def changes(draw: st.DrawFn) -> list[tuple[int, int, Any]]:
    """Which rows get what in which column."""
    bodies = st.integers(0, 2**32) | st.sampled_from([v for v in ODD_VALUES if v != "\ud800"]).map(json.dumps)
    columns = {
        0: st.sampled_from(KINDS),
        1: bodies,
        2: st.sampled_from(WORDS),
        3: st.sampled_from(WORDS),
        4: st.sampled_from((None, "[1,2]", "[]", "[1]", "{}", "[1e999, 2]", "x", '["a","b"]')),
        5: st.sampled_from((None, 5, "five", 2**62, 1.5)),
    }
    picks = draw(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 5)), min_size=1, max_size=4))
    return [(row, column, draw(columns[column])) for row, column in picks]


@fuzz()
@given(changes=changes())
def test_a_sealed_journal_of_nonsense_is_refused_in_one_sentence(changes: list[tuple[int, int, Any]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        path.write_bytes(_journal_seeds()[0])
        rows = _rows(path)
        for row, column, value in changes:
            at = rows[row % len(rows)]
            spoilt = column == 1 and isinstance(value, int)
            at[column] = mutated(at[1].encode(), b"{}", value).decode(errors="replace") if spoilt else value
        _write(path, rows)
        with bounded():
            for read in (verify, verify_path, read_rulings, _resume):
                with suppress(TableError):
                    read(path)


def _resume(path: Path) -> None:
    with Journal(path) as journal:
        resume_match(find_game("rocca"), journal)
