"""Learn a deck from flat pictures: the file's name is the card's name."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hardware.pictures import read_picture
from referee.errors import TableError
from referee.vision.cards.finding import find
from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.spot import Image, cut

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
SHAPE = (0.58, 0.82)
"""Width over height of a picture that is all card."""
LEAST_PX = 60
LEAST_SHARPNESS = 12.0
ALIKE, FAR_APART = 0.9, 0.04
"""Likeness that is warned of, and the difference of two pictures that have none."""
FLAT = (315, 440)


@dataclass(frozen=True, slots=True)
class Alike:
    """Two cards that this camera may take for each other."""

    one: str
    other: str
    likeness: float


def learn(folder: Path) -> LearnedDeck:
    """The deck whose cards are pictured in `folder`, one picture or a few of each."""
    paths = sorted(p for p in folder.glob("*") if p.suffix.lower() in PICTURES)
    if not folder.is_dir() or not paths:
        raise TableError(f"no pictures of cards in {folder}; one of each card is needed, named after it")
    flat = [small(flat_picture(path)) for path in paths]
    return LearnedDeck(tuple(card_name(path) for path in paths), tuple(flat))


def card_name(path: Path) -> str:
    """`vote.png` and `vote (2).png` both show the vote."""
    return re.sub(r"\s*\(\d+\)$", "", path.stem)


def flat_picture(path: Path) -> Image:
    """The card of one picture, cut out if the picture shows the table around it."""
    picture = read_picture(path)
    h, w = picture.shape[:2]
    if min(h, w) < LEAST_PX:
        raise TableError(f"{path.name} is only {w} x {h} pixels; take it again, nearer")
    if not SHAPE[0] <= w / h <= SHAPE[1]:
        picture = _cut_out(picture, path)
    return picture


def _cut_out(picture: Image, path: Path) -> Image:
    spots = find(picture)
    if len(spots) != 1:
        raise TableError(f"{path.name} shows {len(spots)} cards, not one; take it again")
    return cut(picture, spots[0].corners, (0, 0, 1, 1), FLAT)


def look_alikes(deck: LearnedDeck) -> tuple[Alike, ...]:
    """Pairs of different cards that are hard to tell apart, worst first."""
    n, apart = len(deck.names), deck.apart()
    alike = 1 - np.minimum(1, np.minimum(apart, apart.T) / FAR_APART)
    pairs = [
        Alike(deck.names[i], deck.names[j], round(float(alike[i, j]), 2))
        for i in range(n)
        for j in range(i + 1, n)
        if deck.names[j] != deck.names[i] and alike[i, j] >= ALIKE
    ]
    return tuple(sorted(pairs, key=lambda pair: -pair.likeness))
