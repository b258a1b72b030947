"""A camera that has moved a little since its calibration stills still sees an empty board as empty."""

import cv2
import numpy as np
import pytest

from hardware.frames import Image
from referee.vision.alignment import aligned
from referee.vision.board import EmptyBoard, board_mask, board_window, log_of
from referee.vision.see import find_pieces
from tests.vision import table
from tests.watch import painted


def moved(picture: Image, x: float, y: float) -> Image:
    warp = np.array([[1, 0, x], [0, 1, y]], np.float32)
    shifted = cv2.warpAffine(picture, warp, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shifted, np.uint8)


def off(board: EmptyBoard, image: Image) -> float:
    """What the board's print leaves of itself in a picture."""
    left = log_of(board.window.of(image)) - board.log
    return float(np.percentile(np.abs(left[board.inside > 0]), 99))


@pytest.mark.parametrize("kind", painted.BOARDS)
@pytest.mark.parametrize("by", [(0.7, -0.4), (-1.2, 0.3)])
def test_a_nudged_camera_sees_no_pieces_on_an_empty_board(kind: str, by: tuple[float, float]) -> None:
    image, board = moved(painted.sensed(painted.board(kind), 5), *by), painted.known(kind)
    assert off(aligned(board, image), image) < 0.7 * off(board, image)
    assert find_pieces(image, table.profile(), board) == ()


@pytest.mark.parametrize("kind", painted.BOARDS)
def test_a_board_that_lies_as_it_lay_is_left_alone(kind: str) -> None:
    board = painted.known(kind)
    assert aligned(board, painted.flick(kind, "coin").picture(0)) is board


def test_light_from_another_side_is_no_movement() -> None:
    board = painted.known("book cover")
    light = np.linspace(0.7, 1.2, table.WIDTH, dtype=np.float32)[None, :, None]
    assert aligned(board, painted.sensed(painted.board("book cover") * light, 5)) is board


def test_a_plain_board_tells_no_movement() -> None:
    profile, picture = table.profile(), table.bare()
    window = board_window(profile)
    inside = board_mask(profile, window)
    # The table beyond is as plain as the board.
    board = EmptyBoard(window, log_of(window.of(picture)), np.full_like(inside, 255), inside)
    assert aligned(board, moved(table.bare(4), 0.7, 0.7)) is board
