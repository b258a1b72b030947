"""The bare table between cards is no card, though their rims are all round it; a card of the table's colour is one."""

import cv2
import numpy as np
import pytest

from referee.types import Face
from referee.vision.cards import eyes
from referee.vision.cards.bare import without_bare, without_bare_after_all
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import GRID, Image, Spot
from referee.vision.cards.strange import strange_on
from referee.vision.cards.tangles import Told, corners_of

WIDTH, HEIGHT = 78, 110


def wood() -> Image:
    """A brown table with a grain."""
    grain = np.random.default_rng(5).integers(-9, 10, (720, 1))
    return np.clip(np.array((70, 105, 140)) + grain[..., None].repeat(1280, axis=1), 0, 255).astype(np.uint8)


def told(x: float, y: float, name: str | None, face: Face, confidence: float) -> Told:
    corners = np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]], np.float64)
    return Spot(corners, np.ones(GRID[::-1], bool), 0.9), Reading(name, face, confidence)


def lay(table: Image, x: int, y: int, colour: tuple[int, int, int]) -> None:
    cv2.rectangle(table, (x, y), (x + WIDTH, y + HEIGHT), colour, -1)


def kept(table: Image, cards: list[Told]) -> list[str | None]:
    model = strange_on(table, corners_of(cards))
    assert model is not None
    return [reading.name for _, reading in without_bare(table, cards, model)]


def row(colour: tuple[int, int, int]) -> tuple[Image, list[Told]]:
    """Two cards with a gap between them as wide as a card, and a third that was read into it."""
    table = wood()
    cards = [
        told(300, 300, "left", "up", 0.8),
        told(300 + 2 * WIDTH, 300, "right", "up", 0.8),
        told(300 + WIDTH, 300, "between", "down", 1.0),
    ]
    lay(table, 300, 300, (230, 230, 230))
    lay(table, 300 + 2 * WIDTH, 300, (230, 230, 230))
    if colour != (0, 0, 0):
        lay(table, 300 + WIDTH, 300, colour)
    return table, cards


def test_the_table_between_two_cards_is_no_back_however_sure_its_reading() -> None:
    assert kept(*row((0, 0, 0))) == ["left", "right"]


def test_seams_of_the_table_do_not_make_a_card_of_what_lies_between_two() -> None:
    table, cards = row((0, 0, 0))
    for y in (300, 300 + HEIGHT):
        cv2.line(table, (300 + WIDTH + 2, y), (300 + 2 * WIDTH - 2, y), (20, 30, 40), 2)
    assert kept(table, cards) == ["left", "right"]


def test_what_cannot_be_read_and_is_hardly_strange_is_no_card() -> None:
    table, (left, right, _) = row((0, 0, 0))
    cv2.rectangle(table, (300 + WIDTH + 8, 340), (300 + WIDTH + 28, 370), (40, 60, 200), -1)
    cards = [left, right, told(300 + WIDTH, 300, None, "unknown", 0.0)]
    assert kept(table, cards) == ["left", "right"]


@pytest.mark.parametrize(("face", "cards"), [("down", 2), ("up", 3)])
def test_a_back_is_not_read_into_bare_table_with_a_little_pattern(face: Face, cards: int) -> None:
    table, (left, right, _) = row((0, 0, 0))
    cv2.rectangle(table, (300 + WIDTH + 20, 335), (300 + WIDTH + 50, 365), (40, 60, 200), -1)
    assert len(kept(table, [left, right, told(300 + WIDTH, 300, "between", face, 0.85)])) == cards


def test_a_card_of_a_fan_is_one_though_table_shows_along_its_misjudged_rim() -> None:
    table, (left, _, _) = row((230, 230, 230))
    right = told(300 + WIDTH, 300, "right", "up", 0.8)
    between = told(300 + WIDTH / 2, 308, "between", "up", 0.85)
    assert kept(table, [left, right, between]) == ["left", "right", "between"]


class Deck:
    """Reads nothing."""

    index = None

    def read(self, _: Image, spots: object) -> tuple[Reading, ...]:
        return ()

    def accustomed(self, _image: Image, _spots: object) -> "Deck":
        return self


def test_bare_table_that_leans_on_other_bare_table_is_no_card_either() -> None:
    table, (left, right, between) = row((0, 0, 0))
    again = told(300 + WIDTH * 3 / 2, 300, "again", "down", 1.0)

    assert eyes.by_the_table(table, [left, right, between, again], Deck()) == [left, right]


def test_a_card_between_two_others_is_one() -> None:
    assert kept(*row((60, 40, 160))) == ["left", "right", "between"]


def test_a_face_that_is_well_read_is_one_whatever_its_colour() -> None:
    table, (left, right, _) = row((0, 0, 0))
    assert kept(table, [left, right, told(300 + WIDTH, 300, "face", "up", 0.97)]) == ["left", "right", "face"]


def test_a_card_of_the_tables_colour_with_a_rim_of_its_own_is_one() -> None:
    table = wood()
    lay(table, 200, 200, (230, 230, 230))
    cv2.rectangle(table, (600, 300), (600 + WIDTH, 300 + HEIGHT), (20, 20, 20), 2)
    cards = [told(200, 200, "white", "up", 0.8), told(600, 300, "brown", "down", 0.7)]
    assert kept(table, cards) == ["white", "brown"]


def test_where_no_table_is_seen_nothing_is_taken_for_it() -> None:
    near = np.full((200, 160, 3), 120, np.uint8)
    cards = [told(10, 10, "one", "down", 0.7), told(60, 40, "two", "down", 0.7)]

    assert eyes.by_the_table(near, cards, Deck()) == cards


def names(cards: list[Told]) -> list[str | None]:
    return [reading.name for _, reading in cards]


@pytest.mark.parametrize(
    ("confidence", "left"), [(0.7, ["left", "right"]), (0.85, ["left", "right", "beside"])]
)
def test_a_card_in_doubt_is_none_if_the_table_is_like_that_elsewhere(
    confidence: float, left: list[str | None]
) -> None:
    """It hid the only part of the table that is striped, and so seemed strange."""
    table, (one, other, _) = row((230, 230, 230))
    cv2.rectangle(table, (700, 0), (1279, 719), (60, 40, 160), -1)
    beside = told(900, 300, "beside", "up", confidence)
    assert names(without_bare_after_all(table, [one, other, beside])) == left


def test_a_card_in_doubt_that_is_strange_with_all_others_known_is_one() -> None:
    table, cards = row((60, 40, 160))
    one, other, (spot, _) = cards
    doubtful = (spot, Reading("between", "up", 0.6))
    assert names(without_bare_after_all(table, [one, other, doubtful])) == ["left", "right", "between"]


@pytest.mark.parametrize("rim", [True, False])
def test_what_cannot_be_read_and_lies_open_needs_a_rim(rim: bool) -> None:
    table, (one, other, _) = row((0, 0, 0))
    smear = cv2.GaussianBlur(
        np.where(np.indices(table.shape)[0] > 500, 200, table).astype(np.uint8), (0, 0), 40
    )
    table[480:] = smear[480:]
    if rim:
        lay(table, 900, 560, (30, 30, 220))
    unread = told(900, 560, None, "unknown", 0.0)
    assert len(without_bare_after_all(table, [one, other, unread])) == 2 + rim
