"""The commands the README shows are commands that work."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from referee.cli import COMMANDS

TOP = Path(__file__).parents[1]
README = (TOP / "README.md").read_text(encoding="utf8")
SHOWN = re.findall(r"\.venv/bin/referee (\S+)", README)


def test_make_demo_and_make_test_come_first() -> None:
    first_block = README.split("```")[1].split("\n")
    assert [line.split("  ")[0] for line in first_block if line] == ["make demo", "make test"]


@pytest.mark.parametrize("command", sorted(set(SHOWN)))
def test_every_command_shown_exists(command: str) -> None:
    assert command in COMMANDS


def test_the_question_to_the_bench_is_answered() -> None:
    line = next(line for line in README.splitlines() if line.startswith("echo ") and " fold " in line)
    asked, _, command = line.removeprefix("echo ").partition(" | ")
    words = shlex.split(command)[1:]
    run = subprocess.run(
        [sys.executable, "-m", "referee", *words], input=shlex.split(asked)[0], text=True, capture_output=True
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert '"phase": "SETTLE"' in run.stdout


LOOK_AGAIN = README.split("## Look again")[1].split("```")[1].strip().splitlines()
SLOW = ("rejudge",)
"""Runs over every Rocca clip: a soak."""


def referee(line: str) -> list[str]:
    """A line of the README as a command for this Python."""
    return [sys.executable, "-m", "referee", *shlex.split(line, comments=True)[1:]]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A folder as a reader of the README has it: the samples, and a photograph."""
    (tmp_path / "sample_footage").symlink_to(TOP / "sample_footage")
    shutil.copy(TOP / "docs" / "pictures" / "not-through.jpg", tmp_path / "photo.jpg")
    return tmp_path


def run_all(lines: list[str], folder: Path) -> None:
    for line in lines:
        run = subprocess.run(referee(line), cwd=folder, text=True, capture_output=True)
        assert (run.returncode, run.stderr) == (0, ""), line


def test_looking_again_works_as_shown(table: Path) -> None:
    run_all([line for line in LOOK_AGAIN if line.split()[1] not in (*SLOW, "replay")], table)
    assert {"rulings.json", "rulings.png", "ruling.html", "report.pdf", "cards.json"} <= {
        p.name for p in table.iterdir()
    }


@pytest.mark.soak
def test_an_archive_is_rejudged_as_shown(table: Path) -> None:
    run_all([line for line in LOOK_AGAIN if line.split()[1] in SLOW], table)


def test_the_review_page_opens_as_shown(table: Path) -> None:
    (line,) = (line for line in LOOK_AGAIN if line.split()[1] == "replay")
    asked = [*referee(line), "--no-browser", "--port", "0"]
    with subprocess.Popen(asked, cwd=table, text=True, stdout=subprocess.PIPE) as page:
        assert page.stdout is not None
        said = next(found for text in page.stdout if (found := re.search(r"http://\S+/", text)))
        assert b"<html" in urlopen(said[0]).read()
        page.terminate()


def test_the_bench_by_hand_works_as_shown(table: Path) -> None:
    shown = [
        line for line in README.splitlines() if re.match(r"\.venv/bin/referee (rules|play|journal)", line)
    ]
    for line in shown:
        run = subprocess.run(referee(line), cwd=table, text=True, input="", capture_output=True)
        assert (run.returncode, run.stderr) == (0, ""), line
    assert len(shown) == 4
