"""Dice in a picture of which nothing is known but the cards on it."""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.frames import Image
from referee.types import Card, Die
from referee.vision.die_reading import DIE_MM
from referee.vision.upper import Upper
from referee.vision.upper_faces import upper_faces

CARD_MM, CARD_SURE = (63.0, 88.0), 0.9
"""A card, and how sure it must be to measure dice by it: a large die's face looks like a small card."""
SHOWN_PX = 28.0
"""Beside cards the picture is made so large that usual dice have this edge,"""
BY_CARDS = (0.45, 1.8)
"""and dice are as large as this, by the usual ones: from 7 to 29 mm, near and far, and no die is as large as a
drawing."""
TOLD, TOLD_BY_CARDS = 0.5, 0.5
"""How sure a die and its value must be to be told: cards have pips, too."""
AT_MOST, ASIDE = 0.85, 0.35
"""How sure the value of a die can be whose upright edges run over more than this share of an edge, 20 degrees: its
other faces are seen as well."""


def dice_by_hand(image: Image, cards: Sequence[Card] = ()) -> tuple[Die, ...]:
    """The dice in a picture, the surest first."""
    cards = [card for card in cards if card.face == "up" and card.confidence >= CARD_SURE]
    faces = _beside(image, cards) if cards else upper_faces(image)
    told = [face for face in faces if face.sure > (TOLD_BY_CARDS if cards else TOLD)]
    return tuple(_die(i, face) for i, face in enumerate(sorted(told, key=lambda face: -face.sure)))


def _beside(image: Image, cards: Sequence[Card]) -> list[Upper]:
    """The dice beside cards, which say how large they are."""
    usual_px = DIE_MM * float(np.median([_px_per_mm_on(card) for card in cards]))
    faces = upper_faces(image, [SHOWN_PX / usual_px * max(image.shape[:2])])
    return [face for face in faces if BY_CARDS[0] < face.edge_px / usual_px < BY_CARDS[1]]


def _px_per_mm_on(card: Card) -> float:
    """On average over all directions, however the card is foreshortened."""
    return float(np.sqrt(cv2.contourArea(np.array(card.corners_px, np.float32)) / np.prod(CARD_MM)))


def _die(number: int, face: Upper) -> Die:
    aside = np.hypot(*face.upright) > ASIDE * face.edge_px
    sure = min(face.sure, AT_MOST) if aside else face.sure
    value = int(np.argmax(face.odds)) + 1
    return Die(number, value, face.px, None, settled=True, confidence=sure, edge_px=face.edge_px)
