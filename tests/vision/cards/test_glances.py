"""A picture of few cards is glanced at from farther away and turned, and what such a glance knows well is told."""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.glances import GLANCES, with_glances
from referee.vision.cards.grouping import MANY
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import Image, Spot
from referee.vision.cards.tangles import Told
from tests.vision.cards.spots import card

TALL = np.zeros((400, 300, 3), np.uint8)


class Finder:
    """Tells what it was taught of upright and of turned pictures, and counts."""

    def __init__(self, upright: Sequence[Told] = (), turned: Sequence[Told] = ()) -> None:
        self.upright, self.turned, self.looks = list(upright), list(turned), 0

    def look(self, picture: Image, scale: float) -> Sequence[Told]:
        self.looks += 1
        assert max(picture.shape) * scale < max(TALL.shape)
        return self.upright if picture.shape == TALL.shape else self.turned


def sure(name: str, x: float) -> Told:
    return card(x), Reading(name, "up", 1.0)


def turned(told: Told) -> Told:
    """The same on the picture turned by a quarter."""
    spot, reading = told
    x, y = spot.corners.T
    return Spot(np.stack([y, TALL.shape[1] - 1 - x], axis=1), spot.seen, spot.sure), reading


def names(told: Sequence[Told]) -> list[str | None]:
    return [reading.name for _, reading in told]


def test_a_card_seen_only_on_the_turned_picture_is_told_where_it_lies() -> None:
    nine, ace = sure("9S", 10), sure("AH", 150)
    told = with_glances(TALL, [nine], Finder([nine], [turned(nine), turned(ace)]).look)
    assert names(told) == ["9S", "AH"]
    assert np.allclose(told[1][0].corners, ace[0].corners)


def test_a_card_that_the_first_look_did_not_know_is_never_sure() -> None:
    nine, ace = sure("9S", 10), sure("AH", 150)
    told = with_glances(TALL, [nine], Finder([nine, ace]).look)
    assert [reading.confidence >= 0.9 for _, reading in told] == [True, False]


def test_a_near_card_that_was_taken_apart_is_told_alone() -> None:
    parts = [(card(10), Reading(None, "unknown", 0.0)), (card(100), Reading("back", "down", 1.0))]
    assert names(with_glances(TALL, parts, Finder([sure("JH", 220)]).look)) == ["JH"]


def test_a_glance_that_is_not_sure_adds_no_card() -> None:
    nine = sure("9S", 10)
    ghost = card(150), Reading("KH", "up", 0.8)
    assert names(with_glances(TALL, [nine], Finder([nine, ghost]).look)) == ["9S"]


def test_a_glance_that_knows_a_card_no_more_takes_none_away() -> None:
    nine, doubt = sure("9S", 10), (card(60, 0.3), Reading("AC", "up", 0.8))
    wrong = [sure("5D", 20), sure("KD", 70)]
    assert names(with_glances(TALL, [nine, doubt], Finder(wrong, list(map(turned, wrong))).look)) == [
        "9S",
        "AC",
    ]


def test_one_glance_that_tells_the_same_is_enough() -> None:
    nine = sure("9S", 10)
    finder = Finder([nine], [turned(nine)])
    with_glances(TALL, [nine], finder.look)
    assert finder.looks == 1


def test_every_glance_is_taken_while_something_is_in_doubt() -> None:
    finder = Finder()
    with_glances(TALL, [(card(10), Reading("9S", "up", 0.7))], finder.look)
    assert finder.looks == len(GLANCES)


def test_cards_far_away_are_not_glanced_at_from_farther() -> None:
    finder = Finder([sure("3S", 10)])
    wide = np.zeros((900, 1600, 3), np.uint8)
    assert names(with_glances(wide, [sure("2S", 10)], finder.look)) == ["2S"]
    assert not finder.looks


def test_cards_too_near_to_be_known_on_a_picture_are_not_glanced_at_on_it() -> None:
    ace = sure("AH", 10)
    wide = Spot(ace[0].corners * 4, ace[0].seen, ace[0].sure), ace[1]
    finder = Finder()
    with_glances(TALL, [wide], finder.look)
    assert 0 < finder.looks < len(GLANCES)


def test_a_table_of_cards_that_are_known_is_not_glanced_at() -> None:
    finder = Finder()
    told = [sure(f"{k}S", 70 * k) for k in range(2, 2 + MANY)]
    assert with_glances(TALL, told, finder.look) == told
    assert not finder.looks
