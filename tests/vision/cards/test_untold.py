"""The finder overlooks cards under hands, but an index shows on what is not the table's."""

from collections.abc import Sequence

import cv2
import numpy as np

from referee.decks.printed.suits import standard_faces
from referee.vision.cards.reading import UNREAD, Reading
from referee.vision.cards.spot import GRID, Image, Spot
from referee.vision.cards.standard import StandardDeck
from referee.vision.cards.tangles import Told
from referee.vision.cards.untold import with_untold
from tests.decks.cards_drawn import lay
from tests.vision.cards.test_anchors import LENGTH, WIDTH, felt

ALONE = (("KH", 150.0), ("2C", 320.0), ("9D", 490.0))
MIDDLE = np.array((700.0, 250.0))
DECK = StandardDeck()


def table(hidden: str | None) -> Image:
    """Cards that lie alone, and a hand from which the corner of another looks out."""
    faces, picture = standard_faces(), felt()
    for name, x in ALONE:
        lay(picture, faces[name], (x, 560), 0, LENGTH)
    if hidden:
        lay(picture, faces[hidden], (700, 250), 4, LENGTH)
    cv2.line(picture, (730, 280), (1279, 280), (120, 150, 205), 70)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def told(name: str, x: float, y: float) -> Told:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDTH / 2, LENGTH / 2) + (x, y)
    return Spot(corners, np.ones(GRID[::-1], bool), 0.9), Reading(name, "up", 0.99)


def found(hidden: str | None, *others: Told) -> Sequence[Told]:
    known = [*(told(name, x, 560) for name, x in ALONE), *others]
    return with_untold(table(hidden), known, DECK, DECK.index)[len(ALONE) :]


def test_a_card_under_a_hand_is_told_by_the_index_that_looks_out_but_never_for_certain() -> None:
    ((spot, reading),) = found("8C")
    assert reading.name == "8C" and reading.confidence < 0.9
    assert np.linalg.norm(spot.corners.mean(axis=0) - MIDDLE) < 0.15 * LENGTH


def test_it_takes_the_place_of_one_that_could_not_be_read() -> None:
    spot, _ = told("8C", 690, 230)
    ((_, reading),) = found("8C", (spot, UNREAD))
    assert reading.name == "8C"


def test_a_hand_alone_is_no_card() -> None:
    assert not found(None)


def test_a_face_that_another_card_shows_is_not_told_twice() -> None:
    assert not found("9D")


def test_where_no_card_is_known_none_is_looked_for() -> None:
    assert not with_untold(table("8C"), [], DECK, DECK.index)
