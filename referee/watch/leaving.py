"""When a piece left its place, and whether the hand went with it: at the strike hand and piece are one blob."""

import math
from collections.abc import Sequence

import numpy as np

from referee.vision.glimpses import Glimpse
from referee.vision.motion import Spots
from referee.vision.steps import Steps
from referee.watch.following import HalfFrame, Trail

FRONTS = 24
"""Frames looked at in one go for when a piece left its place."""
PAUSES = 3.0
"""A front that takes so many times longer for the first radius than its pace later on is not the piece's."""
OWN_FRONT = 1.15, 1.5
"""How far a piece at home reaches: in radii, and half pixels beyond."""
LED_RADII, LED_NS, EVENLY = 4.0, 90_000_000, 2.0
"""A hand that goes so far along the way, takes so long for it, and at no step goes so many times farther than on the
mean, leads the piece: a flick is over sooner, and a hand that comes over a piece leaps."""


def left_home(
    frames: Sequence[HalfFrame], seen: Sequence[Glimpse], home: Trail, toward: Spots
) -> Steps[int | None]:
    """When the foremost thing on the way last stood no further than the piece's own front: hand and piece are one blob
    at the strike, but the piece leads. None when that was never seen."""
    way = toward - home.home
    length = float(np.linalg.norm(way))
    if length < 1:
        return None
    fronts: list[float] = []
    for k, sight in enumerate(seen):
        fronts.append(_front(np.concatenate([sight.loose, *_rims(sight)]), home, way / length))
        if k % FRONTS == FRONTS - 1:
            yield
    own = OWN_FRONT[0] * home.radius + OWN_FRONT[1]
    at_home = _last_within(fronts, own)
    near = _last_within(fronts, 2 * home.radius)
    if at_home is None or near is None:
        return None
    return frames[near if _hovered(fronts, at_home, near) else at_home].t_ns


def _last_within(fronts: Sequence[float], most: float) -> int | None:
    return max((k for k, front in enumerate(fronts) if front <= most), default=None)


def _hovered(fronts: Sequence[float], at_home: int, near: int) -> bool:
    """Whether a hand came over the piece long before both went on: what is led goes on as it began."""
    later = fronts[near : near + 4]
    pace = (later[-1] - later[0]) / max(len(later) - 1, 1)
    if not math.isfinite(pace) or pace <= 0:
        return False
    return near - at_home > 2 + PAUSES * (fronts[near] - fronts[at_home]) / pace


def led_since(frames: Sequence[HalfFrame], seen: Sequence[Glimpse], home: Trail, toward: Spots) -> int | None:
    """Since when a hand went with a piece: far along its way, and evenly, as no flick does; None if none did."""
    if home.lain_ns < 0:
        return None
    way = (toward - home.home) / max(float(np.linalg.norm(toward - home.home)), 1e-9)
    moments = [
        (frame.t_ns, _front(np.concatenate(_rims(sight)), home, way))
        for frame, sight in zip(frames, seen, strict=True)
        if frame.t_ns >= home.lain_ns and sight.hands
    ]
    fronts = [front if math.isfinite(front) else 0.0 for _, front in moments]
    if not fronts:
        return None
    farthest = int(np.argmax(fronts))
    began = max((k for k in range(farthest) if fronts[k] <= home.radius), default=farthest)
    steps = np.diff(fronts[began : farthest + 1])
    if not len(steps) or fronts[farthest] < LED_RADII * home.radius or steps.max() > EVENLY * steps.mean():
        return None
    return moments[began][0] if moments[farthest][0] - moments[began][0] > LED_NS else None


def _rims(sight: Glimpse) -> list[Spots]:
    return [hand.reshape(-1, 2).astype(np.float64) for hand in (*sight.hands, *sight.skin)]


def _front(spots: Spots, home: Trail, way: Spots) -> float:
    """How far the blob that holds the piece's place reaches along the way."""
    off = spots - home.home
    along, aside = off @ way, np.abs(off @ np.array([-way[1], way[0]]))
    ahead = np.sort(along[(aside < 0.7 * home.radius) & (along > -0.5 * home.radius)])
    if not len(ahead):
        return float("inf")
    breaks = np.flatnonzero(np.diff(ahead) > 0.8 * home.radius)
    return float(ahead[breaks[0]] if len(breaks) else ahead[-1])
