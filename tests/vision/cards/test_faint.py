"""A back with a pale pattern is no blank card, if its pattern shows at all."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from referee.vision.cards.faint import with_faint
from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import GRID, Image, Spot
from tests.decks.cards_drawn import COLOURS, SIZE, face, green_table, lay

LENGTH = 120.0
MIDDLE = (200.0, 150.0)
BLANK = Reading("blank", "up", 0.85)


def paper() -> Image:
    return np.full((SIZE[1], SIZE[0], 3), 225, np.uint8)


def patterned(paleness: int) -> Image:
    """Zigzags that are so much darker than the paper."""
    card = paper()
    for y in range(30, SIZE[1], 44):
        points = [(x, y + 14 * (k % 2)) for k, x in enumerate(range(12, SIZE[0] - 12, 20))]
        cv2.polylines(card, [np.array(points)], isClosed=False, color=(225 - paleness,) * 3, thickness=4)
    return card


@cache
def deck() -> LearnedDeck:
    cards = {**{name: face(name) for name in COLOURS}, "blank": paper(), "back": patterned(25)}
    return LearnedDeck(tuple(cards), tuple(small(card) for card in cards.values()))


def said(
    card: Image, off: float = 0.0, turn_deg: float = 0.0, reading: Reading = BLANK, share: float = 1.0
) -> Reading:
    """What is said of a card that lies so far, in pixels, from where it was found."""
    table = green_table()
    lay(table, card, (MIDDLE[0] + off, MIDDLE[1] - off), turn_deg, LENGTH)
    noise = np.random.default_rng(4).normal(0, 3, table.shape)
    film = np.clip(cv2.GaussianBlur(table, (0, 0), 0.6) + noise, 0, 255).astype(np.uint8)
    half = np.array([SIZE[0] / SIZE[1], 1.0]) * LENGTH / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + MIDDLE
    seen = np.zeros(GRID[::-1], bool)
    seen[:, : round(share * GRID[0])] = True
    return with_faint(film, [(Spot(corners, seen, 0.9), reading)], deck())[0][1]


@pytest.mark.parametrize("off", [0.0, 4.0])
def test_an_open_card_that_seems_blank_is_the_back_whose_pattern_shows(off: float) -> None:
    told = said(patterned(25), off)
    assert (told.name, told.face) == ("back", "down")
    assert told.confidence < 0.9, "a pale pattern leaves some doubt"


def test_a_card_of_which_too_little_is_open_stays_what_it_seems() -> None:
    assert said(patterned(25), share=0.4) == BLANK


def test_a_blank_card_stays_one() -> None:
    assert said(paper()) == BLANK


def test_a_card_that_was_read_as_another_is_left_alone() -> None:
    other = replace(BLANK, name="sun")
    assert said(patterned(25), reading=other) == other


def test_it_is_told_which_end_is_up() -> None:
    card = patterned(25)
    cv2.circle(card, (90, 110), 40, (195, 195, 195), 6)
    lopsided = LearnedDeck(
        ("blank", "back", *COLOURS), tuple(map(small, (paper(), card, *map(face, COLOURS))))
    )
    table = green_table()
    lay(table, card, MIDDLE, 180, LENGTH)
    half = np.array([SIZE[0] / SIZE[1], 1.0]) * LENGTH / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + MIDDLE
    spot = Spot(corners, np.ones(GRID[::-1], bool), 0.9)
    assert with_faint(table, [(spot, BLANK)], lopsided)[0][1].turned
