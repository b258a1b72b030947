"""Free memory goes back to the system: what a burst of work took for a moment is not held for the evening."""

import ctypes
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """A few milliseconds; does nothing where the system's library has no way to."""
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return lambda _keep: None
    trim.argtypes, trim.restype = [ctypes.c_size_t], ctypes.c_int
    return trim
