"""An outline beyond which no shadow lies, where all its fellows have one, took it in."""

from dataclasses import replace

import numpy as np

from referee.vision.board import Field, Mask
from referee.vision.contact import Fellows
from referee.vision.like_shadows import without_stray_shadows
from referee.vision.outline import Traced
from tests.vision.shadowed import ACROSS, RADIUS, WAY, beyond_px, in_a_row, lying, round_one

DARK, SHADOW = -0.9, -0.5
FIVE = [round_one()] * 5


def laid(outlines: list[Traced], shadow: float = SHADOW) -> tuple[list[Traced], Field, Mask]:
    """Like pieces in a row and what was traced of each, the picture over the board, and the board."""
    ratio = np.hstack([lying(DARK, shadow)] * len(outlines))
    return in_a_row(outlines), ratio, np.full(ratio.shape[:2], 255, np.uint8)


def test_an_outline_gives_back_most_of_a_shadow_that_its_fellows_left_out_and_is_doubted() -> None:
    traced, ratio, board = laid([*FIVE, round_one(4.0)])
    *others, bare = without_stray_shadows(traced, ratio, board, Fellows())
    assert others == traced[:-1]
    assert beyond_px(traced[-1], 5) > 3.5
    assert beyond_px(bare, 5) < 2
    assert bare.sigma_px > 2 * traced[-1].sigma_px


def test_outlines_that_all_end_where_their_shadows_begin_are_kept() -> None:
    traced, ratio, board = laid(FIVE)
    assert without_stray_shadows(traced, ratio, board, Fellows()) == traced


def test_fellows_of_an_earlier_look_tell_as_much() -> None:
    fellows, (whole, ratio, board) = Fellows(), laid([round_one(4.0)])
    assert without_stray_shadows(whole, ratio, board, fellows) == whole
    without_stray_shadows(*laid(FIVE), fellows)
    assert beyond_px(without_stray_shadows(whole, ratio, board, fellows)[0], 0) < 2


def test_where_no_shadow_lies_nothing_is_taken_off() -> None:
    traced, ratio, board = laid([*FIVE, round_one(4.0)], shadow=0.0)
    assert without_stray_shadows(traced, ratio, board, Fellows()) == traced


def test_nothing_is_told_towards_other_pieces() -> None:
    traced, ratio, board = laid([*FIVE, round_one(4.0)])
    aside = np.array([-WAY[1], WAY[0]])
    beside = [
        round_one().points + 5 * ACROSS + (2 * RADIUS + 4.0) * (WAY * np.cos(turn) + aside * np.sin(turn))
        for turn in (-1.0, 0.0, 1.0)
    ]
    others = [replace(traced[0], points=points) for points in beside]
    assert without_stray_shadows([*traced, *others], ratio, board, Fellows())[5] is traced[5]
