"""What is not the table's beside the known cards is explained by cards of the deck, if any explain it."""

from functools import cache

import cv2
import numpy as np

from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.spot import Image
from referee.vision.cards.tangles import Told
from referee.vision.cards.unseen import with_unseen
from tests.decks.cards_drawn import COLOURS, back, face, lay
from tests.vision.cards.test_anchors import LENGTH, felt
from tests.vision.cards.test_half_hidden import told

ALONE = (("sun", 150.0), ("sea", 320.0), ("leaf", 490.0))


@cache
def deck() -> LearnedDeck:
    return LearnedDeck((*COLOURS, "back"), (*(small(face(name)) for name in COLOURS), small(back())))


def table(*others: tuple[str, float, float, float]) -> Image:
    picture = felt()
    for name, x in ALONE:
        lay(picture, face(name), (x, 560), 0, LENGTH)
    for name, x, y, turn in others:
        lay(picture, face(name), (x, y), turn, LENGTH)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def known() -> list[Told]:
    return [told(name, x, 560) for name, x in ALONE]


def found(picture: Image) -> list[Told]:
    return with_unseen(picture, known(), deck())[len(ALONE) :]


def test_a_card_that_the_finder_did_not_see_is_told_but_never_for_certain() -> None:
    ((spot, reading),) = found(table(("rose", 800, 250, 17)))
    assert reading.name == "rose" and reading.confidence < 0.9
    assert np.linalg.norm(spot.corners.mean(axis=0) - (800, 250)) < 0.06 * LENGTH


def test_of_two_that_lie_on_each_other_both_are_told() -> None:
    cards = found(table(("sea", 800, 250, 0), ("rose", 845, 262, 8)))
    assert {reading.name for _, reading in cards} == {"sea", "rose"}


def test_what_no_card_explains_is_none() -> None:
    picture = table()
    cv2.ellipse(picture, (800, 250), (90, 50), 30, 0, 360, (60, 110, 190), -1)
    assert not found(picture)


def test_a_sliver_of_a_card_at_the_edge_of_the_picture_is_left_alone() -> None:
    """Part of a sleeve was taken for one."""
    assert not found(table(("rose", 1294, 250, 0)))


def test_where_everything_is_known_nothing_is_added() -> None:
    assert not found(table())
