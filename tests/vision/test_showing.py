"""A print in a piece's shadow stays print, also where the camera renders dark colours steeper than light ones."""

import cv2
import numpy as np
import pytest

from hardware.frames import Image
from referee.vision.board import board_from_picture, halved, log_of
from referee.vision.motion import half
from referee.vision.pieces import find_blobs
from referee.vision.showing import print_showing
from tests.vision import table
from tests.watch import painted

RADIUS, AWAY = 15, (13, 17)
"""Of a dark piece, and how far its shadow falls."""


def disc(x: int, y: int, soft: float) -> painted.Picture:
    """1 within a circle, 0 without."""
    cover = np.zeros((table.HEIGHT, table.WIDTH), np.float32)
    cv2.circle(cover, (x, y), RADIUS, 1.0, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(cover, (0, 0), soft)[..., None], np.float32)


def dark_piece(x: int, y: int) -> Image:
    """On the printed cloth, its hard shadow with it."""
    lit = painted.board("printed cloth")
    # The toe of a camera's curve: half the light is a third of a dark value.
    shaded = lit * (0.3 + 0.35 * lit / 255)
    shadow, cover = disc(x + AWAY[0], y + AWAY[1], 1.5), disc(x, y, 0.7)
    ground = lit * (1 - shadow) + shaded * shadow
    return painted.sensed(np.asarray(ground * (1 - cover) + np.array([30, 40, 55]) * cover, np.float32), 3)


@pytest.mark.parametrize("at", [(240, 190), (268, 186), (310, 250), (350, 128)])
def test_a_piece_is_outlined_without_the_flowers_in_its_shadow(at: tuple[int, int]) -> None:
    blobs = find_blobs(dark_piece(*at), painted.known("printed cloth"), table.profile())
    assert len(blobs) == 1
    away = np.hypot(*(blobs[0].silhouette_px - at).T)
    assert np.abs(away - RADIUS).max() < 2.5


def test_what_a_piece_hides_does_not_show() -> None:
    board, at = painted.known("printed cloth"), (268, 186)
    window = board.window
    showing = print_showing(log_of(half(window.of(dark_piece(*at)))), board)
    assert showing is not None
    x, y = (at[0] - window.x) // 2, (at[1] - window.y) // 2
    assert not showing[y - 4 : y + 5, x - 4 : x + 5].any()
    assert showing[halved(board).inside > 0].mean() > 0.4


def test_a_plain_board_has_no_print() -> None:
    picture = table.bare()
    board = board_from_picture(picture, table.profile())
    assert print_showing(log_of(half(board.window.of(picture))), board) is None


def test_a_part_of_the_board_shows_the_same_print_as_the_whole() -> None:
    board = painted.known("printed cloth")
    seen = log_of(half(board.window.of(dark_piece(268, 186))))
    whole = print_showing(seen, board)
    assert whole is not None
    for top, left in ((0, 0), (31, 57), (80, 20), (100, 130)):
        part = (slice(top, top + 37), slice(left, left + 23))
        shown = print_showing(seen, board, part)
        assert np.array_equal(np.zeros_like(whole[part]) if shown is None else shown, whole[part])
