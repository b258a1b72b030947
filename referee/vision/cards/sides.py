"""The four sides of cards, and places along them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLES = 16
"""Places looked at along a side."""
ALONG = np.linspace(-0.42, 0.42, SAMPLES)
"""Where they are, in sides from its middle: round corners are left out."""

Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Sides:
    """The four sides of every card: top, right, bottom, left."""

    middle: Floats
    along: Floats
    """From start to end."""
    out: Floats
    """Outwards, of length one."""
    length: Floats
    """Of the card."""

    @property
    def rim(self) -> Floats:
        """(cards, sides, samples, 2): the places along every side."""
        return np.asarray(self.middle[:, :, None] + self.along[:, :, None] * ALONG[:, None])

    @property
    def outwards(self) -> Floats:
        """(cards, sides, 1, 2): a card's length out of every side, to be added to places along it."""
        return np.asarray(self.out[:, :, None] * self.length[:, None, None, None])


def sides_of(corners: Floats) -> Sides:
    along = np.roll(corners, -1, axis=1) - corners
    out = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    out = out / np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-9)
    length = np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)
    return Sides(corners + along / 2, along, out, np.maximum(length, 1.0))
