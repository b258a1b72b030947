"""A picture that is looked at again and again is halved once."""

import gc

import numpy as np

from referee.vision.cards import spot
from referee.vision.cards.spot import Image, half_of, halved, read_only


def picture() -> Image:
    return np.random.default_rng(2).integers(0, 255, (60, 80, 3), np.uint8)


def test_a_picture_on_which_nobody_can_write_is_halved_once() -> None:
    view = read_only(picture())
    assert half_of(view) is half_of(view)
    assert half_of(half_of(view)) is half_of(half_of(view))
    assert np.array_equal(half_of(view), halved(view))


def test_a_picture_that_may_change_is_halved_anew() -> None:
    table = picture()
    before = half_of(table).copy()
    table[:] = 0
    assert before.any() and not half_of(table).any()


def test_a_half_is_kept_no_longer_than_its_picture() -> None:
    view = read_only(picture())
    before = len(spot._HALVES)
    half_of(half_of(view))
    assert len(spot._HALVES) == before + 2
    del view
    gc.collect()
    assert len(spot._HALVES) == before


def test_a_part_of_a_large_card_that_lies_beside_the_picture_is_cut_from_its_edge() -> None:
    beside = np.array([[420, -200], [1020, -200], [1020, 640], [420, 640]], np.float64)
    grey = np.full((300, 300, 3), 90, np.uint8)
    assert (spot.cut(grey, beside, (0, 0, 0.3, 0.36), (32, 48)) == 90).all()
