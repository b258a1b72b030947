"""A gate called by pointing: a fingertip that rests over one piece and then over another."""

import math
from dataclasses import dataclass
from typing import cast

import numpy as np

from calibration.profile import Profile
from referee.happenings import Pointed
from referee.types import Piece, Point
from referee.vision.glimpses import Glimpse
from referee.vision.hands import fingertips
from referee.vision.motion import Contour, to_raw
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


@dataclass(slots=True)
class _Stay:
    """A fingertip that keeps to one place near a piece."""

    piece: int
    tip: Point
    first_ns: int
    last_ns: int
    index: int
    count: int = 1

    def goes_on(self, tip: Point, t_ns: int) -> bool:
        return math.dist(tip, self.tip) < STEADY_MM and t_ns - self.last_ns < PAUSE_NS


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
            for tip in _tips(frame, sight, profile):
                _note(stays, frame, tip, pieces)
    meant = [s for s in stays if s.last_ns - s.first_ns >= REST_NS and s.count >= 3]
    first = min(meant, key=lambda s: s.first_ns, default=None)
    others = [s for s in meant if first is not None and s.piece != first.piece]
    second = min(others, key=lambda s: s.first_ns, default=None)
    if first is None or second is None:
        return None
    return Pointed((first.index, second.index), second.last_ns, first.piece, second.piece)


def _tips(frame: HalfFrame, sight: Glimpse, profile: Profile) -> list[Point]:
    corner = np.array(frame.corner, np.int32)
    hands = tuple(cast(Contour, hand - corner) for hand in sight.hands)
    found = fingertips(hands, frame.image.shape)[:FOREMOST]
    if not found:
        return []
    return [(float(x), float(y)) for x, y in profile.to_board(to_raw(np.array(found) + corner))]


def _note(stays: list[_Stay], frame: HalfFrame, tip: Point, pieces: tuple[Piece, ...]) -> None:
    piece = min(pieces, key=lambda p: math.dist(p.mm, tip), default=None)
    if piece is None or math.dist(piece.mm, tip) > OVER_MM:
        return
    for stay in stays:
        if stay.piece == piece.id and stay.goes_on(tip, frame.t_ns):
            stay.tip, stay.last_ns, stay.count = tip, frame.t_ns, stay.count + 1
            return
    stays.append(_Stay(piece.id, tip, frame.t_ns, frame.t_ns, frame.index))
