"""Who goes first when the machine has more to do than cores: whoever a ruling waits for."""

import os
import threading
from contextlib import suppress

FIRST = -10
"""Niceness; the usual is 0."""


def go_first() -> None:
    """This thread, and those it begins, before recorder, page and browser, where the system allows it."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), FIRST)
