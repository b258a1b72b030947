"""What was seen while nothing could be written is written later, in its order."""

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from referee.backlog import RETRY_NS, Backlog
from referee.errors import JournalError, TableError
from referee.games import find_game
from referee.journal import Journal, verify
from referee.match import open_match, resume_match
from referee.stage import Stage
from referee.table import Table
from tests.standins import StandInEyes
from tests.test_table import AIM, MISS, shown
from tests.waiting import wait_for


def test_deeds_keep_their_order_and_none_is_done_twice() -> None:
    done: list[int] = []
    broken = [True]
    said: list[str | None] = []

    def deed(number: int) -> None:
        if broken[0]:
            raise JournalError("locked")
        done.append(number)

    backlog = Backlog(said.append)
    backlog.do(lambda: deed(1), 0)
    backlog.do(lambda: deed(2), 1)
    assert done == []
    assert "locked" in str(said[-1])
    with pytest.raises(JournalError):
        backlog.clear_first()
    broken[0] = False
    backlog.retry(RETRY_NS - 1)
    assert done == []
    backlog.retry(RETRY_NS + 1)
    assert (done, said[-1]) == ([1, 2], None)


def test_a_deed_that_is_our_own_fault_does_not_block_the_others() -> None:
    done: list[int] = []
    backlog = Backlog(lambda why: None)
    with pytest.raises(ZeroDivisionError):
        backlog.do(lambda: 1 // 0, 0)
    backlog.do(lambda: done.append(1), 1)
    assert done == [1]


class Locked:
    """Another program holds the journal."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("BEGIN IMMEDIATE")

    def release(self) -> None:
        self._db.execute("ROLLBACK")
        self._db.close()


def seen_while_locked(tmp_path: Path) -> tuple[Table, StandInEyes, Journal, Locked]:
    journal = Journal(tmp_path / "journal.db", patience_ms=50)
    match = open_match(find_game("rocca"), ("A", "B", "C"), {}, journal, given=AIM)
    eyes = StandInEyes()
    return Table(match, ("A", "B", "C"), Stage(), eyes), eyes, journal, Locked(journal.path)


def test_a_shot_seen_while_the_journal_was_locked_is_ruled_when_it_is_free(tmp_path: Path) -> None:
    table, _, journal, lock = seen_while_locked(tmp_path)
    table.start()
    from referee.eyes import Sighting

    told = threading.Event()
    inner: Any = table

    def tell_once() -> None:
        if not told.is_set():
            told.set()
            inner._see_all([Sighting(MISS, (1, 5), 9)])

    inner._follow_cues = tell_once
    wait_for(lambda: "journal" in next((m["troubles"] for m in shown(table, "status")), {}))
    with pytest.raises(TableError, match="journal"):
        table.act({"ev": "pause"}, "A")
    assert not shown(table, "ruling")
    lock.release()
    wait_for(lambda: [r for r in shown(table, "ruling") if r["code"] == "FOUL"])
    wait_for(lambda: not shown(table, "status")[0]["troubles"])
    assert table.act({"ev": "pause"}, "A")
    table.close()
    assert verify(journal.path).broken is None
    assert resume_match(find_game("rocca"), journal).sitting == table.match.sitting
    journal.close()


def test_an_undo_that_cannot_be_written_did_not_happen(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db", patience_ms=50)
    match = open_match(find_game("rocca"), ("A", "B", "C"), {}, journal, given=AIM)
    match.tell({"ev": "end_turn", "seat": "A", "src": "P"})
    before, length = match.sitting, journal.length()
    lock = Locked(journal.path)
    with pytest.raises(JournalError):
        match.tell({"ev": "undo"})
    assert (match.sitting, journal.length()) == (before, length)
    lock.release()
    match.tell({"ev": "undo"})
    assert match.sitting != before
    journal.close()
