"""Covered cards of learned decks that are read in doubt are looked at again, a little within what is open of them.

The rim of the card above, and its shadow, are not theirs, and on a card of which little is open they are as much as its
drawing. If that does not tell either, its corners may be off.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.vision.cards.learned import LearnedDeck
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import Image, Quad, Seen, Spot
from referee.vision.cards.tangles import Told
from referee.vision.cards.tracing import moved

FOR_CERTAIN, OPEN = 0.9, 0.95
"""How sure a reading is that is left alone, and how much of a card is open on which nothing lies."""
LEAST_OPEN = 0.1
"""How much must be open of a card within its rims."""
HARDLY, RATHER, SURELY = 0.7, 0.6, 0.8
"""Read less surely than this it is looked for aside, too, but for blank cards, which are alike everywhere; how sure it
must be there, and how sure to be another card than was read."""
ASIDE, TURNS_DEG = (-0.06, -0.03, 0.0, 0.03, 0.06), (-4.0, -2.0, 0.0, 2.0, 4.0)
"""How far aside, in card widths, and how much turned it is looked for."""


def with_narrowed(image: Image, told: Sequence[Told], deck: LearnedDeck) -> list[Told]:
    """What was told, the covered cards in doubt as they are read within what is open of them."""
    known = [spot for spot, reading in told if reading.name is not None]
    room = deck.accustomed(image, known)
    return [(spot, _again(image, spot, reading, room)) for spot, reading in told]


def _again(image: Image, spot: Spot, reading: Reading, deck: LearnedDeck) -> Reading:
    within = replace(spot, seen=_narrowed(spot.seen))
    if reading.confidence >= FOR_CERTAIN or spot.visible > OPEN or within.visible < LEAST_OPEN:
        return reading
    best = max(reading, *deck.read(image, [within]), key=_sureness)
    blank = {deck.names[k] for k in deck.blank}
    if best.confidence >= HARDLY or best.name in blank:
        return best
    aside = max(
        deck.read(image, [replace(within, corners=way) for way in _aside(spot.corners)]), key=_sureness
    )
    least = RATHER if best.name in (None, aside.name) else SURELY
    return aside if aside.confidence >= least else best


def _sureness(reading: Reading) -> float:
    return reading.confidence


def _narrowed(seen: Seen) -> Seen:
    """Without what is next to what lies on the card."""
    framed = np.pad(seen.astype(np.uint8), 1, constant_values=1)
    return np.asarray(cv2.erode(framed, np.ones((3, 3), np.uint8))[1:-1, 1:-1] > 0)


def _aside(corners: Quad) -> list[Quad]:
    """The card moved and turned a little."""
    right, down = corners[1] - corners[0], corners[3] - corners[0]
    down = down * np.linalg.norm(right) / np.linalg.norm(down)
    return [
        moved(corners, 1.0, turn) + across * right + along * down
        for across in ASIDE
        for along in ASIDE
        for turn in TURNS_DEG
    ]
