"""The upper face of a die in a picture, and which of them belong to one die."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

APART, WITHIN = 0.6, 0.42
"""Edges on the table between the middles of two upper faces, and in the picture between those of two dice."""
PART, CLEAR, BEHIND = 1.5, 0.35, 0.75
"""Nearer than an edge to a die that is this clear, and surer, lies none that is so many times smaller: it is one of its
pips, or a few; unless it stands so many edges behind it."""
FLATTEST = 0.4
"""The cosine of the steepest view in which distances on the table are still told from those in the picture."""


@dataclass(frozen=True, slots=True)
class Upper:
    """A die whose upper face was seen."""

    face: tuple[float, float]
    """Where the middle of the upper face is,"""
    upright: tuple[float, float]
    """and the way from there to the middle of its foot, both in pixels."""
    edge_px: float
    found: float
    odds: tuple[float, ...]
    """Of the six values."""

    @property
    def sure(self) -> float:
        """Of the die and its value together."""
        return self.found * max(self.odds)

    @property
    def px(self) -> tuple[float, float]:
        """The middle of the die."""
        return self.face[0] + self.upright[0] / 2, self.face[1] + self.upright[1] / 2


def _away(a: Upper, b: Upper) -> float:
    return float(np.hypot(a.px[0] - b.px[0], a.px[1] - b.px[1]))


def _beyond(a: Upper, b: Upper) -> tuple[float, float]:
    """How far the first upper face is from the second on the table: away from the camera, and aside."""
    away = np.subtract(a.face, b.face)
    lean = (np.array(a.upright) / a.edge_px + np.array(b.upright) / b.edge_px) / 2
    slant = float(np.hypot(*lean))
    if slant < 1e-6:
        return 0.0, float(np.hypot(*away))
    along = float(away @ lean) / slant
    across = float(away[0] * lean[1] - away[1] * lean[0]) / slant
    return -along / max(FLATTEST, np.sqrt(max(0.0, 1 - slant**2))), across


def whole(faces: Sequence[Upper]) -> list[Upper]:
    """Without parts of dice."""
    return [face for face in faces if not any(_is_part(face, other) for other in faces)]


def _is_part(face: Upper, other: Upper) -> bool:
    """Whether one is a pip or a few of the other; a clear die is no part of a vague one."""
    clear = other.found > CLEAR and other.sure > face.sure
    larger = other.edge_px > PART * face.edge_px and _away(face, other) < other.edge_px
    return clear and larger and _beyond(face, other)[0] < BEHIND * other.edge_px


def apart(faces: Sequence[Upper]) -> list[Upper]:
    """Each die once: those that come first are kept."""
    kept: list[Upper] = []
    for face in faces:
        if not any(_is_same(face, other) for other in kept):
            kept.append(face)
    return kept


def _is_same(face: Upper, other: Upper) -> bool:
    small, large = sorted((face.edge_px, other.edge_px))
    return large < PART * small and is_near(face, other, large)


def is_near(face: Upper, other: Upper, edge_px: float) -> bool:
    """Whether two dice of this edge would stand in each other."""
    return _away(face, other) < WITHIN * edge_px or np.hypot(*_beyond(face, other)) < APART * edge_px
