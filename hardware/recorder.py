"""Footage written while playing: fragmented MP4 segments that stay playable after a power cut.

A segment is complete up to its last fragment (half a second) at any moment. Times are the camera's own, counted
from the first frame of the recording, so that a replay has the clock of the play.
"""

import errno
import shutil
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from io import FileIO
from itertools import groupby
from pathlib import Path

import av
from av.container import OutputContainer
from av.video.stream import VideoStream

from hardware.frames import Frame
from hardware.seals import DROPPED, seal_of_file, seal_segment

TICKS = 90_000
"""Per second: MP4's customary clock, exact to 11 microseconds."""
SEGMENT_NS = 60_000_000_000
FRAGMENT_US = 500_000
KEY_EVERY = 30
"""Frames between key frames: a seek decodes at most this many."""
NUMBERS = ".frames"
"""Beside each segment: the number of each of its frames as the referee counted them."""
NUMBER_BYTES = 8


class Recorder:
    """Writes frames into `folder`; a full disk stops the recording, never the game."""

    def __init__(
        self,
        folder: Path,
        on_stop: Callable[[str], None],
        budget_bytes: int = 20_000_000_000,
        keep: Callable[[], Collection[str]] = tuple,
    ) -> None:
        self._folder, self._budget, self._keep, self._on_stop = folder, budget_bytes, keep, on_stop
        folder.mkdir(parents=True, exist_ok=True)
        self._number = _next_number(folder)
        self._video: OutputContainer | None = None
        self._stream: VideoStream | None = None
        self._numbers: FileIO | None = None
        self._began_ns = 0
        self._first_ns: int | None = None
        self.stopped: str | None = None
        """Why nothing is recorded any more; None while it is."""

    def write(self, frame: Frame) -> None:
        """Add one frame; after a fault on the disk nothing happens here any more."""
        if self.stopped:
            return
        try:
            self._write(frame)
        except (OSError, av.FFmpegError) as error:
            self._give_up(error)

    def close(self) -> None:
        """Finish the segment; closing twice is harmless."""
        try:
            self._finish()
        except (OSError, av.FFmpegError) as error:
            self._give_up(error)

    def _write(self, frame: Frame) -> None:
        if self._first_ns is None:
            self._first_ns = frame.t_ns
        if self._video is None or frame.t_ns - self._began_ns >= SEGMENT_NS:
            self._finish()
            self._begin(frame)
        assert self._video is not None
        assert self._stream is not None
        picture = av.VideoFrame.from_ndarray(frame.image, format="bgr24")
        picture.pts = (frame.t_ns - self._first_ns) * TICKS // 1_000_000_000
        picture.time_base = Fraction(1, TICKS)
        self._video.mux(self._stream.encode(picture))
        self._note(frame.index)

    def _begin(self, frame: Frame) -> None:
        self._make_room()
        file = self._folder / f"{self._number:06d}.mp4"
        self._number += 1
        self._video = av.open(str(file), "w", options=_FRAGMENTED)
        # Unbuffered: a dispute reads it while the segment is written.
        self._numbers = file.with_suffix(NUMBERS).open("wb", buffering=0)
        stream = self._video.add_stream("libx264", rate=60, options=_ENCODER)
        stream.height, stream.width = frame.image.shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = stream.time_base = Fraction(1, TICKS)
        stream.codec_context.gop_size = KEY_EVERY
        self._stream, self._began_ns = stream, frame.t_ns

    def _note(self, index: int) -> None:
        """Write down which frame this was: a frame that was dropped must not shift the ones behind it."""
        assert self._numbers is not None
        self._numbers.write(index.to_bytes(NUMBER_BYTES, "little"))

    def _finish(self) -> None:
        numbers, self._numbers = self._numbers, None
        if numbers is not None:
            numbers.close()
        video, stream, self._video, self._stream = self._video, self._stream, None, None
        if video is not None and stream is not None:
            try:
                video.mux(stream.encode(None))
            finally:
                video.close()
            name = f"{self._number - 1:06d}.mp4"
            seal_segment(self._folder, name, seal_of_file(self._folder / name))

    def _make_room(self) -> None:
        """Drop the oldest segments that no ruling points to until the budget holds."""
        keep = set(self._keep())
        segments = sorted(self._folder.glob("*.mp4"))
        size = sum(s.stat().st_size for s in segments)
        for segment in segments:
            if size <= self._budget:
                return
            if segment.name not in keep:
                size -= segment.stat().st_size
                segment.unlink()
                segment.with_suffix(NUMBERS).unlink(missing_ok=True)
                seal_segment(self._folder, segment.name, DROPPED)

    def _give_up(self, error: OSError | av.FFmpegError) -> None:
        self._video = self._stream = None
        if self._numbers is not None:
            self._numbers.close()
            self._numbers = None
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        self.stopped = (
            "the disk is full" if full else f"the disk refuses to write ({error.strerror or error})"
        )
        self._on_stop(f"Recording stopped: {self.stopped}. The game goes on; disputes have no new footage.")


_FRAGMENTED = {
    "movflags": "frag_keyframe+empty_moov+default_base_moof",
    "frag_duration": str(FRAGMENT_US),
    "flush_packets": "1",
}
# ultrafast and no B-frames: two milliseconds a frame, and what was encoded is on the disk at once.
_ENCODER = {"preset": "ultrafast", "tune": "zerolatency", "crf": "20", "threads": "1"}


def free_bytes(folder: Path) -> int:
    """Room left on the disk that holds `folder`."""
    return shutil.disk_usage(folder).free


def _next_number(folder: Path) -> int:
    """A resumed recording goes on behind the last segment, it never overwrites one."""
    return max((int(f.stem) for f in folder.glob("*.mp4") if f.stem.isdigit()), default=-1) + 1


def frames_recorded(folder: Path, places: Sequence[Path]) -> tuple[int, ...]:
    """The number of every frame as the referee counted them; `places` is the segment of each in order.

    A segment without numbers goes on counting; empty when no segment has any.
    """
    if not any(folder.glob(f"*{NUMBERS}")):
        return ()
    seen: list[int] = []
    for segment, here in groupby(places):
        count, known = len(list(here)), numbers_of(segment)
        following = known[-1] if known else seen[-1] if seen else -1
        known = known[:count] + [following + 1 + k for k in range(count - len(known))]
        seen += known
    return tuple(seen)


def last_recorded(folder: Path) -> int:
    """The number of the last frame noted down; -1 when there is none."""
    return max((n for f in folder.glob(f"*{NUMBERS}") for n in numbers_of(f)[-1:]), default=-1)


def numbers_of(segment: Path) -> list[int]:
    """The number of each frame of a segment as the referee counted them, as far as noted."""
    noted = segment.with_suffix(NUMBERS)
    raw = noted.read_bytes() if noted.is_file() else b""
    whole = len(raw) - len(raw) % NUMBER_BYTES
    return [int.from_bytes(raw[k : k + NUMBER_BYTES], "little") for k in range(0, whole, NUMBER_BYTES)]
