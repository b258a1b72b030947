"""On the side that is turned from the light a dark piece ends where its shadow begins."""

from dataclasses import replace

import numpy as np

from referee.vision.contact import Fellows, meetings, without_cast
from tests.vision.shadowed import RADIUS, WAY, lying, rim, round_both, round_one


def test_outlines_give_back_the_shadows_that_are_darker_than_the_pieces() -> None:
    traced = round_both()
    met = meetings([traced], lying(-0.6, -1.1), WAY)[0]
    back = without_cast([traced] * 3, [met] * 3, Fellows())[0]
    assert rim(traced).max() > RADIUS + 5
    assert np.abs(rim(back) - RADIUS).max() < 2.0
    assert back.sigma_px > traced.sigma_px


def test_a_piece_without_a_shadow_keeps_its_outline() -> None:
    assert meetings([round_one()], lying(-0.6, 0.0), WAY) == [None]


def test_what_is_dark_but_coloured_is_no_shadow() -> None:
    assert meetings([round_both()], lying(-0.6, -1.1, tint=(-0.5, 0.0, 0.5)), WAY) == [None]


def test_a_piece_to_which_little_points_gives_back_its_shadow_when_its_fellows_did() -> None:
    traced = round_both()
    met = meetings([traced], lying(-0.6, -1.1), WAY)[0]
    assert met is not None
    doubtful = replace(met, likely=0.0, soft=0.0)
    fellows = Fellows()
    assert without_cast([traced], [doubtful], fellows) == [traced]
    without_cast([traced] * 8, [met] * 8, fellows)
    assert without_cast([traced], [doubtful], fellows) != [traced]


def test_an_outline_that_ends_within_a_shadow_took_none_in() -> None:
    too_long = round_one(beyond_px=3.0)
    met = meetings([too_long], lying(-0.6, -1.1), WAY)[0]
    assert met is not None
    assert met.beyond_px > 1
    assert not met.ended
    assert without_cast([too_long], [met], Fellows()) == [too_long]
    assert without_cast([too_long], [replace(met, ended=True)], Fellows()) != [too_long]
