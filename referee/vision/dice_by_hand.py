"""Dice in a picture of which nothing is known but the cards on it."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from hardware.frames import Image
from referee.types import Card, Die
from referee.vision.die_reading import DIE_MM
from referee.vision.upper import Upper
from referee.vision.upper_faces import upper_faces

CARD_MM, CARD_SURE = (63.0, 88.0), 0.9
"""A card, and how sure it must be to measure dice by it: a large die's face looks like a small card."""
SHOWN_PX = (22.0, 32.0)
"""Beside cards the picture is looked at so large that usual dice have these edges,"""
BY_CARDS = (0.45, 1.8)
"""and dice are as large as this, by the usual ones: from 7 to 29 mm, near and far, and no die is as large as a
drawing."""
TOLD = 0.55
"""How sure a die and its value must be to be told: of those a little less sure as many are wrong, or none, as right."""
PLAIN, SURER = 0.88, 0.1
"""Dice that are less sure than this, on the mean, may have been taken upside down: they were, if they are so much surer
when the picture is turned."""
AT_MOST, ASIDE = 0.85, 0.35
"""How sure the value of a die can be whose upright edges run over more than this share of an edge, 20 degrees: its
other faces are seen as well."""


def dice_by_hand(image: Image, cards: Sequence[Card] = ()) -> tuple[Die, ...]:
    """The dice in a picture, the surest first."""
    told = _told(image, cards)
    if told and _sure(told) < PLAIN:
        turned = _told(np.ascontiguousarray(image[::-1, ::-1]), cards)
        if len(turned) >= len(told) / 2 and _sure(turned) > _sure(told) + SURER:
            told = [_turned(image, face) for face in turned]
    return tuple(_die(i, face) for i, face in enumerate(sorted(told, key=lambda face: -face.sure)))


def _told(image: Image, cards: Sequence[Card]) -> list[Upper]:
    """The dice that are sure enough; cards say how large dice are."""
    cards = [card for card in cards if card.face == "up" and card.confidence >= CARD_SURE]
    faces = _beside(image, cards) if cards else upper_faces(image)
    return [face for face in faces if face.sure > TOLD]


def _sure(told: Sequence[Upper]) -> float:
    """How sure they are on the mean."""
    return float(np.mean([face.sure for face in told])) if told else 0.0


def _turned(image: Image, face: Upper) -> Upper:
    """What was seen on the turned picture, on this one."""
    h, w = image.shape[:2]
    (x, y), (fx, fy) = face.face, face.upright
    return replace(face, face=(w - 1 - x, h - 1 - y), upright=(-fx, -fy))


def _beside(image: Image, cards: Sequence[Card]) -> list[Upper]:
    """The dice beside cards."""
    usual_px = DIE_MM * float(np.median([_px_per_mm_on(card) for card in cards]))
    faces = upper_faces(image, [px / usual_px * max(image.shape[:2]) for px in SHOWN_PX])
    return [face for face in faces if BY_CARDS[0] < face.edge_px / usual_px < BY_CARDS[1]]


def _px_per_mm_on(card: Card) -> float:
    """On average over all directions, however the card is foreshortened."""
    return float(np.sqrt(cv2.contourArea(np.array(card.corners_px, np.float32)) / np.prod(CARD_MM)))


def _die(number: int, face: Upper) -> Die:
    aside = np.hypot(*face.upright) > ASIDE * face.edge_px
    sure = min(face.sure, AT_MOST) if aside else face.sure
    value = int(np.argmax(face.odds)) + 1
    return Die(number, value, face.px, None, settled=True, confidence=sure, edge_px=face.edge_px)
