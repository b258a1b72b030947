"""A long evening: the memory does not grow and no file stays open."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
WARM = 1 / 4
"""Caches fill in the first part of the evening."""


def evening(folder: Path, hours: float) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.soak.endurance", str(folder), str(hours)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Traceback" not in done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def warm(looks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [look for look in looks if look["played_s"] >= looks[-1]["played_s"] * WARM]


def test_a_minute_of_play_leaves_no_file_open(tmp_path: Path) -> None:
    looks = warm(evening(tmp_path, 1 / 60))
    assert looks[-1]["entries"] > 3
    assert max(look["open_files"] for look in looks) - min(look["open_files"] for look in looks) <= 4
    # A single look may fall into the moment when free memory has just gone back to the system.
    begun = float(np.median([look["memory_mb"] for look in looks[:3]]))
    assert looks[-1]["memory_mb"] - begun < 30


@pytest.mark.soak
def test_three_hours_of_play_grow_by_less_than_five_megabytes_an_hour(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hours = float(os.environ.get("SOAK_HOURS", "3"))
    looks = evening(tmp_path, hours)
    later = warm(looks)
    played_h = [look["played_s"] / 3600 for look in later]
    growth = float(np.polyfit(played_h, [look["memory_mb"] for look in later], 1)[0])
    files = [look["open_files"] for look in later]
    with capsys.disabled():
        print(
            f"\n{hours:g} h of play: {growth:+.2f} MB an hour, {files[0]} to {files[-1]} open files, {looks[-1]}"
        )
    assert growth < 5.0
    assert max(files) - min(files) <= 4
    assert looks[-1]["threads"] <= looks[0]["threads"] + 8
