"""Where hands are in a frame of a film: what came in over the table as it lay round that moment."""

from functools import lru_cache

import numpy as np

from hardware.errors import CameraError
from hardware.frames import Image
from referee.film import Film
from referee.types import Point
from referee.vision.glimpses import glimpse
from referee.vision.hands import hands_seen
from referee.vision.motion import half

PLATE_FRAMES = 9
"""Looked at round a frame for the table without hands."""
PLATE_REACH = 120
HAND_SHARE = 0.004
"""Of the picture: what came in and is larger is a hand."""


class HandLayer:
    def __init__(self, film: Film) -> None:
        self._film = film

    def outlines(self, index: int) -> list[list[Point]]:
        """Outlines of the hands in a frame, in raw pixels."""
        image = self._film.image(index)
        if image is None:
            return []
        small = half(image)
        area = HAND_SHARE * small.shape[0] * small.shape[1]
        sight = glimpse(small, self._plate(index // PLATE_REACH), area)
        return [list(hand.outline_px) for hand in hands_seen(sight, small.shape, ())]

    @lru_cache(maxsize=4)  # noqa: B019 # a layer lives as long as its film
    def _plate(self, part: int) -> Image:
        """The table without hands: the middle of several pictures round this part of the film."""
        middle, last = part * PLATE_REACH + PLATE_REACH // 2, len(self._film.times_ns) - 1
        spots = np.linspace(middle - PLATE_REACH, middle + PLATE_REACH, PLATE_FRAMES).round().astype(int)
        images = [self._film.image(int(k)) for k in sorted({min(max(s, 0), last) for s in spots})]
        seen = [half(image) for image in images if image is not None]
        if not seen:
            raise CameraError("nothing of this part may be shown")
        plate: Image = np.median(np.stack(seen), axis=0).astype(np.uint8)
        return plate
