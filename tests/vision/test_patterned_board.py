"""A board with a print on it must have been seen empty."""

import cv2
import numpy as np
import pytest

from hardware.frames import Image
from referee.errors import TableError
from referee.vision.board import must_be_plain
from tests.vision import table
from tests.watch import painted


def wood(pieces: int) -> Image:
    chance = np.random.default_rng(5)
    grain = cv2.GaussianBlur(chance.normal(0, 30, (table.HEIGHT, table.WIDTH)), (0, 0), sigmaX=30, sigmaY=1.2)
    picture = np.clip(np.array([70, 110, 150]) + 4 * grain[..., None], 0, 255).astype(np.uint8)
    for x, y in chance.uniform((150, 60), (490, 420), (pieces, 2)):
        cv2.circle(picture, (round(x), round(y)), 12, (40, 40, 45), -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("kind", painted.BOARDS)
def test_a_printed_board_that_no_still_shows_empty_is_refused_in_one_sentence(kind: str) -> None:
    with pytest.raises(TableError, match="pattern") as refused:
        must_be_plain(painted.flick(kind, "coin").picture(0), table.profile())
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("pieces", [0, 12])
def test_the_grain_of_wood_and_a_handful_of_pieces_are_no_pattern(pieces: int) -> None:
    must_be_plain(wood(pieces), table.profile())
