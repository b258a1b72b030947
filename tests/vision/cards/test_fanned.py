"""No index tells of backs and jokers in a fan, but they come out from beneath faces that are known."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.decks.printed.suits import standard_faces
from referee.vision.cards.fanned import with_fanned
from referee.vision.cards.looking import best_look
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import GRID, Image, Quad, Spot
from referee.vision.cards.standard import StandardDeck
from referee.vision.cards.tangles import Told
from referee.vision.cards.votes import STRIDE
from tests.decks.cards_drawn import lay
from tests.vision.cards.test_anchors import LENGTH, WIDTH, felt

STEP = 34
DECK = StandardDeck()


def corners(number: float) -> Quad:
    """Where a card of the fan lies."""
    x, y = 600 + STEP * number - WIDTH / 2, 300 - LENGTH / 2
    return np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + LENGTH], [x, y + LENGTH]], np.float64)


def fan(names: Sequence[str]) -> Image:
    table = felt()
    for k, name in enumerate(names):
        lay(table, card_of(name), (600 + STEP * k, 300), 0, LENGTH)
    return np.asarray(cv2.GaussianBlur(table, (0, 0), 0.8), np.uint8)


def card_of(name: str) -> Image:
    return {**standard_faces(), "back": woven()}[name]


def woven() -> Image:
    """A back with a white rim, as most have."""
    card = np.full((440, 315, 3), 245, np.uint8)
    card[20:-20, 20:-20] = (150, 60, 40)
    for x in range(32, 290, 14):
        for y in range(32, 415, 14):
            cv2.circle(card, (x, y), 4, (240, 225, 215), -1)
    return card


def told(name: str, number: float, share: float) -> Told:
    """A card of the fan of which this share seems open, on the left."""
    seen = np.zeros(GRID[::-1], bool)
    seen[:, : round(share * GRID[0])] = True
    return Spot(corners(number), seen, 0.9), Reading(name, "up", 0.99)


def found(picture: Image, known: Sequence[Told]) -> list[Told]:
    return with_fanned(picture, known, DECK, DECK.index, best_look(picture)[0])


def test_a_back_between_two_faces_of_a_fan_is_told() -> None:
    known = [told("AS", 0, 1.0), told("7C", 2, 1.0)]
    ace, seven, (spot, reading) = found(fan(("AS", "back", "7C")), known)
    assert reading.face == "down"
    assert np.abs(spot.corners - corners(1)).max() < 0.06 * LENGTH
    assert abs(spot.visible - STEP / WIDTH) < 0.1
    assert seven[0].visible == 1.0
    assert abs(ace[0].visible - STEP / WIDTH) < 0.15, "the back lies on the ace"


def test_a_back_that_was_told_is_not_told_again() -> None:
    (spot, _), back = told("AS", 1, 0.45), Reading("back", "down", 0.85)
    known = [told("AS", 0, 0.45), told("7C", 2, 1.0), (spot, back)]
    assert len(found(fan(("AS", "back", "7C")), known)) == len(known)


def test_what_comes_out_from_beneath_a_face_and_shows_an_index_is_no_back() -> None:
    known = [told("AS", 0, 1.0), told("7C", 2, 1.0)]
    assert len(found(fan(("AS", "10S", "7C")), known)) == 2


def test_what_the_finder_takes_for_the_table_is_no_back_however_it_looks() -> None:
    picture, known = fan(("AS", "back", "7C")), [told("AS", 0, 1.0), told("7C", 2, 1.0)]
    votes = best_look(picture)[0]
    first, last = (corners(k)[0, 0] * votes.scale / STRIDE for k in (1, 2))
    columns = votes.cell[:, 1]
    blind = replace(votes, cell=votes.cell[(columns < first) | (columns > last)])
    assert with_fanned(picture, known, DECK, DECK.index, blind) == known


def test_a_back_that_comes_out_from_beneath_another_back_is_told() -> None:
    (spot, _), back = told("AS", 2, 1.0), Reading("back", "down", 0.99)
    known = [told("AS", 0, 1.0), (spot, back), told("7C", 3, 1.0)]
    *_, (found_spot, reading) = found(fan(("AS", "back", "back", "7C")), known)
    assert reading.face == "down"
    assert np.abs(found_spot.corners - corners(1)).max() < 0.06 * LENGTH
