"""A piece that slides keeps its footprint."""

import math

import numpy as np

from referee.types import Piece
from referee.vision.ovals import ANGLES, TOWARDS, Radii
from referee.vision.steps import at_once
from referee.watch.constancy import agreed

OVAL = 9 * (1 + 0.06 * np.cos(2 * ANGLES - 0.4) + 0.01 * np.cos(3 * ANGLES))


def lying(radii: Radii, x_mm: float, y_mm: float, sigma_mm: float = 0.3) -> Piece:
    outline = tuple((float(x), float(y)) for x, y in radii[:, None] * TOWARDS + (x_mm, y_mm))
    return Piece(id=1, px=(x_mm, y_mm), mm=(x_mm, y_mm), outline_mm=outline, sigma_mm=sigma_mm)


def turned(radii: Radii, rays: int) -> Radii:
    return np.roll(radii, rays)


def with_a_shadow(radii: Radii) -> Radii:
    """A lump of three millimetres on one side."""
    return np.asarray(radii + 3 * np.clip(np.cos(ANGLES + 1.2), 0, None) ** 4, float)


def test_an_end_that_took_its_shadow_in_gets_the_footprint_back_that_the_piece_had() -> None:
    start, end = lying(OVAL, 0, 0), lying(with_a_shadow(turned(OVAL, 20)), 80, 40, 0.6)
    kept, mended = at_once(agreed(start, end))
    assert kept is start
    assert math.dist(mended.mm, (80, 40)) < 0.3
    assert abs(area(mended) / area(start) - 1) < 0.02


def test_a_start_that_lost_a_side_gets_it_back_from_the_end() -> None:
    flat = np.minimum(OVAL, 5.5 / np.clip(np.cos(ANGLES), 0.1, None))
    start, end = lying(flat, 0, 0, 0.6), lying(turned(OVAL, 12), 80, 40)
    mended, kept = at_once(agreed(start, end))
    assert kept is end
    assert abs(area(mended) / area(end) - 1) < 0.02
    assert math.dist(mended.mm, (0, 0)) < 0.6


def test_outlines_of_one_size_and_of_two_different_pieces_are_left_alone() -> None:
    for radii in (1.02 * OVAL, 1.3 * OVAL):
        start, end = lying(OVAL, 0, 0), lying(radii, 80, 40)
        assert at_once(agreed(start, end)) == (start, end)


def test_of_two_equally_sure_outlines_that_disagree_neither_is_trusted() -> None:
    start, end = lying(OVAL, 0, 0), lying(1.1 * OVAL, 80, 40)
    for one, doubted in zip((start, end), at_once(agreed(start, end)), strict=True):
        assert doubted.outline_mm == one.outline_mm
        assert doubted.sigma_mm > 3 * one.sigma_mm


def area(piece: Piece) -> float:
    x, y = np.array(piece.outline_mm).T
    return 0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1)))
