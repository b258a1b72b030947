"""Which cards may lie on one another."""

import numpy as np

from referee.vision.cards.covering import overlaps


def turned(x: float, y: float, deg: float) -> np.ndarray:
    c, s = np.cos(np.radians(deg)), np.sin(np.radians(deg))
    card = np.array([[-35, -50], [35, -50], [35, 50], [-35, 50]], float)
    return np.asarray(card @ np.array([[c, s], [-s, c]]) + (x, y))


def test_cards_with_a_line_between_them_are_not_compared_though_their_boxes_meet() -> None:
    one, other, _ = overlaps(np.stack([turned(0, 0, 40), turned(80, 60, 40)]))
    assert not len(one) and not len(other)


def test_cards_that_share_a_corner_are_compared_both_ways() -> None:
    one, other, shared = overlaps(np.stack([turned(0, 0, 40), turned(45, 30, 20), turned(400, 0, 0)]))
    assert sorted(zip(one.tolist(), other.tolist(), strict=True)) == [(0, 1), (1, 0)]
    assert (shared.sum(axis=1) > 0).all()


def test_if_some_cards_are_asked_about_they_alone_are_compared_with_all() -> None:
    corners = np.stack([turned(0, 0, 40), turned(45, 30, 20), turned(90, 60, 20)])
    one, other, shared = overlaps(corners)
    asked = np.array([True, False, False])
    first, second, of_it = overlaps(corners, asked)
    assert first.tolist() == [0] * len(second) == one[one == 0].tolist()
    assert second.tolist() == other[one == 0].tolist()
    assert (of_it == shared[one == 0]).all()
