"""Dice beside cards seen from above: cards tell how high the camera is, so the eyes of tables are heard, too.

What both kinds of eyes say is believed sooner than what one says alone.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Card, Die
from referee.vision.dice_on_table import dice_on_table
from referee.vision.upper_faces import USUAL_LENS

CARD_MM, CARD_SURE = (63.0, 88.0), 0.9
"""A card, and how sure it must be to measure dice by it: a large die's face looks like a small card."""
FORESHORTENED = 0.12
"""By how much, as a logarithm, cards seen from above may be longer or shorter for their width."""
SAME = 0.75
"""Edges between two sightings of one die."""
SURE, READ = 0.6, 0.5
"""How sure a die must be that the net of upper faces sees, whatever the eyes of tables say of it, and one that only
these see."""
DOUBTFUL, USUAL_MM, OPEN = 0.74, (9.6, 25.0), 0.9
"""How sure one must be that the net sees where it may be a drawing, on an open card, or that is not of a usual size."""


def sure_cards(cards: Sequence[Card]) -> list[Card]:
    return [card for card in cards if card.face == "up" and card.confidence >= CARD_SURE]


def px_per_mm(cards: Sequence[Card]) -> float:
    """On average over all cards and directions, however they are foreshortened."""
    areas = [cv2.contourArea(np.array(card.corners_px, np.float32)) for card in cards]
    return float(np.median(np.sqrt(np.array(areas) / np.prod(CARD_MM))))


def heard_together(image: Image, cards: Sequence[Card], faces: Sequence[Die]) -> list[Die]:
    """The dice that the net of upper faces sees, and the eyes of tables if the sure cards are seen from above."""
    read = [die for die in _read(image, sure_cards(cards)) if not die.cocked]
    told: list[Die] = []
    for face in faces:
        near = [die for die in read if _is_same(die, face)]
        read = [die for die in read if die not in near]
        one = _both(face, max(near, key=lambda die: die.confidence)) if near else face
        if one.confidence > (DOUBTFUL if _is_doubtful(one, cards) else SURE):
            told.append(one)
    return told + [die for die in read if die.confidence > READ]


def _is_doubtful(die: Die, cards: Sequence[Card]) -> bool:
    """Whether it may be a drawing on any card, or sure ones seen from above tell that no die is so small or large."""
    sure = sure_cards(cards)
    mm = die.edge_px / px_per_mm(sure)
    if _seen_from_above(sure) and not USUAL_MM[0] < mm < USUAL_MM[1]:
        return True
    outlines = (np.array(card.corners_px, np.float32) for card in cards if card.visible >= OPEN)
    return any(cv2.pointPolygonTest(outline, die.px, measureDist=False) >= 0 for outline in outlines)


def _seen_from_above(cards: Sequence[Card]) -> bool:
    ends = np.array([card.corners_px for card in cards])
    wide, tall = (np.linalg.norm(ends[:, k] - ends[:, 0], axis=1) for k in (1, 3))
    off = np.abs(np.log(tall / wide * CARD_MM[0] / CARD_MM[1]))
    return bool(np.median(off) < FORESHORTENED)


def _read(image: Image, cards: Sequence[Card]) -> tuple[Die, ...]:
    if not _seen_from_above(cards):
        return ()
    return dice_on_table(image, _from_above(image, px_per_mm(cards)))


def _from_above(image: Image, px: float) -> Profile:
    """A usual camera straight above a table on which a millimetre is so many pixels."""
    h, w = image.shape[:2]
    focal = USUAL_LENS * max(h, w)
    return Profile(
        image_size=(w, h),
        K=((focal, 0.0, w / 2), (0.0, focal, h / 2), (0.0, 0.0, 1.0)),
        dist=(0.0,) * 5,
        R=((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
        t_mm=(0.0, 0.0, focal / px),
        board_outline_mm=None,
        reprojection_px=1.0,
        plane_error_mm=1.0,
        smallest_margin_mm=1.0,
    )


def _is_same(one: Die, other: Die) -> bool:
    return float(np.hypot(*np.subtract(one.px, other.px))) < SAME * max(one.edge_px, other.edge_px)


def _both(face: Die, read: Die) -> Die:
    """Surer than either where they agree; else what the surer says."""
    if face.value != read.value:
        return max(face, read, key=lambda die: die.confidence)
    return replace(face, confidence=1 - (1 - face.confidence) * (1 - read.confidence))
