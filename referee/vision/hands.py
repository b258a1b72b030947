"""Hands and arms: whatever large came into the still picture, from which side, and where its fingers end."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.types import Hand, Point, Seat
from referee.vision.glimpses import Glimpse, glimpse
from referee.vision.motion import Contour, Spots, half, to_raw

TIP_SPAN = 14
"""Half pixels along the contour on either side of a fingertip: a finger is about twice as wide."""
TIP_COSINE = 0.1
"""How sharp the contour turns at a fingertip."""
RIM = 2
HAND_SHARE = 0.006
"""Share of the picture that no piece covers but every hand does."""


def fingertips(hands: tuple[Contour, ...], shape: tuple[int, ...]) -> tuple[Spots, ...]:
    """Ends of fingers in half pixels, the foremost first: furthest from where the arm comes in."""
    tips: list[tuple[float, Spots]] = []
    for hand in hands:
        line = hand.reshape(-1, 2).astype(np.float64)
        wrist = _entry(line, shape)
        tips += [(float(np.linalg.norm(line[k] - wrist)), line[k]) for k in _sharp_ends(line, wrist)]
    tips.sort(key=lambda entry: -entry[0])
    return tuple(spot for _, spot in tips)


def _entry(line: Spots, shape: tuple[int, ...]) -> Spots:
    """Where the arm enters the picture; for a hand without an arm the middle of it."""
    height, width = shape[:2]
    low, high = line < RIM, line > np.array([width, height]) - 1 - RIM
    rim = line[(low | high).any(axis=1)]
    return np.asarray(rim.mean(axis=0) if len(rim) else line.mean(axis=0), np.float64)


def _sharp_ends(line: Spots, wrist: Spots) -> list[int]:
    """Points of the contour that stick out, away from the wrist, and turn sharply."""
    if len(line) < 4 * TIP_SPAN:
        return []
    round_ = np.concatenate([line[-TIP_SPAN:], line, line[:TIP_SPAN]])
    (bx, by), (ax, ay) = (round_[: -2 * TIP_SPAN] - line).T, (round_[2 * TIP_SPAN :] - line).T
    cosine = (bx * ax + by * ay) / np.maximum(np.hypot(bx, by) * np.hypot(ax, ay), 1)
    far = np.hypot(*(line - wrist).T)
    window = _highest_near(far)
    ends = np.flatnonzero((cosine > TIP_COSINE) & (far >= window))
    return [int(k) for i, k in enumerate(ends) if i == 0 or k - ends[i - 1] > TIP_SPAN]


def _highest_near(heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round a closed line, the highest of each point's neighbours and itself."""
    round_ = np.concatenate([heights[-TIP_SPAN:], heights, heights[:TIP_SPAN]])[None]
    return np.asarray(cv2.dilate(round_, np.ones((1, 2 * TIP_SPAN + 1), np.uint8))[0, TIP_SPAN:-TIP_SPAN])


def side_of(hand: Contour, shape: tuple[int, ...]) -> str | None:
    """The edge of the picture the arm comes from: bottom, left, top or right."""
    line = hand.reshape(-1, 2)
    height, width = shape[:2]
    touching = {
        "bottom": int((line[:, 1] > height - 1 - RIM).sum()),
        "left": int((line[:, 0] < RIM).sum()),
        "top": int((line[:, 1] < RIM).sum()),
        "right": int((line[:, 0] > width - 1 - RIM).sum()),
    }
    best = max(touching, key=lambda side: touching[side])
    return best if touching[best] else None


def seat_of(hand: Contour, shape: tuple[int, ...], seats: tuple[Seat, ...]) -> Seat | None:
    """Whose hand it is: seats lie round the picture clockwise, the first at the bottom edge."""
    line = hand.reshape(-1, 2).astype(np.float64)
    if not seats or side_of(hand, shape) is None:
        return None
    height, width = shape[:2]
    x, y = _entry(line, shape) - (width / 2, height / 2)
    # Clockwise from the bottom as seen on the picture, whose y points down.
    angle = float(np.degrees(np.arctan2(-x, y))) % 360
    return seats[round(angle / (360 / len(seats))) % len(seats)]


def hands_seen(sight: Glimpse, shape: tuple[int, ...], seats: tuple[Seat, ...]) -> tuple[Hand, ...]:
    """The hands of one frame in raw pixels."""
    return tuple(_hand(contour, shape, seats) for contour in sight.hands)


class HandSight:
    """Hands by their difference from the last still picture."""

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        self._seats = seats
        self._still: Image | None = None
        self._plate: Image | None = None

    def see(self, image: Image, still: Image) -> tuple[Hand, ...]:
        """The hands of one frame in raw pixels."""
        if self._plate is None or still is not self._still:
            self._still, self._plate = still, half(still)
        small = half(image)
        area = HAND_SHARE * small.shape[0] * small.shape[1]
        return hands_seen(glimpse(small, self._plate, area), small.shape, self._seats)


def _hand(contour: Contour, shape: tuple[int, ...], seats: tuple[Seat, ...]) -> Hand:
    line = cv2.approxPolyDP(contour, 1.0, True).reshape(-1, 2).astype(np.float64)
    tips = fingertips((contour,), shape)
    return Hand(
        _points(to_raw(line)), _points(to_raw(np.array(tips).reshape(-1, 2))), seat_of(contour, shape, seats)
    )


def _points(spots: Spots) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in spots)
