"""Whether cards differ from the table round them: the table between two cards has rims too, but they are theirs."""

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.sides import SAMPLES, Floats, sides_of
from referee.vision.cards.spot import Image, on_cards

DEPTHS = np.array((0.05, 0.08, 0.11))
"""How far inside and outside of a rim is looked, in card lengths."""
BESIDE = 0.04
"""What is this near to another card, in its widths and heights, may be that card."""
ENOUGH = SAMPLES
"""Places along the rim that must be free of other cards, or nothing can be said."""
ALIKE = 14.0
"""Levels of the most different colour, seldom reached by two places of one table and seldom missed by a card."""
A_SIDE, FAINT = 6, 6.5
"""Free places that make a side, and levels by which every side of a card differs: of a stripe two do."""


def stands_out(image: Image, corners: Floats, which: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of all cards (n, 4, 2) differ from what is beside them and is no card; only some are asked about."""
    answer = np.ones(len(corners), bool)
    if not which.any():
        return answer
    sides = sides_of(corners)
    rim, out = sides.rim[:, :, :, None], sides.outwards[:, :, :, None] * DEPTHS[:, None]
    for k in np.flatnonzero(which):
        inside, outside = rim[k] - out[k], rim[k] + out[k]
        free = _free(np.stack([inside, outside]), np.delete(corners, k, axis=0), image.shape)
        if free.sum() >= ENOUGH:
            answer[k] = _differs(image, inside, outside, free)
    return answer


def _free(places: Floats, others: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(sides, samples): where the places inside and outside all lie on the picture and on no other card."""
    flat = places.reshape(-1, 2)
    free = np.asarray(((flat >= 0) & (flat <= (shape[1] - 1, shape[0] - 1))).all(axis=1))
    if len(others):
        at = on_cards(np.broadcast_to(flat, (len(others), *flat.shape)), others)
        free = free & ~((at > -BESIDE) & (at < 1 + BESIDE)).all(axis=2).any(axis=0)
    by_place: NDArray[np.bool_] = free.reshape(2, 4, SAMPLES, len(DEPTHS))
    return np.asarray(by_place.all(axis=3).all(axis=0))


def _differs(image: Image, inside: Floats, outside: Floats, free: NDArray[np.bool_]) -> bool:
    """Whether the colours on both sides of the rim differ: on the whole, and a little along every side."""
    seen_in, seen_out = (_colours(image, places).mean(axis=2) for places in (inside, outside))
    many = free.sum(axis=1)
    apart = ((seen_in - seen_out) * free[..., None]).sum(axis=1) / np.maximum(many, 1)[:, None]
    side = np.abs(apart).max(axis=1)
    return bool(side @ many / many.sum() >= ALIKE and (side[many >= A_SIDE] >= FAINT).all())


def _colours(image: Image, places: Floats) -> Floats:
    x, y = (places[..., i].reshape(len(places), -1).astype(np.float32) for i in (0, 1))
    look = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return look.reshape(*places.shape[:-1], 3).astype(np.float32)
