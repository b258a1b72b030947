"""Which of the six patterns of pips a face bears: the pattern that explains all of the face, and nothing beside it.

Both pips on light and light pips are read: only how round spots stand out from what is around them counts.
"""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image

Array = NDArray[np.float64]

EDGE_PX = 40.0
"""Faces are looked at in this size."""
CROP_PX = 84
SPOT, AROUND = 0.06, 0.15
"""Widths, in edges, of the two blurs whose difference shows round spots."""
FACE = 0.47
"""Half of the part of a face that must be explained."""
SAMPLES = 19
PITCHES = (0.21, 0.235, 0.26, 0.285)
RADII = {1: (0.09, 0.14)}
SCALES, ROOM = (0.92, 1.0, 1.08), 0.13
"""By how much a face may be larger or smaller, and how many edges off."""
FAINT = 3.0
"""Grey levels below which spots are noise."""
PATTERNS: dict[int, tuple[tuple[tuple[int, int], ...], ...]] = {
    1: (((0, 0),),),
    2: (((-1, -1), (1, 1)), ((1, -1), (-1, 1))),
    3: (((-1, -1), (0, 0), (1, 1)), ((1, -1), (0, 0), (-1, 1))),
    4: (((-1, -1), (1, -1), (-1, 1), (1, 1)),),
    5: (((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),),
    6: (
        ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
        ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
    ),
}
"""Places of the pips in pitches, each pattern in the ways it may lie within a quarter turn."""


def likeness_of(face: Image) -> Array:
    """For each value from 1 to 6 how well it explains the face in the middle of a square of CROP_PX, EDGE_PX wide."""
    spots = _spots(face)
    best = np.zeros(6)
    for scale in SCALES:
        seen = np.take(spots, _places(scale))
        seen -= seen.mean(axis=1, keepdims=True)
        seen /= np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), FAINT * SAMPLES)
        templates, values = _templates()
        match = np.abs(seen @ templates.T).max(axis=0)
        best = np.maximum(best, [match[values == v].max() for v in range(1, 7)])
    return best


def _spots(face: Image) -> NDArray[np.float32]:
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return cv2.GaussianBlur(grey, (0, 0), SPOT * EDGE_PX) - cv2.GaussianBlur(grey, (0, 0), AROUND * EDGE_PX)


def _face() -> Array:
    side = np.linspace(-FACE, FACE, SAMPLES)
    x, y = np.meshgrid(side, side)
    return np.stack([x.ravel(), y.ravel()], 1)


def _poses() -> Array:
    """The samples of a face in every turn and shift: (poses, samples, 2) in edges."""
    face, side = _face(), np.linspace(-ROOM, ROOM, 5)
    turns = [_turned(face, a) for a in np.radians(np.arange(0, 90, 5.0))]
    return np.array([turn + np.array([x, y]) for turn in turns for x in side for y in side])


@cache
def _places(scale: float) -> NDArray[np.int64]:
    """The same as indices into the pixels of a face that is larger or smaller than it should be."""
    at = np.rint(_poses() * EDGE_PX * scale + (CROP_PX - 1) / 2).astype(np.int64)
    spots = np.clip(at, 0, CROP_PX - 1)
    out: NDArray[np.int64] = spots[..., 1] * CROP_PX + spots[..., 0]
    return out


def _turned(face: Array, angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    out: Array = face @ np.array([[c, s], [-s, c]])
    return out


@cache
def _templates() -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """What each pattern looks like in each pitch, and its value."""
    made = [
        (_template(pattern, pitch, radius), value)
        for value, patterns in PATTERNS.items()
        for pattern in patterns
        for pitch in PITCHES
        for radius in RADII.get(value, (0.09,))
    ]
    return np.array([t for t, _ in made], np.float32), np.array([v for _, v in made])


def _template(pattern: tuple[tuple[int, int], ...], pitch: float, radius: float) -> Array:
    face = _face()
    narrow, broad = radius**2 / 2 + SPOT**2, radius**2 / 2 + AROUND**2
    out = np.zeros(len(face))
    for pip in pattern:
        away = ((face - np.array(pip) * pitch) ** 2).sum(axis=1)
        out += np.exp(-away / 2 / narrow) / narrow - np.exp(-away / 2 / broad) / broad
    out -= out.mean()
    return out / float(np.linalg.norm(out))
