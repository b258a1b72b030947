"""Cards that were overlooked: look again before where one lies now, and now where one lay before.

Without them a turned card would be told as a new one or as taken, and one taken away would never be missed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon

from hardware.frames import Image
from referee.types import Card, Outline
from referee.watch.cards import SURELY_READ, polygon

APART = 0.3
"""Share of a card that may lie under or over a known one for it to be another card."""
BESIDE = 0.05
"""Widths of a card to both sides of its rim at which card and table are compared."""
STEP = 12.0
"""Grey levels between the two along every side: one card in ten has less, one bare place in a hundred more."""
ALONG = np.linspace(0.15, 0.85, 24)[:, None]

ReadAt = Callable[[Image, Outline], Card | None]
Points = NDArray[np.float64]


def overlooked(
    known: Sequence[Card], places: Iterable[Outline], image: Image, read_at: ReadAt
) -> Iterator[Card]:
    """The cards that surely lie at these places in the picture, and that are none of the known."""
    taken = [polygon(card) for card in known]
    for corners in places:
        place = Polygon(corners).buffer(0)
        if any(place.intersection(other).area > APART * place.area for other in taken):
            continue
        card = read_at(image, corners) if _has_rim(image, np.array(corners, float)) else None
        if card is not None and card.confidence >= SURELY_READ:
            taken.append(place)
            yield card


def _has_rim(image: Image, corners: Points) -> bool:
    """Whether the picture is brighter, darker or of another colour all round: readers also find faces in wood grain."""
    following = np.roll(corners, -1, axis=0)
    width = np.linalg.norm(following - corners, axis=1).min()
    inwards = corners.mean(axis=0) - (corners + following) / 2
    inwards *= BESIDE * width / np.linalg.norm(inwards, axis=1, keepdims=True)
    rims = [a * (1 - ALONG) + b * ALONG for a, b in zip(corners, following, strict=True)]
    return all(
        np.abs((_at(image, rim + by) - _at(image, rim - by)).mean(axis=0)).max() > STEP
        for rim, by in zip(rims, inwards, strict=True)
    )


def _at(image: Image, spots: Points) -> NDArray[np.float32]:
    """The colours at these pixels, one row each."""
    x, y = np.hsplit(spots.astype(np.float32), 2)
    seen = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32)[:, 0]
