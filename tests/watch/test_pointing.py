"""A gate called with a hand whose other fingers are over other pieces."""

import cv2
import numpy as np

from referee.happenings import Pointed
from referee.types import Piece
from referee.vision.glimpses import Glimpse, Sketch
from referee.vision.motion import Contour
from referee.vision.steps import at_once
from referee.watch.following import HalfFrame
from referee.watch.pointing import pointed
from tests.vision import table

FRAME_NS = 16_666_667
FIRST, SECOND, BESIDE = (110, 120), (160, 90), (192, 74)
"""Half pixels: where the finger points, and what the next finger is over meanwhile."""
HELD = 12
"""Frames."""


def hand(x: int, y: int) -> Contour:
    """A forefinger that ends at a spot, and a longer finger beside it."""
    picture = np.zeros((240, 320), np.uint8)
    cv2.rectangle(picture, (x - 6, y + 45), (x + 40, 239), 255, cv2.FILLED)
    cv2.line(picture, (x, y + 50), (x, y + 5), 255, 11)
    cv2.line(picture, (x + 32, y + 50), (x + 32, y - 11), 255, 11)
    return np.asarray(cv2.findContours(picture, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0][0], np.int32)


def pieces(*spots: tuple[int, int]) -> tuple[Piece, ...]:
    raw = np.array(spots, float) * 2 + 0.5
    places = table.profile().to_board(raw)
    return tuple(
        Piece(
            id=k, px=(float(x), float(y)), mm=(float(a), float(b)), outline_mm=(), on_board=True, sigma_mm=0.2
        )
        for k, ((x, y), (a, b)) in enumerate(zip(raw, places, strict=True))
    )


def call(*rests: tuple[int, int]) -> Pointed | None:
    """What is called by a hand that rests at these spots, one after the other."""
    sights = [Glimpse((hand(*spot),), np.zeros((0, 2))) for spot in rests for _ in range(HELD)]
    image, drawn = np.zeros((240, 320, 3), np.uint8), Sketch((0, 0, 0, 0), np.zeros((0, 0), np.uint8), 1.0)
    frames = tuple(HalfFrame(k, k * FRAME_NS, image, (0, 0), drawn) for k in range(len(sights)))
    lying = pieces(FIRST, SECOND, BESIDE)
    return at_once(pointed(frames, tuple(sights), lying, 10**12, table.profile()))


def test_the_finger_that_pointed_at_the_first_piece_points_at_the_second() -> None:
    called = call(FIRST, SECOND)
    assert called is not None
    assert (called.a, called.b) == (0, 1)


def test_two_fingers_over_two_pieces_at_once_call_both() -> None:
    called = call(SECOND)
    assert called is not None
    assert {called.a, called.b} == {1, 2}


def test_a_finger_over_one_piece_calls_nothing() -> None:
    assert call(FIRST) is None
