"""What a covered card is called its index must bear out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.vision.cards.denied import denied
from referee.vision.cards.reading import Index, Reading
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image
from tests.vision.cards.spots import card

TABLE = np.zeros((130, 400, 3), np.uint8)
COVERED = 0.7


def saying(chance: float) -> Index:
    """Indices that are each of their card's name as likely as this."""

    def shows(pictures: Image) -> Floats:
        return np.ones(len(pictures))

    def names(pictures: Image, _: Sequence[str]) -> Floats:
        return np.full(len(pictures), chance)

    return Index((0.0, 0.0, 0.3, 0.3), (32, 48), shows, names)


@pytest.mark.parametrize(("chance", "wrong"), [(0.0, True), (0.1, True), (0.3, False), (1.0, False)])
def test_a_covered_face_that_its_index_does_not_bear_out_is_denied(chance: float, wrong: bool) -> None:
    half = (card(100, 0.5), Reading("7D", "up", 0.89))
    assert denied(TABLE, [half], saying(chance), COVERED) == ({0} if wrong else set())


def test_open_cards_backs_jokers_and_cards_that_are_not_read_are_not_asked() -> None:
    told = [
        (card(20), Reading("7D", "up", 0.89)),
        (card(100, 0.5), Reading("back", "down", 0.9)),
        (card(180, 0.5), Reading("JOKER", "up", 0.8)),
        (card(260, 0.5), Reading(None, "unknown", 0.0)),
    ]
    assert denied(TABLE, told, saying(0.0), COVERED) == set()


def test_a_face_of_which_no_index_shows_is_not_denied() -> None:
    half = card(100, 0.5)
    middle = np.zeros_like(half.seen)
    middle[8:14] = True
    told = [(replace(half, seen=middle), Reading("7D", "up", 0.85))]
    assert denied(TABLE, told, saying(0.0), COVERED) == set()
