"""Balls too fast to have a rim: streaks as wide as a ball, before a cloth that is learned as the film goes on."""

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np

from referee.vision.balls import Ball, not_cloth
from referee.vision.board import Field, Flags, Mask
from referee.vision.motion import Contour
from referee.vision.ovals import Points

QUIET, LEARNED_NS = 0.06, 300_000_000
"""A pixel that changes by less for so long shows the table."""
ROOM = 1.5
"""Radii round a ball in which the cloth is not learned."""
OVER = 1.2
"""Radii round a ball that lies in its place in which there is no streak."""
LARGE = (0.35, 9.0)
"""Area of a streak, in balls; more is an arm."""
LONG, END = 1.4, 0.8
"""Area from which on a rim in it may be but an end of it, and share of that rim which is seen then, at most."""
WIDE = (0.45, 1.5)
"""Its width, the same way; a cue is narrower."""
OPEN = np.ones((3, 3), np.uint8)


class Cloth:
    """The table without balls, as far as it is known."""

    def __init__(self, bare: Field) -> None:
        self.log = bare.copy()
        self.colour = np.asarray(np.median(bare[::4, ::4].reshape(-1, 3), axis=0), float)
        self._before: Field | None = None
        self._since = np.zeros(bare.shape[:2], np.int64)

    def learn(self, log: Field, t_ns: int, taken: Mask) -> None:
        """What has not changed for a while, and is no ball, belongs to the table."""
        if self._before is None:
            self._since[:] = t_ns
        else:
            stirred = cv2.inRange(cv2.absdiff(log, self._before), (0.0, 0.0, 0.0), (QUIET, QUIET, QUIET)) == 0
            self._since[stirred | (taken > 0)] = t_ns
            quiet = (t_ns - self._since > LEARNED_NS).astype(np.uint8)
            # Much faster than to pick the pixels one by one.
            cv2.copyTo(log, quiet, self.log)
        self._before = log


def covered(shape: tuple[int, ...], balls: Sequence[Ball], radius: float) -> Mask:
    """255 on some balls."""
    mask = np.zeros(shape[:2], np.uint8)
    for ball in balls:
        x, y = np.round(ball.spot).astype(int).tolist()
        cv2.circle(mask, (x, y), round(radius), 255, cv2.FILLED)
    return mask


def with_streaks(
    log: Field, off: Field, balls: Sequence[Ball], lying: Sequence[Ball], radius: float, within: Flags
) -> list[Ball]:
    """Balls beside those that lie in their places: a streak for each rim that is but an end of one."""
    loose = (not_cloth(off) & within).astype(np.uint8)
    loose[covered(log.shape, lying, OVER * radius) > 0] = 0
    loose = np.asarray(cv2.morphologyEx(loose, cv2.MORPH_OPEN, OPEN), np.uint8)
    parts, _ = cv2.findContours(loose, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = list(balls)
    for part in (cast(Contour, p) for p in parts):
        if not _is_streak(part, radius):
            continue
        mine = [b for b in balls if cv2.pointPolygonTest(part, _point(b.spot), True) > -radius / 2]
        if all(_is_end(ball, part, radius) for ball in mine):
            found = [b for b in found if all(b is not m for m in mine)] + [_streak(log, part)]
    return found


def _is_end(ball: Ball, part: Contour, radius: float) -> bool:
    return ball.share < END and cv2.contourArea(part) > LONG * np.pi * radius**2


def _point(spot: Points) -> tuple[float, float]:
    return float(spot[0]), float(spot[1])


def _is_streak(part: Contour, radius: float) -> bool:
    area = cv2.contourArea(part) / (np.pi * radius**2)
    wide = min(cv2.minAreaRect(part)[1]) / (2 * radius)
    return LARGE[0] < area < LARGE[1] and WIDE[0] < wide < WIDE[1]


def _streak(log: Field, part: Contour) -> Ball:
    x, y, width, height = cv2.boundingRect(part)
    mask = np.zeros((height, width), np.uint8)
    cv2.drawContours(mask, [part - np.array([x, y])], -1, 255, cv2.FILLED)
    spots = np.argwhere(mask > 0)[:, ::-1]
    colour = np.array(cv2.mean(log[y : y + height, x : x + width], mask)[:3])
    corners = cv2.boxPoints(cv2.minAreaRect(part))
    sides = (corners[1] - corners[0], corners[2] - corners[1])
    longest = max(sides, key=lambda side: float(np.linalg.norm(side)))
    return Ball(spots.mean(axis=0) + np.array([x, y]), colour, streak=np.asarray(longest, float) / 2)
