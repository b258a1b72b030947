"""A gate called by pointing: fingertips that rest over two pieces."""

import math
from dataclasses import dataclass

import numpy as np

from calibration.profile import Profile
from referee.happenings import Pointed
from referee.types import Piece, Point
from referee.vision.hands import fingertips
from referee.vision.motion import Glimpse, to_raw
from referee.watch.following import HalfFrame

REST_NS = 80_000_000
"""How long a fingertip rests over a piece that is meant."""
OVER_MM = 22.0
"""How near the tip is to the piece it points at; the finger hovers, so it may seem off by its height."""
STEADY_MM = 5.0


@dataclass(frozen=True, slots=True)
class _Tip:
    index: int
    t_ns: int
    mm: Point


def pointed(
    frames: tuple[HalfFrame, ...],
    seen: tuple[Glimpse, ...],
    pieces: tuple[Piece, ...],
    until_ns: int,
    profile: Profile,
) -> Pointed | None:
    """The two pieces pointed at before `until_ns`, if two were."""
    tips = _tips(frames, seen, until_ns, profile)
    rests = _rests(tips)
    meant: list[tuple[_Tip, int]] = []
    for tip in rests:
        piece = _nearest(tip, pieces)
        if piece is not None and (not meant or meant[-1][1] != piece):
            meant.append((tip, piece))
    if len(meant) < 2:
        return None
    (first, a), (last, b) = meant[0], meant[1]
    return Pointed((first.index, last.index), last.t_ns, a, b)


def _tips(
    frames: tuple[HalfFrame, ...], seen: tuple[Glimpse, ...], until_ns: int, profile: Profile
) -> list[_Tip]:
    """The foremost fingertip of every frame."""
    tips = []
    for frame, sight in zip(frames, seen, strict=True):
        found = fingertips(sight.hands, frame.image.shape)
        if found and frame.t_ns <= until_ns:
            x, y = profile.to_board(to_raw(np.array([found[0]])))[0]
            tips.append(_Tip(frame.index, frame.t_ns, (float(x), float(y))))
    return tips


def _rests(tips: list[_Tip]) -> list[_Tip]:
    """Moments at which the tip had stayed within a few millimetres for long enough."""
    rests: list[_Tip] = []
    begin = 0
    for k, tip in enumerate(tips):
        while math.dist(tips[begin].mm, tip.mm) > STEADY_MM:
            begin += 1
        if tip.t_ns - tips[begin].t_ns >= REST_NS:
            rests.append(tip)
            begin = k + 1 if k + 1 < len(tips) else k
    return rests


def _nearest(tip: _Tip, pieces: tuple[Piece, ...]) -> int | None:
    best = min(pieces, key=lambda p: math.dist(p.mm, tip.mm), default=None)
    return best.id if best is not None and math.dist(best.mm, tip.mm) < OVER_MM else None
