"""What a burst of work took goes back to the system."""

import sys
from pathlib import Path

import numpy as np
import pytest

from hardware.memory import give_back


def resident_mb() -> float:
    return int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]) / 1024


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only glibc can be told to")
def test_free_memory_is_given_back() -> None:
    give_back()
    before = resident_mb()
    held = [np.ones(8_000, np.uint8) for _ in range(8_000)]
    last = np.ones(8_000, np.uint8)
    del held
    assert resident_mb() > before + 40
    give_back()
    assert resident_mb() < before + 20
    assert last.all()
