"""Cards beneath others that are of the table's colours: the finder suspects them, and they have a plain rim."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.vision.cards.beneath import with_beneath
from referee.vision.cards.looking import BEST_PX, careful_look
from referee.vision.cards.reading import Reader
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image
from referee.vision.cards.strange import LENGTH_PX, Strange
from referee.vision.cards.tangles import Told, corners_of, length_px
from referee.vision.cards.votes import STRIDE, Votes

NO_CARD, CARD = -2.0, 2.0
"""What the finder says where it hardly thinks of a card, and where it has no doubt."""
SUSPECTED, LEAST = -1.0, 0.07
"""What it says where a second look may be worth its time, and on how many square card lengths in one piece."""


def with_suspected(
    image: Image, told: Sequence[Told], deck: Reader, table: Strange, votes: Votes
) -> list[Told]:
    """What was told, and the cards beneath those that a second look finds where `votes` suspect some."""
    if not _unexplained(table, votes):
        return list(told)
    said = _said(table, careful_look(image, BEST_PX / length_px(told))[0])
    word = np.clip((said - NO_CARD) / (CARD - NO_CARD), 0, 1)
    found = with_beneath(image, told, deck, replace(table, strange=word), plain=True)
    either = replace(table.without(corners_of(found[len(told) :])), strange=np.maximum(word, table.strange))
    return with_beneath(image, found, deck, either, plain=True)


def _unexplained(table: Strange, votes: Votes) -> bool:
    """Whether the finder suspects a part of a card where none is known."""
    there = ((_said(table, votes) > SUSPECTED) & (table.free > 0)).astype(np.uint8)
    body = cv2.morphologyEx(there, cv2.MORPH_OPEN, _NO_SLIVERS)
    if cv2.countNonZero(body) < LEAST * LENGTH_PX**2:
        return False
    parts = cv2.connectedComponentsWithStats(body)[2][1:, cv2.CC_STAT_AREA]
    return bool((parts >= LEAST * LENGTH_PX**2).any())


_NO_SLIVERS = np.ones((5, 5), np.uint8)


def _said(table: Strange, votes: Votes) -> Floats:
    """What the finder says of every pixel of the small picture."""
    rows, columns = table.free.shape
    cell = STRIDE / votes.scale * table.scale
    grow = np.array([[cell, 0, (cell - 1) / 2], [0, cell, (cell - 1) / 2]])
    return np.asarray(
        cv2.warpAffine(votes.said, grow, (columns, rows), borderMode=cv2.BORDER_REPLICATE), np.float32
    )
