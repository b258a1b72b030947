"""Count the pips of an open face: a second opinion about its rank."""

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.spot import Image

SIZE = (84, 118)
"""Pips are counted on a picture of the card of this width and height."""
INK = 0.62
"""A pixel darker than this share of the paper, in any colour, is ink."""
PIP_AREA = (0.0035, 0.035)
"""Smallest and largest pip, as shares of the card."""
INDEX_ZONE = (0.19, 0.31)
"""Width and height of the corners that hold the indices."""
SPREAD = 1.9
"""Pips of one card differ in area by less than this factor from the middle one."""


def paper_colour(face: Image) -> NDArray[np.float64]:
    """The colour of the card's brightest parts."""
    pixels = face.reshape(-1, 3).astype(np.float64)
    bright = pixels.min(axis=1) >= np.percentile(pixels.min(axis=1), 80)
    return np.asarray(np.median(pixels[bright], axis=0))


def count_pips(face: Image) -> int | None:
    """How many pips a face of SIZE bears; None when it is no plain number card."""
    share = (face / np.maximum(paper_colour(face), 1.0)).min(axis=2)
    ink = (share < INK).astype(np.uint8)
    ink[[0, 1, 2, -3, -2, -1]] = 0
    ink[:, [0, 1, 2, -3, -2, -1]] = 0
    _, _, stats, middles = cv2.connectedComponentsWithStats(ink, connectivity=8)
    blots = [
        int(stat[cv2.CC_STAT_AREA])
        for stat, middle in zip(stats[1:], middles[1:], strict=True)
        if not _in_an_index(middle[0] / SIZE[0], middle[1] / SIZE[1])
    ]
    return _pips_among(blots)


def _pips_among(blots: list[int]) -> int | None:
    whole = SIZE[0] * SIZE[1]
    large = [area for area in blots if area >= PIP_AREA[0] * whole]
    if not 2 <= len(large) <= 10 or max(large) > PIP_AREA[1] * whole:
        return None
    middle = float(np.median(large))
    alike = all(middle / SPREAD <= area <= middle * SPREAD for area in large)
    return len(large) if alike else None


def _in_an_index(x: float, y: float) -> bool:
    w, h = INDEX_ZONE
    return (x < w and y < h) or (x > 1 - w and y > 1 - h)
