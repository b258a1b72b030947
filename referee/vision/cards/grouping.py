"""Gather the votes by card: where many agree on a middle and a turn, a card lies."""

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.cards.spot import Quad
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

    def quad(self, long: float, short: float) -> Quad:
        """The card with these half sizes, in pixels of the working picture."""
        up = long * np.array([np.cos(self.turn_rad), np.sin(self.turn_rad)])
        across = self.turn_rad + np.pi / 2 + self.skew_rad
        right = short * np.array([np.cos(across), np.sin(across)])
        c = self.centre
        return np.array([c + up - right, c + up + right, c - up + right, c - up - right])


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
    length = votes.length
    peaks = _peaks(votes, max(1.5, length * BIN))
    for apart in (0.0, TWINS):
        whose = _nearest(votes, peaks, length)
        peaks = _apart(*_moved(votes, whose, len(peaks.centre)), length * apart)
    whose = _nearest(votes, peaks, length)
    groups = [np.flatnonzero(whose == k) for k in range(len(peaks.centre))]
    heaps = [_heap(votes, members) for members in groups if len(members) >= LEAST_CELLS]
    return _without_strays(votes, sorted(heaps, key=lambda heap: -len(heap.members)))


def _peaks(votes: Votes, bin_px: float) -> Peaks:
    low = votes.centre.min(axis=0) - bin_px
    at = np.minimum(((votes.centre - low) / bin_px).astype(int), 1500)
    rows, columns = at.max(axis=0) + 2
    place = at[:, 0] * columns + at[:, 1]
    double = 2 * np.arctan2(votes.long[:, 1], votes.long[:, 0])
    fields = [
        cv2.GaussianBlur(
            np.bincount(place, w, rows * columns).reshape(rows, columns).astype(np.float32), (0, 0), 1.0
        )
        for w in (votes.weight, np.cos(double), np.sin(double))
    ]
    heap, cos2, sin2 = (np.asarray(field) for field in fields)
    top = np.argwhere((heap >= cv2.dilate(heap, np.ones((3, 3), np.uint8))) & (heap > LEAST_PEAK))
    y, x = top.T
    return Peaks(low + (top + 0.5) * bin_px, np.arctan2(sin2[y, x], cos2[y, x]) / 2)


def _nearest(votes: Votes, peaks: Peaks, length: float) -> Numbers:
    """For every vote the peak it fits best, or -1."""
    if not len(peaks.centre):
        return np.full(len(votes), -1)
    dx, dy = (votes.centre[:, i, None] - peaks.centre[:, i] for i in (0, 1))
    apart = np.hypot(dx, dy) / (length * SAME_CENTRE)
    axis = np.arctan2(votes.long[:, 1], votes.long[:, 0])
    swing = np.abs((axis[:, None] - peaks.turn_rad + np.pi / 2) % np.pi - np.pi / 2) / SAME_TURN_RAD
    cost = np.maximum(apart, swing * np.clip(votes.turn_strength, 0.2, 1)[:, None]) + 0.5 * apart
    best = cost.argmin(axis=1)
    return np.where(cost[np.arange(len(votes)), best] < 1.5, best, -1)


def _moved(votes: Votes, whose: Numbers, count: int) -> tuple[Peaks, Numbers]:
    """The peaks in the middle of their votes, and how many each has."""
    mine, who = whose >= 0, whose[whose >= 0]
    double = 2 * np.arctan2(votes.long[mine, 1], votes.long[mine, 0])
    size = np.bincount(who, minlength=count)
    x, y, c, s = (
        np.bincount(who, w, count)
        for w in (votes.centre[mine, 0], votes.centre[mine, 1], np.cos(double), np.sin(double))
    )
    return Peaks(np.column_stack([x, y]) / np.maximum(size, 1)[:, None], np.arctan2(s, c) / 2), size


def _apart(peaks: Peaks, size: Numbers, apart_px: float) -> Peaks:
    """The peaks with enough votes that have no greater one too near."""
    order = [k for k in np.argsort(-size) if size[k] >= LEAST_CELLS]
    kept: list[int] = []
    for k in order:
        if all(np.hypot(*(peaks.centre[k] - peaks.centre[other])) > apart_px for other in kept):
            kept.append(int(k))
    return peaks[np.array(kept, int)]


def _heap(votes: Votes, members: Numbers) -> Heap:
    long, short = votes.long[members], votes.short[members]
    turn, agreement = _mean_turn(long, votes.turn_strength[members])
    across, _ = _mean_turn(short, votes.turn_strength[members])
    return Heap(
        members,
        np.median(votes.centre[members], axis=0),
        turn,
        float(np.median(np.hypot(*long.T))),
        float(np.median(np.hypot(*short.T))),
        float(np.clip(np.remainder(across - turn, np.pi) - np.pi / 2, -0.35, 0.35)),
        agreement,
    )


def _mean_turn(axes: Floats, strength: Floats) -> tuple[float, float]:
    """The turn the axes agree on, and how well they do."""
    double = 2 * np.arctan2(axes[:, 1], axes[:, 0])
    s, c = (strength * np.sin(double)).mean(), (strength * np.cos(double)).mean()
    return float(np.arctan2(s, c) / 2), float(np.hypot(s, c))


def _without_strays(votes: Votes, heaps: list[Heap]) -> list[Heap]:
    """Drop heaps of votes from between and upon cards that have better heaps of their own."""
    kept: list[Heap] = []
    claimed = np.zeros(votes.shape, np.uint8)
    for heap in heaps:
        rows, columns = votes.cell[heap.members].T
        if claimed[rows, columns].mean() < CLAIMED:
            kept.append(heap)
            outline = (heap.quad(heap.long, heap.short) - STRIDE // 2) / STRIDE
            cv2.fillConvexPoly(claimed, np.rint(outline).astype(np.int32), 1)
    return kept
