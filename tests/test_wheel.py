"""The wheel works where the repository is not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]


def run(*words: str | Path, cwd: Path) -> str:
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=alone, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.soak
def test_the_wheel_installs_and_referees_its_own_clip_outside_the_repository(tmp_path: Path) -> None:
    kept = shutil.ignore_patterns(".venv", ".git", "sample_footage", ".mypy_cache", "__pycache__")
    shutil.copytree(TOP, tmp_path / "source", ignore=kept)
    run(sys.executable, "-m", "venv", "clean", cwd=tmp_path)
    python = tmp_path / "clean" / "bin" / "python"
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "./source", "--wheel-dir", "dist", cwd=tmp_path)
    (wheel,) = (tmp_path / "dist").glob("table_referee-*.whl")
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    shutil.rmtree(tmp_path / "source")
    said = run(tmp_path / "clean" / "bin" / "referee", "demo", cwd=tmp_path)
    assert "1 recording in" in said
    assert "1 ruled as expected" in said
