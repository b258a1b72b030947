"""Beside the board: pieces that fell off show as something new on the table."""

from typing import cast

import cv2
import numpy as np

from calibration.profile import Profile
from hardware.frames import Image
from referee.vision.board import Mask, Window, board_mask, log_of
from referee.vision.ovals import Points, radius_of
from referee.vision.pieces import Blob, piece_scale, px_per_mm
from referee.vision.things import LARGEST_MM, SMALLEST_MM

NEW = 22
"""Grey levels by which something new differs from the table."""
NEAR_MM = 3.0
"""So near the board's edge its own side and shadow move in the picture."""


class Apron:
    """Remembers the table round the board as it was when the footage began."""

    def __init__(self, image: Image, profile: Profile) -> None:
        self._before = _half(image)
        self._scale = piece_scale(profile)
        height, width = image.shape[:2]
        board = board_mask(profile, Window(0, 0, width, height))
        room = 2 * int(NEAR_MM * px_per_mm(profile)) + 1
        small = cv2.resize(board, (width // 2, height // 2), interpolation=cv2.INTER_NEAREST)
        self._outside = cast(Mask, cv2.bitwise_not(cv2.dilate(small, np.ones((room, room), np.uint8))))

    def find(self, image: Image) -> tuple[Blob, ...]:
        """What is new beside the board and has a piece's size."""
        beyond = cv2.cvtColor(cv2.absdiff(_half(image), self._before), cv2.COLOR_BGR2GRAY)
        new = cv2.bitwise_and(cv2.threshold(beyond, NEW, 255, cv2.THRESH_BINARY)[1], self._outside)
        # A shaking camera draws thin lines along every edge; a piece is thicker.
        new = cv2.morphologyEx(new, cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))
        contours, _ = cv2.findContours(new, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        hulls = [np.asarray(cv2.convexHull(c), np.float64).reshape(-1, 2) * 2 + 0.5 for c in contours]
        return tuple(_blob(hull, image) for hull in hulls if self._sized(hull))

    def _sized(self, hull: Points) -> bool:
        width_px = 2 * radius_of(hull)
        return len(hull) > 4 and SMALLEST_MM < width_px / self._scale < LARGEST_MM


def _half(image: Image) -> Image:
    size = (image.shape[1] // 2, image.shape[0] // 2)
    return cast(Image, cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def _blob(hull: Points, image: Image) -> Blob:
    x, y = hull.mean(axis=0)
    colour = log_of(image[int(y) : int(y) + 1, int(x) : int(x) + 1]).reshape(-1, 3)[0]
    return Blob(np.array([x, y]), hull, colour.astype(np.float64), 1.0)
