"""Where and when every frame of a recording is: columns of numbers, for an hour has two hundred thousand frames."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NS = 1_000_000_000
Column = NDArray[np.int64]


class Shown(NamedTuple):
    """The clock of a file, and of each of its frames when it is shown, when it is decoded, and whether it is a key."""

    base: Fraction
    pts: list[int]
    dts: list[int]
    keys: list[bool]


class Place(NamedTuple):
    file: Path
    pts: int
    t_ns: int
    key_dts: int
    """Where decoding must begin: FFmpeg seeks by decode times, and a frame may be shown before the key frame that
    was decoded before it."""


class Segment(NamedTuple):
    """One file of a recording, and the numbers of its frames."""

    file: Path
    frames: range


class Places:
    """The place of each frame by its number."""

    def __init__(self, shown: Iterable[tuple[Path, Shown]]) -> None:
        """Of the files in their order; one without frames has no part in it."""
        self.segments: list[Segment] = []
        pts, times, keys = list[Column](), list[Column](), list[Column]()
        count, last = 0, -1
        for file, part in shown:
            if not part.pts:
                continue
            self.segments.append(Segment(file, range(count, count + len(part.pts))))
            count += len(part.pts)
            pts.append(np.array(part.pts, np.int64))
            own = _ns(pts[-1], part.base)
            times.append(own + shift_behind(last, int(own[0])))
            last = int(times[-1][-1])
            keys.append(_key_before(np.array(part.dts, np.int64), np.array(part.keys, bool)))
        self._pts, self.times_ns, self._key_dts = map(_joined, (pts, times, keys))

    def __len__(self) -> int:
        return len(self._pts)

    def __getitem__(self, index: int) -> Place:
        file = self.segment_of(index).file
        return Place(file, int(self._pts[index]), int(self.times_ns[index]), int(self._key_dts[index]))

    def __iter__(self) -> Iterator[Place]:
        return (self[k] for k in range(len(self)))

    def segment_of(self, index: int) -> Segment:
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self.segments[bisect_right(self.segments, index, key=lambda segment: segment.frames.start) - 1]


def shift_behind(last: int, first: int) -> int:
    """A clock that starts again goes on where it stood, one nanosecond later."""
    return 0 if first > last else last + 1 - first


def _ns(pts: Column, base: Fraction) -> Column:
    """In whole numbers that fit: seconds and what is left of them, for ticks times a billion may not."""
    ticks = pts * base.numerator
    whole, rest = np.divmod(ticks, base.denominator)
    times: Column = whole * NS + rest * NS // base.denominator
    return times


def _key_before(dts: Column, keys: NDArray[np.bool_]) -> Column:
    """Of each frame the decode time of its key frame; the first frame counts as one."""
    at = np.where(keys, np.arange(len(dts)), 0)
    return dts[np.maximum.accumulate(at)]


def _joined(columns: list[Column]) -> Column:
    return np.concatenate(columns) if columns else np.empty(0, np.int64)
