"""How grainy a camera's pictures are: in a dim room every pixel flickers by itself, and what moves drowns in it."""

from collections import deque
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image

GRAINY, SHARE = 4.0, 0.85
"""Grey levels that the pixels of a grainy camera do not stay within from one picture to the next, and the share that
stays within them: grain is stronger on what is bright."""
PAIRS = 6
"""A hand may sweep over all of one picture, but not of so many in a row."""
SELDOM = 8
"""A camera that is known is asked about every so manieth picture only."""
EVERY = slice(8, None, 16)

Sample = NDArray[np.int16]


class Grain:
    """Watches pictures that follow one another."""

    def __init__(self) -> None:
        self._last: Sample | None = None
        self._flicker: deque[float] = deque(maxlen=PAIRS)
        self._count = 0

    @property
    def grainy(self) -> bool:
        return bool(self._flicker) and min(self._flicker) >= GRAINY

    def softened(self, small: Image) -> Image:
        """The next picture at half resolution; a grainy camera's is blurred, which takes most of the grain."""
        self._learn(small)
        return self.soft(small)

    def soft(self, small: Image) -> Image:
        """Another picture of the same camera."""
        return cast(Image, cv2.GaussianBlur(small, (3, 3), 0)) if self.grainy else small

    def _learn(self, small: Image) -> None:
        self._count += 1
        if len(self._flicker) == PAIRS and self._count % SELDOM > 1:
            return
        sample = small[EVERY, EVERY].astype(np.int16)
        if self._last is not None and (len(self._flicker) < PAIRS or self._count % SELDOM == 1):
            change = (sample - self._last).ravel()
            change -= np.partition(change, change.size // 2)[change.size // 2]
            most = min(int(SHARE * change.size), change.size - 1)
            self._flicker.append(float(np.partition(np.abs(change), most)[most]))
        self._last = sample
