"""Is it a die, or the card's own drawing? A head with two eyes looks like a die, but the card has it on every day."""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.frames import Image
from referee.types import Card, Die, Point
from referee.vision.cards.learned import BOX, SIZE, LearnedDeck
from referee.vision.cards.reading import Reader
from referee.vision.cards.spot import cut, on_card

AROUND_MM = 9.0
"""Half the side of the square that is compared: a die hides all of it."""
CARD_MM = 63.0
HALF = AROUND_MM / (CARD_MM * (BOX[2] - BOX[0])) * SIZE[0]
"""The same on the small picture of a card."""
INNER, ROOM, SIZES = 3, 8, (0.88, 1.0, 1.14)
"""In pixels of the small picture what is left out round that square, and by how much corners may be off;
and how much larger or smaller they may make the card."""
TWICE, SURE_DIE = 0.65, 0.8
"""Correlation from which a place looks like the place opposite: standard cards bear everything twice; but two dice may
lie there, and one this sure is no drawing."""
ALIKE, ALIKE_ANY = 0.81, 0.92
"""Correlation from which the place shows what this card, or any card if it was misread, has printed there."""
MIDDLE, ACE_SURE = 0.08, 0.9
"""In the middle of an ace (in lengths of the card) is a large pip, often ornate: a die there must be this sure."""
FACE_EDGES, NO_CARD_EDGES = 2.2, 3.0
"""A card is more than five edges of a die long, and from aside more than three: what is shorter than the first of these
is a face, and what nobody could read and is shorter than the second is no card either,"""
PLAIN_DIE, PLAIN_CARD = 0.45, 0.9
"""if the die is this plain and the card not."""
INDEX = (0.2, 0.26)
"""So must a one in a corner, nearer to the sides than these shares of the card's width and height."""


def without_drawings(
    dice: Sequence[Die], image: Image, cards: Sequence[Card], deck: Reader
) -> tuple[Die, ...]:
    """The dice, without what a learned deck has printed where a die was supposed."""
    if not isinstance(deck, LearnedDeck):
        return tuple(d for d in dice if not any(_is_a_pip(image, d, card) for card in cards))
    return tuple(d for d in dice if not any(_is_drawn(image, d.px, card, deck) for card in cards))


def without_faces(cards: Sequence[Card], dice: Sequence[Die]) -> tuple[Card, ...]:
    """The cards, without those that are no larger than a surer die there: they are faces of that die."""
    return tuple(card for card in cards if not any(_is_a_face(card, die) for die in dice))


def _is_a_face(card: Card, die: Die) -> bool:
    a, b, _, d = np.array(card.corners_px)
    longest = max(np.hypot(*(a - b)), np.hypot(*(a - d)))
    away = float(np.hypot(*(np.mean(card.corners_px, axis=0) - die.px)))
    if _is_read(card) or die.confidence < PLAIN_DIE:
        return bool(
            card.confidence <= die.confidence and longest < FACE_EDGES * die.edge_px and away < die.edge_px
        )
    return bool(longest < NO_CARD_EDGES * die.edge_px and away < longest / 2)


def _is_read(card: Card) -> bool:
    return card.face == "up" and card.confidence >= PLAIN_CARD


def _is_a_pip(image: Image, die: Die, card: Card) -> bool:
    """Whether a standard card bears the same on the place opposite, or is an ace and this its middle, or its index."""
    at = _place(card, die.px)
    if at is None:
        return False
    if die.value == 1 and die.confidence < ACE_SURE and card.face == "up" and _in_a_corner(at):
        return True
    away = float(np.hypot(*(np.array(at) - np.array(SIZE) / 2)))
    if away < MIDDLE * SIZE[1]:
        return die.confidence < ACE_SURE and (card.name or "")[:-1] in ("A", "1")
    if die.confidence > SURE_DIE:
        return False
    seen = cut(image, np.array(card.corners_px, np.float64), BOX, SIZE)
    return away > HALF and _likeness(seen, seen[::-1, ::-1], at) > TWICE


def _in_a_corner(at: Point) -> bool:
    """Whether an index may be here: a single small pip beside a rank."""
    near = (min(a, size - a) / size for a, size in zip(at, SIZE, strict=True))
    return all(a < most for a, most in zip(near, INDEX, strict=True))


def _is_drawn(image: Image, px: Point, card: Card, deck: LearnedDeck) -> bool:
    at = _place(card, px)
    if at is None:
        return False
    seen = cut(image, np.array(card.corners_px, np.float64), BOX, SIZE)
    known = [p for n, p in zip(deck.names, deck.pictures, strict=True) if n == card.name]
    if any(_likeness(seen, face, at) > ALIKE for face in known):
        return True
    return any(_likeness(seen, face, at) > ALIKE_ANY for p in deck.pictures for face in (p, p[::-1, ::-1]))


def _place(card: Card, px: Point) -> Point | None:
    """Where on the small picture of a card a pixel lies, if it lies on the card."""
    u, v = on_card(np.array([px], np.float32), np.array(card.corners_px))[0].tolist()
    if not (0 < u < 1 and 0 < v < 1):
        return None
    x0, y0, x1, y1 = BOX
    return (u - x0) / (x1 - x0) * SIZE[0], (v - y0) / (y1 - y0) * SIZE[1]


def _likeness(seen: Image, face: Image, at: Point) -> float:
    """How alike the card and a face are round a pixel of the small picture."""
    here = _around(seen, at, HALF - INNER)
    if min(here.shape[:2]) < 1.2 * (HALF - INNER) or here.std() < 1:
        # A sliver at the rim of the card looks like anything.
        return 0.0
    best = 0.0
    for size in SIZES:
        grown = np.asarray(cv2.resize(face, None, fx=size, fy=size), np.uint8)
        printed = _around(grown, (at[0] * size, at[1] * size), HALF + ROOM)
        if min(np.subtract(printed.shape, here.shape)[:2]) >= 0:
            best = max(best, float(cv2.matchTemplate(printed, here, cv2.TM_CCOEFF_NORMED).max()))
    return best


def _around(picture: Image, at: Point, half: float) -> Image:
    low = np.maximum(0, np.round([at[1] - half, at[0] - half]).astype(int))
    high = np.round([at[1] + half, at[0] + half]).astype(int)
    return np.ascontiguousarray(picture[low[0] : high[0], low[1] : high[1]])
