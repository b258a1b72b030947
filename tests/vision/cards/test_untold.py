"""Where an index shows that is of no known card another lies: under a hand, or in a fan."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.decks.printed.suits import standard_faces
from referee.vision.cards.looking import best_look
from referee.vision.cards.reading import UNREAD
from referee.vision.cards.spot import GRID, Image
from referee.vision.cards.standard import StandardDeck
from referee.vision.cards.tangles import Told
from referee.vision.cards.untold import with_untold
from tests.decks.cards_drawn import lay
from tests.vision.cards.test_anchors import LENGTH, fanned, felt
from tests.vision.cards.test_half_hidden import told

ALONE = (("KH", 150.0), ("2C", 320.0), ("9D", 490.0))
MIDDLE = np.array((700.0, 250.0))
DECK = StandardDeck()
STEP = 40


def table(hidden: str | None) -> Image:
    """Cards that lie alone, and a hand from which the corner of another looks out."""
    faces, picture = standard_faces(), felt()
    for name, x in ALONE:
        lay(picture, faces[name], (x, 560), 0, LENGTH)
    if hidden:
        lay(picture, faces[hidden], (700, 250), 4, LENGTH)
    cv2.line(picture, (730, 280), (1279, 280), (120, 150, 205), 70)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def seen(picture: Image, known: Sequence[Told]) -> Sequence[Told]:
    return with_untold(picture, known, DECK, DECK.index, best_look(picture)[0])


def found(hidden: str | None, *others: Told) -> Sequence[Told]:
    return seen(table(hidden), [*alone(), *others])[len(ALONE) :]


def alone() -> list[Told]:
    return [told(name, x, 560) for name, x in ALONE]


def test_a_card_under_a_hand_is_told_by_the_index_that_looks_out_but_never_for_certain() -> None:
    ((spot, reading),) = found("8C")
    assert reading.name == "8C" and reading.confidence < 0.9
    assert np.linalg.norm(spot.corners.mean(axis=0) - MIDDLE) < 0.15 * LENGTH


def test_it_takes_the_place_of_one_that_could_not_be_read() -> None:
    spot, _ = told("8C", 690, 230)
    part = replace(spot, seen=np.indices(GRID[::-1])[1] < GRID[0] // 3)
    ((_, reading),) = found("8C", (part, UNREAD))
    assert reading.name == "8C"


def test_a_hand_alone_is_no_card() -> None:
    assert not found(None)


def test_what_is_printed_on_a_dark_box_is_no_index() -> None:
    picture = table(None)
    box = np.zeros_like(picture)
    lay(box, standard_faces()["8C"] // 5, (900, 550), 0, LENGTH)
    picture[box.any(axis=2)] = box[box.any(axis=2)]
    assert len(seen(picture, alone())) == len(ALONE)


def test_a_face_that_another_card_shows_is_not_told_twice() -> None:
    assert not found("9D")


def test_where_no_card_is_known_none_is_looked_for() -> None:
    assert not seen(table("8C"), [])


def test_a_card_of_a_fan_is_told_by_the_index_that_shows_where_another_seems_to_lie() -> None:
    known = [*alone(), told("AS", 700, 250), told("7C", 700 + 2 * STEP, 250)]
    *others, (spot, reading) = seen(fanned(("AS", "10S", "7C"), STEP, (0, 0, 0)), known)
    assert len(others) == len(known)
    assert reading.name == "10S" and reading.confidence < 0.9
    assert np.linalg.norm(spot.corners.mean(axis=0) - (700 + STEP, 250)) < 0.1 * LENGTH


def test_a_face_of_a_fan_that_shows_neither_of_its_indices_is_laid_where_one_shows() -> None:
    aside = told("10S", 700 + STEP + 25, 250 + 12)
    known = [*alone(), told("AS", 700, 250), aside, told("7C", 700 + 2 * STEP, 250)]
    cards = seen(fanned(("AS", "10S", "7C"), STEP, (0, 0, 0)), known)
    ((spot, _),) = [one for one in cards if one[1].name == "10S"]
    assert len(cards) == len(known)
    assert np.linalg.norm(spot.corners.mean(axis=0) - (700 + STEP, 250)) < 0.1 * LENGTH


def test_a_face_that_shows_neither_of_its_indices_is_the_card_whose_index_shows_there() -> None:
    known = [*alone(), told("AS", 700, 250), told("8H", 700 + STEP, 250), told("7C", 700 + 2 * STEP, 250)]
    cards = seen(fanned(("AS", "10S", "7C"), STEP, (0, 0, 0)), known)
    names = [reading.name for _, reading in cards]
    assert sorted(map(str, names)) == sorted([*(name for name, _ in ALONE), "AS", "10S", "7C"])


def test_an_open_face_shows_its_own_indices_alone() -> None:
    assert len(seen(table(None), alone())) == len(ALONE)
