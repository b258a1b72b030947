"""Where exactly a new card lies: a rectangle of a card's size that the table did not show before."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from referee.types import Outline
from referee.vision.motion import Mask
from referee.watch.cards import CARD_MM

CLOSE = np.ones((5, 5), np.uint8)
SHORT, LONG = (0.82, 1.14), (0.8, 1.14)
"""How far the sides of a changed place may be from those of a card: its rim may look like the table."""
FILLED = 0.72
"""Share of the rectangle that must have changed."""


def new_rectangles(mask: Mask, profile: Profile) -> Iterator[Outline]:
    """Corners in raw pixels, a short side first, of changed places that have the size of a card."""
    whole = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, CLOSE)
    contours, _ = cv2.findContours(np.asarray(whole, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        if len(contour) > 40:
            yield from _card_here(np.asarray(contour, np.float64)[:, 0] * 2 + 0.5, profile)


def _card_here(contour_px: NDArray[np.float64], profile: Profile) -> Iterator[Outline]:
    contour = profile.to_board(contour_px).astype(np.float32)
    middle, size, angle = cv2.minAreaRect(contour)
    short, long = sorted(size)
    fits = SHORT[0] < short / CARD_MM[0] < SHORT[1] and LONG[0] < long / CARD_MM[1] < LONG[1]
    if fits and cv2.contourArea(contour) > FILLED * short * long:
        # Its size is known better than seen.
        whole = CARD_MM if size[0] <= size[1] else CARD_MM[::-1]
        yield _upright(profile.to_pixels(np.asarray(cv2.boxPoints((middle, whole, angle)), np.float64)))


def _upright(corners: NDArray[np.float64]) -> Outline:
    """Clockwise in the picture, a short side first."""
    a, b, c = corners[:3]
    if (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) < 0:
        corners = corners[::-1]
    if np.linalg.norm(corners[1] - corners[0]) > np.linalg.norm(corners[2] - corners[1]):
        corners = np.roll(corners, -1, axis=0)
    return tuple((float(x), float(y)) for x, y in corners)
