"""Which part of what is open of a card each picture of a learned deck explains, once the room's light is known.

Of a card that is mostly covered too little is open to be compared as a whole. But a picture says what colour every
bit of it must have in the room: a table, a hand or another card hardly ever has it everywhere.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.comparing import CLOSE, Floats
from referee.vision.cards.learned import BOX, SIZE, LearnedDeck, logarithms
from referee.vision.cards.spot import Image, Quad, cut, on_picture, within

DARKER, BRIGHTER, OF_COLOUR = -0.5, 0.3, 0.06
"""How much darker or brighter a card may be than the room's light makes it, and how much of another colour, as
logarithms: shadows and shine."""
OFF, COLOUR_OFF = 0.22, 0.14
"""How much brightness and colours of a bit may differ from those that its picture has there, or beside it."""
LEAST_PX = 40
"""Of this many pixels of the compared picture at least a card is told."""
COVERED = 1.04
"""Beside a covering card as much larger than it nothing is compared: its rim and its shadow are there."""

Bits = NDArray[np.bool_]


class Explained:
    """The pictures of a deck in the light of a room."""

    def __init__(self, deck: LearnedDeck) -> None:
        room = np.float32(0) if deck.room is None else deck.room[..., None]
        layers = deck.close.reshape(-1, *CLOSE[::-1])
        least, most = (
            np.stack([way(layer, _AROUND) for layer in layers]).reshape(deck.close.shape)
            for way in (cv2.erode, cv2.dilate)
        )
        self._light = np.stack([deck.close, least, most]) + room
        """(3, pictures both ways up, 3, pixels): as each is, and the least and the most of what is near on it."""

    def shares(self, image: Image, corners: Quad, open_: Bits) -> Floats:
        """(pictures both ways up,): which share of the open bits each explains; 0 if they are too few."""
        if np.count_nonzero(open_) < LEAST_PX:
            return np.zeros(self._light.shape[1], np.float32)
        seen = logarithms(cut(image, corners, BOX, SIZE), CLOSE)
        return np.asarray(_explains(seen[:, open_], *self._light[..., open_]).mean(axis=1), np.float32)

    def bits(self, patch: Image, number: int) -> Bits:
        """(rows, columns): which bits of a card that is cut out one picture explains; specks do not count."""
        seen = logarithms(patch, CLOSE)
        fits = _explains(seen, *self._light[:, number : number + 1])[0].astype(np.uint8)
        return np.asarray(cv2.morphologyEx(fits.reshape(CLOSE[::-1]), cv2.MORPH_OPEN, _AROUND) > 0)


def _explains(seen: Floats, looks: Floats, least: Floats, most: Floats) -> Bits:
    """(pictures, pixels): where what is seen (3, pixels) is between the least and the most that pictures have there."""
    shade = np.median(seen - looks, axis=2)
    shade[:, 0] = np.clip(shade[:, 0], DARKER, BRIGHTER)
    shade[:, 1:] = np.clip(shade[:, 1:], -OF_COLOUR, OF_COLOUR)
    lit = seen - shade[..., None]
    off = np.maximum(least - lit, lit - most)
    return np.asarray((off < np.array((OFF, COLOUR_OFF, COLOUR_OFF))[:, None]).all(axis=1))


def open_bits(corners: Quad, others: Floats) -> Bits:
    """(pixels,): which bits of the compared picture of a card lie beside all the others (n, 4, 2)."""
    middles = others.mean(axis=1, keepdims=True)
    points = on_picture(_BITS, corners)
    on = within(np.broadcast_to(points, (len(others), *points.shape)), middles + COVERED * (others - middles))
    return np.asarray(~on.any(axis=0))


def _bits() -> NDArray[np.float64]:
    """The middles of the pixels of the compared picture, in card widths and heights."""
    (x0, y0, x1, y1), (w, h) = BOX, CLOSE
    across, down = ((np.arange(n) + 0.5) / n for n in (w, h))
    return np.stack(np.meshgrid(x0 + across * (x1 - x0), y0 + down * (y1 - y0)), axis=-1).reshape(-1, 2)


_BITS = _bits()


_AROUND = np.ones((3, 3), np.uint8)
