"""Dice in a picture of which nothing is known but the cards on it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hardware.frames import Image
from referee.types import Card, Die
from referee.vision.dice_beside_cards import heard_together, px_per_mm, sure_cards
from referee.vision.die_reading import DIE_MM
from referee.vision.upper import Upper
from referee.vision.upper_faces import upper_faces

SHOWN_PX = (22.0, 32.0)
"""Beside cards the picture is looked at so large that usual dice have these edges,"""
BY_CARDS = (0.45, 1.8)
"""and dice are as large as this, by the usual ones: from 7 to 29 mm, near and far, and no die is as large as a
drawing."""
TOLD, SUPPOSED = 0.55, 0.3
"""How sure a die and its value must be to be told: of those a little less sure as many are wrong, or none, as right;
and to be supposed where others may confirm it."""
PLAIN, SURER = 0.88, 0.1
"""Dice that are less sure than this, on the mean, may have been taken upside down: they were, if they are so much surer
when the picture is turned."""
AT_MOST, ASIDE = 0.85, 0.35
"""How sure the value of a die can be whose upright edges run over more than this share of an edge, 20 degrees: its
other faces are seen as well."""


def dice_by_hand(image: Image, cards: Sequence[Card] = ()) -> tuple[Die, ...]:
    """The dice in a picture, the surest first."""
    sure = sure_cards(cards)
    if sure:
        dice = heard_together(image, cards, [_die(face) for face in _beside(image, sure)])
    else:
        dice = [_die(face) for face in _either_way_up(image)]
    ordered = sorted(dice, key=lambda die: -die.confidence)
    return tuple(replace(die, id=number, mm=None) for number, die in enumerate(ordered))


def _either_way_up(image: Image) -> list[Upper]:
    """The dice of a picture that may have been held upside down."""
    told = _told(image)
    if told and _sure(told) < PLAIN:
        turned = _told(np.ascontiguousarray(image[::-1, ::-1]))
        if len(turned) >= len(told) / 2 and _sure(turned) > _sure(told) + SURER:
            return [_turned(image, face) for face in turned]
    return told


def _told(image: Image) -> list[Upper]:
    return [face for face in upper_faces(image) if face.sure > TOLD]


def _sure(told: Sequence[Upper]) -> float:
    """How sure they are on the mean."""
    return float(np.mean([face.sure for face in told])) if told else 0.0


def _turned(image: Image, face: Upper) -> Upper:
    """What was seen on the turned picture, on this one."""
    h, w = image.shape[:2]
    (x, y), (fx, fy) = face.face, face.upright
    return replace(face, face=(w - 1 - x, h - 1 - y), upright=(-fx, -fy))


def _beside(image: Image, cards: Sequence[Card]) -> list[Upper]:
    """What may be dice beside cards, which tell how large dice are."""
    usual_px = DIE_MM * px_per_mm(cards)
    faces = upper_faces(image, [px / usual_px * max(image.shape[:2]) for px in SHOWN_PX])
    least, most = (by * usual_px for by in BY_CARDS)
    return [face for face in faces if least < face.edge_px < most and face.sure > SUPPOSED]


def _die(face: Upper) -> Die:
    aside = np.hypot(*face.upright) > ASIDE * face.edge_px
    sure = min(face.sure, AT_MOST) if aside else face.sure
    value = int(np.argmax(face.odds)) + 1
    return Die(0, value, face.px, None, settled=True, confidence=sure, edge_px=face.edge_px)
