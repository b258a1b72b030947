"""Beside cards seen from above two kinds of eyes are heard: what both say is believed sooner."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Card, Die
from referee.vision import dice_beside_cards
from referee.vision.dice_beside_cards import heard_together, px_per_mm, sure_cards
from referee.vision.dice_on_table import Mask, dice_on_table
from tests.instead import instead

PICTURE: Image = np.zeros((600, 800, 3), np.uint8)
ABOVE = Card(0, "2C", "up", ((0, 0), (126, 0), (126, 176), (0, 176)), None, 0.0, 1.0)
ASIDE = Card(0, "2C", "up", ((0, 0), (126, 0), (126, 90), (0, 90)), None, 0.0, 1.0)


def die(value: int, sure: float, x: float = 200.0) -> Die:
    return Die(0, value, (x, 150.0), None, settled=True, confidence=sure, edge_px=32.0)


def heard(monkeypatch: pytest.MonkeyPatch, card: Card, read: list[Die], faces: list[Die]) -> list[Die]:
    @instead(monkeypatch, dice_beside_cards, dice_on_table)
    def _(image: Image, profile: Profile, where: Mask | None = None) -> tuple[Die, ...]:
        middle = np.array(image.shape[1::-1]) / 2
        at = profile.to_board(np.stack([middle, middle + np.array([20.0, 0.0])]))
        assert float(at[1, 0] - at[0, 0]) == pytest.approx(10.0), "two pixels a millimetre, as the card says"
        return tuple(read)

    return heard_together(PICTURE, [card], faces)


def test_a_card_says_how_many_pixels_a_millimetre_is() -> None:
    assert px_per_mm([ABOVE]) == pytest.approx(2.0)


def test_only_open_cards_that_are_sure_measure_dice() -> None:
    doubtful = Card(0, "2C", "up", ABOVE.corners_px, None, 0.0, 0.8)
    back = Card(0, "back", "down", ABOVE.corners_px, None, 0.0, 1.0)
    assert sure_cards([ABOVE, doubtful, back]) == [ABOVE]


def test_a_die_that_both_read_alike_is_surer_than_either_says(monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = heard(monkeypatch, ABOVE, [die(5, 0.6, 205.0)], [die(5, 0.4)])
    assert (one.value, one.px) == (5, (200.0, 150.0))
    assert one.confidence == pytest.approx(0.76)


@pytest.mark.parametrize(("read", "face", "values"), [(0.7, 0.5, [3]), (0.5, 0.7, [5]), (0.5, 0.5, [])])
def test_where_they_deny_each_other_the_surer_is_heard_if_it_is_sure_enough(
    read: float, face: float, values: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = heard(monkeypatch, ABOVE, [die(3, read)], [die(5, face)])
    assert [one.value for one in told] == values


def test_what_one_of_them_sees_alone_must_be_plainer(monkeypatch: pytest.MonkeyPatch) -> None:
    faint = heard(monkeypatch, ABOVE, [die(3, 0.45, 400.0)], [die(5, 0.55)])
    plain = heard(monkeypatch, ABOVE, [die(3, 0.55, 400.0)], [die(5, 0.65)])
    assert (faint, [one.value for one in plain]) == ([], [5, 3])


@pytest.mark.parametrize(
    ("x", "edge_px", "sure", "told"),
    [
        (60.0, 32.0, 0.7, False),
        (60.0, 32.0, 0.75, True),
        (200.0, 32.0, 0.7, True),
        (200.0, 16.0, 0.7, False),
        (200.0, 54.0, 0.7, False),
        (200.0, 16.0, 0.75, True),
    ],
)
def test_on_an_open_card_or_of_an_unusual_size_a_die_must_be_surer(
    x: float, edge_px: float, sure: float, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The eyes of a joker were taken for a two."""
    one = replace(die(2, sure, x), edge_px=edge_px)
    assert heard(monkeypatch, ABOVE, [], [one]) == ([one] if told else [])


def test_a_card_that_is_read_in_doubt_bears_drawings_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    in_doubt = Card(1, "JOKER", "up", ((150, 100), (276, 100), (276, 276), (150, 276)), None, 0.0, 0.85)
    one = die(2, 0.7)

    @instead(monkeypatch, dice_beside_cards, dice_on_table)
    def _(image: Image, profile: Profile, where: Mask | None = None) -> tuple[Die, ...]:
        return ()

    assert heard_together(PICTURE, [ABOVE], [one]) == [one]
    assert heard_together(PICTURE, [ABOVE, in_doubt], [one]) == []


def test_a_die_that_leans_shows_the_eyes_of_tables_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    leaning = Die(0, None, (200.0, 150.0), None, settled=True, confidence=0.9, cocked=True, edge_px=32.0)
    assert heard(monkeypatch, ABOVE, [leaning], []) == []


def test_beside_cards_seen_from_aside_the_net_of_upper_faces_is_heard_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert heard(monkeypatch, ASIDE, [die(3, 0.9)], [die(5, 0.7)]) == [die(5, 0.7)]
