"""Is the picture still? Asked of every frame, so it must cost almost nothing."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Frame, Image

Thumb = NDArray[np.float32]
"""The picture WIDTH pixels wide, grey."""

WIDTH = 160
NOISE = 3.2
"""Grey levels of a thumbnail that noise and compression stay below in good light."""
MOST_NOISE = 8.0
"""Believed of a camera before it was seen still."""
ABOVE = 2.0
"""How far above a camera's own noise a change must be."""
FORGET = 1.01
"""How fast the quietest frame so far is forgotten."""
FLICKER = 0.025
"""Share of the light that lamps may flicker beyond what a row as a whole does."""
REFRESH_NS = 1_000_000_000
"""A still picture is remembered anew this often: daylight drifts."""


def thumb(image: Image) -> Thumb:
    """A quarter of the rows, averaged: a die's smallest move shows, noise does not."""
    height, width = image.shape[:2]
    small = cv2.resize(
        image[:: max(1, height // 180)], (WIDTH, height * WIDTH // width), interpolation=cv2.INTER_AREA
    )
    return cast(Thumb, cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32))


def apart(a: Thumb, b: Thumb) -> Thumb:
    """How far two thumbnails differ, a change of the light set aside.

    Lamps flicker in bands down the picture, and the more light the more flicker.
    """
    gain = (a.mean(1, keepdims=True) + 1) / (b.mean(1, keepdims=True) + 1)
    out: Thumb = np.abs(cv2.blur(a - b * gain, (2, 2))) - FLICKER * b
    return out


@dataclass(slots=True)
class Stillness:
    """Remembers since when nothing has moved."""

    since: int = 0
    """First frame of the present stillness."""
    since_ns: int = 0
    noise: float = MOST_NOISE
    """Of this camera in this light."""
    _like: Thumb | None = None
    _last: Thumb | None = None
    _refreshed_ns: int = 0

    def feed(self, frame: Frame, small: Thumb) -> int:
        """For how many nanoseconds the picture has been still."""
        self._learn_noise(small)
        if self._like is None or float(apart(small, self._like).max()) > max(NOISE, ABOVE * self.noise):
            self._like, self.since, self.since_ns = small, frame.index, frame.t_ns
            self._refreshed_ns = frame.t_ns
        elif frame.t_ns - self._refreshed_ns > REFRESH_NS:
            self._like, self._refreshed_ns = small, frame.t_ns
        return frame.t_ns - self.since_ns

    def _learn_noise(self, small: Thumb) -> None:
        if self._last is not None:
            self.noise = min(float(apart(small, self._last).max()), max(NOISE / ABOVE, self.noise * FORGET))
        self._last = small
