"""What a learned card has printed on it is no die; a die on that very place is one."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from hardware.frames import Image
from referee.decks.learning import learn
from referee.types import Card, Die, Face
from referee.vision.cards.learned import LearnedDeck
from referee.vision.cards.standard import StandardDeck
from referee.vision.printed import without_drawings, without_faces
from tests.decks.cards_drawn import face, green_table, lay, write_deck

LONG_PX = 130.0
AT = (300.0, 200.0)
SUPPOSED = Die(0, 1, (286.5, 173.5), None, settled=True, confidence=0.9)
"""On the dark spot of the card called sun."""


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> LearnedDeck:
    return learn(write_deck(tmp_path_factory.mktemp("deck")))


def table() -> tuple[Image, Card]:
    picture = green_table()
    lay(picture, face("sun"), AT, 0, LONG_PX)
    w, h = LONG_PX * 63 / 88 / 2, LONG_PX / 2
    x, y = AT
    corners = ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
    return picture, Card(0, "sun", "up", corners, None, 0.0, 1.0)


def test_a_die_supposed_in_a_cards_own_drawing_is_none(deck: LearnedDeck) -> None:
    picture, card = table()
    assert without_drawings([SUPPOSED], picture, [card], deck) == ()


def test_nor_is_it_one_when_the_card_was_misread_and_lies_the_other_way_up(deck: LearnedDeck) -> None:
    picture, card = table()
    turned = replace(card, name="sea", corners_px=(*card.corners_px[2:], *card.corners_px[:2]))
    assert without_drawings([SUPPOSED], picture, [turned], deck) == ()


def test_a_die_that_hides_the_drawing_is_one(deck: LearnedDeck) -> None:
    picture, card = table()
    x, y = np.round(SUPPOSED.px).astype(int).tolist()
    cv2.rectangle(picture, (x - 13, y - 13), (x + 13, y + 13), (40, 30, 190), -1)
    cv2.circle(picture, (x, y), 4, (250, 250, 250), -1, cv2.LINE_AA)
    assert without_drawings([SUPPOSED], picture, [card], deck) == (SUPPOSED,)


def test_beside_the_card_a_die_is_a_die(deck: LearnedDeck) -> None:
    picture, card = table()
    beside = Die(0, 1, (450.0, 300.0), None, settled=True, confidence=0.9)
    assert without_drawings([beside], picture, [card], deck) == (beside,)


def test_a_deck_without_pictures_says_nothing_about_dice() -> None:
    picture, card = table()
    assert without_drawings([SUPPOSED], picture, [card], StandardDeck()) == (SUPPOSED,)


def test_what_a_standard_card_bears_at_both_ends_is_no_die_unless_it_is_surely_one() -> None:
    picture, card = table()
    x, y = AT
    ends = [(x - 25, y - 40), (x + 25, y + 40)]
    for a, b in ends:
        cv2.circle(picture, (int(a), int(b)), 9, (20, 20, 20), -1, cv2.LINE_AA)
        cv2.circle(picture, (int(a), int(b)), 4, (240, 240, 240), -1, cv2.LINE_AA)
    queen = replace(card, name="QC")
    supposed = [Die(0, 1, end, None, settled=True, confidence=0.7) for end in ends]
    assert without_drawings(supposed, picture, [queen], StandardDeck()) == ()
    two_dice = tuple(replace(die, confidence=0.85) for die in supposed)
    assert without_drawings(two_dice, picture, [queen], StandardDeck()) == two_dice


@pytest.mark.parametrize(
    ("at", "confidence", "kept"), [(AT, 0.7, 0), (AT, 0.95, 1), ((320.0, 170.0), 0.7, 1)]
)
def test_the_ornate_pip_of_an_ace_is_no_die_but_a_sure_die_on_it_is(
    at: tuple[float, float], confidence: float, kept: int
) -> None:
    picture, card = table()
    die = Die(0, 3, at, None, settled=True, confidence=confidence)
    assert len(without_drawings([die], picture, [replace(card, name="AC")], StandardDeck())) == kept


@pytest.mark.parametrize(
    ("value", "sure", "face_up", "real"),
    [(1, 0.6, "up", False), (1, 0.95, "up", True), (4, 0.6, "up", True), (1, 0.6, "down", True)],
)
def test_a_faint_one_in_the_corner_of_a_standard_card_is_its_index(
    value: int, sure: float, face_up: Face, real: bool
) -> None:
    picture, card = table()
    (x, y), _, (far_x, far_y), _ = card.corners_px
    px = (x + 0.12 * (far_x - x), y + 0.2 * (far_y - y))
    die = Die(0, value, px, None, settled=True, confidence=sure)
    shown = replace(card, name="2S", face=face_up)
    assert without_drawings([die], picture, [shown], StandardDeck()) == ((die,) if real else ())


@pytest.mark.parametrize(
    ("edge", "sure", "name", "face_up", "confidence", "kept"),
    [
        (50.0, 0.8, "back", "down", 1.0, False),  # what seems a back is the side of a large die
        (50.0, 0.8, "JOKER", "up", 0.85, False),
        (50.0, 0.8, "6H", "up", 0.99, True),  # the six pips of a card that was read seem to be a die
        (50.0, 0.4, "back", "down", 1.0, True),
        (30.0, 0.8, "back", "down", 1.0, True),  # a die that lies on a card
    ],
)
def test_what_nobody_could_read_is_no_card_if_a_plain_die_there_is_nearly_as_large(
    edge: float, sure: float, name: str, face_up: Face, confidence: float, kept: bool
) -> None:
    _, card = table()
    card = replace(card, name=name, face=face_up, confidence=confidence)
    die = Die(0, 3, (AT[0] + 20, AT[1]), None, settled=True, confidence=sure, edge_px=edge)
    assert without_faces([card], [die]) == ((card,) if kept else ())
