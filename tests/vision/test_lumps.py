"""An outline with a lump is an oval that took part of a shadow in, or lost a side."""

import numpy as np

from referee.vision.contact import Fellows
from referee.vision.lumps import lumps, without_lumps
from referee.vision.outline import Traced
from referee.vision.ovals import ANGLES, TOWARDS, Points, Radii, from_hull

MIDDLE = np.array([60.0, 40.0])
OVAL = 14 * (1 + 0.06 * np.cos(2 * ANGLES - 0.4) + 0.01 * np.cos(3 * ANGLES))
SHADOW = 3 * np.clip(np.cos(ANGLES + 1.2), 0, None) ** 12
SQUARE = 12 / np.maximum(np.abs(np.cos(ANGLES)), np.abs(np.sin(ANGLES)))


def outline(radii: Radii) -> Traced:
    return Traced(MIDDLE, MIDDLE + radii[:, None] * TOWARDS, contrast=0.5, sigma_px=0.4, vague=0.0)


def off_px(one: Traced, true: Radii = OVAL) -> float:
    """How far the extent of an outline is off that of the piece, at worst."""
    return float(np.abs(_extent(one.points) - _extent(outline(true).points)).max())


def _extent(points: Points) -> Points:
    return np.asarray((points @ TOWARDS.T).max(axis=0), float)


def test_an_outline_that_took_part_of_a_shadow_in_loses_most_of_it_and_is_doubted() -> None:
    lumpy = outline(OVAL + SHADOW)
    mended = without_lumps([outline(OVAL)] * 4 + [lumpy], Fellows())[-1]
    assert off_px(lumpy) > 2.5
    assert off_px(mended) < 0.5 * off_px(lumpy)
    assert mended.sigma_px > 1.5 * lumpy.sigma_px
    assert lumps(from_hull(mended.points)[1]) < lumps(OVAL)


def test_an_outline_that_lost_a_side_gets_most_of_it_back() -> None:
    flat = outline(np.minimum(OVAL, 11 / np.clip(np.cos(ANGLES), 0.1, None)))
    mended = without_lumps([outline(OVAL)] * 4 + [flat], Fellows())[-1]
    assert off_px(mended) < 0.65 * off_px(flat)


def test_an_oval_keeps_its_outline() -> None:
    oval = outline(OVAL)
    assert without_lumps([oval], Fellows()) == [oval]


def test_a_set_that_is_not_oval_is_left_as_it_is() -> None:
    uneven = outline(14 * (1 + 0.05 * np.cos(3 * ANGLES)))
    fellows = Fellows()
    without_lumps([uneven] * 5, fellows)
    assert without_lumps([uneven], fellows)[0].sigma_px == uneven.sigma_px
    assert off_px(without_lumps([outline(OVAL)] * 4 + [outline(SQUARE)], Fellows())[-1], SQUARE) == 0
