"""Ids that stay with the physical piece from one still to the next."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import cv2
import numpy as np

from referee.types import Point
from referee.vision.pairing import cheapest_pairs
from referee.vision.pieces import Blob

NOBODY: Mapping[int, Point] = MappingProxyType({})
SAME_PLACE_PX = 4.0
"""A piece that lies within this of where one lay has not moved,"""
OTHER = 0.6
"""unless its colour differs by so much, in logarithms: then it struck that one, and stopped in its place."""
HEAD_ON = 1.05
"""Power of a distance: of equal ways the even ones are the likelier."""
UNLIKE, ALIKE = 0.25, 0.15
"""Difference of colour, in logarithms, that counts as much as the whole width of the picture, beyond what light and
turning make of one piece."""
UNLIKE_SIZE, ALIKE_SIZE = 0.3, 0.12
"""The same for a difference of area."""


class Names:
    """Gives ids to blobs, the same id to the same piece."""

    def __init__(self) -> None:
        self._next = 0
        self._away: dict[int, Blob] = {}

    def name(
        self,
        before: dict[int, Blob],
        now: Sequence[Blob],
        width_px: float,
        followed: Mapping[int, Point] = NOBODY,
    ) -> dict[int, Blob]:
        """The blobs of a new still by id: those followed there, those that did not move, the likeliest of the rest."""
        named = _followed_there(followed, now)
        rest = [b for b in now if all(b is not mine for mine in named.values())]
        for key, old in before.items():
            if key in named:
                continue
            near = [b for b in rest if _distance(old, b) < SAME_PLACE_PX and _colours_apart(old, b) < OTHER]
            if near:
                named[key] = near[0]
                rest = [b for b in rest if b is not near[0]]
        lost = {**self._away, **{k: b for k, b in before.items() if k not in named}}
        for key, blob in _likeliest(lost, rest, width_px):
            named[key] = blob
            rest = [b for b in rest if b is not blob]
            del lost[key]
        self._away = lost
        for blob in rest:
            named[self._next] = blob
            self._next += 1
        return named


def _followed_there(followed: Mapping[int, Point], now: Sequence[Blob]) -> dict[int, Blob]:
    """The blobs at which pieces were seen to arrive, each by one alone."""
    near = {key: [b for b in now if _holds(b, spot)] for key, spot in followed.items()}
    found = {key: blobs[0] for key, blobs in near.items() if len(blobs) == 1}
    return {k: b for k, b in found.items() if all(b is not other for key, other in found.items() if key != k)}


def _holds(blob: Blob, spot: Point) -> bool:
    return cv2.pointPolygonTest(blob.silhouette_px.astype(np.float32), spot, False) > 0


def _distance(a: Blob, b: Blob) -> float:
    return float(np.hypot(*(a.centre_px - b.centre_px)))


def _likeliest(lost: dict[int, Blob], found: Sequence[Blob], width_px: float) -> list[tuple[int, Blob]]:
    """Pairs of least total cost by place, colour and size.

    Where one struck another head on, either may have gone on: then two short ways are likelier than a long one alone,
    for none passes through another.
    """
    if not lost or not found:
        return []
    keys = list(lost)
    cost = [[_unlike(lost[k], b, width_px) for b in found] for k in keys]
    return [(keys[row], found[column]) for row, column in cheapest_pairs(cost)]


def _unlike(a: Blob, b: Blob, width_px: float) -> float:
    colour = max(0.0, _colours_apart(a, b) - ALIKE) / UNLIKE
    size = max(0.0, abs(math.log(_area(a) / _area(b))) - ALIKE_SIZE) / UNLIKE_SIZE
    return float((_distance(a, b) / width_px) ** HEAD_ON) + colour + size


def _colours_apart(a: Blob, b: Blob) -> float:
    return float(np.linalg.norm(a.colour - b.colour))


def _area(blob: Blob) -> float:
    return max(float(cv2.contourArea(blob.silhouette_px.astype(np.float32))), 1.0)
