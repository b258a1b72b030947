"""A process writing a journal is killed at random moments; no entry it acknowledged may be missing."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.journal import Journal, verify

WRITER = """
import sys
from pathlib import Path
from referee.journal import Journal
from referee.ledger import Note
with Journal(Path(sys.argv[1])) as journal:
    while True:
        first = journal.length() + 1
        journal.append([Note("event", {"n": first + k}) for k in range(1 + first % 4)])
        print(journal.length(), flush=True)
"""


def _kill_writer(path: Path, wait_for: int, delay_s: float) -> int:
    """Let a writer acknowledge some appends, kill it, and return the last number it acknowledged."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline() for _ in range(wait_for)]
        time.sleep(delay_s)
        writer.send_signal(signal.SIGKILL)
        acknowledged += writer.stdout.readlines()
    whole = [line for line in acknowledged if line.endswith("\n")]
    return int(whole[-1]) if whole else 0


def _survives(path: Path, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    last = 0
    for _ in range(kills):
        wait_for = chance.choice([0, 1, 1, 2, 8])
        delay_s = chance.uniform(0, 0.3) if wait_for == 0 else chance.uniform(0, 0.02)
        last = max(last, _kill_writer(path, wait_for, delay_s))
        if last == 0 and not path.exists():
            continue
        with Journal(path) as journal:
            entries = journal.whole()
        assert len(entries) >= last
        assert [entry.note.body["n"] for entry in entries] == [entry.number for entry in entries]
        assert verify(path).broken is None
        last = len(entries)
    assert last > 0


def test_the_journal_survives_a_few_kills(tmp_path: Path) -> None:
    _survives(tmp_path / "match.journal", kills=6, seed=1)


@pytest.mark.soak
def test_the_journal_survives_two_hundred_kills(tmp_path: Path) -> None:
    for seed in range(10):
        _survives(tmp_path / f"match-{seed}.journal", kills=20, seed=seed)
