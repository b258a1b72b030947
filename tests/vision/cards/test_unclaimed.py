"""Where an index shows that is of no card that was told, its own card lies."""

import numpy as np

from referee.vision.cards.anchors import Indices
from referee.vision.cards.reading import Reading
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import GRID, Image, Quad, Spot
from referee.vision.cards.standard import StandardDeck
from referee.vision.cards.tangles import Told
from referee.vision.cards.unclaimed import with_unclaimed
from tests.vision.cards.test_anchors import LENGTH, WIDTH, fanned

FAN = ("AS", "10S", "7C")
STEP = 36
DECK = StandardDeck()


def corners(number: int) -> Quad:
    """Where a card of the fan lies."""
    x, y = 700 + STEP * number - WIDTH / 2, 250 - LENGTH / 2
    return np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + LENGTH], [x, y + LENGTH]], np.float64)


def told(number: int) -> Told:
    return Spot(corners(number), np.ones(GRID[::-1], bool), 0.9), Reading(FAN[number], "up", 0.99)


def shown(*numbers: int) -> list[Floats]:
    return Indices(DECK.index, [(9.0, corners(number)) for number in numbers]).cards((LENGTH, WIDTH))


def fan() -> Image:
    return fanned(FAN, STEP, (0, 0, 0))


def test_a_card_that_was_missed_is_told_by_its_index_but_never_for_certain() -> None:
    cards = with_unclaimed(fan(), [told(0), told(2)], DECK, shown(0, 1, 2))
    (spot, reading) = cards[2]
    assert len(cards) == 3
    assert reading.name == "10S" and 0.5 < reading.confidence < 0.9
    assert np.abs(spot.corners - corners(1)).max() < 0.05 * LENGTH


def test_the_card_within_whose_outline_an_index_shows_lies_beneath() -> None:
    (lower, reading), _, (upper, _) = with_unclaimed(fan(), [told(0), told(2)], DECK, shown(1))
    assert abs(lower.visible - STEP / WIDTH) < 0.1
    assert abs(upper.visible - STEP / WIDTH) < 0.1
    assert reading.name == "AS"


def test_an_index_of_a_card_that_was_told_adds_none() -> None:
    cards = [told(0), told(1), told(2)]
    assert with_unclaimed(fan(), cards, DECK, shown(0, 1, 2)) == cards


def test_an_index_without_a_rim_is_no_card() -> None:
    cards = [told(0), told(1), told(2)]
    bare = [corners(0)[None] + np.array((300, 150))]
    assert with_unclaimed(fan(), cards, DECK, bare) == cards
