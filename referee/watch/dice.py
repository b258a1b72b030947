"""Dice on the table: which are new, when exactly each came to rest, and whether it tumbled there or was put down."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.types import Die, Point
from referee.vision.motion import Mask
from referee.watch.change import share, square

Ring = NDArray[np.bool_]

SAME_PX = 0.4
"""A die this near (in edges) to where one lay is the same die."""
STILL = 5.0
"""Grey levels by which a resting die's picture may differ from itself."""
KNOWN_STILL = 10
FREE = 0.16
"""Share of a die's surroundings that a rolling die changes at most; a hand changes more."""
BEFORE_REST_NS = 250_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A frame of the disturbance, at half size and grey."""

    index: int
    t_ns: int
    grey: Image


@dataclass(frozen=True, slots=True)
class Rest:
    index: int
    t_ns: int
    rolled: bool


def new_dice(known: Iterable[Die], seen: Iterable[Die], mask: Mask, edge_px: float) -> tuple[Die, ...]:
    """Dice where the picture changed and no die with the same value lay before."""
    lay = list(known)
    return tuple(
        die
        for die in seen
        if share(mask, square(die.px, edge_px / 2)) > 0.1
        and not any(_same(die, k, edge_px) and k.value == die.value for k in lay)
    )


def gone_dice(known: Iterable[Die], seen: Iterable[Die], mask: Mask, edge_px: float) -> tuple[Die, ...]:
    """Dice that lay where the picture changed and that are not there any more."""
    now = list(seen)
    return tuple(
        die
        for die in known
        if share(mask, square(die.px, edge_px / 2)) > 0.2 and not any(_same(die, s, edge_px) for s in now)
    )


def _same(a: Die, b: Die, edge_px: float) -> bool:
    return math.dist(a.px, b.px) < SAME_PX * edge_px


def rest(die: Die, glances: Sequence[Glance], edge_px: float) -> Rest:
    """When a die came to rest, looking back from the last glance."""
    window = _window(die.px, edge_px * 0.75, glances[-1].grey.shape)
    after = glances[-1].grey[window].astype(np.float32)
    apart = [_apart(g.grey[window], after) for g in glances]
    # The last of them are known to be still: what differs there is the camera's noise and the lamp.
    noise = max(apart[-KNOWN_STILL:-1], default=0.0)
    limit = max(STILL, 1.4 * noise + 1)
    first = next((k + 1 for k in range(len(apart) - 1, -1, -1) if apart[k] > limit), 0)
    first = min(first, len(glances) - 1)
    return Rest(glances[first].index, glances[first].t_ns, _was_free(die.px, glances, first, edge_px))


def _apart(here: Image, after: NDArray[np.float32]) -> float:
    """Mean difference of the tenth of the pixels that differ most, the light as a whole set aside."""
    gap = np.abs(here - after - float(np.median(here - after)))
    tenth = max(1, gap.size // 10)
    return float(np.partition(gap, -tenth, axis=None)[-tenth:].mean())


def _was_free(px: Point, glances: Sequence[Glance], first: int, edge_px: float) -> bool:
    """Whether nothing but the die moved near its place just before it rested."""
    radius = 3 * edge_px
    window = _window(px, radius, glances[-1].grey.shape)
    after = glances[-1].grey[window].astype(np.float32)
    ring = _ring(px, window, edge_px)
    since = glances[first].t_ns - BEFORE_REST_NS
    shares = [
        float((np.abs(g.grey[window].astype(np.float32) - after)[ring] > 18).mean())
        for g in glances[:first]
        if g.t_ns >= since
    ]
    return bool(shares) and float(np.median(shares)) < FREE


def _window(px: Point, radius: float, shape: tuple[int, ...]) -> tuple[slice, slice]:
    x, y, r = px[0] / 2, px[1] / 2, radius / 2
    rows = slice(max(0, int(y - r)), min(shape[0], int(y + r) + 1))
    return rows, slice(max(0, int(x - r)), min(shape[1], int(x + r) + 1))


def _ring(px: Point, window: tuple[slice, slice], edge_px: float) -> Ring:
    rows, columns = np.mgrid[window]
    away = np.hypot(columns - px[0] / 2, rows - px[1] / 2) * 2
    ring: Ring = (away > 0.9 * edge_px) & (away < 3 * edge_px)
    return ring
