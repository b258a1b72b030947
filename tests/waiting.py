"""Waiting for what another thread or program does."""

import time
from collections.abc import Callable

PATIENCE_S = 60.0
"""A busy machine may take its time."""


def wait_for(what: Callable[[], object], why: str = "it") -> None:
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until, f"{why} did not happen"
        time.sleep(0.01)
