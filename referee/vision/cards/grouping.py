"""Gather the votes by card: where many agree on a middle and a turn, a card lies."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.votes import STRIDE, Floats, Numbers, Votes

BIN = 0.05
"""Width of a heap of votes, in card lengths."""
SAME_CENTRE = 0.17
"""Votes this near (in card lengths) may be for one card."""
SAME_TURN_RAD = 0.5
TWINS = 0.09
"""Heaps nearer than this are one card."""
LEAST_CELLS = 5
LEAST_PEAK = 0.2
"""Votes in the middle of a heap, spread over their neighbours."""
CLAIMED = 0.5
"""A heap of which this share lies on cards already found is made of their stray votes."""

MANY = 5
"""Cards that tell how size changes over the picture."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Votes for one card, and the card they agree on."""

    members: Numbers
    centre: Floats
    turn_rad: float
    """Of the long axis, up to half a turn."""
    long: float
    """Half of the card's length."""
    short: float
    skew_rad: float
    """How far the short axis is from a right angle (a slanted look makes it so)."""
    agreement: float
    """How sure the members are of the turn together, 0 to 1."""


def quads(heaps: Sequence[Heap]) -> Floats:
    """(n, 4, 2): the cards that heaps agree on, in pixels of the working picture."""
    turn, skew, long, short = np.array([(h.turn_rad, h.skew_rad, h.long, h.short) for h in heaps]).T
    across, centre = turn + np.pi / 2 + skew, np.array([heap.centre for heap in heaps])
    up = np.column_stack([long * np.cos(turn), long * np.sin(turn)])
    right = np.column_stack([short * np.cos(across), short * np.sin(across)])
    return np.stack(
        [centre + up - right, centre + up + right, centre - up + right, centre - up - right], axis=1
    )


@dataclass(frozen=True, slots=True)
class Peaks:
    """Where votes fall together: middles, and the turns most of them agree on."""

    centre: Floats
    turn_rad: Floats

    def __getitem__(self, which: Numbers) -> "Peaks":
        return Peaks(self.centre[which], self.turn_rad[which])


def gather(votes: Votes) -> list[Heap]:
    """The heaps of votes that may be cards, largest first."""
    if len(votes) < LEAST_CELLS:
        return []
    length, turn = votes.length, _turns(votes.long)
    peaks = _peaks(votes, turn, max(1.5, length * BIN))
    for apart in (0.0, TWINS):
        whose = _nearest(votes, turn, peaks, length)
        peaks = _apart(*_moved(votes, turn, whose, len(peaks.centre)), length * apart)
    whose = _nearest(votes, turn, peaks, length)
    heaps = _heaps(votes, turn, whose, len(peaks.centre))
    return _without_strays(votes, sorted(heaps, key=lambda heap: -len(heap.members)))


def _turns(axes: Floats) -> Floats:
    return np.asarray(np.arctan2(axes[:, 1], axes[:, 0]))


def _peaks(votes: Votes, turn: Floats, bin_px: float) -> Peaks:
    low = votes.centre.min(axis=0) - bin_px
    at = np.minimum(((votes.centre - low) / bin_px).astype(int), 1500)
    rows, columns = at.max(axis=0) + 2
    place = at[:, 0] * columns + at[:, 1]
    fields = [
        cv2.GaussianBlur(
            np.bincount(place, w, rows * columns).reshape(rows, columns).astype(np.float32), (0, 0), 1.0
        )
        for w in (votes.weight, np.cos(2 * turn), np.sin(2 * turn))
    ]
    heap, cos2, sin2 = (np.asarray(field) for field in fields)
    top = np.argwhere((heap >= cv2.dilate(heap, np.ones((3, 3), np.uint8))) & (heap > LEAST_PEAK))
    y, x = top.T
    return Peaks(low + (top + 0.5) * bin_px, np.arctan2(sin2[y, x], cos2[y, x]) / 2)


def _nearest(votes: Votes, turn: Floats, peaks: Peaks, length: float) -> Numbers:
    """For every vote the peak it fits best, or -1."""
    whose = np.full(len(votes), -1)
    square = (length * SAME_CENTRE) ** 2
    dx, dy = (
        np.subtract.outer(votes.centre[:, i].astype(np.float32), peaks.centre[:, i].astype(np.float32))
        for i in (0, 1)
    )
    far = dx * dx + dy * dy
    vote, peak = np.nonzero(far < square)
    apart = np.sqrt(far[vote, peak] / square)
    swing = np.abs((turn[vote] - peaks.turn_rad[peak] + np.pi / 2) % np.pi - np.pi / 2) / SAME_TURN_RAD
    cost = np.maximum(apart, swing * np.clip(votes.turn_strength, 0.2, 1)[vote]) + 0.5 * apart
    first = np.flatnonzero(np.diff(vote, prepend=-1))
    if len(first):
        least = np.repeat(np.minimum.reduceat(cost, first), np.diff(first, append=len(vote)))
        best = np.flatnonzero((cost <= least) & (cost < 1.5))
        whose[vote[best]] = peak[best]
    return whose


def _moved(votes: Votes, turn: Floats, whose: Numbers, count: int) -> tuple[Peaks, Numbers]:
    """The peaks in the middle of their votes, and how many each has."""
    mine, who = whose >= 0, whose[whose >= 0]
    double = 2 * turn[mine]
    size = np.bincount(who, minlength=count)
    x, y, c, s = (
        np.bincount(who, w, count)
        for w in (votes.centre[mine, 0], votes.centre[mine, 1], np.cos(double), np.sin(double))
    )
    return Peaks(np.column_stack([x, y]) / np.maximum(size, 1)[:, None], np.arctan2(s, c) / 2), size


def _apart(peaks: Peaks, size: Numbers, apart_px: float) -> Peaks:
    """The peaks with enough votes that have no greater one too near."""
    order = np.argsort(-size)
    order = order[size[order] >= LEAST_CELLS]
    x, y = peaks.centre[order].T
    near = np.hypot(np.subtract.outer(x, x), np.subtract.outer(y, y)) <= apart_px
    kept = np.zeros(len(order), bool)
    for k, row in enumerate(near):
        kept[k] = not (row & kept).any()
    return peaks[order[kept]]


def _heaps(votes: Votes, turn: Floats, whose: Numbers, count: int) -> list[Heap]:
    """The card that each peak's votes agree on, if they are enough."""
    members = np.split(np.argsort(whose, kind="stable"), np.searchsorted(np.sort(whose), np.arange(count)))[
        1:
    ]
    x, y, long, short = (
        _medians(values, members)
        for values in (*votes.centre.T, np.hypot(*votes.long.T), np.hypot(*votes.short.T))
    )
    axis, agreement = _mean_turns(turn, votes.turn_strength, whose, count)
    across, _ = _mean_turns(_turns(votes.short), votes.turn_strength, whose, count)
    skew = np.clip(np.remainder(across - axis, np.pi) - np.pi / 2, -0.35, 0.35)
    return [
        Heap(mine, np.array([x[k], y[k]]), *map(float, (axis[k], long[k], short[k], skew[k], agreement[k])))
        for k, mine in enumerate(members)
        if len(mine) >= LEAST_CELLS
    ]


def _medians(values: Floats, groups: list[Numbers]) -> Floats:
    parts = (np.sort(values[group]) for group in groups)
    return np.array([(p[(len(p) - 1) // 2] + p[len(p) // 2]) / 2 if len(p) else 0.0 for p in parts])


def weighted_median(values: NDArray[np.floating], weight: NDArray[np.floating]) -> float:
    """Half of the weight lies below it."""
    order = np.argsort(values)
    share = np.cumsum(weight[order]) / max(float(weight.sum()), 1e-9)
    return float(values[order][min(int(np.searchsorted(share, 0.5)), len(values) - 1)])


def _mean_turns(turn: Floats, strength: Floats, whose: Numbers, count: int) -> tuple[Floats, Floats]:
    """The turn the axes of each peak's votes agree on, and how well they do."""
    # Those of nobody, whose number is -1, come first.
    many = np.maximum(1, np.bincount(whose + 1, minlength=count + 1))
    s, c = (
        (np.bincount(whose + 1, strength * way(2 * turn), count + 1) / many)[1:] for way in (np.sin, np.cos)
    )
    return np.asarray(np.arctan2(s, c) / 2), np.asarray(np.hypot(s, c))


def _without_strays(votes: Votes, heaps: list[Heap]) -> list[Heap]:
    """Drop heaps of votes from between and upon cards that have better heaps of their own."""
    if not heaps:
        return []
    kept: list[Heap] = []
    claimed = np.zeros(votes.shape, np.uint8)
    place = votes.cell[:, 0] * votes.shape[1] + votes.cell[:, 1]
    outlines = np.rint((quads(heaps) - STRIDE // 2) / STRIDE).astype(np.int32)
    for heap, outline in zip(heaps, outlines, strict=True):
        if np.count_nonzero(claimed.take(place[heap.members])) < CLAIMED * len(heap.members):
            kept.append(heap)
            cv2.fillConvexPoly(claimed, outline, 1)
    return kept
