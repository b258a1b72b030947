"""The journal on disk: append-only, hash-chained, safe when the power goes (SQLite)."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.codec import from_plain
from referee.errors import JournalError, TableError
from referee.ledger import GENESIS, Entry, Note, chain, columns, from_columns, may_see, seal
from referee.types import TABLE, Audience, Ruling

VERSION = 1
APPLICATION = 0x52464A31
"""Marks the file as a journal of ours."""

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, cause TEXT NOT NULL,
    audience TEXT NOT NULL, frames TEXT, t_ns INTEGER, hash TEXT NOT NULL
);
CREATE TRIGGER no_change BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER no_removal BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""
_ROWS = "SELECT number, kind, body, cause, audience, frames, t_ns, hash FROM entries ORDER BY number"
_ROWS_AFTER = _ROWS.replace("ORDER", "WHERE number > ? ORDER")


@dataclass(frozen=True, slots=True)
class Check:
    """What verifying a journal found."""

    entries: int
    head: str
    """The hash of the last entry: whoever noted it down can tell that none is missing at the end."""
    broken: int | None = None
    """Number of the first entry that is not what was written."""


class Journal:
    """A ledger in a file; one writer at a time."""

    def __init__(self, path: Path, patience_ms: int = 2000) -> None:
        """`patience_ms`: how long another program may hold the file before a write is given up."""
        self.path, self._patience_ms = path, patience_ms
        with _in_the_tables_words(path):
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            with _in_the_tables_words(path):
                self._prepare()
                self._last = self._last_entry()
        except TableError:
            self._db.close()
            raise

    def append(self, notes: Sequence[Note]) -> tuple[Entry, ...]:
        """All of the notes or none; when it returns they are on the disk."""
        added = chain(self._last, notes)
        rows = [(e.number, *columns(e.note), e.hash) for e in added]
        with _in_the_tables_words(self.path), self._transaction():
            self._db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._last = added[-1] if added else self._last
        return added

    def try_writing(self) -> None:
        """Write without changing anything."""
        with _in_the_tables_words(self.path), self._transaction():
            self._db.execute(f"PRAGMA user_version = {VERSION}")

    def length(self) -> int:
        return self._last.number if self._last else 0

    def whole(self) -> tuple[Entry, ...]:
        with _in_the_tables_words(self.path):
            return tuple(_entry(row) for row in self._db.execute(_ROWS))

    def read(self, audience: Audience) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.whole() if may_see(audience, entry.note.audience))

    def after(self, number: int) -> tuple[Entry, ...]:
        with _in_the_tables_words(self.path):
            return tuple(_entry(row) for row in self._db.execute(_ROWS_AFTER, (number,)))

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _prepare(self) -> None:
        self._db.execute(f"PRAGMA busy_timeout = {self._patience_ms}")
        if not self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.executescript(_SCHEMA)
        _check_version(self._db, self.path)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")

    def _last_entry(self) -> Entry | None:
        row = self._db.execute(f"{_ROWS} DESC LIMIT 1").fetchone()
        return _entry(row) if row else None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise


def verify(path: Path) -> Check:
    """Read a journal without touching it and find the first entry that was changed."""
    if not path.is_file():
        raise TableError(f"there is no journal {path}")
    with _in_the_tables_words(path):
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            _check_version(db, path)
            _check_pages(db, path)
            return _walk(db.execute(_ROWS))
        finally:
            db.close()


def read_entries(path: Path, audience: Audience | None) -> tuple[Entry, ...]:
    """What `audience` may read of a journal (None: all of it, for folding alone), without touching it.

    Refuses one that was changed.
    """
    check = verify(path)
    if check.broken is not None:
        raise TableError(f"entry {check.broken} of {path} is not what was written")
    with _in_the_tables_words(path):
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            entries = [_entry(row) for row in db.execute(_ROWS)]
        finally:
            db.close()
    return tuple(e for e in entries if audience is None or may_see(audience, e.note.audience))


def read_rulings(path: Path) -> tuple[dict[str, object], list[tuple[int, Ruling]]]:
    """Everything that was ruled before the whole table with its number, and the journal's own seal."""
    entries = read_entries(path, None)
    return {"entries": len(entries), "head": entries[-1].hash if entries else GENESIS}, rulings_among(entries)


def rulings_among(entries: Iterable[Entry]) -> list[tuple[int, Ruling]]:
    """Those before the whole table, with their numbers."""
    return [
        (e.number, from_plain(Ruling, _ruling_body(e), f"entry {e.number}"))
        for e in entries
        if e.note.kind == "ruling" and may_see(TABLE, e.note.audience)
    ]


def _ruling_body(entry: Entry) -> dict[str, object]:
    return {k: v for k, v in entry.note.body.items() if k != "of"}


def _walk(rows: Iterator[tuple[object, ...]]) -> Check:
    number, before = 0, GENESIS
    for row in rows:
        number += 1
        if not _is_intact(row, number, before):
            return Check(number - 1, before, broken=number)
        before = str(row[7])
    return Check(number, before)


def _is_intact(row: tuple[object, ...], number: int, before: str) -> bool:
    try:
        entry = _entry(row)
    except TableError:
        return False
    return entry.number == number and entry.hash == seal(before, number, entry.note)


def _entry(row: Sequence[object]) -> Entry:
    number = row[0]
    if not isinstance(number, int):  # a table that is not ours: in ours it cannot be anything else
        raise TableError(f"an entry whose number is {number!r}")
    return Entry(number, from_columns(row[1:7]), str(row[7]))


def _check_version(db: sqlite3.Connection, path: Path) -> None:
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise TableError(f"{path} is a database, but not a journal")
    if version > VERSION:
        raise TableError(
            f"{path} was written by a newer version (format {version}; this one reads {VERSION})"
        )


def _check_pages(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise TableError(f"the journal {path} is damaged: {str(found).splitlines()[-1]}")


@contextmanager
def _in_the_tables_words(path: Path) -> Iterator[None]:
    try:
        yield
    except (
        sqlite3.Error,
        UnicodeDecodeError,
    ) as error:  # what it says of damaged bytes may be damaged itself
        raise JournalError(f"the journal {path} cannot be used: {error}") from error
