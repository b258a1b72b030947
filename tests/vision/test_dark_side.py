"""A dark piece is outlined as a whole on the side of the light, where no shadow lies; a shadow is left out."""

import cv2
import numpy as np

from referee.vision.board import Field, Flags
from referee.vision.dark_side import darkly_lengthened
from referee.vision.ovals import RAYS, TOWARDS, Oval, Points

MIDDLE, RADIUS = np.array([60.0, 60.0]), 18.0
AWAY = np.array([1.0, 0.0])
"""Where the shadow falls."""


def disc(middle: Points, radius: float) -> Flags:
    rows, columns = np.mgrid[0:120, 0:120]
    return np.asarray(np.hypot(columns - middle[0], rows - middle[1]) < radius, bool)


def seed(shade: float = -1.0, highlight: float = 0.8) -> Field:
    """Picture over board: a piece of that shade with a highlight, and its shadow."""
    light = np.where(disc(MIDDLE + 5 * AWAY, RADIUS), -0.6, 0.0)
    light = np.where(disc(MIDDLE, RADIUS), shade, light)
    light = cv2.GaussianBlur(np.where(disc(MIDDLE - [4, 0], 4), highlight, light), (0, 0), 0.8)
    noise = np.random.default_rng(3).normal(0, 0.01, (120, 120, 3))
    return np.asarray(light[..., None] + noise, np.float32)


def cut_at_its_highlight() -> Points:
    """An outline that begins at the highlight, and ends with the piece."""
    return np.asarray(MIDDLE + [5, 0] + [13, 18] * TOWARDS, float)


def other(middle: Points) -> Oval:
    return Oval(middle, np.full(RAYS, RADIUS), 1.0, np.ones(RAYS, bool), -1.0)


def off(points: Points) -> Points:
    return np.asarray(np.hypot(*(points - MIDDLE).T) - RADIUS, float)


def test_a_dark_piece_cut_at_its_highlight_goes_on_to_the_board_on_the_side_of_the_light() -> None:
    longer = darkly_lengthened(cut_at_its_highlight(), seed(), AWAY, ())
    assert longer is not None
    assert np.abs(off(longer)[TOWARDS @ AWAY < -0.5]).max() < 1.5
    assert off(longer).max() < 1.5


def test_a_whole_outline_stays_and_so_does_one_of_a_piece_that_is_not_dark() -> None:
    whole = np.asarray(MIDDLE + RADIUS * TOWARDS, float)
    assert darkly_lengthened(whole, seed(), AWAY, ()) is None
    assert darkly_lengthened(cut_at_its_highlight(), seed(-0.3), AWAY, ()) is None


def test_what_is_dark_on_the_side_of_the_light_may_be_the_shadow_of_another_piece() -> None:
    assert darkly_lengthened(cut_at_its_highlight(), seed(), AWAY, [other(MIDDLE - 45 * AWAY)]) is None
    assert darkly_lengthened(cut_at_its_highlight(), seed(), AWAY, [other(MIDDLE + 45 * AWAY)]) is not None


def test_a_shadow_beside_an_outline_is_none_of_the_piece_from_whichever_side_the_light_seems_to_come() -> (
    None
):
    whole = np.asarray(MIDDLE + RADIUS * TOWARDS, float)
    for way in (-AWAY, AWAY, AWAY[::-1]):
        assert darkly_lengthened(whole, seed(), way, ()) is None


def test_without_a_highlight_nothing_has_cut_a_piece_off() -> None:
    assert darkly_lengthened(cut_at_its_highlight(), seed(highlight=-1.0), AWAY, ()) is None
