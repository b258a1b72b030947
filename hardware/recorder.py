"""Footage written while playing: fragmented MP4 segments that stay playable after a power cut.

A segment is complete up to its last fragment (half a second) at any moment. Times are the camera's own, counted
from the first frame of the recording, so that a replay has the clock of the play.
"""

import errno
import hashlib
import os
import shutil
import struct
import tempfile
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from fractions import Fraction
from io import FileIO
from pathlib import Path

import av
import cv2
import numpy as np
from av.container import OutputContainer
from av.video.stream import VideoStream

from hardware.frames import Frame, Image
from hardware.seals import DROPPED, seal_of_file, seal_segment
from hardware.stills import KeptStill, stills_until

TICKS = 90_000
"""Per second: MP4's customary clock, exact to 11 microseconds."""
SEGMENT_NS = 60_000_000_000
FRAGMENT_US = 500_000
KEY_EVERY = 30
"""Frames between key frames: a seek decodes at most this many."""
COLOURS = 6, 1
"""FFmpeg's numbers for what OpenCV makes of BGR: the colours of BT.601, levels from 16 to 235."""
RETRY_NS = 2_000_000_000
"""After a fault on the disk the next segment is tried this much later."""
SURE_NS = 1_500_000_000
NUMBERS = ".frames"
"""Beside each segment: the number of each of its frames as the referee counted them."""
NUMBER_BYTES = 8
MEMORY = Path("/dev/shm")
"""A disk in memory; where a system has none, the temporary folder stands in."""
RING = "table-referee-"
RING_BYTES = 64_000_000
"""About a minute at 720p60."""
RING_SEGMENT_NS = 5_000_000_000


class Recorder:
    """Writes frames into `folder`; a full disk stops the recording until there is room, and never the game."""

    def __init__(
        self,
        folder: Path,
        on_change: Callable[[str | None], None],
        budget_bytes: int = 20_000_000_000,
        keep: Callable[[], Collection[str]] = tuple,
        segment_ns: int = SEGMENT_NS,
    ) -> None:
        """`on_change` hears why nothing is recorded, and None when it goes on."""
        self.folder, self._segment_ns = folder, segment_ns
        self._budget, self._keep, self._on_change = budget_bytes, keep, on_change
        folder.mkdir(parents=True, exist_ok=True)
        self._number = _next_number(folder)
        self._video: OutputContainer | None = None
        self._stream: VideoStream | None = None
        self._numbers: FileIO | None = None
        self._planes: Image = np.empty((0, 0), np.uint8)
        self._began_ns = 0
        self._first_ns: int | None = None
        self._last_tick = -1
        self.stopped: str | None = None
        """Why nothing is recorded; None while it is."""
        self._retry_ns = 0

    def write(self, frame: Frame) -> None:
        """Add one frame; after a fault on the disk a new segment is tried from time to time."""
        if self.stopped and frame.t_ns < self._retry_ns:
            return
        try:
            self._write(frame)
        except (OSError, av.FFmpegError) as error:
            self._retry_ns = frame.t_ns + RETRY_NS
            self._give_up(error)
        else:
            self._go_on(frame.t_ns)

    def keep(self, still: KeptStill) -> None:
        """Keep a picture exactly, beside the footage; one that cannot be written is left to the footage."""
        if self.stopped:
            return
        png = still.png()
        with suppress(OSError):
            (self.folder / still.name).write_bytes(png)
            seal_segment(self.folder, still.name, hashlib.sha256(png).hexdigest())

    def close(self) -> None:
        """Finish the recording; closing twice is harmless."""
        self.cut()

    def cut(self) -> None:
        """Finish the segment; the next frame begins another."""
        try:
            self._finish()
        except (OSError, av.FFmpegError) as error:
            self._give_up(error)

    def _write(self, frame: Frame) -> None:
        if self._first_ns is None:
            self._first_ns = frame.t_ns
        if self._video is None or frame.t_ns - self._began_ns >= self._segment_ns:
            self._finish()
            self._begin(frame)
        assert self._video is not None
        assert self._stream is not None
        # One buffer for all frames: the encoder has taken what it needs when it returns, and new memory is dear.
        cv2.cvtColor(frame.image, cv2.COLOR_BGR2YUV_I420, dst=self._planes)
        picture = av.VideoFrame.from_numpy_buffer(self._planes, format="yuv420p")
        picture.pts = self._tick(frame.t_ns)
        picture.time_base = Fraction(1, TICKS)
        self._video.mux(self._stream.encode(picture))
        self._note(frame.index)

    def _tick(self, t_ns: int) -> int:
        """On the recording's clock; frames closer than a tick still come one after the other."""
        assert self._first_ns is not None
        tick = ((t_ns - self._first_ns) * TICKS + 500_000_000) // 1_000_000_000
        self._last_tick = max(tick, self._last_tick + 1)
        return self._last_tick

    def _begin(self, frame: Frame) -> None:
        if any(side % 2 for side in frame.image.shape[:2]):
            raise OSError(errno.EINVAL, "pictures with an odd number of pixels cannot be encoded")
        self._make_room()
        file = self.folder / f"{self._number:06d}.mp4"
        self._number += 1
        # Unbuffered: a dispute reads it while the segment is written.
        self._numbers = file.with_suffix(NUMBERS).open("wb", buffering=0)
        self._video = av.open(str(file), "w", options=_FRAGMENTED)
        stream = self._video.add_stream("libx264", rate=60, options=_ENCODER)
        height, width = stream.height, stream.width = frame.image.shape[:2]
        self._planes = np.empty((height * 3 // 2, width), np.uint8)
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = stream.time_base = Fraction(1, TICKS)
        stream.codec_context.gop_size = KEY_EVERY
        stream.codec_context.colorspace, stream.codec_context.color_range = COLOURS
        self._stream, self._began_ns = stream, frame.t_ns

    def _note(self, index: int) -> None:
        """Write down which frame this was: a frame that was dropped must not shift the ones behind it."""
        assert self._numbers is not None
        self._numbers.write(noted([index]))

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
            seal_segment(self.folder, name, seal_of_file(self.folder / name))

    def _make_room(self) -> None:
        """Drop the oldest segments that no ruling points to until the budget holds."""
        keep = set(self._keep())
        segments = sorted(self.folder.glob("*.mp4"))
        size = sum(f.stat().st_size for f in (*segments, *self.folder.glob("*.png")))
        for segment in segments:
            if size <= self._budget:
                return
            if segment.name not in keep:
                size -= self._drop(segment)

    def _drop(self, segment: Path) -> int:
        """Let go of a segment and of what was kept of its frames; how many bytes that makes free."""
        stills = stills_until(self.folder, max(numbers_of(segment), default=-1))
        size = sum(f.stat().st_size for f in (segment, *stills))
        segment.with_suffix(NUMBERS).unlink(missing_ok=True)
        for file in (segment, *stills):
            file.unlink()
            seal_segment(self.folder, file.name, DROPPED)
        return size

    def _give_up(self, error: OSError | av.FFmpegError) -> None:
        self._drop_segment()
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        why = "the disk is full" if full else f"the disk refuses to write ({error.strerror or error})"
        if why != self.stopped:
            self.stopped = why
            self._on_change(
                f"Recording stopped: {why}. The game goes on, and so does the recording when there is room."
            )

    def _go_on(self, t_ns: int) -> None:
        """Said only when fragments of the new segment are on the disk."""
        if self.stopped and t_ns - self._began_ns > SURE_NS:
            self.stopped = None
            self._on_change(None)

    def _drop_segment(self) -> None:
        """Let go of the segment that cannot be written; what it holds stays, an empty one does not."""
        video, self._video, self._stream = self._video, None, None
        if video is not None:
            with suppress(OSError, av.FFmpegError):  # closing tries to write once more
                video.close()
        numbers, self._numbers = self._numbers, None
        if numbers is not None:
            numbers.close()
        file = self.folder / f"{self._number - 1:06d}.mp4"
        with suppress(OSError):
            if not file.with_suffix(NUMBERS).stat().st_size:
                file.unlink(missing_ok=True)
                file.with_suffix(NUMBERS).unlink()


class Ring(Recorder):
    """The last moments in memory alone, for instant replay where nothing is to be kept; closing forgets them."""

    def __init__(self, on_change: Callable[[str | None], None], budget_bytes: int = RING_BYTES) -> None:
        forget_rings()
        memory = MEMORY if MEMORY.is_dir() else Path(tempfile.gettempdir())
        folder = Path(tempfile.mkdtemp(prefix=f"{RING}{os.getpid()}-", dir=memory))
        super().__init__(folder, on_change, budget_bytes, segment_ns=RING_SEGMENT_NS)

    def keep(self, still: KeptStill) -> None:
        """Nobody judges these moments again."""

    def close(self) -> None:
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)


def forget_rings(memory: Path = MEMORY) -> None:
    """Remove what a table that was killed left in memory."""
    for left in memory.glob(f"{RING}*"):
        owner = left.name.removeprefix(RING).partition("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            shutil.rmtree(left, ignore_errors=True)


# Without the last of the flags and the last option FFmpeg would begin every segment at zero.
_FRAGMENTED = {
    "movflags": "frag_keyframe+empty_moov+default_base_moof+frag_discont",
    "frag_duration": str(FRAGMENT_US),
    "flush_packets": "1",
    "avoid_negative_ts": "disabled",
}
# ultrafast and no B-frames: two milliseconds a frame, and what was encoded is on the disk at once.
# At 20 the shadow between a finger and a piece was lost, and a shot judged again from it became another ruling.
_ENCODER = {"preset": "ultrafast", "tune": "zerolatency", "crf": "18", "threads": "1"}


def free_bytes(folder: Path) -> int:
    """Room left on the disk that holds `folder`."""
    return shutil.disk_usage(folder).free


def _next_number(folder: Path) -> int:
    """A resumed recording goes on behind the last segment, it never overwrites one."""
    return max((int(f.stem) for f in folder.glob("*.mp4") if f.stem.isdigit()), default=-1) + 1


def frames_recorded(folder: Path, segments: Iterable[tuple[Path, int]]) -> tuple[int, ...]:
    """The number of every frame as the referee counted them; `segments` has each file with how many frames it has.

    A segment without numbers goes on counting; empty when no segment has any.
    """
    if not any(folder.glob(f"*{NUMBERS}")):
        return ()
    seen: list[int] = []
    for segment, count in segments:
        known = numbers_of(segment)
        following = known[-1] if known else seen[-1] if seen else -1
        seen += known[:count] + [following + 1 + k for k in range(count - len(known))]
    return tuple(seen)


def last_recorded(folder: Path) -> int:
    """The number of the last frame noted down; -1 when there is none."""
    return max((n for f in folder.glob(f"*{NUMBERS}") for n in numbers_of(f)[-1:]), default=-1)


def noted(numbers: Iterable[int]) -> bytes:
    """The numbers of frames as they are noted beside a segment."""
    return b"".join(number.to_bytes(NUMBER_BYTES, "little") for number in numbers)


def numbers_of(segment: Path) -> list[int]:
    """The number of each frame of a segment as the referee counted them, as far as noted."""
    noted = segment.with_suffix(NUMBERS)
    raw = noted.read_bytes() if noted.is_file() else b""
    whole = len(raw) - len(raw) % NUMBER_BYTES
    return list(struct.unpack(f"<{whole // NUMBER_BYTES}Q", raw[:whole]))
