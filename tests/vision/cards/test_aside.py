"""A covered card that is not read for certain is looked at a little aside: what most of these looks tell is told."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.vision.cards.aside import with_looks_aside
from referee.vision.cards.reading import Index, Reader, Reading
from referee.vision.cards.spot import Image, Spot
from tests.vision.cards.spots import card

TABLE = np.zeros((200, 300, 3), np.uint8)
HERE = card(100, 0.8)


class Deck:
    """Reads one thing at a place, and another beside it."""

    index: Index | None = None

    def __init__(self, here: Reading, beside: Reading) -> None:
        self.here, self.beside = here, beside

    def read(self, _: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        return tuple(self.here if np.allclose(s.corners, HERE.corners) else self.beside for s in spots)

    def accustomed(self, _image: Image, _spots: Sequence[Spot]) -> Reader:
        return self


EIGHT, TEN, NOTHING = Reading("8S", "up", 0.97), Reading("10S", "up", 0.85), Reading(None, "unknown", 0.0)


def told(deck: Deck, *others: Reading) -> Reading:
    cards = [(HERE, deck.here), *((card(200, 0.8), other) for other in others)]
    return with_looks_aside(TABLE, cards, deck)[0][1]


def test_what_most_looks_aside_tell_is_told_but_never_for_certain() -> None:
    assert told(Deck(TEN, EIGHT)) == replace(EIGHT, confidence=0.85)
    assert told(Deck(NOTHING, EIGHT)) == replace(EIGHT, confidence=0.85)


def test_a_card_that_is_read_for_certain_is_what_it_is() -> None:
    certain = replace(TEN, confidence=0.95)
    assert told(Deck(certain, EIGHT)) == certain


@pytest.mark.parametrize("share", [0.4, 1.0])
def test_an_open_card_and_a_strip_with_an_index_are_where_they_are(share: float) -> None:
    cards = [(card(100, share), TEN)]
    assert with_looks_aside(TABLE, cards, Deck(TEN, EIGHT)) == cards


def test_a_back_is_not_read_into_an_unread_card_nor_a_face_into_a_back() -> None:
    back = Reading("back", "down", 0.8)
    assert told(Deck(NOTHING, back)) == NOTHING
    assert told(Deck(back, EIGHT)) == back


def test_looks_aside_that_tell_nothing_change_nothing() -> None:
    assert told(Deck(TEN, NOTHING)) == TEN


def test_a_face_that_lies_elsewhere_is_not_told_twice() -> None:
    assert told(Deck(TEN, EIGHT), EIGHT) == TEN
    both = [(HERE, NOTHING), (card(200, 0.8), NOTHING)]
    names = [reading.name for _, reading in with_looks_aside(TABLE, both, Deck(NOTHING, EIGHT))]
    assert names == ["8S", None]
