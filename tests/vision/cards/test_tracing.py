"""A card of a learned deck that is in doubt is known by where its lines run, and its outline is set right by them."""

import cv2
import numpy as np
import pytest

from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.reading import UNREAD, Reading
from referee.vision.cards.spot import GRID, Image, Quad, Spot
from referee.vision.cards.tangles import Told
from referee.vision.cards.tracing import traced
from tests.decks.cards_drawn import COLOURS, SIZE, back, face, lay

CENTRE, LENGTH = (200, 200), 120


def framed(grey: int) -> Image:
    """A blank card with a line round it."""
    card = np.full((SIZE[1], SIZE[0], 3), grey, np.uint8)
    inset = SIZE[0] // 10
    cv2.rectangle(card, (inset, inset), (SIZE[0] - inset, SIZE[1] - inset), (255 - grey,) * 3, SIZE[0] // 60)
    return card


@pytest.fixture(scope="module")
def deck() -> LearnedDeck:
    names = (*COLOURS, "back", "blank_white", "blank_black")
    return LearnedDeck(names, tuple(small(p) for p in (*map(face, COLOURS), back(), framed(235), framed(45))))


def picture(card: Image) -> Image:
    table = np.full((400, 400, 3), (60, 90, 40), np.uint8)
    lay(table, card, CENTRE, 0, LENGTH)
    return table


def outline(size: float = 1.0, off: tuple[float, float] = (0, 0)) -> Quad:
    half = np.array((LENGTH * SIZE[0] / SIZE[1], LENGTH)) * size / 2
    return np.asarray(np.array(CENTRE) + off + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))


def doubtful(corners: Quad, reading: Reading = UNREAD) -> Told:
    return Spot(corners, np.ones((GRID[1], GRID[0]), bool), 1.0), reading


@pytest.mark.parametrize("name", [*COLOURS])
@pytest.mark.parametrize("off", [(9.0, -8.0), (-10.0, 6.0)])
def test_a_misplaced_outline_is_laid_onto_the_card_and_the_card_is_read(
    deck: LearnedDeck, name: str, off: tuple[float, float]
) -> None:
    [(spot, reading)] = traced(picture(face(name)), [doubtful(outline(1.05, off))], deck)
    assert (reading.name, reading.face) == (name, "up")
    assert np.abs(spot.corners - outline()).max() < 0.04 * LENGTH


def test_a_card_washed_out_by_a_lamp_is_read(deck: LearnedDeck) -> None:
    table = picture(face("rose")).astype(float)
    shine = np.clip((np.arange(400) - 130) / 110, 0, 0.93)[:, None, None]
    washed = (table + (255 - table) * shine).astype(np.uint8)
    assert traced(washed, [doubtful(outline())], deck)[0][1].name == "rose"


def test_a_face_none_of_whose_lines_run_on_the_card_is_not_told(deck: LearnedDeck) -> None:
    """A blue sleeve was told to be a card that is mostly blue."""
    sleeve = picture(framed(45))
    weave = np.random.default_rng(2).normal(0, 6, (400, 290, 3))
    sleeve[:, 110:] = np.clip(np.array((205, 160, 120)) + weave, 0, 255)
    lay(sleeve, face("leaf"), (60, 200), 0, LENGTH)
    leaf = doubtful(outline(off=(-140, 0)), Reading("leaf", "up", 1.0))
    told = traced(sleeve, [leaf, doubtful(outline(), Reading("sea", "up", 0.86))], deck)
    assert [reading.name for _, reading in told] == ["leaf", None]


def test_what_shows_no_lines_and_looks_just_like_a_blank_card_is_one() -> None:
    blank = np.full((SIZE[1], SIZE[0], 3), 235, np.uint8)
    pictures = (*map(face, COLOURS), blank)
    deck = LearnedDeck((*COLOURS, "blank"), tuple(map(small, pictures)))
    table = picture(blank)
    lay(table, face("leaf"), (60, 200), 0, LENGTH)
    leaf, misread = doubtful(outline(off=(-140, 0)), Reading("leaf", "up", 1.0)), Reading("sun", "up", 0.6)
    assert traced(table, [leaf, doubtful(outline(), misread)], deck)[1][1].name == "blank"
    darker = picture((blank * 0.7).astype(np.uint8))
    lay(darker, face("leaf"), (60, 200), 0, LENGTH)
    assert traced(darker, [leaf, doubtful(outline(), misread)], deck)[1][1].name is None


def test_which_end_is_up_is_told(deck: LearnedDeck) -> None:
    held = np.roll(outline(1.03), 2, axis=0)
    [(_, reading)] = traced(picture(face("sun")), [doubtful(held)], deck)
    assert (reading.name, reading.turned) == ("sun", True)


def test_a_white_card_in_the_shade_is_no_black_one(deck: LearnedDeck) -> None:
    table = picture(framed(45))
    lay(table, face("sea"), (60, 200), 0, LENGTH)
    sea = outline(off=(-140, 0))
    told = traced(table, [doubtful(sea, Reading("sea", "up", 1.0)), doubtful(outline())], deck)
    assert told[1][1].name == "blank_black"


def test_bare_cloth_is_no_card(deck: LearnedDeck) -> None:
    cloth = np.random.default_rng(5).integers(60, 200, (400, 400, 3)).astype(np.uint8)
    told = [doubtful(outline())]
    assert traced(np.asarray(cv2.blur(cloth, (3, 3)), np.uint8), told, deck) == told


def test_a_card_beyond_doubt_is_left_alone(deck: LearnedDeck) -> None:
    told = [doubtful(outline(off=(8, 8)), Reading("sea", "up", 0.99))]
    assert traced(picture(face("sun")), told, deck) == told


def test_a_card_that_was_read_otherwise_before_is_never_sure(deck: LearnedDeck) -> None:
    [(_, reading)] = traced(picture(face("sun")), [doubtful(outline(), Reading("sea", "up", 0.6))], deck)
    assert reading.name == "sun"
    assert reading.confidence < 0.9


def test_a_blank_card_is_not_told_by_lines_for_it_has_none(deck: LearnedDeck) -> None:
    dark, pale = (np.full((SIZE[1], SIZE[0], 3), grey, np.uint8) for grey in (110, 150))
    for card in (dark, pale):
        for x, y, radius in ((90, 110, 50), (220, 180, 70), (110, 320, 60)):
            cv2.circle(card, (x, y), radius, (int(card.max()) - 4,) * 3, 14)
    blanks = LearnedDeck((*COLOURS, "blank_dark"), (*deck.pictures[: len(COLOURS)], small(dark)))
    assert traced(picture(pale), [doubtful(outline())], blanks)[0][1] == UNREAD
