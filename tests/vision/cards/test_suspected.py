"""A card of the table's colours is told where the finder suspects it and its rim shows; nothing else is."""

import cv2
import numpy as np
import pytest

from referee.vision.cards import eyes, suspected
from referee.vision.cards.layers import lying_on
from referee.vision.cards.looking import BEST_PX, Look, careful_look
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image
from referee.vision.cards.tangles import Told
from referee.vision.cards.votes import STRIDE, Votes
from tests.decks.cards_drawn import SIZE, face, green_table
from tests.instead import instead
from tests.vision.cards.test_beneath import (
    ABOVE,
    CROSSED,
    LENGTH,
    SHIFTED,
    Deck,
    Place,
    corners,
    dark,
    off,
    put,
    striped_table,
    told,
    white_table,
)

SCALE = BEST_PX / LENGTH


def pale() -> Image:
    """A card as white as the table, with a grey rim."""
    card = np.full((SIZE[1], SIZE[0], 3), 244, np.uint8)
    cv2.rectangle(card, (0, 0), (SIZE[0] - 1, SIZE[1] - 1), (150, 150, 150), 8)
    return card


def votes(*outlines: Floats) -> Votes:
    """Of a finder that sees cards within these outlines."""
    said = np.full((round(720 * SCALE) // STRIDE, round(1280 * SCALE) // STRIDE), -6, np.float32)
    for outline in outlines:
        cv2.fillConvexPoly(said, np.rint(outline * SCALE / STRIDE).astype(np.int32), 3)
    none, nowhere = np.empty(0), np.empty((0, 2))
    return Votes(np.empty((0, 2), np.intp), nowhere, nowhere, nowhere, none, none, said, SCALE)


def added(monkeypatch: pytest.MonkeyPatch, image: Image, said: Votes, *above: Place) -> list[Told]:
    """What is told besides the cards that are known."""

    def second_look(image: Image, scale: float) -> Look:
        return said, []

    instead(monkeypatch, suspected, careful_look)(second_look)
    return eyes.by_the_table(image, [told(place) for place in above], Deck(), said)[len(above) :]


def between(one: Place, other: Place) -> Floats:
    """The table between two cards, and a bit of both."""
    (x0, y), (x1, _) = one[0], other[0]
    high = LENGTH / 2
    return np.array([(x0, y - high), (x1, y - high), (x1, y + high), (x0, y + high)])


@pytest.mark.parametrize("place", [CROSSED, SHIFTED], ids=["crossed", "shifted"])
def test_a_pale_card_on_a_pale_table_is_told_where_the_finder_suspects_it(
    monkeypatch: pytest.MonkeyPatch, place: Place
) -> None:
    image = put(white_table(), (pale(), place), (dark(), ABOVE))
    ((spot, reading),) = added(monkeypatch, image, votes(corners(place), corners(ABOVE)), ABOVE)
    assert off(spot, place) < 0.06
    assert (reading.name, reading.face) == (None, "unknown")


def test_a_card_of_the_tables_colours_is_not_told_unless_the_finder_suspects_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image = put(white_table(), (pale(), CROSSED), (dark(), ABOVE))
    assert not added(monkeypatch, image, votes(corners(ABOVE)), ABOVE)


@pytest.mark.parametrize(
    "table", [white_table(), green_table(), striped_table()], ids=["white", "green", "striped"]
)
def test_what_has_no_rim_is_no_card_though_the_finder_suspects_one(
    monkeypatch: pytest.MonkeyPatch, table: Image
) -> None:
    for place in (CROSSED, SHIFTED):
        image = put(table.copy(), (dark(), ABOVE))
        assert not added(monkeypatch, image, votes(corners(place), corners(ABOVE)), ABOVE)


@pytest.mark.parametrize("gap", [0.2, 0.4, 0.6])
def test_the_table_between_two_cards_is_no_card_though_lines_run_across_it(
    monkeypatch: pytest.MonkeyPatch, gap: float
) -> None:
    one: Place = ((600, 350), 0)
    other: Place = ((600 + LENGTH * (SIZE[0] / SIZE[1] + gap), 350), 0)
    table = green_table()
    for y in (round(350 - LENGTH / 2), round(350 + LENGTH / 2)):
        table[y - 2 : y + 2] = (20, 30, 30)
    image = put(table, (face("sun"), one), (face("leaf"), other))
    assert not added(monkeypatch, image, votes(between(one, other)), one, other)


def test_where_the_finder_suspects_no_other_card_no_second_look_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[float] = []

    def second_look(image: Image, scale: float) -> Look:
        looks.append(scale)
        return votes(), []

    instead(monkeypatch, suspected, careful_look)(second_look)
    image = put(green_table(), (dark(), ABOVE))
    for said, many in ((votes(corners(ABOVE)), 0), (votes(corners(ABOVE), corners(CROSSED)), 1)):
        assert len(eyes.by_the_table(image, [told(ABOVE)], Deck(), said)) == 1
        assert len(looks) == many


def test_a_pale_card_lies_beneath_the_one_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    image = put(white_table(), (pale(), CROSSED), (dark(), ABOVE))
    ((spot, _),) = added(monkeypatch, image, votes(corners(CROSSED), corners(ABOVE)), ABOVE)
    assert lying_on([told(ABOVE)[0], spot]) == ((1,), ())
