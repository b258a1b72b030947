"""How well a camera sees: rate really reached, sharpness, exposure, flicker. Measured, not asked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Frame, Image

LOOKS = 8
"""Frames examined closely; the others only give their time and brightness."""


@dataclass(frozen=True, slots=True)
class CameraHealth:
    fps: float
    dropped: int
    """Gaps of one and a half frame times or more."""
    blur: float
    """0 for a crisp picture, 1 for fog (share of detail that blurring it again does not take away)."""
    burnt: float
    """Share of pixels at full white."""
    dark: float
    """Share of pixels near black."""
    flicker: float
    """Brightness swing from frame to frame, as a share of the brightness."""


def examine(frames: Iterable[Frame], count: int) -> CameraHealth:
    """Watch `count` frames and say how well the camera sees."""
    times: list[int] = []
    levels: list[float] = []
    looks: list[Image] = []
    for frame in islice(frames, count):
        if len(times) % max(1, count // LOOKS) == 0:
            looks.append(frame.image)
        times.append(frame.t_ns)
        levels.append(float(frame.image[::8, ::8].mean()))
    return CameraHealth(
        *_rate(times),
        median(_blur(look) for look in looks) if looks else 1.0,
        float(np.mean([(look[::4, ::4].min(axis=2) >= 253).mean() for look in looks])) if looks else 0.0,
        float(np.mean([(look[::4, ::4].max(axis=2) <= 12).mean() for look in looks])) if looks else 1.0,
        _flicker(levels),
    )


def _rate(times: Sequence[int]) -> tuple[float, int]:
    steps = [b - a for a, b in pairwise(times)]
    if not steps or median(steps) <= 0:
        return 0.0, 0
    usual = median(steps)
    return 1e9 / usual, sum(step >= 1.5 * usual for step in steps)


def _blur(image: Image) -> float:
    """Detail that a blur does not take away was blurred before (Crete, Dolmiere, Ladret, Nicolas 2007)."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return min(_blur_along(gray, (9, 1)), _blur_along(gray.T.copy(), (9, 1)))


def _blur_along(gray: NDArray[np.float32], size: tuple[int, int]) -> float:
    again = cv2.blur(gray, size)
    detail = np.abs(np.diff(gray, axis=1))
    lost = np.maximum(0, detail - np.abs(np.diff(again, axis=1)))
    edges = detail > np.percentile(detail, 95)  # noise on plain surfaces would pass for detail
    total = float(detail[edges].sum())
    return 1.0 if total == 0 else (total - float(lost[edges].sum())) / total


def _flicker(levels: Sequence[float]) -> float:
    """Alternation around the running mean, so that a cloud passing by does not count."""
    if len(levels) < 5:
        return 0.0
    level = np.array(levels)
    around = np.convolve(level, np.ones(5) / 5, mode="valid")
    return float(np.std(level[2:-2] - around) / max(float(level.mean()), 1.0))
