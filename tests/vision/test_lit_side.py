"""A piece that is as light as the board is outlined as a whole, by its specks; its shadow is left out."""

import cv2
import numpy as np

from referee.vision.board import Field, Flags
from referee.vision.lit_side import lengthened
from referee.vision.ovals import RAYS, TOWARDS, Oval, Points, from_hull

MIDDLE, RADIUS = np.array([60.0, 60.0]), 18.0
AWAY = np.array([1.0, 0.0])
"""Where the shadow falls."""


def disc(middle: Points, radius: float) -> Flags:
    rows, columns = np.mgrid[0:120, 0:120]
    return np.asarray(np.hypot(columns - middle[0], rows - middle[1]) < radius, bool)


def table(specks: float, shadow: float = -0.5) -> Field:
    """Picture over board: a speckled piece of the board's own shade, and its shadow."""
    chance = np.random.default_rng(3)
    speckled = cv2.GaussianBlur(chance.normal(0, 1, (120, 120)), (0, 0), 1.0)
    shade = np.where(disc(MIDDLE + 5 * AWAY, RADIUS), shadow, 0.0)
    shade = cv2.GaussianBlur(shade, (0, 0), 1.0)
    shade = np.where(disc(MIDDLE, RADIUS), specks * speckled / speckled.std(), shade)
    noise = chance.normal(0, 0.004, (120, 120, 3))
    return np.asarray(shade[..., None] + noise, np.float32)


def half_of_it() -> Points:
    """An outline that holds but the side of the piece where its shadow begins."""
    return np.asarray(MIDDLE + [8, 0] + 10 * TOWARDS, float)


def off(points: Points) -> Points:
    return np.asarray(np.hypot(*(points - MIDDLE).T) - RADIUS, float)


def test_a_pale_piece_is_outlined_as_far_as_its_specks_reach() -> None:
    longer = lengthened(half_of_it(), table(specks=0.08), AWAY)
    assert longer is not None
    again = lengthened(longer, table(specks=0.08), AWAY)
    assert np.abs(off(longer if again is None else again)).max() < 3


def test_a_whole_outline_keeps_its_place_though_a_shadow_lies_beside_it() -> None:
    whole = np.asarray(MIDDLE + RADIUS * TOWARDS, float)
    for shadow in (-0.5, -0.3, -0.15):
        longer = lengthened(whole, table(specks=0.08, shadow=shadow), AWAY)
        assert longer is None or np.abs(off(longer)).max() < 1.2


def test_where_shadows_fall_need_not_be_known() -> None:
    longer = lengthened(half_of_it(), table(specks=0.08), None)
    assert longer is not None
    assert np.abs(off(longer)).max() < 5
    whole = np.asarray(MIDDLE + RADIUS * TOWARDS, float)
    again = lengthened(whole, table(specks=0.08, shadow=-0.3), None)
    assert again is None or np.abs(off(again)).max() < 1.2


def test_bare_board_beside_an_outline_is_no_piece() -> None:
    assert lengthened(half_of_it(), table(specks=0.004), AWAY) is None


def test_a_piece_does_not_go_on_into_another() -> None:
    other = Oval(MIDDLE - [10, 0], np.full(RAYS, 9.0), 1.0, np.ones(RAYS, bool), 0.0)
    longer = lengthened(half_of_it(), table(specks=0.08), AWAY, [other])
    alone = lengthened(half_of_it(), table(specks=0.08), AWAY)
    assert alone is not None
    assert from_hull(alone)[0][0] < MIDDLE[0] + 4
    assert longer is None or longer[:, 0].min() > alone[:, 0].min() + 5
