"""The one door of recorded pictures: what not everybody may see is covered before anything leaves."""

from bisect import bisect_right
from collections.abc import Sequence

import cv2
import numpy as np

from hardware.frames import Image
from referee.review import Veiled

CURTAIN = (38, 32, 28)
"""What is covered, in BGR."""


def veiled(image: Image, index: int, veils: Sequence[Veiled]) -> Image | None:
    """The frame as the whole table may see it; None when eyes were shut. Without veils nothing is secret."""
    if not veils:
        return image
    at = bisect_right([v.frame for v in veils], index) - 1
    places = veils[at].places_px if at >= 0 else None
    if places is None:
        return None
    covered = image.copy() if places else image
    for place in places:
        cv2.fillPoly(covered, [np.round(np.array(place)).astype(np.int32)], CURTAIN)
    return covered
