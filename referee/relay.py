"""From the camera to whoever wants its frames, without ever waiting for them.

The camera has a thread of its own. Each taker has a short queue; when a taker is too slow its frames are dropped,
counted and said, and the others notice nothing. While eyes are shut at the table (the night of a game) the camera
itself is closed: no picture is taken, so none can leak.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from queue import Empty, Full, Queue

from hardware.cameras import open_camera
from hardware.cameras.lasting import lasting_frames, wait_for
from hardware.cameras.paced import paced
from hardware.cameras.steady import SteadyClock
from hardware.cameras.watchdog import Watchdog
from hardware.errors import CameraError
from hardware.frames import Camera, Frame, Image
from hardware.priority import go_first

EYES_QUEUE = 48
RECORDER_QUEUE = 96
SHUT_S = 0.05
TURN_S = 0.0005
"""A thread that came back from OpenCV gets its turn at Python after this. Camera, eyes, recorder and page call it a
thousand times a second: the usual 5 ms would double the time from rest to the ruling."""


class Taker:
    """One queue of frames; None in it is the end."""

    def __init__(self, room: int) -> None:
        self._queue: Queue[Frame | None] = Queue(room)
        self.dropped = 0

    def offer(self, frame: Frame) -> None:
        try:
            self._queue.put_nowait(frame)
        except Full:
            self.dropped += 1

    def end(self, given_up: threading.Event) -> None:
        """Wait for room behind the last frame, unless nobody will take it any more."""
        while not given_up.is_set():
            try:
                self._queue.put(None, timeout=SHUT_S)
            except Full:
                continue
            return

    def take(self, timeout_s: float) -> Frame | None:
        """The next frame; raises Empty when none came in time, returns None at the end."""
        return self._queue.get(timeout=timeout_s)

    def drain(self) -> None:
        """Forget what waits: it was taken before eyes were shut."""
        while True:
            try:
                self._queue.get_nowait()
            except Empty:
                return


class Relay:
    """Runs one camera and hands its frames out."""

    def __init__(self, name: str, on_change: Callable[[str | None], None]) -> None:
        self._name, self._on_change = name, on_change
        self._is_footage = name.startswith("footage:")
        self._camera = open_camera(name)
        self.size = self._camera.size
        self.eyes, self.recorder = Taker(EYES_QUEUE), Taker(RECORDER_QUEUE)
        self.latest: Frame | None = None
        self.watchdog = Watchdog(may_stand_still=self._is_footage)
        self._first = 0
        self._shut = threading.Event()
        self._gate = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def first_picture(self) -> Image:
        """What the camera shows before it is started."""
        for frame in self._camera.frames():
            return frame.image
        raise CameraError(f"{self._name} delivers no picture")

    def count_from(self, first: int) -> None:
        """A match taken up again goes on counting frames: no two frames of it have the same number."""
        self._first = first

    def start(self) -> None:
        sys.setswitchinterval(TURN_S)
        self._thread.start()

    def shut(self) -> None:
        """Take no picture from now on; the last one is forgotten."""
        with self._gate:
            self._shut.set()
            self.latest = None
            self.eyes.drain()
            self.recorder.drain()

    def open(self) -> None:
        """Look again."""
        if self._shut.is_set():
            self.watchdog.expect()
            self._shut.clear()

    def trouble(self) -> str | None:
        """What is wrong with the pictures now; nothing while none are wanted."""
        wanted = self._thread.is_alive() and not self._shut.is_set()
        return self.watchdog.trouble() if wanted else None

    def close(self) -> None:
        """The camera is closed by its own thread: no driver likes to lose it in the middle of a picture."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(5)
        else:
            self._camera.close()

    def _run(self) -> None:
        go_first()
        self.watchdog.expect()
        try:
            for frame in self._frames():
                self.watchdog.see(frame.image)
                self._hand_out(frame)
        except CameraError as error:
            self._on_change(str(error))
        except _Closed:
            pass
        finally:
            self._camera.close()
            self.eyes.end(self._closed)
            self.recorder.end(self._closed)

    def _hand_out(self, frame: Frame) -> None:
        """To everybody or, when eyes were shut in the same moment, to nobody."""
        with self._gate:
            if not self._shut.is_set():
                self.latest = frame
                self.eyes.offer(frame)
                self.recorder.offer(frame)

    def _frames(self) -> Iterator[Frame]:
        if self._is_footage:
            yield from self._footage()
            return
        index, clock = self._first, SteadyClock()
        while not self._closed.is_set():
            for frame in lasting_frames(self._name, self._heard, self._camera, self._reopen, self._rest):
                if self._shut.is_set() or self._closed.is_set():
                    break
                yield Frame(index, clock.t_ns(frame.t_ns), frame.image)
                index += 1
            self._camera.close()
            while self._shut.is_set() and not self._closed.is_set():
                time.sleep(SHUT_S)
            if not self._closed.is_set():
                wait_for(self._name, self.size, self._heard, self._reopen, self._rest)

    def _heard(self, why: str | None) -> None:
        self._on_change(why)
        if why is None:
            self.watchdog.expect()

    def _reopen(self, name: str) -> Camera:
        self._camera = open_camera(name)
        return self._camera

    def _rest(self, seconds: float) -> None:
        """Between two tries to find the camera again."""
        if self._closed.wait(seconds):
            raise _Closed

    def _footage(self) -> Iterator[Frame]:
        """A recording cannot be stopped like a camera; what it shows while eyes are shut is thrown away."""
        for frame in paced(self._camera.frames()):
            if self._closed.is_set():
                return
            if not self._shut.is_set():
                yield frame


class _Closed(Exception):
    """The table was closed while its camera was gone."""
