"""Frames sketched while the hand still moves, and taken apart once it is known which pieces moved."""

import cv2
import numpy as np

from hardware.frames import Image
from referee.vision.glimpses import Plate, glimpse, redrawn, sketch, taken_apart
from referee.vision.motion import Spots, drawn, plate_between

HAND_AREA = 400.0


def board() -> Image:
    grain = cv2.GaussianBlur(np.random.default_rng(3).normal(0, 30, (120, 160, 3)), (0, 0), 2)
    return np.clip(np.array([120, 160, 190]) + grain, 0, 255).astype(np.uint8)


def with_piece(image: Image, at: tuple[int, int]) -> Image:
    return np.asarray(cv2.circle(image.copy(), at, 6, (40, 45, 60), -1), np.uint8)


def with_hand(image: Image, tip: int) -> Image:
    return np.asarray(cv2.rectangle(image.copy(), (60, tip), (90, 119), (90, 120, 210), -1), np.uint8)


def round_piece(at: tuple[int, int]) -> Spots:
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return np.asarray(np.array(at) + 6 * np.column_stack([np.cos(turns), np.sin(turns)]), np.float64)


def test_a_frame_sketched_early_is_taken_apart_as_if_the_plate_had_been_known_then() -> None:
    before, after = with_piece(board(), (40, 60)), with_piece(board(), (120, 30))
    shape = before.shape
    left, taken = drawn([round_piece((40, 60))], shape, 4), drawn([round_piece((120, 30))], shape, 3)
    image = plate_between(before, after, left, taken)
    plate = Plate(image, left)
    for picture in (before, with_hand(before, 70), with_hand(with_piece(board(), (80, 50)), 70), after):
        early = taken_apart(redrawn(sketch(picture, before), picture, plate), HAND_AREA)
        late = glimpse(picture, image, HAND_AREA)
        assert len(early.hands) == len(late.hands)
        assert all(np.array_equal(a, b) for a, b in zip(early.hands, late.hands, strict=True))
        assert {tuple(p) for p in early.loose} == {tuple(p) for p in late.loose}


def test_a_frame_like_the_still_has_nothing_loose() -> None:
    still = with_piece(board(), (40, 60))
    unmoved = Plate(still, np.zeros(still.shape[:2], np.uint8))
    seen = taken_apart(redrawn(sketch(still, still), still, unmoved), HAND_AREA)
    assert not seen.hands
    assert not len(seen.loose)


def test_a_sketch_of_a_part_of_the_picture_lies_where_the_part_does() -> None:
    before, after = with_piece(board(), (40, 60)), with_piece(board(), (120, 30))
    plate = Plate(after, drawn([round_piece((40, 60))], before.shape, 4))
    picture = with_hand(before, 70)
    whole = taken_apart(redrawn(sketch(picture, before), picture, plate), HAND_AREA)
    part = (slice(20, 120), slice(16, 144))
    seen = redrawn(sketch(picture[part], before[part], (16, 20)), picture[part], plate, (16, 20))
    here = taken_apart(seen, HAND_AREA)
    assert {tuple(p) for p in here.loose} == {tuple(p) for p in whole.loose}
    assert all(np.array_equal(a, b) for a, b in zip(here.hands, whole.hands, strict=True))
