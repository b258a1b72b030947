"""Did a card lie there with its other side up, while the hand was still about?"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.types import Card
from referee.watch.dice import Glance

Samples = NDArray[np.float32]

LEAST_NS = 100_000_000
"""How long it must have lain so."""
STEADY = 7.0
OTHER = 14.0
"""Grey levels within which a resting card stays, and by which its other side differs."""
MOST = 0.5
"""Share of the card that must be seen so."""


def lay_otherwise(card: Card, before: Image, glances: Sequence[Glance]) -> bool:
    """Whether, before it came to lie as it does, most of its place was still and showed neither it nor the table."""
    columns, rows = _places(card, before.shape)
    if not len(rows) or len(glances) < 3:
        return False
    table = before[rows, columns].astype(np.float32) @ np.array([0.114, 0.587, 0.299], np.float32)
    history = np.stack([g.grey[rows, columns] for g in glances]).astype(np.float32)
    other = (np.abs(history - history[-1]) > OTHER) & (np.abs(history - table) > OTHER)
    return _longest_ns(history, other, [g.t_ns for g in glances]) >= LEAST_NS


def _longest_ns(history: Samples, other: NDArray[np.bool_], t_ns: Sequence[int]) -> int:
    """The longest time in which most samples were the same and showed the other thing."""
    longest = 0
    for first in range(len(t_ns)):
        steady = other[first].copy()
        for k in range(first + 1, len(t_ns)):
            steady &= np.abs(history[k] - history[first]) < STEADY
            if steady.mean() < MOST:
                break
            longest = max(longest, t_ns[k] - t_ns[first])
    return longest


def _places(card: Card, shape: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Columns and rows, at half size, of a grid over the inside of a card."""
    a, b, c, d = (np.array(p) for p in card.corners_px)
    u, v = np.meshgrid(np.linspace(0.1, 0.9, 9), np.linspace(0.1, 0.9, 12))
    u, v = u.reshape(-1, 1), v.reshape(-1, 1)
    points = (a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v
    spots = np.round(points / 2).astype(np.int64)
    inside = (spots >= 0).all(1) & (spots[:, 0] < shape[1]) & (spots[:, 1] < shape[0])
    return spots[inside, 0], spots[inside, 1]
