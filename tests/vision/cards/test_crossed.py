"""A card that sticks out from beneath a known one is found by its rim, though the table has its colours."""

import cv2
import numpy as np
import pytest

from referee.vision.cards.crossed import with_crossed
from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import GRID, Image, Quad, Spot
from referee.vision.cards.tangles import Told
from referee.vision.cards.votes import STRIDE, Votes
from tests.decks.cards_drawn import COLOURS, SIZE, face, lay

LENGTH = 120
UPPER, TURN = (200, 200), 80
PALE, STRIPE, SHAPE = (196, 200, 203), (90, 60, 40), (420, 420)


def blank() -> Image:
    """A pale card with a thin rim."""
    picture = np.full((*face("sun").shape[:2], 3), 236, np.uint8)
    return np.asarray(cv2.rectangle(picture, (0, 0), (SIZE[0] - 1, SIZE[1] - 1), (225, 225, 225), 4))


@pytest.fixture(scope="module")
def deck() -> LearnedDeck:
    pictures = {**{name: face(name) for name in COLOURS}, "blank": blank()}
    return LearnedDeck(tuple(pictures), tuple(map(small, pictures.values())))


def outline(centre: tuple[float, float], turn_deg: float) -> Quad:
    half = np.array((LENGTH * SIZE[0] / SIZE[1], LENGTH)) / 2
    box = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return np.asarray(np.array(centre) + box @ np.array([[c, s], [-s, c]]))


def cloth() -> Image:
    """Pale, with dark stripes: pale cards are of its colours."""
    picture = np.full((*SHAPE, 3), PALE, np.uint8)
    for x in range(30, SHAPE[1], 110):
        cv2.line(picture, (x, 0), (x + 25, SHAPE[0]), STRIPE, 24, cv2.LINE_AA)
    return picture


def votes(picture: Image, suspects: bool) -> Votes:
    """Of a finder that is in doubt about all that is pale, or sees nothing there."""
    small_ = cv2.resize(picture, (SHAPE[1] // STRIDE, SHAPE[0] // STRIDE), interpolation=cv2.INTER_AREA)
    said = np.where((small_.min(axis=2) > 215) & suspects, -0.5, -9.0).astype(np.float32)
    none = np.empty((0, 2))
    return Votes(np.empty((0, 2), np.intp), none, none, none, np.empty(0), np.empty(0), said, 1.0)


def upper() -> Told:
    spot = Spot(outline(UPPER, TURN), np.ones((GRID[1], GRID[0]), bool), 1.0)
    return spot, Reading("sea", "up", 1.0)


def test_a_pale_card_across_beneath_another_is_found_on_a_pale_cloth(deck: LearnedDeck) -> None:
    picture = cloth()
    lay(picture, blank(), (204, 196), 4, LENGTH)
    lay(picture, face("sea"), UPPER, TURN, LENGTH)
    _, (spot, reading) = with_crossed(picture, [upper()], deck, votes(picture, suspects=True))
    off = [np.abs(np.roll(spot.corners, k, axis=0) - outline((204, 196), 4)).max() for k in (0, 2)]
    assert min(off) < 0.08 * LENGTH
    assert spot.visible < 0.4
    assert reading.name in ("blank", None)
    assert reading.confidence <= 0.85


def test_stripes_that_run_on_beneath_a_card_are_no_card(deck: LearnedDeck) -> None:
    picture = cloth()
    lay(picture, face("sea"), UPPER, TURN, LENGTH)
    everywhere = votes(np.full_like(picture, 255), suspects=True)
    assert len(with_crossed(picture, [upper()], deck, everywhere)) == 1


def test_nothing_is_looked_for_where_the_finder_rules_out_a_card(deck: LearnedDeck) -> None:
    picture = cloth()
    lay(picture, blank(), (204, 196), 4, LENGTH)
    lay(picture, face("sea"), UPPER, TURN, LENGTH)
    assert len(with_crossed(picture, [upper()], deck, votes(picture, suspects=False))) == 1


def test_a_card_that_could_not_be_read_gives_way_to_the_one_it_is(deck: LearnedDeck) -> None:
    picture = cloth()
    lay(picture, blank(), (204, 196), 4, LENGTH)
    lay(picture, face("sea"), UPPER, TURN, LENGTH)
    unread = (
        Spot(outline((208, 200), 10), np.ones((GRID[1], GRID[0]), bool), 0.8),
        Reading(None, "unknown", 0.0),
    )
    names = [r.name for _, r in with_crossed(picture, [upper(), unread], deck, votes(picture, suspects=True))]
    assert len(names) == 2
    assert names[0] == "sea"
