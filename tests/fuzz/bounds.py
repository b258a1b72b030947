"""How long a reader may take and how much it may hold, whatever it is given."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MOST_S = 20.0
MOST_MB = 400.0
"""More than the largest picture and film a reader takes, far less than a bomb unpacks to."""
STATUS, PEAK = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class TooSlow(AssertionError):
    pass


@contextmanager
def bounded(most_s: float = MOST_S, most_mb: float = MOST_MB) -> Iterator[None]:
    """Fails when what happens inside takes too long or too much memory."""
    before = _memory_mb("VmRSS")
    _forget_peak()
    handler = signal.signal(signal.SIGALRM, _too_slow)
    signal.setitimer(signal.ITIMER_REAL, most_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    grown = _memory_mb("VmHWM") - before
    assert grown < most_mb, f"{grown:.0f} MB were taken"


def _too_slow(_sign: int, _frame: object) -> None:
    raise TooSlow("it did not come to an end in time")


def _memory_mb(field: str) -> float:
    """Zero where the system does not say."""
    if not STATUS.exists():
        return 0.0
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024


def _forget_peak() -> None:
    if PEAK.exists():
        PEAK.write_text("5")
