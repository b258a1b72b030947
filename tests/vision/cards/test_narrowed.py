"""The rim of the card above is no part of a covered card, and its corners may be off."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import pytest

from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.narrowed import with_narrowed
from referee.vision.cards.reading import UNREAD, Reading
from referee.vision.cards.spot import GRID, Image, Spot
from tests.decks.cards_drawn import back, face, green_table, lay
from tests.vision.cards.spots import card

PICTURE: Image = np.zeros((200, 200, 3), np.uint8)


@dataclass(frozen=True)
class Says:
    """A deck that says of a card what the test lets it say."""

    says: Callable[[Spot], Reading]
    names: tuple[str, ...] = ("sun", "blank", "rose")
    blank: tuple[int, ...] = (1,)

    def accustomed(self, _: Image, __: Sequence[Spot]) -> "Says":
        return self

    def read(self, _: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        return tuple(self.says(spot) for spot in spots)


def again(spot: Spot, reading: Reading, says: Callable[[Spot], Reading]) -> Reading:
    return with_narrowed(PICTURE, [(spot, reading)], cast(LearnedDeck, Says(says)))[0][1]


def told(name: str, confidence: float) -> Reading:
    return Reading(name, "up", confidence)


def test_a_covered_card_in_doubt_is_what_shows_within_its_open_part() -> None:
    half = card(20, 0.5)
    seen: list[Spot] = []

    def says(spot: Spot) -> Reading:
        seen.append(spot)
        return told("rose", 0.95)

    assert again(half, told("sun", 0.7), says) == told("rose", 0.95)
    (spot,) = seen
    assert spot.seen[:, : GRID[0] // 2 - 1].all(), "the picture ends there, or the table: nothing lies on it"
    assert not spot.seen[:, GRID[0] // 2 - 1 :].any()


@pytest.mark.parametrize(
    ("spot", "reading"), [(card(20, 0.5), told("sun", 0.93)), (card(20, 1.0), told("sun", 0.7))]
)
def test_a_card_that_is_sure_or_open_is_left_alone(spot: Spot, reading: Reading) -> None:
    assert again(spot, reading, lambda _: told("rose", 0.99)) == reading


def test_what_shows_there_less_surely_is_not_believed() -> None:
    assert again(card(20, 0.5), told("sun", 0.7), lambda _: told("rose", 0.65)) == told("sun", 0.7)


@pytest.mark.parametrize(("confidence", "believed"), [(0.8, True), (0.55, False)])
def test_a_card_that_hardly_shows_is_looked_for_aside(confidence: float, believed: bool) -> None:
    half = card(20, 0.5)

    def says(spot: Spot) -> Reading:
        aside = np.abs(spot.corners - half.corners).max() > 1
        return told("rose", confidence) if aside else UNREAD

    assert (again(half, UNREAD, says) != UNREAD) == believed


def test_what_is_read_in_doubt_is_another_card_aside_only_if_that_is_sure() -> None:
    half = card(20, 0.5)

    def says(spot: Spot) -> Reading:
        return told("rose", 0.7) if np.abs(spot.corners - half.corners).max() > 1 else told("sun", 0.55)

    assert again(half, told("sun", 0.55), says) == told("sun", 0.55)


def test_a_blank_card_is_not_looked_for_aside() -> None:
    half = card(20, 0.5)

    def says(spot: Spot) -> Reading:
        return told("rose", 0.99) if np.abs(spot.corners - half.corners).max() > 1 else told("blank", 0.65)

    assert again(half, UNREAD, says) == told("blank", 0.65)


def test_a_strip_with_the_shadow_of_the_card_above_is_read() -> None:
    names = ("sun", "sea", "leaf", "rose")
    deck = LearnedDeck((*names, "back"), (*(small(face(name)) for name in names), small(back())))
    table, others = green_table(), (("sun", 80.0), ("sea", 200.0), ("leaf", 320.0))
    for name, x in others:
        lay(table, face(name), (x, 300), 0, 105)
    lay(table, face("rose"), (200, 120), 0, 105)
    table[60:180, 188:252] = (25, 25, 25)
    known = [(spot_at(x, 300), told(name, 0.99)) for name, x in others]
    seen = np.zeros(GRID[::-1], bool)
    seen[:, :7] = True
    strip = replace(spot_at(200, 120), seen=seen)
    as_it_is = deck.accustomed(table, [spot for spot, _ in known]).read(table, [strip])[0]
    assert as_it_is.name == "sea", "the shadow is taken for a part of it"
    *_, (_, reading) = with_narrowed(table, [*known, (strip, as_it_is)], deck)
    assert reading.name == "rose"


def spot_at(x: float, y: float) -> Spot:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (75.2 / 2, 105 / 2) + (x, y)
    return Spot(corners, np.ones(GRID[::-1], bool), 0.9)
