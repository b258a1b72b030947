"""The journal: append-only, chained, for its audience only, and safe."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.cli import main
from referee.errors import TableError
from referee.journal import VERSION, Journal, verify
from referee.ledger import CAMERA, Cause, Ledger, Note, Scroll
from referee.types import MASTER, TABLE, Audience

A, B = Audience("seat", "A"), Audience("seat", "B")
NOTES = (
    Note("open", {"game": "rocca"}),
    Note("event", {"ev": "drop", "n": 3}, CAMERA, frames=(10, 61), t_ns=1_000_000_000),
    Note("event", {"ev": "end_turn", "seat": "A"}, Cause("seat", "A")),
    Note("ruling", {"because": "Ünseen – by A"}, audience=A),
    Note("ruling", {"because": "for the Game Master"}, audience=MASTER),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "match.journal"
    with Journal(path) as journal:
        journal.append(NOTES)
    return path


def test_what_was_written_is_read_back_with_cause_frames_and_time(path: Path) -> None:
    with Journal(path) as journal:
        assert tuple(entry.note for entry in journal.whole()) == NOTES
        assert [entry.number for entry in journal.whole()] == [1, 2, 3, 4, 5]


def test_nobody_reads_what_is_not_for_them(path: Path) -> None:
    with Journal(path) as journal:
        _check_audiences(journal)


def test_nobody_reads_from_memory_what_is_not_for_them() -> None:
    scroll = Scroll()
    scroll.append(NOTES)
    _check_audiences(scroll)


def _check_audiences(ledger: Ledger) -> None:
    assert [e.number for e in ledger.read(TABLE)] == [1, 2, 3]
    assert [e.number for e in ledger.read(A)] == [1, 2, 3, 4]
    assert [e.number for e in ledger.read(B)] == [1, 2, 3]
    assert [e.number for e in ledger.read(MASTER)] == [1, 2, 3, 5]


def test_entries_are_neither_changed_nor_removed(path: Path) -> None:
    db = sqlite3.connect(path)
    for statement in ("UPDATE entries SET body = '{}'", "DELETE FROM entries"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            db.execute(statement)
    db.close()


def test_all_notes_of_one_append_are_written_or_none(path: Path) -> None:
    with Journal(path) as journal, pytest.raises(TypeError):
        journal.append([Note("event", {"ev": "fine"}), Note("event", {"ev": object()})])
    assert verify(path).entries == 5


def test_writing_goes_on_after_reopening(path: Path) -> None:
    with Journal(path) as journal:
        journal.append([Note("event", {"ev": "late"})])
    check = verify(path)
    assert (check.entries, check.broken) == (6, None)


@pytest.mark.parametrize("column", ["kind", "body", "cause", "audience", "frames", "hash"])
@pytest.mark.parametrize("number", [1, 3, 5])
def test_verify_finds_the_first_entry_that_was_changed(path: Path, column: str, number: int) -> None:
    _tamper(path, f"UPDATE entries SET {column} = '\"x\"' WHERE number >= {number}")
    assert verify(path).broken == number


def test_verify_finds_a_removed_entry(path: Path) -> None:
    _tamper(path, "DELETE FROM entries WHERE number = 2")
    assert verify(path).broken == 2


def test_a_missing_end_shows_in_the_seal(path: Path) -> None:
    before = verify(path).head
    _tamper(path, "DELETE FROM entries WHERE number = 5")
    assert verify(path).head != before


def _tamper(path: Path, statement: str) -> None:
    db = sqlite3.connect(path)
    db.executescript(f"DROP TRIGGER no_change; DROP TRIGGER no_removal; {statement};")
    db.close()


# --- Bad files: one sentence, exit 2, nothing changed ----------------------------------------------------


def _refused(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    before = path.read_bytes()
    assert main(["journal", "verify", str(path)]) == 2
    assert main(["play", "rocca", "--seats", "A,B,C", "--journal", str(path)]) == 2
    assert path.read_bytes() == before
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    return said[0]


def test_a_journal_of_a_newer_version_is_refused(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    assert "newer version" in _refused(path, capsys)


def test_another_database_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE songs (name TEXT)")
    db.close()
    assert "not a journal" in _refused(path, capsys)


@pytest.mark.parametrize("number", [None, "one", 1.5])
def test_an_entry_that_has_no_number_is_not_what_was_written(path: Path, number: object) -> None:
    """Found by fuzzing: damaged bytes can make of the key an ordinary column."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            "CREATE TABLE loose AS SELECT * FROM entries; DROP TABLE entries; ALTER TABLE loose RENAME TO entries"
        )
        db.execute("UPDATE entries SET number = ? WHERE number = 1", (number,))
        db.commit()
    assert verify(path).broken == 1
    with pytest.raises(TableError), Journal(path) as journal:
        journal.whole()


def test_damage_that_cannot_even_be_told_in_letters_is_refused(path: Path) -> None:
    """Found by fuzzing: the library's own complaint quotes the damaged bytes."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode = DELETE")
    raw = path.read_bytes()
    assert b"tableentriesentries" in raw
    path.write_bytes(raw.replace(b"tableentriesentries", b"tableentr\xffesentries"))
    with pytest.raises(TableError):
        verify(path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("A shopping list. " * 100)
    assert "cannot be used" in _refused(path, capsys)


def test_a_torn_journal_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "torn"
    with Journal(path) as journal:
        journal.append([Note("event", {"ev": "x" * 500}) for _ in range(100)])
    path.write_bytes(path.read_bytes()[:20_000])
    assert main(["journal", "verify", str(path)]) == 2
    assert capsys.readouterr().err.startswith("referee: the journal")


def test_a_journal_with_damaged_bytes_is_never_taken_for_whole(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    with Journal(whole) as journal:
        journal.append([Note("event", {"ev": f"event {n}", "fill": "x" * 200}) for n in range(60)])
        entries = journal.whole()
    chance = random.Random(7)
    for _ in range(40):
        path = tmp_path / "damaged"
        shutil.copy(whole, path)
        damaged = bytearray(path.read_bytes())
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        assert _is_noticed(path) or _entries(path) == entries
        path.unlink()


def _is_noticed(path: Path) -> bool:
    try:
        return verify(path).broken is not None
    except TableError:
        return True


def _entries(path: Path) -> object:
    with Journal(path) as journal:
        return journal.whole()


def test_a_changed_journal_is_exit_code_one(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "verify", str(path)]) == 0
    _tamper(path, 'UPDATE entries SET body = \'{"ev": "raise"}\' WHERE number = 2')
    assert main(["journal", "verify", str(path)]) == 1
    assert "entry 2 is not what was written" in capsys.readouterr().out


def test_a_missing_journal_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "verify", str(tmp_path / "none")]) == 2
    assert "there is no journal" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_showing_a_journal_shows_only_what_the_table_may_read(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["journal", "show", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "frames 10-61" in shown
    assert "Game Master" not in shown
    assert "Ünseen" not in shown
    assert main(["journal", "show", str(path), "--seat", "A"]) == 0
    assert "Ünseen" in capsys.readouterr().out
