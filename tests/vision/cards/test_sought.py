"""A card of a learned deck under a hand is found by its drawing, where the finder sees card and none is told."""

import cv2
import numpy as np
import pytest

from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.reading import UNREAD, Reading
from referee.vision.cards.sought import AT_MOST, with_sought
from referee.vision.cards.spot import GRID, Image, Quad, Spot
from referee.vision.cards.tangles import Told
from referee.vision.cards.votes import STRIDE, Votes
from tests.decks.cards_drawn import COLOURS, SIZE, back, face, lay

LENGTH = 100
KNOWN, SOUGHT = (90, 150), (250, 150)
TABLE = (60, 90, 40)


@pytest.fixture(scope="module")
def deck() -> LearnedDeck:
    return LearnedDeck((*COLOURS, "back"), tuple(small(p) for p in (*map(face, COLOURS), back())))


def outline(centre: tuple[float, float]) -> Quad:
    half = np.array((LENGTH * SIZE[0] / SIZE[1], LENGTH)) / 2
    return np.asarray(np.array(centre) + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))


def told(name: str, centre: tuple[float, float], confidence: float = 1.0) -> Told:
    return Spot(outline(centre), np.ones((GRID[1], GRID[0]), bool), 1.0), Reading(name, "up", confidence)


def table(covered: str | None) -> Image:
    """A card that lies open, and the upper part of another: a sleeve covers the rest."""
    picture = np.full((300, 360, 3), TABLE, np.uint8)
    lay(picture, face("leaf"), KNOWN, 0, LENGTH)
    if covered is not None:
        lay(picture, face(covered), SOUGHT, 0, LENGTH)
    cv2.rectangle(picture, (190, 162), (359, 299), (30, 30, 35), -1)
    return picture


def votes() -> Votes:
    """Of a finder that sees card on the open card and on the open part of the other, and how they are turned."""
    said = np.full((300 // STRIDE, 360 // STRIDE), -9.0, np.float32)
    for (x, y), low in ((KNOWN, 200), (SOUGHT, 162)):
        said[(y - 50) // STRIDE : low // STRIDE, (x - 36) // STRIDE : (x + 36) // STRIDE] = 9
    cell = np.argwhere(said > 0)
    here = np.asarray(cell[:, ::-1] * STRIDE, np.float64)
    upright, ones = np.tile([0.0, 1.0], (len(cell), 1)), np.ones(len(cell))
    return Votes(cell, here, 50 * upright, 36 * upright[:, ::-1], ones, ones, said, 1.0)


@pytest.mark.parametrize("name", ["sun", "sea", "rose"])
def test_a_card_half_under_a_sleeve_is_found_by_what_is_drawn_on_the_rest(
    deck: LearnedDeck, name: str
) -> None:
    _, (spot, reading) = with_sought(table(name), [told("leaf", KNOWN)], deck, votes())
    assert (reading.name, reading.turned) == (name, False)
    assert np.abs(spot.corners - outline(SOUGHT)).max() < 0.06 * LENGTH
    assert 0.4 < spot.visible < 0.8
    assert reading.confidence <= AT_MOST


def test_a_reading_in_doubt_gives_way_and_one_without_doubt_stays(deck: LearnedDeck) -> None:
    misread = (SOUGHT[0], SOUGHT[1] - 12)
    names = [
        r.name
        for _, r in with_sought(table("sun"), [told("leaf", KNOWN), told("sea", misread, 0.6)], deck, votes())
    ]
    assert names == ["leaf", "sun"]
    sure = [told("leaf", KNOWN), told("sea", SOUGHT, 0.9)]
    assert [r.name for _, r in with_sought(table("sun"), sure, deck, votes())] == ["leaf", "sea"]


def test_where_nothing_is_drawn_no_card_is_made_up(deck: LearnedDeck) -> None:
    assert [r.name for _, r in with_sought(table(None), [told("leaf", KNOWN)], deck, votes())] == ["leaf"]
    noise = np.random.default_rng(3).integers(40, 220, (300, 360, 3)).astype(np.uint8)
    assert [r.name for _, r in with_sought(noise, [told("leaf", KNOWN)], deck, votes())] == ["leaf"]


def test_nothing_is_sought_while_no_card_tells_how_large_cards_are(deck: LearnedDeck) -> None:
    unread = (told("sun", SOUGHT)[0], UNREAD)
    assert with_sought(table("sun"), [unread], deck, votes()) == [unread]
