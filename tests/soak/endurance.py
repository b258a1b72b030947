"""Hours of play in fast time: `python -m tests.soak.endurance FOLDER HOURS` prints a line of JSON every ten minutes.

The whole table runs: camera, eyes, bench, journal, recorder and page. Only the clock is fast: pictures come as soon as
the eyes are ready for the next, with the times of a camera.
"""

import gc
import json
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import hardware.cameras
import hardware.recorder
from hardware.cameras.closing import Closing
from hardware.cameras.footage import FootageCamera
from hardware.frames import Frame, as_image
from referee.errors import TableError
from referee.host import Host
from referee.kiosk.app import Kiosk
from referee.kiosk.door import Door
from referee.kiosk.server import PageServer
from referee.stage import Stage

CLIP = Path(__file__).parents[2] / "sample_footage" / "rocca" / "not-through"
FPS = 4
EVERY = 15
"""Of the clip's sixty frames a second."""
REST_S = 2
"""After each shot: more than ten a minute."""
BUDGET_BYTES = 60_000_000
"""Small, so that old segments make room for new ones all the time."""
ACT_EVERY = 80
"""Frames between two acts."""
LOOK_S = 600.0


class FastCamera(Closing):
    """The clip forwards and backwards, so that nothing jumps, with a rest after each."""

    waits_for: ClassVar[Host | None] = None

    def __init__(self, address: str) -> None:
        self._images = [as_image(f.image) for f in FootageCamera(str(CLIP / "footage.mp4")).frames()][::EVERY]
        self.size = self._images[0].shape[1], self._images[0].shape[0]
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        index = 0
        rest = REST_S * FPS
        there = [*self._images, *[self._images[-1]] * rest]
        there_and_back = [*there, *reversed(self._images), *[self._images[0]] * rest]
        while not self._closed.is_set():
            self._wait_for_the_eyes()
            image = there_and_back[index % len(there_and_back)]
            yield Frame(index, index * 1_000_000_000 // FPS, image)
            index += 1

    def _wait_for_the_eyes(self) -> None:
        table = self.waits_for.table if self.waits_for else None
        while table is not None and table.relay is not None and not self._closed.is_set():
            if max(table.relay.eyes._queue.qsize(), table.relay.recorder._queue.qsize()) < 4:
                return
            time.sleep(0.001)

    def close(self) -> None:
        self._closed.set()


def memory_mb() -> float:
    gc.collect()
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def act(host: Host, url: str, number: int) -> None:
    """What people do now and then: declare, take back, look at the page, look again at a ruling."""
    events: list[dict[str, Any]] = [
        {"ev": "dispute", "seat": "A", "clause": f"X-{number}"}, {"ev": "undo"}, {"ev": "pause"}, {"ev": "resume"},
        {"ev": "gate_called", "seat": "A", "at_px": [[602.6, 285.2], [647.6, 223.0]]}, {"ev": "end_turn", "seat": "A"},
    ]  # fmt: skip
    for event in (events[number % len(events)], {"ev": "end_turn", "seat": "ABC"[number % 3]}):
        try:
            host.act(event, None)
        except TableError:
            continue
    for path in ("", "api/state", "still.jpg", "api/journal?after=100000"):
        with urllib.request.urlopen(url + path, timeout=60) as answer:
            answer.read()


def play(folder: Path, hours: float) -> None:
    hardware.cameras.CAMERAS["fast"] = (
        f"{__name__ if __name__ != '__main__' else 'tests.soak.endurance'}:FastCamera"
    )
    from tests.soak.endurance import FastCamera as Fast

    host = Host(folder, Stage())
    Fast.waits_for = host
    stills = CLIP.parent / "cameras" / "camera_5_60"
    setup = {"game": "rocca", "seats": ["A", "B", "C"], "camera": "fast:0", "profile": str(stills)}
    with PageServer(Kiosk(host, host.stage, Door()).app()) as page:
        host.begin(setup)
        table = host.table
        assert table is not None and table.relay is not None and table.recorder is not None
        table.recorder._budget = BUDGET_BYTES
        next_act, next_look = ACT_EVERY, 0.0
        while True:
            frame = table.relay.latest
            index = frame.index if frame is not None else 0
            if index >= next_act:
                act(host, page.url, next_act // ACT_EVERY)
                next_act += ACT_EVERY
            if index / FPS >= next_look:
                tell(host, index)
                next_look += min(LOOK_S, hours * 3600 / 12)
            if index / FPS >= hours * 3600:
                break
            time.sleep(0.005)
    host.close()


def tell(host: Host, index: int) -> None:
    table = host.table
    assert table is not None and table.relay is not None
    line = {
        "played_s": index / FPS,
        "memory_mb": round(memory_mb(), 1),
        "open_files": len(list(Path("/proc/self/fd").iterdir())),
        "threads": threading.active_count(),
        "entries": table.match.ledger.length(),
        "dropped": table.relay.eyes.dropped + table.relay.recorder.dropped,
        "cpu_s": round(time.process_time(), 1),
    }
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    play(Path(sys.argv[1]), float(sys.argv[2]))
