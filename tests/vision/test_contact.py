"""On the side that is turned from the light a dark piece ends where its shadow begins."""

import numpy as np

from referee.vision.contact import Fellows, Meeting, meeting, without_cast
from tests.vision.shadowed import RADIUS, WAY, lying, rim, round_both, round_one


def test_outlines_give_back_the_shadows_that_are_darker_than_the_pieces() -> None:
    traced = round_both()
    met = meeting(traced, lying(-0.6, -1.1), WAY)
    back = without_cast([traced] * 3, [met] * 3, Fellows())[0]
    assert rim(traced).max() > RADIUS + 5
    assert np.abs(rim(back) - RADIUS).max() < 2.0
    assert back.sigma_px > traced.sigma_px


def test_a_piece_without_a_shadow_keeps_its_outline() -> None:
    assert meeting(round_one(), lying(-0.6, 0.0), WAY) is None


def test_what_is_dark_but_coloured_is_no_shadow() -> None:
    assert meeting(round_both(), lying(-0.6, -1.1, tint=(-0.5, 0.0, 0.5)), WAY) is None


def test_a_piece_to_which_little_points_gives_back_its_shadow_when_its_fellows_did() -> None:
    traced = round_both()
    met = meeting(traced, lying(-0.6, -1.1), WAY)
    assert met is not None
    doubtful = Meeting(met.middle, met.radii, met.beyond_px, likely=0.0)
    fellows = Fellows()
    assert without_cast([traced], [doubtful], fellows) == [traced]
    without_cast([traced] * 4, [met] * 4, fellows)
    assert without_cast([traced], [doubtful], fellows) != [traced]
