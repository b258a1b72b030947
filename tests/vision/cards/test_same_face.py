"""Two cards of the same face that overlap are both told, and one card is not told twice."""

from dataclasses import replace

import numpy as np
import pytest

from referee.vision.cards.eyes import find_cards
from referee.vision.cards.reading import Reading
from referee.vision.cards.same_face import each_card_once
from referee.vision.cards.spot import Image
from referee.vision.cards.standard import StandardDeck
from referee.vision.cards.tangles import Told
from tests.vision.cards.spots import card
from tests.vision.cards.test_merged import LENGTH, LOWER, UPPER, WIDTH, table, told

INDEX = StandardDeck().index
PAIR = (("9H", (120, 200)), ("9H", (190, 290)))


def outline(name: str, centre: tuple[int, int], aside: float = 0.0, down: float = 0.0) -> Told:
    x, y = centre
    left, top = x - WIDTH / 2 + aside, y - LENGTH / 2 + down
    return told(name, left, top, left + WIDTH, top + LENGTH)


def faces(image: Image, *cards: Told) -> int:
    return len(each_card_once(image, cards, INDEX))


def test_two_cards_of_two_decks_that_overlap_are_both_told() -> None:
    heap = table(*PAIR)
    assert faces(heap, *(outline(*one) for one in PAIR)) == 2
    far = np.full((720, 1280, 3), (50, 60, 40), np.uint8)
    far[: heap.shape[0], : heap.shape[1]] = heap
    assert [c.name for c in find_cards(far, StandardDeck())] == ["9H", "9H"]


@pytest.mark.parametrize(("aside", "down"), [(30.0, 0.0), (0.0, 40.0), (-25.0, -30.0)])
def test_one_card_in_two_outlines_is_told_once_by_the_better_known(aside: float, down: float) -> None:
    single, there = table(("9H", UPPER)), outline("9H", UPPER)
    spot, reading = outline("9H", UPPER, aside, down)
    off = spot, replace(reading, confidence=0.85)
    assert each_card_once(single, [off, there], INDEX) == [there]


def test_two_outlines_of_one_end_each_of_a_card_are_one_card() -> None:
    single, down = table(("9H", (180, 240))), 60.0
    upper, lower = (outline("9H", (180, 240), 0, by) for by in (down, -down))
    assert faces(single, upper, (lower[0], replace(lower[1], confidence=0.9))) == 1


def test_a_lower_card_of_which_no_index_shows_is_the_upper_one_misjudged() -> None:
    other = table(("KC", LOWER), ("9H", UPPER))
    lower, reading = outline("9H", LOWER)
    assert faces(other, outline("9H", UPPER), (lower, replace(reading, confidence=0.9))) == 1


def test_cards_apart_jokers_and_backs_are_as_many_as_were_told() -> None:
    bare = np.zeros((130, 400, 3), np.uint8)
    known = [("QD", 0.85, 0), ("QD", 1.0, 300), ("JOKER", 0.9, 100), ("JOKER", 0.8, 130)]
    cards = [(card(x), Reading(name, "up", how)) for name, how, x in known]
    backs = [(card(x), Reading("back", "down", 0.9)) for x in (200, 220)]
    assert each_card_once(bare, [*cards, *backs], INDEX) == [*cards, *backs]
