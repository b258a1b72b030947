"""A card under a hand that the finder takes for cards, too, is known by what its own picture explains of it."""

import cv2
import numpy as np
import pytest

from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.sifting import SURE, with_sifted
from referee.vision.cards.spot import Image
from tests.decks.cards_drawn import COLOURS, back, face, lay
from tests.vision.cards.test_sought import KNOWN, LENGTH, SOUGHT, outline, told, votes

TABLE, SKIN = (60, 90, 40), (110, 150, 200)


@pytest.fixture(scope="module")
def deck() -> LearnedDeck:
    return LearnedDeck((*COLOURS, "back"), tuple(small(p) for p in (*map(face, COLOURS), back())))


def table(covered: str | None) -> Image:
    """A card that lies open, and another on which three fingers lie; the finder sees card there all the same."""
    picture = np.full((300, 360, 3), TABLE, np.uint8)
    lay(picture, face("leaf"), KNOWN, 0, LENGTH)
    if covered is not None:
        lay(picture, face(covered), SOUGHT, 0, LENGTH)
    for k in range(3):
        cv2.line(picture, (232 + 20 * k, 299), (228 + 19 * k, 158 - 9 * k), SKIN, 13, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("name", ["sun", "sea", "rose"])
def test_a_card_under_fingers_is_known_by_what_shows_between_them(deck: LearnedDeck, name: str) -> None:
    told_ = with_sifted(table(name), [told("leaf", KNOWN)], deck, votes())
    assert [reading.name for _, reading in told_] == ["leaf", name]
    spot, reading = told_[1]
    assert np.abs(spot.corners - outline(SOUGHT)).max() < 0.08 * LENGTH
    assert reading.confidence <= max(SURE, 0.85)


def test_fingers_alone_are_no_card(deck: LearnedDeck) -> None:
    assert [r.name for _, r in with_sifted(table(None), [told("leaf", KNOWN)], deck, votes())] == ["leaf"]
