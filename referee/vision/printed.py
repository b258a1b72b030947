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
ALIKE = 0.75
"""Correlation from which the place shows what is printed there."""
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
    faces = dict(zip(deck.names, deck.pictures, strict=True))
    known = [(card, faces[card.name]) for card in cards if card.name in faces]
    return tuple(d for d in dice if not any(_is_drawn(image, d.px, card, face) for card, face in known))


def _in_the_middle(die: Die, ace: Card) -> bool:
    corners = np.array(ace.corners_px)
    length = np.linalg.norm(corners[3] - corners[0])
    return bool(np.linalg.norm(corners.mean(axis=0) - die.px) < MIDDLE * length)


def _is_drawn(image: Image, px: Point, card: Card, face: Image) -> bool:
    corners = np.array(card.corners_px, np.float64)
    to_unit = cv2.getPerspectiveTransform(corners.astype(np.float32), UNIT)
    u, v = cv2.perspectiveTransform(np.array([[px]], np.float32), to_unit)[0, 0]
    if not (0 < u < 1 and 0 < v < 1):
        return False
    x0, y0, x1, y1 = BOX
    x, y = (u - x0) / (x1 - x0) * SIZE[0], (v - y0) / (y1 - y0) * SIZE[1]
    half = AROUND_MM / (CARD_MM[0] * (x1 - x0)) * SIZE[0]
    printed, seen = _around(face, x, y, half), _around(cut(image, corners, BOX, SIZE), x, y, half - ROOM)
    if min(printed.shape[:2]) < min(seen.shape[:2]) or min(seen.shape[:2]) < ROOM or seen.std() < 1:
        return False
    return float(cv2.matchTemplate(printed, seen, cv2.TM_CCOEFF_NORMED).max()) > ALIKE


def _around(picture: Image, x: float, y: float, half: float) -> Image:
    low = np.maximum(0, np.round([y - half, x - half]).astype(int))
    high = np.round([y + half, x + half]).astype(int)
    return picture[low[0] : high[0], low[1] : high[1]]
