"""Of most cards of a fan little more shows than a strip with the corner index: that is enough to find them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.decks.printed.suits import standard_faces
from referee.types import Card
from referee.vision.cards.anchors import Indices, belongs, index_middles, inside_of
from referee.vision.cards.eyes import find_cards
from referee.vision.cards.spot import Image
from referee.vision.cards.standard import StandardDeck
from tests.decks.cards_drawn import lay

LENGTH, WIDTH = 105, 75


def felt() -> Image:
    grain = np.random.default_rng(3).normal(0, 4, (720, 1280, 1))
    return np.clip(np.array((60, 95, 40)) + grain, 0, 255).astype(np.uint8)


def fanned(names: tuple[str, ...], step: float, turns: tuple[float, ...]) -> Image:
    """A fan from left to right, and three cards that lie alone."""
    faces, table = standard_faces(), felt()
    for x, name in zip((150, 320, 490), ("KH", "2C", "9D"), strict=True):
        lay(table, faces[name], (x, 560), 0, LENGTH)
    for k, (name, turn) in enumerate(zip(names, turns, strict=True)):
        lay(table, faces[name], (700 + step * k, 250), turn, LENGTH)
    return np.asarray(cv2.GaussianBlur(table, (0, 0), 0.8), np.uint8)


def told(cards: tuple[Card, ...]) -> set[str | None]:
    return {card.name for card in cards}


@pytest.mark.parametrize(
    "names", [("AS", "10S", "7C", "6H", "7H"), ("2S", "6C", "3H", "5S", "8D"), ("5D", "7S", "3C", "9H", "4S")]
)
def test_every_card_of_a_fan_is_told_by_its_strip(names: tuple[str, ...]) -> None:
    cards = find_cards(fanned(names, 32, (2, -2, 1, 3, -1)), StandardDeck())
    assert told(cards) == {*names, "KH", "2C", "9D"}
    assert len(cards) == 8


def test_a_face_of_which_pips_are_hidden_is_never_told_beyond_doubt() -> None:
    cards = find_cards(fanned(("AS", "10S", "7C", "6H", "7H"), 32, (2, -2, 1, 3, -1)), StandardDeck())
    assert all(card.confidence < 0.9 for card in cards if card.visible < 0.7)


WHERE = np.zeros((180, 320), bool)
WHERE[45:80, 160:190] = True
"""Cells of four pixels round a card in the middle of the fan."""
LIKE = np.array([[[0, 0], [WIDTH, 0], [WIDTH, LENGTH], [0, LENGTH]]], float)
UPRIGHT, ACROSS = (np.full(WHERE.shape, turn) for turn in (np.pi / 2, 0.0))


def test_an_index_that_shows_tells_where_its_card_lies() -> None:
    table = fanned(("9S",), 0, (4,))
    found = Indices(StandardDeck().index).anchored(table, WHERE, UPRIGHT, 4.0, LIKE, (LENGTH, WIDTH))
    assert len(found)
    assert np.hypot(*(found.mean(axis=1) - (700, 250)).T).max() < 0.05 * LENGTH


def test_an_index_is_not_looked_for_across_the_card() -> None:
    table = fanned(("9S",), 0, (4,))
    assert not len(Indices(StandardDeck().index).anchored(table, WHERE, ACROSS, 4.0, LIKE, (LENGTH, WIDTH)))


def test_a_second_look_finds_the_indices_of_the_first_without_looking_for_them() -> None:
    table, asked = fanned(("9S",), 0, (4,)), list[int]()
    index = StandardDeck().index

    def counted(pictures: Image) -> np.ndarray:
        asked.append(len(pictures))
        return index.shows(pictures)

    indices = Indices(replace(index, shows=counted))
    first = indices.anchored(table, WHERE, UPRIGHT, 4.0, LIKE, (LENGTH, WIDTH))
    looked = sum(asked)
    larger = cv2.resize(WHERE.astype(np.uint8), None, fx=4 / 3, fy=4 / 3, interpolation=cv2.INTER_NEAREST) > 0
    axis = np.full(larger.shape, np.pi / 2)
    again = indices.anchored(table, larger, axis, 3.0, LIKE, (LENGTH, WIDTH))
    assert looked and sum(asked) == looked
    assert np.allclose(first, again, atol=0.5)


def test_an_index_on_another_card_is_not_its_own() -> None:
    lower = np.array([[0, 0], [70, 0], [70, 100], [0, 100]], float)
    both = np.stack([lower, lower + np.array((30, 5))])
    shown = index_middles(both)
    assert inside_of(both, shown).tolist() == [[True, True], [False, True]]
    assert belongs(both, shown).tolist() == [[True, False], [False, True]]
