"""What the pictures themselves tell of the camera: none come, they stand still, they are black."""

import time
from collections.abc import Callable

import numpy as np

from hardware.frames import Image

SILENT_NS = 2_000_000_000
FROZEN_NS = 3_000_000_000
DARK = 12.0
"""Mean brightness under which nothing on a table can be told apart."""
STEP = 16
"""Every so many pixels are looked at: noise alone changes some of them in every picture."""


class Watchdog:
    """Shown every picture by the camera's thread, asked by any other."""

    def __init__(self, may_stand_still: bool, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """`may_stand_still`: footage whose pictures are alike to the last bit."""
        self._may_stand_still, self._clock = may_stand_still, clock
        self._last: Image | None = None
        self._arrived_ns = self._changed_ns = clock()
        self.dark = False

    def see(self, image: Image) -> None:
        sample = image[::STEP, ::STEP]
        self._arrived_ns = self._clock()
        if self._last is None or not np.array_equal(sample, self._last):
            self._changed_ns, self._last = self._arrived_ns, sample.copy()
            self.dark = float(sample.mean()) < DARK

    def expect(self) -> None:
        """Pictures are to come from now on."""
        self._arrived_ns = self._changed_ns = self._clock()
        self._last, self.dark = None, False

    def trouble(self) -> str | None:
        """What is wrong now, in one sentence."""
        now = self._clock()
        if now - self._arrived_ns > SILENT_NS:
            return "No picture comes from the camera: look after its cable. The game goes on by hand."
        if self.dark:
            return "It is too dark to see the table: switch the light on. Nothing is ruled by the camera."
        if not self._may_stand_still and now - self._changed_ns > FROZEN_NS:
            return "The camera shows one and the same picture: unplug it and plug it in again."
        return None
