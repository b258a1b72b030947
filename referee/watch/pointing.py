"""A gate called by pointing: a fingertip that rests over one piece and then over another."""

import math
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from calibration.profile import Profile
from referee.happenings import Pointed
from referee.types import Piece, Point
from referee.vision.glimpses import Glimpse
from referee.vision.hands import fingertips
from referee.vision.motion import Contour, Mask, Spots, to_raw
from referee.vision.steps import Steps
from referee.watch.following import HalfFrame

REST_NS = 90_000_000
"""How long a fingertip rests over a piece that is meant."""
PAUSE_NS = 200_000_000
"""A tip may be lost among the others for so long."""
OVER_MM = 20.0
"""How near the tip is to the piece it points at; the finger hovers, so it may seem off by its height."""
STEADY_MM = 4.0
FRAMES_A_STEP = 24
FOREMOST = 3
"""Fingertips looked at in a frame."""
ROUND, SAME_FINGER = 50, 0.7
"""Half pixels round a fingertip in which two hands are compared, and how much agrees if the finger is the same."""


@dataclass(slots=True)
class _Stay:
    """A fingertip that keeps to one place near a piece."""

    piece: int
    tip: Point
    hand: Mask
    """What is seen of the hand round the tip."""
    first_ns: int
    last_ns: int
    index: int
    count: int = 1

    def goes_on(self, tip: Point, t_ns: int) -> bool:
        return math.dist(tip, self.tip) < STEADY_MM and t_ns - self.last_ns < PAUSE_NS

    def like(self, other: "_Stay") -> float:
        """How much of the two hands agrees, fingertip on fingertip."""
        both = cv2.countNonZero(self.hand & other.hand)
        return both / max(cv2.countNonZero(self.hand | other.hand), 1)


def pointed(
    frames: tuple[HalfFrame, ...],
    seen: tuple[Glimpse, ...],
    pieces: tuple[Piece, ...],
    until_ns: int,
    profile: Profile,
) -> Steps[Pointed | None]:
    """The first two pieces a fingertip rested over before `until_ns`, if it did."""
    stays: list[_Stay] = []
    for k, (frame, sight) in enumerate(zip(frames, seen, strict=True)):
        if k % FRAMES_A_STEP == FRAMES_A_STEP - 1:
            yield
        if frame.t_ns < until_ns:
            for spot in _tips(frame, sight):
                _note(stays, frame, sight, spot, pieces, profile)
    meant = [s for s in stays if s.last_ns - s.first_ns >= REST_NS and s.count >= 3]
    pair = _one_finger(meant) or _first_two(meant)
    if pair is None:
        return None
    first, second = pair
    return Pointed((first.index, second.index), second.last_ns, first.piece, second.piece)


def _first_two(meant: list[_Stay]) -> tuple[_Stay, _Stay] | None:
    first = min(meant, key=lambda s: s.first_ns, default=None)
    others = [s for s in meant if first is not None and s.piece != first.piece]
    second = min(others, key=lambda s: s.first_ns, default=None)
    return None if first is None or second is None else (first, second)


def _one_finger(meant: list[_Stay]) -> tuple[_Stay, _Stay] | None:
    """The same finger over two pieces one after the other: meanwhile other fingers may be over other pieces."""
    early = _at_the_first_rest(meant)
    late = _at_the_first_rest([s for s in meant if all(s.first_ns > e.last_ns for e in early)])
    pairs = [(a, b) for a in early for b in late if a.piece != b.piece]
    best = max(pairs, key=lambda pair: pair[0].like(pair[1]), default=None)
    return best if best is not None and best[0].like(best[1]) > SAME_FINGER else None


def _at_the_first_rest(stays: list[_Stay]) -> list[_Stay]:
    first = min(stays, key=lambda s: s.first_ns, default=None)
    return [s for s in stays if first is not None and s.first_ns <= first.last_ns]


def _tips(frame: HalfFrame, sight: Glimpse) -> list[Spots]:
    corner = np.array(frame.corner, np.int32)
    hands = tuple(cast(Contour, hand - corner) for hand in sight.hands)
    return [spot + corner for spot in fingertips(hands, frame.image.shape)[:FOREMOST]]


def _round(spot: Spots, sight: Glimpse) -> Mask:
    """255 where a hand is, round a spot."""
    mask = np.zeros((2 * ROUND, 2 * ROUND), np.uint8)
    corner = np.round(spot).astype(np.int32) - ROUND
    cv2.drawContours(mask, [hand - corner for hand in sight.hands], -1, 255, cv2.FILLED)
    return mask


def _note(
    stays: list[_Stay],
    frame: HalfFrame,
    sight: Glimpse,
    spot: Spots,
    pieces: tuple[Piece, ...],
    profile: Profile,
) -> None:
    x, y = profile.to_board(to_raw(spot[None]))[0].tolist()
    tip = (x, y)
    piece = min(pieces, key=lambda p: math.dist(p.mm, tip), default=None)
    if piece is None or math.dist(piece.mm, tip) > OVER_MM:
        return
    for stay in stays:
        if stay.piece == piece.id and stay.goes_on(tip, frame.t_ns):
            stay.tip, stay.last_ns, stay.count = tip, frame.t_ns, stay.count + 1
            return
    stays.append(_Stay(piece.id, tip, _round(spot, sight), frame.t_ns, frame.t_ns, frame.index))
