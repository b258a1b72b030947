"""By its tint a piece is told from its shadow, however dark its own averted side is."""

import numpy as np

from referee.vision.belonging import outside_of
from referee.vision.board import Field
from referee.vision.ovals import RAYS, TOWARDS, Oval

MIDDLE, RADIUS = np.array([40.0, 40.0]), 14.0
WARM = np.array([-0.6, -0.4, -0.2])
"""Full shadow beside a lamp, where only the blue light of a window is missing most."""
GREENISH = np.array([-0.1, 0.1, -0.1])


def picture() -> Field:
    """Picture over board: a greenish piece, the shadow to its right, and a little noise."""
    rows, columns = np.mgrid[0:80, 0:80]
    far = np.hypot(columns - MIDDLE[0], rows - MIDDLE[1])
    beside = np.hypot(columns - MIDDLE[0] - 9, rows - MIDDLE[1]) < RADIUS
    ratio = np.where(beside[..., None], WARM, 0.0)
    ratio = np.where((far < RADIUS)[..., None], GREENISH, ratio)
    return np.asarray(ratio + np.random.default_rng(2).normal(0, 0.01, (80, 80, 3)), np.float32)


def lying() -> Oval:
    return Oval(MIDDLE, np.full(RAYS, RADIUS), 1.0, TOWARDS[:, 0] < 0.5, 0.0)


def test_no_shadow_of_this_light_has_a_tint() -> None:
    outside = outside_of(picture(), [lying()])
    tint = outside.tint(np.array([0.2 * WARM, 0.5 * WARM, WARM], np.float32))
    assert tint is not None
    assert np.abs(tint).max() < 1


def test_a_piece_has_the_same_tint_in_light_and_in_shade() -> None:
    outside = outside_of(picture(), [lying()])
    tint = outside.tint(np.array([GREENISH, GREENISH + 0.5 * WARM], np.float32))
    assert tint is not None
    assert np.hypot(*tint.T).min() > 2
    assert float(tint[0] @ tint[1]) > 0.95 * float(np.prod(np.hypot(*tint.T)))


def test_where_no_shadow_is_seen_tint_tells_nothing() -> None:
    assert outside_of(np.zeros((80, 80, 3), np.float32), [lying()]).tint(picture()) is None
