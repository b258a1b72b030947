"""Instant replay: the frames of a ruling out of the segments that are being recorded, while the game goes on."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hardware.cameras.footage import FootageCamera
from hardware.frames import Image
from hardware.recorder import numbers_of
from referee.errors import TableError
from referee.film import Film
from referee.ledger import Entry

PRE_ROLL = 60
"""Frames shown before the ruling's first."""
AFTER = 20
WAIT_S = 1.2
"""The last half second is still on its way to the disk."""
LOOK_EVERY_S = 0.1


class Instant:
    """The film of one ruling, numbered from its own beginning."""

    def __init__(
        self,
        folder: Path,
        frames: tuple[int, int],
        veil: Callable[[Image], Image | None],
        told: dict[str, Any],
    ) -> None:
        self._told, files = told, _segments(folder, frames)
        if not files:
            raise TableError("there is no footage of this ruling")
        camera = FootageCamera(str(folder), files)
        seen = [n for file in files for n in numbers_of(file)][: len(camera.places())]
        first = int(np.searchsorted(seen, frames[0] - PRE_ROLL))
        last = int(np.searchsorted(seen, frames[1] + AFTER))
        self._film = Film(camera, lambda _index, image: veil(image))
        self._span = range(first, max(first + 1, min(last + 1, len(self._film.times_ns))))

    def state(self) -> dict[str, Any]:
        """What was ruled, with the numbers behind it."""
        return {"frames": len(self._span), "size": list(self._film.size), **self._told}

    def times_ms(self) -> bytes:
        times = np.array(self._film.times_ns[self._span.start : self._span.stop], np.float64) / 1e6
        return bytes((times - times[0]).astype("<f8").tobytes())

    def frame(self, index: int, width: int | None = None) -> bytes | None:
        if index >= len(self._span):
            raise TableError(f"frame {index} is not in the replay; it has {len(self._span)}")
        return self._film.jpeg(self._span[index], width)

    def close(self) -> None:
        self._film.close()


def open_instant(
    folder: Path, ledger: Sequence[Entry], number: int, veil: Callable[[Image], Image | None]
) -> Instant:
    """The replay of the ruling with this number in the journal."""
    ruling = next((e for e in ledger if e.number == number and e.note.kind == "ruling"), None)
    if ruling is None:
        raise TableError(f"there is no ruling {number}")
    if ruling.note.frames is None:
        raise TableError("no picture was taken of this ruling")
    _await(folder, ruling.note.frames[1])
    return Instant(folder, ruling.note.frames, veil, _told(ledger, ruling))


def _told(ledger: Sequence[Entry], ruling: Entry) -> dict[str, Any]:
    """The measure that the ruling rests on, and both readings when it is close."""
    event = next((e.note.body for e in ledger if e.number == ruling.note.body.get("of")), {})
    margin, tolerance = event.get("margin_mm"), event.get("tol_mm")
    close = (
        isinstance(margin, int | float) and isinstance(tolerance, int | float) and abs(margin) <= tolerance
    )
    readings = [
        "The shooter is wholly through the band: a legal shot.",
        "A part still lies in it: a foul (RO-48).",
    ]
    return {"margin_mm": margin, "tolerance_mm": tolerance, "readings": readings if close else []}


def _await(folder: Path, frame: int) -> None:
    """Give the recorder a moment to bring this frame to the disk."""
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        latest = max(folder.glob("*.mp4"), default=None)
        if latest is not None and frame <= _readable(latest):
            return
        time.sleep(LOOK_EVERY_S)


def _readable(segment: Path) -> int:
    """The number of the last frame that can be read from a segment; -1 when none can."""
    try:
        count = len(FootageCamera(str(segment)).places())
    except TableError:
        return -1
    numbers = numbers_of(segment)[:count]
    return numbers[-1] if numbers else -1


def _segments(folder: Path, frames: tuple[int, int]) -> list[Path]:
    """The segments with these frames and a moment round them."""
    spans = [(file, numbers_of(file)) for file in sorted(folder.glob("*.mp4"))]
    return [
        file
        for file, numbers in spans
        if numbers and numbers[0] <= frames[1] + AFTER and frames[0] - PRE_ROLL <= numbers[-1]
    ]
