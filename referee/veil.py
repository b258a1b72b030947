"""The one door of recorded pictures: what not everybody may see is covered before anything leaves."""

import threading
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.frames import Image

CURTAIN = (38, 32, 28)
"""What is covered, in BGR."""
KEPT = 64
"""Changes of the curtain that are remembered: more than can happen while a frame waits for the recorder."""

Places = tuple[tuple[tuple[float, float], ...], ...]
"""Outlines in raw pixels."""


@dataclass(frozen=True, slots=True)
class Veiled:
    """From this frame on these places are covered; None covers everything."""

    frame: int
    places_px: Places | None


def covered(image: Image, places_px: Places | None) -> Image:
    """The picture with a curtain over these places; None covers all of it."""
    if places_px is None:
        return np.full_like(image, CURTAIN)
    hidden = image.copy() if places_px else image
    for place in places_px:
        cv2.fillPoly(hidden, [np.round(np.array(place)).astype(np.int32)], CURTAIN)
    return hidden


def veiled(image: Image, index: int, veils: Sequence[Veiled]) -> Image | None:
    """The frame as the whole table may see it; None when eyes were shut. Without veils nothing is secret."""
    if not veils:
        return image
    at = bisect_right([v.frame for v in veils], index) - 1
    places = veils[at].places_px if at >= 0 else None
    return None if places is None else covered(image, places)


class Curtains:
    """What is covered of each frame, as the eyes go; whoever keeps pictures waits here for the eyes."""

    def __init__(self, waits: bool = True) -> None:
        """`waits`: something may have to be covered, so nothing is kept before the eyes have looked at it."""
        self._waits = waits
        self._changed = threading.Condition()
        self._veils: list[Veiled] = []
        self._seen_to = -1
        self.night = 0
        """Counts the times that eyes were shut: a frame from before belongs to no later time."""

    def note(self, frame: int, places_px: Places | None) -> None:
        """The eyes have looked at this frame: from here on these places are covered."""
        with self._changed:
            if not self._veils or self._veils[-1].places_px != places_px:
                self._veils = [*self._veils, Veiled(frame, places_px)][-KEPT:]
            self._seen_to = frame
            self._changed.notify_all()

    def shut(self) -> None:
        """Eyes are shut: what still waits is thrown away."""
        with self._changed:
            self.night += 1
            self._changed.notify_all()

    def draw(self, frame: int, image: Image, night: int, wait_s: float) -> Image | None:
        """The frame as everybody may see it; None when eyes were shut since `night`, or never looked at it."""
        if not self._waits:
            return image if self.night == night else None
        with self._changed:
            seen = self._changed.wait_for(lambda: self._seen_to >= frame or self.night != night, wait_s)
            if not seen or self.night != night:
                return None
            veils = self._veils
        return veiled(image, frame, veils)
