"""Of a card half under a hand the sides that show tell where it lies."""

import cv2
import numpy as np

from referee.decks.printed.suits import standard_faces
from referee.vision.cards.half_hidden import with_half_hidden
from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.looking import best_look
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import GRID, Image, Spot
from referee.vision.cards.standard import StandardDeck
from referee.vision.cards.tangles import Told
from tests.decks.cards_drawn import back, face, lay
from tests.vision.cards.test_anchors import LENGTH, WIDTH, felt

ALONE = (("KH", 150.0), ("2C", 320.0), ("9D", 490.0))
MIDDLE = np.array((700.0, 250.0))


LEARNED = (("sun", 150.0), ("sea", 320.0), ("leaf", 490.0))


def table(hidden: Image, *alone: tuple[Image, float]) -> Image:
    """Cards that lie alone, and one of which an arm hides the upper half."""
    picture = felt()
    for card, x in alone:
        lay(picture, card, (x, 560), 0, LENGTH)
    lay(picture, hidden, (700, 250), 0, LENGTH)
    cv2.line(picture, (560, 215), (1279, 215), (120, 150, 205), 64)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def told(name: str | None, x: float, y: float) -> Told:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDTH / 2, LENGTH / 2) + (x, y)
    return Spot(corners, np.ones(GRID[::-1], bool), 0.9), Reading(name, "up" if name else "unknown", 0.99)


def seen(hidden: str, *others: Told) -> list[Told]:
    faces = standard_faces()
    picture = table(faces[hidden], *((faces[name], x) for name, x in ALONE))
    known = [*(told(name, x, 560) for name, x in ALONE), *others]
    return with_half_hidden(picture, known, StandardDeck(), best_look(picture)[0])[len(ALONE) :]


def test_a_card_half_under_an_arm_is_told_where_it_lies() -> None:
    ((spot, reading),) = seen("8C")
    assert reading.name == "8C"
    assert np.linalg.norm(spot.corners.mean(axis=0) - MIDDLE) < 0.1 * LENGTH
    assert 0.3 < spot.visible < 0.7


def test_it_takes_the_place_of_one_that_could_not_be_read() -> None:
    ((_, reading),) = seen("8C", told(None, 700, 285))
    assert reading.name == "8C"


def test_a_face_that_another_card_shows_is_not_told_twice() -> None:
    assert not seen("9D")


def test_a_card_of_a_learned_deck_is_told_as_well() -> None:
    names = [*(name for name, _ in LEARNED), "rose"]
    deck = LearnedDeck((*names, "back"), (*(small(face(name)) for name in names), small(back())))
    picture = table(face("rose"), *((face(name), x) for name, x in LEARNED))
    known = [told(name, x, 560) for name, x in LEARNED]
    ((spot, reading),) = with_half_hidden(picture, known, deck, best_look(picture)[0])[len(LEARNED) :]
    assert reading.name == "rose"
    assert np.linalg.norm(spot.corners.mean(axis=0) - MIDDLE) < 0.1 * LENGTH
