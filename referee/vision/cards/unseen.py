"""Cards of learned decks that the finder is blind to, as dark ones without a white rim: what lies there is not the
table's, and cards of the deck explain it by their rims and drawings."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.vision.cards.anchors import NOWHERE
from referee.vision.cards.learned import LearnedDeck
from referee.vision.cards.ownership import Cells, Ownership
from referee.vision.cards.peeling import EMPTY, LEFT, TAKEN, as_spot, patches, peel
from referee.vision.cards.spot import Image
from referee.vision.cards.strange import brightened, strange_on
from referee.vision.cards.tangles import Told, corners_of, share_on
from referee.vision.cards.unravelling import size_of
from referee.vision.cards.votes import STRIDE, Votes

LEAST, MOST = 0.3, 6.0
"""How many cards what lies there may be, at least and at most."""
SURE, AT_MOST = 0.7, 0.89
"""How sure such a card must be, and can be at most: the finder saw none."""
OPEN, ON_OTHERS = 0.35, 0.3
"""How much of it must be open, and how much of that may lie on cards that were told."""


def with_unseen(image: Image, told: Sequence[Told], deck: LearnedDeck) -> list[Told]:
    """What was told, and the cards of the same size that explain what is not the table's beside them."""
    known = [one for one in told if one[1].name is not None]
    table = strange_on(brightened(image), corners_of(known))
    if table is None:
        return list(told)
    left = table.pieces()
    cards, cell_px = left | (table.free == 0), 1 / table.scale
    size, room = size_of(corners_of(known)), deck.accustomed(image, [spot for spot, _ in known])
    most = MOST * size[0] * size[1] / cell_px**2
    found = list(told)
    for patch in patches(left, size, cell_px):
        if LEAST / MOST * most <= patch.sum() <= most:
            found += _explaining(image, patch, cards, cell_px, size, room, found)
    return found


def _explaining(
    image: Image,
    patch: Cells,
    cards: Cells,
    cell_px: float,
    size: tuple[float, float],
    deck: LearnedDeck,
    told: Sequence[Told],
) -> list[Told]:
    """The cards that explain a patch and are read for certain."""
    heap = peel(image, _silent(cards, cell_px), patch, NOWHERE, size, deck.read, astray=True)
    whose = (np.where(mine, LEFT, np.where(cards, TAKEN, EMPTY)) for mine in heap.cells)
    spots = [
        as_spot(corners, Ownership(owner, cell_px))
        for corners, owner in zip(heap.corners, whose, strict=True)
    ]
    return [
        (spot, replace(reading, confidence=min(AT_MOST, reading.confidence)))
        for spot, reading in zip(spots, deck.read(image, spots), strict=True)
        if reading.confidence >= SURE
        and spot.visible >= OPEN
        and share_on(spot, corners_of(told)) < ON_OTHERS
    ]


def _silent(cards: Cells, cell_px: float) -> Votes:
    """Votes of nobody, on cells that may be on cards."""
    cell = np.argwhere(cards)
    nothing = np.zeros((len(cell), 2))
    said = np.where(cards, 1, -1).astype(np.float32)
    return Votes(
        cell, nothing, nothing, nothing, np.ones(len(cell)), np.zeros(len(cell)), said, STRIDE / cell_px
    )
