"""Where the corner of a covered card is open, an index shows."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.vision.cards.blank_corners import without_index
from referee.vision.cards.reading import Index, Reading
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image
from tests.vision.cards.spots import card

TABLE = np.zeros((130, 400, 3), np.uint8)
COVERED = 0.7


def showing(chance: float) -> Index:
    """Indices that show everywhere as likely as this."""

    def shows(pictures: Image) -> Floats:
        return np.full(len(pictures), chance)

    def names(pictures: Image, _: Sequence[str]) -> Floats:
        return shows(pictures)

    return Index((0.0, 0.0, 0.3, 0.3), (32, 48), shows, names)


@pytest.mark.parametrize(("chance", "lacks"), [(0.0, True), (0.4, True), (0.7, False), (1.0, False)])
def test_a_covered_face_without_an_index_in_its_open_corner_is_found_out(chance: float, lacks: bool) -> None:
    half = (card(100, 0.5), Reading("7D", "up", 0.89))
    assert without_index(TABLE, [half], showing(chance), COVERED) == ({0} if lacks else set())


def test_open_cards_backs_jokers_and_cards_that_are_not_read_are_not_asked() -> None:
    told = [
        (card(20), Reading("7D", "up", 0.89)),
        (card(100, 0.5), Reading("back", "down", 0.9)),
        (card(180, 0.5), Reading("JOKER", "up", 0.8)),
        (card(260, 0.5), Reading(None, "unknown", 0.0)),
    ]
    assert without_index(TABLE, told, showing(0.0), COVERED) == set()


def test_a_face_of_which_no_corner_is_open_may_be_what_it_is_called() -> None:
    half = card(100, 0.5)
    middle = np.zeros_like(half.seen)
    middle[8:14] = True
    told = [(replace(half, seen=middle), Reading("7D", "up", 0.85))]
    assert without_index(TABLE, told, showing(0.0), COVERED) == set()
