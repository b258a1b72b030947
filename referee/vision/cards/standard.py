"""Read ordinary playing cards that nobody has shown us: by their corner indices, wherever one is open."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards import nets
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import GRID, Image, Spot, cut

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
INDEX_BOX, INDEX_SIZE = (-0.05, -0.03, 0.30, 0.36), (32, 48)
FACE_BOX, FACE_SIZE = (0.02, 0.015, 0.98, 0.985), (40, 56)
INDEX_SEEN = 0.4
"""An index is read when this much of its corner is open."""
FLOOR = 0.002
"""No index is believed beyond this."""
PAPER = 0.42
"""A card without an index whose face is paper to this share is a joker; with less it shows its back."""

Chances = NDArray[np.float64]


class StandardDeck:
    """The built-in reader of 52 cards and jokers."""

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        ends = [(i, end) for i, spot in enumerate(spots) for end in (spot, spot.turned()) if _index_open(end)]
        said = _index_chances(image, [end for _, end in ends])
        return tuple(
            _reading(image, spot, [row for (i, _), row in zip(ends, said, strict=True) if i == number])
            for number, spot in enumerate(spots)
        )


def _reading(image: Image, spot: Spot, said: list[Chances]) -> Reading:
    """What the open indices say together; without one, whether it is a joker or a back."""
    nothing = float(np.prod([row[-1] for row in said])) if said else 1.0
    if nothing > 0.5:
        return _without_index(image, spot, nothing)
    evidence = np.sum([np.log(row[:-1] + row[-1] / len(NAMES) + FLOOR / len(NAMES)) for row in said], axis=0)
    chances = np.exp(evidence - evidence.max())
    best = int(chances.argmax())
    confidence = float(chances[best] / chances.sum()) * (1 - nothing)
    return Reading(NAMES[best], "up", round(confidence, 4))


def _without_index(image: Image, spot: Spot, nothing: float) -> Reading:
    share = paper_share(cut(image, spot.corners, FACE_BOX, FACE_SIZE), spot)
    confidence = round(nothing * min(1.0, 0.55 + 2 * abs(share - PAPER)), 4)
    if share < PAPER:
        return Reading("back", "down", confidence)
    both_open = _index_open(spot) and _index_open(spot.turned())
    return Reading("JOKER", "up", min(0.85, confidence)) if both_open else Reading(None, "unknown", 0.0)


def paper_share(face: Image, spot: Spot) -> float:
    """How much of the open face is bare paper, as bright and as colourless as its brightest parts."""
    seen = cv2.resize(spot.seen.astype(np.float32), FACE_SIZE, interpolation=cv2.INTER_LINEAR) > 0.5
    pixels = face[seen if seen.any() else np.ones_like(seen)].astype(np.float64)
    value = pixels.max(axis=1)
    bright = value >= np.percentile(value, 92)
    paper = np.median(pixels[bright], axis=0)
    like = (pixels / np.maximum(paper, 1.0)).min(axis=1)
    return float((like > 0.8).mean())


def _index_chances(image: Image, ends: Sequence[Spot]) -> list[Chances]:
    """For every open end the chance of each of NAMES, and last of no index at all."""
    if not ends:
        return []
    corners = [cut(image, end.corners, INDEX_BOX, INDEX_SIZE) for end in ends]
    logits = nets.run("index", nets.batch_of(corners))
    rank, suit = nets.softmax(logits[:, :14]).astype(float), nets.softmax(logits[:, 14:]).astype(float)
    return [_joined(r, s) for r, s in zip(rank, suit, strict=True)]


def _joined(rank: Chances, suit: Chances) -> Chances:
    named = np.outer(suit[:4], rank[:13]).ravel()
    return np.append(named, 1 - named.sum())


def _index_open(spot: Spot) -> bool:
    columns, rows = GRID
    return bool(spot.seen[: round(rows * 0.28), : round(columns * 0.2)].mean() >= INDEX_SEEN)
