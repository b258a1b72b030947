"""Is it a die, or the card's own drawing? A head with two eyes looks like a die, but the card has it on every day."""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.frames import Image
from referee.types import Card, Die, Point
from referee.vision.cards.learned import BOX, SIZE, LearnedDeck
from referee.vision.cards.reading import Reader
from referee.vision.cards.spot import UNIT, cut

AROUND_MM = 9.0
"""Half the side of the square that is compared: a die hides all of it."""
CARD_MM = (63.0, 88.0)
ROOM = 3
"""Pixels of the small picture by which corners may be off."""
ALIKE, ALIKE_ANY = 0.75, 0.88
"""Correlation from which the place shows what this card, or any card if it was misread, has printed there."""
MIDDLE, ACE_SURE = 0.08, 0.9
"""In the middle of an ace (in lengths of the card) is a large pip, often ornate: a die there must be this sure."""


def without_drawings(
    dice: Sequence[Die], image: Image, cards: Sequence[Card], deck: Reader
) -> tuple[Die, ...]:
    """The dice, without what a learned deck has printed where a die was supposed."""
    if not isinstance(deck, LearnedDeck):
        aces = [card for card in cards if (card.name or "")[:-1] in ("A", "1")]
        return tuple(
            d for d in dice if d.confidence > ACE_SURE or not any(_in_the_middle(d, a) for a in aces)
        )
    return tuple(d for d in dice if not any(_is_drawn(image, d.px, card, deck) for card in cards))


def _in_the_middle(die: Die, ace: Card) -> bool:
    corners = np.array(ace.corners_px)
    length = np.linalg.norm(corners[3] - corners[0])
    return bool(np.linalg.norm(corners.mean(axis=0) - die.px) < MIDDLE * length)


def _is_drawn(image: Image, px: Point, card: Card, deck: LearnedDeck) -> bool:
    corners = np.array(card.corners_px, np.float64)
    to_unit = cv2.getPerspectiveTransform(corners.astype(np.float32), UNIT)
    u, v = cv2.perspectiveTransform(np.array([[px]], np.float32), to_unit)[0, 0]
    if not (0 < u < 1 and 0 < v < 1):
        return False
    x0, y0, x1, y1 = BOX
    at = (u - x0) / (x1 - x0) * SIZE[0], (v - y0) / (y1 - y0) * SIZE[1]
    seen = cut(image, corners, BOX, SIZE)
    known = [p for n, p in zip(deck.names, deck.pictures, strict=True) if n == card.name]
    if any(_likeness(seen, face, at) > ALIKE for face in known):
        return True
    return any(_likeness(seen, face, at) > ALIKE_ANY for p in deck.pictures for face in (p, p[::-1, ::-1]))


def _likeness(seen: Image, face: Image, at: Point) -> float:
    """How alike the card and a face are round a pixel of the small picture."""
    half = AROUND_MM / (CARD_MM[0] * (BOX[2] - BOX[0])) * SIZE[0]
    printed, here = _around(face, at, half), _around(seen, at, half - ROOM)
    if min(np.subtract(printed.shape, here.shape)[:2]) < 0 or min(here.shape[:2]) < ROOM or here.std() < 1:
        return 0.0
    return float(cv2.matchTemplate(printed, here, cv2.TM_CCOEFF_NORMED).max())


def _around(picture: Image, at: Point, half: float) -> Image:
    low = np.maximum(0, np.round([at[1] - half, at[0] - half]).astype(int))
    high = np.round([at[1] + half, at[0] + half]).astype(int)
    return np.ascontiguousarray(picture[low[0] : high[0], low[1] : high[1]])
