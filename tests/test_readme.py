"""The commands the README shows are commands that work."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import COMMANDS

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf8")
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
