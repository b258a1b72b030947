"""From the camera to the recorder, past the curtain: what not everybody may see is never kept."""

import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue

from hardware.frames import Frame
from hardware.recorder import Recorder
from hardware.stills import KeptStill
from referee.relay import Taker
from referee.veil import Curtains

TICK_S = 0.04
"""How long it waits for a frame before it looks whether the table was closed."""
CURTAIN_S = 2.0
"""How long a frame waits for the eyes to say what of it may be kept; longer, and it is not kept."""


class Roll:
    """Takes the frames meant for the recorder; run in a thread of its own."""

    def __init__(
        self, frames: Taker, recorder: Recorder, curtains: Curtains, stumble: Callable[[Exception], None]
    ) -> None:
        self._frames, self._recorder, self._curtains, self._stumble = frames, recorder, curtains, stumble
        self._stills: SimpleQueue[KeptStill] = SimpleQueue()
        self._last_still = (-1, -1)

    def keep_still(self, still: KeptStill | None) -> None:
        """Once, beside the footage, as soon as there is time: so that eyes that look again measure the same."""
        if still is not None and still.frames != self._last_still:
            self._last_still = still.frames
            self._stills.put(still)

    def run(self, closed: threading.Event) -> None:
        """Keep every frame until the last one; those that still wait when the table is closed, too."""
        while self._goes_on(closed):
            pass
        if closed.is_set():
            self.finish()

    def finish(self) -> None:
        """Write what waits, and end the recording, now that the table is closed; twice is harmless."""
        self._keep_stills()
        self._recorder.close()

    def _goes_on(self, closed: threading.Event) -> bool:
        try:
            return self._next(closed)
        except Exception as error:  # our own fault: a new segment begins with the next frame
            self._stumble(error)
            self._recorder.cut()
            return True

    def _next(self, closed: threading.Event) -> bool:
        """Keep one frame; whether more are to come."""
        night = self._curtains.night
        try:
            frame = self._frames.take(TICK_S)
        except Empty:
            return not closed.is_set()
        if frame is not None:
            self._keep(frame, night, 0 if closed.is_set() else CURTAIN_S)
        return frame is not None

    def _keep(self, frame: Frame, night: int, patience_s: float) -> None:
        shown = self._curtains.draw(frame.index, frame.image, night, patience_s)
        if shown is not None:
            self._recorder.write(Frame(frame.index, frame.t_ns, shown))
        self._keep_stills()

    def _keep_stills(self) -> None:
        with suppress(Empty):
            while True:
                self._recorder.keep(self._stills.get_nowait())
