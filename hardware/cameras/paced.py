"""Footage at its own speed: a recording stands in for a live camera."""

import time
from collections.abc import Callable, Iterable, Iterator

from hardware.frames import Frame


def paced(
    frames: Iterable[Frame],
    clock: Callable[[], int] = time.monotonic_ns,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Frame]:
    """The same frames, none earlier than it came when it was recorded."""
    shift: int | None = None
    for frame in frames:
        if shift is None:
            shift = clock() - frame.t_ns
        early_ns = frame.t_ns + shift - clock()
        if early_ns > 0:
            sleep(early_ns / 1e9)
        yield frame
