"""Pieces nearly of the board's own colour: uneven where it is even (a coin), or a little paler (whitish glass)."""

import cv2
import numpy as np

from referee.vision.board import Field, Flags, Mask
from referee.vision.middles import median
from referee.vision.shadows import solid

OVER = (5, 5)
"""Half pixels over which light is compared."""
UNEVEN, NOISE = 0.015, 4.0
"""Least spread of the step of light that is no bare board: in logarithms, and in medians of all of it."""
TINTED, TINT_NOISE = 0.025, 5.0
"""Least difference of colour all over a thing that is no bare board, the same ways: no shade and no shine gives it."""
BESIDE = np.ones((9, 9), np.uint8)
"""Half pixels round things known already in which there is none: their shadows are uneven, too."""


def uneven(shade: Field, known: Flags, things: Flags) -> Mask:
    """Where the board, as far as it is known, is uneven and no thing lies nearby."""
    mean = cv2.blur(shade, OVER)
    spread = np.sqrt(np.maximum(cv2.blur(shade * shade, OVER) - mean * mean, 0))
    return _beyond(spread, (UNEVEN, NOISE), spread, known, things)


def tinted(tint: Field, known: Flags, things: Flags) -> Mask:
    """Where the board, as far as it is known, has another colour throughout and no thing lies nearby."""
    return _beyond(np.asarray(cv2.blur(tint, OVER), np.float32), (TINTED, TINT_NOISE), tint, known, things)


def _beyond(values: Field, least: tuple[float, float], noise: Field, known: Flags, things: Flags) -> Mask:
    """Where values are more than the least, and than so many medians of the noise, and no thing lies nearby."""
    sample = known[::3, ::3]
    usual = float(median(noise[::3, ::3][sample])) if sample.any() else np.inf
    mask = solid((values > max(least[0], least[1] * usual)) & known)
    if not mask.any():
        return mask
    count, labels = cv2.connectedComponents(mask)
    near = np.zeros(count, bool)
    near[labels[cv2.dilate(things.astype(np.uint8), BESIDE) > 0]] = True
    return np.where(near[labels], np.uint8(0), mask)
