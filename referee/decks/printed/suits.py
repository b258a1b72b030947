"""A large-index standard deck."""

import numpy as np

from referee.decks.printed.canvas import (
    HEIGHT_MM,
    INK,
    RED,
    WHITE,
    WIDTH_MM,
    Canvas,
    Colour,
    blank,
    upside_down,
)
from referee.vision.cards.spot import Image
from referee.vision.cards.standard import RANKS, SUITS

COLOURS: dict[str, Colour] = {"C": INK, "S": INK, "H": RED, "D": RED}
COLUMNS = (21.0, WIDTH_MM / 2, WIDTH_MM - 21.0)
LEFT, MIDDLE, RIGHT = COLUMNS
TOP, BOTTOM = 17.0, HEIGHT_MM - 17.0
ROWS = {
    "A": [(MIDDLE, 0.5)],
    "2": [(MIDDLE, 0.0)],
    "3": [(MIDDLE, 0.0), (MIDDLE, 0.5)],
    "4": [(LEFT, 0.0), (RIGHT, 0.0)],
    "5": [(LEFT, 0.0), (RIGHT, 0.0), (MIDDLE, 0.5)],
    "6": [(LEFT, 0.0), (RIGHT, 0.0), (LEFT, 0.5), (RIGHT, 0.5)],
    "7": [(LEFT, 0.0), (RIGHT, 0.0), (LEFT, 0.5), (RIGHT, 0.5), (MIDDLE, 0.25)],
    "8": [(LEFT, 0.0), (RIGHT, 0.0), (LEFT, 0.5), (RIGHT, 0.5), (MIDDLE, 0.25)],
    "9": [(LEFT, 0.0), (RIGHT, 0.0), (LEFT, 0.33), (RIGHT, 0.33), (MIDDLE, 0.5)],
    "10": [(LEFT, 0.0), (RIGHT, 0.0), (LEFT, 0.33), (RIGHT, 0.33), (MIDDLE, 0.17)],
}
"""Pips of the upper half; the lower half mirrors those that are not in the middle row."""
ONLY_ABOVE = {("7", 0.25)}


def standard_card(rank: str, suit: str) -> Image:
    """One of the 52, the same from both sides of the table."""
    half = blank(WHITE)
    _index(half, rank, suit)
    for x, y in ROWS.get(rank, []):
        if y < 0.5 and (rank, y) not in ONLY_ABOVE:
            pip(half, suit, x, TOP + y * (BOTTOM - TOP), 6.0)
    both = Canvas(np.minimum(half.image, upside_down(half.image)))
    for x, y in ROWS.get(rank, []):
        if y == 0.5 or (rank, y) in ONLY_ABOVE:
            pip(both, suit, x, TOP + y * (BOTTOM - TOP), 14.0 if rank == "A" else 6.0)
    if rank in "JQK":
        _court(both, rank, suit)
    return both.image


def _index(card: Canvas, rank: str, suit: str) -> None:
    card.words(rank, 8.2, 8.5, 8.5 if rank != "10" else 7.0, COLOURS[suit])
    pip(card, suit, 8.2, 19.0, 4.2)


def _court(card: Canvas, rank: str, suit: str) -> None:
    a, b, c, d = 17.0, 14.0, WIDTH_MM - 17.0, HEIGHT_MM - 14.0
    card.line([(a, b), (c, b), (c, d), (a, d), (a, b), (c, b)], COLOURS[suit], 0.6)
    card.words({"J": "JACK", "Q": "QUEEN", "K": "KING"}[rank], WIDTH_MM / 2, 24.0, 4.0, COLOURS[suit])
    pip(card, suit, WIDTH_MM / 2, HEIGHT_MM / 2, 11.0)


def joker() -> Image:
    """A card without an index."""
    card = blank(WHITE).words("JOKER", WIDTH_MM / 2, 18.0, 7.0, INK)
    for k, colour in enumerate((RED, INK, RED, INK, RED)):
        x = 15.5 + 8 * k
        card.shape([(x - 4, 40), (x + 4, 40), (x, 28)], colour).disc(x, 27.5, 1.6, INK)
    return (
        card.disc(WIDTH_MM / 2, 54.0, 14.0, (240, 205, 120))
        .disc(26, 51, 1.8, INK)
        .disc(37, 51, 1.8, INK)
        .image
    )


def pip(card: Canvas, suit: str, x: float, y: float, r: float) -> None:
    """A suit's sign with its middle at (x, y)."""
    SIGNS[suit](card, x, y, r)


def _diamond(card: Canvas, x: float, y: float, r: float) -> None:
    card.shape([(x, y - r), (x + 0.78 * r, y), (x, y + r), (x - 0.78 * r, y)], RED)


def _heart(card: Canvas, x: float, y: float, r: float, flip: int = 1, colour: Colour = RED) -> None:
    t = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    wide = 16 * np.sin(t) ** 3 / 17
    high = (13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 16
    card.shape([(x + r * float(a), y - flip * r * float(b)) for a, b in zip(wide, high, strict=True)], colour)


def _spade(card: Canvas, x: float, y: float, r: float) -> None:
    _heart(card, x, y - 0.1 * r, 0.92 * r, -1, INK)
    _stem(card, x, y, r)


def _club(card: Canvas, x: float, y: float, r: float) -> None:
    for dx, dy in ((0, -0.5), (-0.5, 0.22), (0.5, 0.22)):
        card.disc(x + dx * r, y + dy * r, 0.45 * r, INK)
    card.shape([(x - 0.2 * r, y), (x, y - 0.3 * r), (x + 0.2 * r, y), (x, y + 0.4 * r)], INK)
    _stem(card, x, y, r)


def _stem(card: Canvas, x: float, y: float, r: float) -> None:
    card.shape([(x, y), (x + 0.4 * r, y + r), (x - 0.4 * r, y + r)], INK)


SIGNS = {"C": _club, "D": _diamond, "H": _heart, "S": _spade}


def standard_faces() -> dict[str, Image]:
    return {rank + suit: standard_card(rank, suit) for suit in SUITS for rank in RANKS}
