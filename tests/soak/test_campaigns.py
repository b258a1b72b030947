"""Long campaigns against every reader: led by coverage, and by number."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.readers import READERS

pytestmark = pytest.mark.soak
SECONDS = int(os.environ.get("SOAK_CAMPAIGN_S", "25"))
ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris has no wheel here")
@pytest.mark.parametrize("name", READERS)
def test_coverage_leads_to_no_crash(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-m", "tests.soak.campaign", name, str(SECONDS)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=SECONDS * 6 + 300,
        env=os.environ | {"FUZZ_FOLDER": str(tmp_path)},
    )  # fmt: skip
    runs = re.search(r"stat::number_of_executed_units:\s+(\d+)", done.stderr)
    with capsys.disabled():
        print(f"\n{name}: {runs[1] if runs else '?'} inputs", end="")
    assert done.returncode == 0, done.stderr[-3000:]
    assert runs is not None and int(runs[1]) > 0


def test_thousands_of_spoilt_inputs_are_refused_in_one_sentence() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "tests/fuzz"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"FUZZ_EXAMPLES": os.environ.get("SOAK_EXAMPLES", "2000")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
