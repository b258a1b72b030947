"""The four sides of cards, and places along them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

SAMPLES = 16
"""Places looked at along a side."""
ALONG = np.linspace(-0.42, 0.42, SAMPLES)
"""Where they are, in sides from its middle: round corners are left out."""
BOTH_WAYS = 2
"""Places along each of two sides that make a corner."""

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Sides:
    """The four sides of every card: top, right, bottom, left."""

    middle: Floats
    along: Floats
    """From start to end."""
    out: Floats
    """Outwards, of length one."""
    length: Floats
    """Of the card."""

    @cached_property
    def rim(self) -> Floats:
        """(cards, sides, samples, 2): the places along every side."""
        return np.asarray(self.middle[:, :, None] + self.along[:, :, None] * ALONG[:, None])

    @cached_property
    def outwards(self) -> Floats:
        """(cards, sides, 1, 2): a card's length out of every side, to be added to places along it."""
        return np.asarray(self.out[:, :, None] * self.length[:, None, None, None])


def sides_of(corners: Floats) -> Sides:
    along = corners[:, (1, 2, 3, 0)] - corners
    x, y = along[..., 0], along[..., 1]
    out = np.stack([y, -x], axis=-1) / np.maximum(np.sqrt(y * y + x * x), 1e-9)[..., None]
    length = np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)
    return Sides(corners + along / 2, along, out, np.maximum(length, 1.0))


def round_a_corner(by_side: Floats) -> Floats:
    """Of places along the four sides of cards (n, 4), how many are along the two that meet and have most."""
    next_side = np.roll(by_side, -1, axis=1)
    both = np.minimum(by_side, next_side) >= BOTH_WAYS
    return np.asarray(((by_side + next_side) * both).max(axis=1))
