"""Instant replay: the frames of a ruling out of the segments that are being recorded, while the game goes on."""

import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hardware.cameras.footage import FootageCamera
from hardware.frames import Image
from hardware.recorder import frames_recorded, numbers_of
from referee.above import from_above
from referee.errors import TableError
from referee.film import Film, as_jpeg
from referee.hand_layer import HandLayer
from referee.ledger import Entry
from referee.live_story import Story
from referee.shot_story import Plain
from referee.types import Point

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
        story: Story | None = None,
    ) -> None:
        self._told, self._story, files = told, story, _segments(folder, frames)
        if not files:
            raise TableError("there is no footage of this ruling")
        camera = FootageCamera(str(folder), files)
        self._camera, self._veil = camera, veil
        seen = frames_recorded(folder, camera.counted())
        first = int(np.searchsorted(seen, frames[0] - PRE_ROLL))
        last = int(np.searchsorted(seen, frames[1] + AFTER))
        self._film = Film(camera, lambda _index, image: veil(image))
        self._span = range(first, max(first + 1, min(last + 1, len(self._film.times_ns))))
        self._hands = HandLayer(self._film)
        self._shot = renumbered(story.plain, lambda n: bisect_left(seen, n) - first) if story else None

    def state(self, _brief: bool = False) -> dict[str, Any]:
        """What was ruled, with the numbers behind it."""
        said = {"frames": len(self._span), "size": list(self._film.size), "shot": self._shot, **self._told}
        return said | ({"readings": []} if self._shot else {})

    def times_ms(self) -> bytes:
        times = self._film.times_ns[self._span.start : self._span.stop] / 1e6
        return bytes((times - times[0]).astype("<f8").tobytes())

    def frame(self, index: int, width: int | None = None) -> bytes | None:
        if index >= len(self._span):
            raise TableError(f"frame {index} is not in the replay; it has {len(self._span)}")
        return self._film.jpeg(self._span[index], width)

    def above(self, _shot: int) -> bytes | None:
        """The frame that decides, enlarged and from straight above."""
        if self._story is None or self._shot is None or self._shot["window_mm"] is None:
            raise TableError("nothing was measured in these pictures")
        place = self._span[min(max(self._shot["closest"], 0), len(self._span) - 1)]
        # With a decoder of its own: the film is being played meanwhile, and this picture should not wait for it.
        image = self._veil(self._camera.frame_at(place).image)
        if image is None:
            return None
        return as_jpeg(from_above(image, self._story.profile, tuple(self._shot["window_mm"])))

    def hands(self, index: int) -> list[list[Point]]:
        """Outlines of the hands in a frame, in raw pixels."""
        if index >= len(self._span):
            raise TableError(f"frame {index} is not in the replay; it has {len(self._span)}")
        return self._hands.outlines(self._span[index])

    def close(self) -> None:
        self._film.close()


def renumbered(shot: Plain, place: Callable[[int], int]) -> Plain:
    """The story of a shot by other numbers of its frames."""
    return shot | {
        "frames": [place(n) for n in shot["frames"]],
        "closest": place(shot["closest"]),
        "way": [step | {"frame": place(step["frame"])} for step in shot["way"]],
    }


def open_instant(
    folder: Path,
    ledger: Sequence[Entry],
    number: int,
    veil: Callable[[Image], Image | None],
    story: Callable[[tuple[int, int]], Story | None] = lambda _frames: None,
) -> Instant:
    """The replay of the ruling with this number in the journal."""
    ruling = next((e for e in ledger if e.number == number and e.note.kind == "ruling"), None)
    if ruling is None:
        raise TableError(f"there is no ruling {number}")
    if ruling.note.frames is None:
        raise TableError("no picture was taken of this ruling")
    _await(folder, ruling.note.frames[1])
    frames = ruling.note.frames
    return Instant(folder, frames, veil, _told(ledger, ruling), story(frames))


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
