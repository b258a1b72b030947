"""Read ordinary playing cards that nobody has shown us: by their corner indices, wherever one is open."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards import nets
from referee.vision.cards.pips import SIZE, count_pips, paper_colour
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import GRID, Image, Spot, cut

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
INDEX_BOX, INDEX_SIZE = (-0.05, -0.03, 0.30, 0.36), (32, 48)
FACE_BOX = (0.0, 0.0, 1.0, 1.0)
COUNTABLE = 0.85
"""Pips are counted on cards that are open to this share."""
NO_INDEX = 0.6
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
        by_spot: list[list[Chances]] = [[] for _ in spots]
        for (i, _), row in zip(ends, said, strict=True):
            by_spot[i].append(row)
        faces = [cut(image, spot.corners, FACE_BOX, SIZE) for spot in spots]
        paper = _paper(faces, by_spot)
        return tuple(
            _reading(spot, rows, face, paper) for spot, rows, face in zip(spots, by_spot, faces, strict=True)
        )


def _reading(spot: Spot, said: list[Chances], face: Image, paper: Chances | None) -> Reading:
    """What the open indices and the pips say together; without an index, joker or back."""
    nothing = float(np.prod([row[-1] for row in said])) if said else 1.0
    if nothing > NO_INDEX:
        return _without_index(spot, nothing, face, paper)
    evidence = np.sum([np.log(row[:-1] + row[-1] / len(NAMES) + FLOOR / len(NAMES)) for row in said], axis=0)
    if spot.visible >= COUNTABLE:
        evidence = evidence + _pip_evidence(count_pips(face))
    chances = np.exp(evidence - evidence.max())
    best = int(chances.argmax())
    confidence = float(chances[best] / chances.sum()) * (1 - nothing)
    return Reading(NAMES[best], "up", round(confidence, 4))


def _pip_evidence(count: int | None) -> Chances:
    """Counted pips speak for their rank, less for its neighbours, and against the courts."""
    if count is None:
        return np.zeros(len(NAMES))
    ranks = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 90, 90, 90])
    away = np.minimum(np.abs(ranks - count), 2)
    return np.tile(np.array([0.0, -2.2, -4.5])[away], len(SUITS))


def _paper(faces: Sequence[Image], said: Sequence[list[Chances]]) -> Chances | None:
    """The colour of paper in this light, from the cards that surely lie face up."""
    sure = [paper_colour(f) for f, rows in zip(faces, said, strict=True) if any(r[-1] < 0.2 for r in rows)]
    return np.asarray(np.median(sure, axis=0)) if sure else None


def _without_index(spot: Spot, nothing: float, face: Image, paper: Chances | None) -> Reading:
    share = paper_share(face, spot, paper)
    confidence = round(nothing * min(1.0, 0.6 + 2 * abs(share - PAPER)), 4)
    if share < PAPER:
        return Reading("back", "down", confidence)
    both_open = _index_open(spot) and _index_open(spot.turned())
    return Reading("JOKER", "up", min(0.85, confidence)) if both_open else Reading(None, "unknown", 0.0)


def paper_share(face: Image, spot: Spot, paper: Chances | None) -> float:
    """How much of the open face is bare paper: as bright as paper is here, and as colourless."""
    seen = cv2.resize(spot.seen.astype(np.float32), SIZE, interpolation=cv2.INTER_LINEAR) > 0.5
    pixels = face[seen if seen.any() else np.ones_like(seen)].astype(np.float64)
    own = paper_colour(face)
    white = own if paper is None else np.maximum(own.max() / paper.max(), 0.75) * paper
    like = (pixels / np.maximum(white, 1.0)).min(axis=1)
    return float((like > 0.82).mean())


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
