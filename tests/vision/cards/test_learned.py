"""A learned deck is known in any light, either way up, and under other cards; and says when it is not sure."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.vision.cards.learned import LearnedDeck, side_of, small
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import GRID, Image, Spot
from tests.decks.cards_drawn import COLOURS, SIZE, back, face, lay

CENTRE, LENGTH = (200, 200), 110


@pytest.fixture(scope="module")
def deck() -> LearnedDeck:
    names = (*COLOURS, "back", "blank_white", "blank_black")
    blanks = [np.full((SIZE[1], SIZE[0], 3), grey, np.uint8) for grey in (235, 45)]
    return LearnedDeck(names, tuple(small(p) for p in (*map(face, COLOURS), back(), *blanks)))


def picture(card: Image) -> Image:
    table = np.full((400, 400, 3), (60, 90, 40), np.uint8)
    lay(table, card, CENTRE, 0, LENGTH)
    return table


def spot(seen: np.ndarray | None = None) -> Spot:
    half, side = LENGTH / 2, LENGTH / 2 * SIZE[0] / SIZE[1]
    x, y = CENTRE
    corners = np.array(
        [[x - side, y - half], [x + side, y - half], [x + side, y + half], [x - side, y + half]]
    )
    everything = np.ones((GRID[1], GRID[0]), bool)
    return Spot(corners, everything if seen is None else seen, 1.0)


def read(deck: LearnedDeck, image: Image, where: Spot) -> Reading:
    return deck.read(image, [where])[0]


@pytest.mark.parametrize("name", [*COLOURS])
@pytest.mark.parametrize("turned", [False, True])
def test_a_card_is_known_either_way_up(deck: LearnedDeck, name: str, turned: bool) -> None:
    reading = read(deck, picture(face(name)), spot().turned() if turned else spot())
    assert (reading.name, reading.face, reading.turned) == (name, "up", turned)
    assert reading.confidence >= 0.9


@pytest.mark.parametrize("gain", [(0.35, 0.35, 0.35), (0.6, 0.85, 1.1), (1.05, 0.9, 0.7)])
def test_a_card_is_known_in_other_light(deck: LearnedDeck, gain: tuple[float, float, float]) -> None:
    table = np.clip(picture(face("sea")) * np.array(gain), 0, 255).astype(np.uint8)
    assert read(deck, table, spot()).name == "sea"


def test_a_card_under_a_shine_is_known(deck: LearnedDeck) -> None:
    pale = cv2.addWeighted(picture(face("rose")), 0.5, np.full((400, 400, 3), 255, np.uint8), 0.5, 0)
    assert read(deck, np.asarray(pale, np.uint8), spot()).name == "rose"


def test_a_card_of_which_half_is_open_is_known(deck: LearnedDeck) -> None:
    table = picture(face("leaf"))
    table[200:, :] = 30
    seen = np.ones((GRID[1], GRID[0]), bool)
    seen[GRID[1] // 2 - 1 :] = False
    assert read(deck, table, spot(seen)).name == "leaf"


def test_a_die_on_a_card_does_not_hide_it(deck: LearnedDeck) -> None:
    table = picture(face("sun"))
    cv2.rectangle(table, (190, 205), (214, 229), (30, 30, 200), -1)
    assert read(deck, table, spot()).name == "sun"


def test_blank_cards_are_told_apart_by_the_light_of_the_others(deck: LearnedDeck) -> None:
    table = np.full((400, 900, 3), (60, 90, 40), np.uint8)
    black, white = (np.full((SIZE[1], SIZE[0], 3), grey, np.uint8) for grey in (45, 235))
    spots = []
    for i, card in enumerate([face("sun"), face("sea"), face("rose"), black, white]):
        lay(table, card, (150 + 150 * i, 200), 0, LENGTH)
        spots.append(Spot(spot().corners + np.array((150 * i - 50, 0)), spot().seen, 1.0))
    dim = (table * 0.6).astype(np.uint8)
    assert [r.name for r in deck.read(dim, spots)] == ["sun", "sea", "rose", "blank_black", "blank_white"]


def test_what_is_no_card_of_the_deck_is_not_named_with_confidence(deck: LearnedDeck) -> None:
    noise = np.random.default_rng(2).integers(0, 256, (400, 400, 3), np.uint8)
    assert read(deck, noise, spot()).confidence < 0.9


@pytest.mark.parametrize(
    ("name", "side"), [("back", "down"), ("vote_back", "down"), ("back-role", "down"), ("vote", "up")]
)
def test_a_back_is_called_back(name: str, side: str) -> None:
    assert side_of(name) == side


def test_nothing_found_is_nothing_read(deck: LearnedDeck) -> None:
    assert deck.read(np.zeros((10, 10, 3), np.uint8), []) == ()


def plain(grey: int) -> Image:
    """A card without a drawing."""
    return np.full((SIZE[1], SIZE[0], 3), grey, np.uint8)


def patterned(grey: int) -> Image:
    """The same with a pattern that is a little brighter."""
    card, ink = plain(grey), (grey + 6 + grey // 14,) * 3
    for y in range(40, SIZE[1], 44):
        zigzag = np.array([(x, y + 14 * (k % 2)) for k, x in enumerate(range(10, SIZE[0], 26))], np.int32)
        cv2.polylines(card, [zigzag], False, ink, 9)
    cv2.circle(card, (SIZE[0] // 2, SIZE[1] // 2), 60, ink, 12)
    return card


def faint(grey: int) -> LearnedDeck:
    """A deck of which the back is a blank card with a faint pattern, in a light that is known."""
    pictures = tuple(small(card) for card in (*map(face, COLOURS), plain(grey), patterned(grey)))
    return LearnedDeck(
        (*COLOURS, "blank", "back"), pictures, room=np.zeros((2 * len(pictures), 3), np.float32)
    )


def lit(card: Image, light: float) -> Image:
    """The card in more or less light than the room has, and in the grain of a camera."""
    grain = np.random.default_rng(2).normal(0, 2, (400, 400, 3))
    return np.clip(picture(card) * light + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", [0.6, 0.7, 0.85, 1.0, 1.1])
@pytest.mark.parametrize("grey", [40, 200])
def test_a_faint_pattern_is_seen_or_missed_in_any_light(grey: int, light: float) -> None:
    for card, name in ((plain(grey), "blank"), (patterned(grey), "back")):
        assert read(faint(grey), lit(card, light), spot()).name == name


def test_a_card_on_which_no_drawing_is_plain_is_no_surer_for_it() -> None:
    reading = read(faint(40), lit(plain(40), 1.2), spot())
    assert reading.name == "blank" and reading.confidence < 0.9


@pytest.mark.parametrize("seed", range(6))
def test_a_hand_shows_no_drawing(seed: int) -> None:
    """Whatever is as smooth as skin is read as no card with a drawing."""
    noise = np.random.default_rng(seed).normal(0, 1, (400, 400)).astype(np.float32)
    folds = cv2.GaussianBlur(noise, (0, 0), 12)
    skin = np.array((120, 150, 205)) * (1 + 0.25 * folds / folds.std())[..., None]
    assert read(faint(40), np.clip(skin, 0, 255).astype(np.uint8), spot()).name not in COLOURS


def test_a_white_card_is_not_taken_for_a_black_one_where_dark_cards_look_brighter() -> None:
    dark = [255 - face(name) for name in COLOURS]
    blanks = [np.full((SIZE[1], SIZE[0], 3), grey, np.uint8) for grey in (235, 45)]
    deck = LearnedDeck((*COLOURS, "blank_white", "blank_black"), tuple(small(p) for p in (*dark, *blanks)))
    flat = (200 * (np.arange(256) / 255) ** 0.7).astype(np.uint8)
    images = [cv2.LUT(picture(card), flat) for card in (*dark, blanks[0])]
    table = np.asarray(np.hstack(images), np.uint8)
    spots = [replace(spot(), corners=spot().corners + np.array((400 * k, 0))) for k in range(len(images))]
    assert [reading.name for reading in deck.read(table, spots)] == [*COLOURS, "blank_white"]


def figure(k: int) -> Image:
    """A pale card with somebody's head on it, faintly, a little elsewhere for everybody."""
    card = np.full((SIZE[1], SIZE[0], 3), (205, 230, 245), np.uint8)
    cv2.circle(card, (120 + 10 * k, 170 + 12 * k), 50, (120, 130, 190), -1)
    cv2.rectangle(card, (60, 380), (255, 410), (90, 90, 90), 4)
    return card


def test_a_blank_card_with_a_die_on_it_is_blank() -> None:
    """A die is dark like a drawing, and many drawings are where it lies."""
    blank = np.full((SIZE[1], SIZE[0], 3), (205, 230, 245), np.uint8)
    names, cards = (*(f"figure_{k}" for k in range(8)), "blank"), (*map(figure, range(8)), blank)
    deck = LearnedDeck(names, tuple(small(card) for card in cards), room=np.zeros((18, 3), np.float32))
    with_die = blank.copy()
    cv2.rectangle(with_die, (130, 180), (185, 235), (30, 30, 150), -1)
    assert read(deck, picture(with_die), spot()).name == "blank"


def test_a_blank_card_is_never_beyond_doubt_where_another_of_its_colour_has_a_faint_drawing(
    deck: LearnedDeck,
) -> None:
    faint = np.full((SIZE[1], SIZE[0], 3), 238, np.uint8)
    for row in range(4):
        faint[20 + row :: 44] = 200
    with_faint = LearnedDeck((*deck.names, "back_white"), (*deck.pictures, small(faint)))
    assert "blank_white" in with_faint.maybe_faint
    assert "blank_black" not in with_faint.maybe_faint, "no shine makes it white"
    assert "back_white" not in with_faint.maybe_faint, "what shows its lines is not blank"
    assert "blank_white" not in deck.maybe_faint
