"""Hands of nearly the board's colour are seen as a whole, and nothing else is taken for them."""

import cv2
import numpy as np

from hardware.frames import Image
from referee.vision.glimpses import Glimpse, glimpse
from referee.vision.skin import is_pale, view, with_skin

WOOD, PALE, TANNED, RIM = (160, 182, 198), (168, 180, 203), (110, 140, 190), (90, 105, 140)
HAND_AREA = 600.0
WRIST, TIP, BESIDE_TIP = (200.0, 330.0), (200.0, 120.0), (200.0, 100.0)


def board(seed: int = 0) -> Image:
    grain = np.random.default_rng(seed).normal(0, 1.5, (360, 400, 3))
    return np.clip(np.array(WOOD) + grain, 0, 255).astype(np.uint8)


def hand(skin: tuple[int, int, int]) -> Image:
    """An arm from below with a finger; only the wrist and the rims of the palm are shaded."""
    picture = board(1).astype(np.float64)
    covered = np.zeros(picture.shape[:2], np.uint8)
    cv2.rectangle(covered, (185, 120), (215, 240), 255, -1)
    cv2.rectangle(covered, (150, 200), (260, 359), 255, -1)
    picture[covered > 0] += np.array(skin) - np.array(WOOD)
    picture[300:, 150:261] = RIM
    picture[200:300, 245:261] = RIM
    return np.clip(picture, 0, 255).astype(np.uint8)


def whole(image: Image, sight: Glimpse) -> Glimpse:
    part = view(image, board(), (0, 0), np.array([TIP, WRIST]))
    assert part is not None
    return with_skin(sight, part, HAND_AREA)


def test_a_hand_of_nearly_the_boards_colour_reaches_to_its_fingertip() -> None:
    image = hand(PALE)
    sight = glimpse(image, board(), HAND_AREA)
    assert sight.reach(np.array(TIP)) > 50
    assert is_pale(sight, image, board(), (0, 0))
    assert whole(image, sight).reach(np.array(TIP)) < 5
    assert 10 < whole(image, sight).reach(np.array(BESIDE_TIP)) < 30


def test_what_is_loose_within_such_a_hand_is_no_piece() -> None:
    image = hand(PALE)
    cv2.circle(image, (200, 260), 5, RIM, -1)
    cv2.circle(image, (60, 60), 8, RIM, -1)
    sight = glimpse(image, board(), HAND_AREA)
    assert [len(s.blobs()) for s in (sight, whole(image, sight))] == [2, 1]


def test_a_hand_that_is_plainly_seen_is_as_it_was() -> None:
    image = hand(TANNED)
    sight = glimpse(image, board(), HAND_AREA)
    assert not is_pale(sight, image, board(), (0, 0))
    assert not is_pale(glimpse(board(2), board(), HAND_AREA), board(2), board(), (0, 0))


def test_the_shadow_of_a_hand_is_none_of_its_skin() -> None:
    image = hand(TANNED)
    image[100:200, 60:150] = np.round(image[100:200, 60:150] * 0.7).astype(np.uint8)
    assert not whole(image, glimpse(image, board(), HAND_AREA)).skin
