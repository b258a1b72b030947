"""A very dark piece ends where its lighter shadow begins, not where that ends."""

import numpy as np

from referee.vision.pale_shadow import RIM_PX, without_pale_shadow
from tests.vision.shadowed import RADIUS, WAY, lying, rim, round_both, round_one


def test_a_dark_piece_gives_back_a_shadow_that_is_lighter_than_itself() -> None:
    traced = round_both()
    back = without_pale_shadow(traced, lying(-1.8, -1.1), WAY)
    assert rim(traced).max() > RADIUS + 5
    assert np.abs(rim(back) - RADIUS).max() < RIM_PX + 1
    assert back.sigma_px > traced.sigma_px


def test_a_dark_piece_that_ends_at_its_outline_keeps_it() -> None:
    traced = round_one()
    assert without_pale_shadow(traced, lying(-1.8, -1.1), WAY) is traced
    assert without_pale_shadow(traced, lying(-1.8, 0.0), WAY) is traced


def test_a_dark_piece_of_one_shade_keeps_all_of_it() -> None:
    traced = round_both()
    assert without_pale_shadow(traced, lying(-1.8, -1.8), WAY) is traced


def test_a_lighter_rim_in_colour_is_no_shadow() -> None:
    traced = round_both()
    assert without_pale_shadow(traced, lying(-1.8, -1.1, tint=(-0.5, 0.0, 0.5)), WAY) is traced
