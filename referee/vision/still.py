"""When the picture rests: cheap differences from frame to frame and from the last still."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from hardware.frames import Image
from referee.vision.board import Field, Mask, Window

CHANGED = 12
"""Grey levels that noise, flicker and compression stay below."""
REST_NS = 100_000_000
"""The picture rests when nothing has moved for so long."""
FRAMES = 6
"""More resting frames than this do not make the picture better."""
SPECKS = 12
"""So many changed half pixels are noise."""
OPEN = np.ones((3, 3), np.uint8)


def shrunk(image: Image, window: Window) -> Image:
    """The window at half resolution, grey."""
    part = cv2.resize(window.of(image), (window.width // 2, window.height // 2), interpolation=cv2.INTER_AREA)
    return cast(Image, cv2.cvtColor(part, cv2.COLOR_BGR2GRAY))


def difference(now: Image, before: Image) -> Mask:
    """255 where two small pictures differ by more than noise, specks dropped."""
    beyond = cv2.threshold(cv2.absdiff(now, before), CHANGED, 255, cv2.THRESH_BINARY)[1]
    return cast(Mask, cv2.morphologyEx(beyond, cv2.MORPH_OPEN, OPEN))


@dataclass(frozen=True, slots=True, eq=False)
class Stillness:
    """What one frame is, compared with the frame before and with the last still."""

    small: Image
    changed: Mask | None
    """At half resolution: where the picture differs from the last still; None when it nowhere does."""
    moved: bool
    """Something moved since the frame before."""
    rests_ns: int
    """For how long nothing has moved."""

    @property
    def rests(self) -> bool:
        return self.rests_ns >= REST_NS


class Watchman:
    """Tells moving frames from resting ones."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._before: Image | None = None
        self._plate: Image | None = None
        self._resting: Image | None = None
        self._quiet_since_ns = 0

    def look(self, image: Image, t_ns: int) -> Stillness:
        """Compare one frame; the first one is taken for a still."""
        small = shrunk(image, self._window)
        if self._plate is None or self._before is None or self._resting is None:
            self._plate = self._before = self._resting = small
            self._quiet_since_ns = t_ns
            return Stillness(small, None, False, REST_NS)
        # What rocks and creeps differs little from frame to frame, but more from when it seemed to come to rest.
        moved = any(_differ(small, before) is not None for before in (self._before, self._resting))
        if moved:
            self._quiet_since_ns, self._resting = t_ns, small
        self._before = small
        return Stillness(small, _differ(small, self._plate), moved, t_ns - self._quiet_since_ns)

    def settle(self, small: Image) -> None:
        """A small picture is the still from now on."""
        self._plate = small


def _differ(now: Image, before: Image) -> Mask | None:
    """Where two small pictures differ, or None when it is but specks."""
    mask = difference(now, before)
    return mask if cv2.countNonZero(mask) > SPECKS else None


class Mean:
    """The mean of the last few resting frames: noise falls, edges stay."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._total: Field | None = None
        self.count = 0

    def add(self, image: Image) -> None:
        """Take one more resting frame, as long as it still helps."""
        part = self._window.of(image)
        if self._total is None:
            self._total = part.astype(np.float32)
        elif self.count < FRAMES:
            cv2.accumulate(part, self._total)
        self.count = min(self.count + 1, FRAMES)

    def forget(self) -> None:
        """Something moved."""
        self._total, self.count = None, 0

    def picture(self) -> Field:
        """The window, averaged."""
        if self._total is None:
            raise ValueError("no frame has rested yet")
        return np.asarray(self._total / self.count, np.float32)
