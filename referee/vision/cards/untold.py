"""Cards that the finder did not see, as under hands: it is not the table that lies there, and an index shows."""

from collections.abc import Sequence

import cv2
import numpy as np

from referee.vision.cards.anchors import Indices
from referee.vision.cards.ownership import Cells
from referee.vision.cards.reading import Index, Reader
from referee.vision.cards.spot import Image
from referee.vision.cards.strange import LENGTH_PX, brightened, strange_on
from referee.vision.cards.tangles import Told, corners_of, unread_elsewhere
from referee.vision.cards.unclaimed import with_unclaimed
from referee.vision.cards.unravelling import size_of

STRANGE, LEAST = 0.5, 0.07
"""How strange what lies there is for this table, and how large in one piece, in square card lengths."""


def with_untold(image: Image, told: Sequence[Told], deck: Reader, index: Index) -> list[Told]:
    """What was told, and cards turned about as those that are known whose indices show beside all of them."""
    known = [one for one in told if one[1].name is not None]
    table = strange_on(brightened(image), corners_of(known))
    if table is None:
        return list(told)
    there = _pieces((table.strange > STRANGE) & (table.free > 0))
    if not there.any():
        return list(told)
    like, indices = corners_of(known), Indices(index)
    size = size_of(like)
    indices.sought(image, there, 1 / table.scale, like, size)
    both = with_unclaimed(image, told, deck, indices.cards(size))
    return [*unread_elsewhere(both[: len(told)], both[len(told) :]), *both[len(told) :]]


def _pieces(there: Cells) -> Cells:
    """What is large enough to be of a card; its edges are the table's."""
    body = cv2.morphologyEx(there.astype(np.uint8), cv2.MORPH_OPEN, _NEAR)
    _, label, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(body, _NEAR))
    large = stats[:, cv2.CC_STAT_AREA] >= LEAST * LENGTH_PX**2
    large[0] = False
    return np.asarray(large[label] & (body > 0))


_NEAR = np.ones((3, 3), np.uint8)
