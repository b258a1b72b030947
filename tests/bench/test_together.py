"""Eyes, recording and page together at 720p60: what a second of play costs, beside decoding it in the same run.

The camera is a looping clip, decoded as a camera's stream is, and handed on as soon as the table takes the next
frame: processor time is measured, so a busy machine does not matter and no frame is lost.
"""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import pytest

from hardware.cameras.closing import Closing
from hardware.cameras.footage import FootageCamera
from hardware.frames import Frame
from referee.host import Host
from referee.kiosk.app import LIVE_FPS, Kiosk
from referee.kiosk.door import Door
from referee.kiosk.server import PageServer
from referee.stage import Stage
from tests.bench.figures import Figures
from tests.instead import plug_in

pytestmark = pytest.mark.bench
ROCCA = Path(__file__).parents[2] / "sample_footage" / "rocca"
CLIPS = {"not-through": "camera_5_60", "touches-a-gate-piece": "camera_12_60"}
ROUNDS = 5
FPS = 60
MOST_S = 1.0
"""Of processor time per second of play: two cores with one core's worth to spare."""


class LoopCamera(Closing):
    """A clip again and again with the times of one long film; waits for the table, never drops."""

    host: Host | None = None

    def __init__(self, address: str) -> None:
        self._path = address
        self.size = FootageCamera(address).size
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        index = 0
        for _ in range(ROUNDS):
            for frame in FootageCamera(self._path).frames():
                self._wait()
                if self._closed.is_set():
                    return
                yield Frame(index, index * 1_000_000_000 // FPS, frame.image)
                index += 1
        self._closed.wait(600)

    def _wait(self) -> None:
        table = self.host.table if self.host else None
        while table is not None and table.relay is not None and not self._closed.is_set():
            if max(table.relay.eyes._queue.qsize(), table.relay.recorder._queue.qsize()) < 8:
                return
            time.sleep(0.002)

    def close(self) -> None:
        self._closed.set()


def decode_ms(path: Path) -> float:
    """What PyAV alone takes for a frame of the clip, on one thread."""
    began, count = time.process_time(), 0
    with av.open(str(path)) as video:
        video.streams.video[0].thread_count = 1
        for picture in video.decode(video=0):
            picture.to_ndarray(format="bgr24")
            count += 1
    return (time.process_time() - began) * 1000 / count


@pytest.fixture
def one_thread() -> Iterator[None]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


@pytest.mark.parametrize("name", CLIPS)
def test_a_second_of_play_leaves_one_core_to_spare(
    figure: Figures, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_thread: None
) -> None:
    clip, stills = ROCCA / name / "footage.mp4", ROCCA / "cameras" / CLIPS[name]
    plug_in(monkeypatch, "loop", LoopCamera)
    monkeypatch.setattr("referee.live_picture.EVERY_S", 0.0)
    host = Host(tmp_path, Stage())
    monkeypatch.setattr(LoopCamera, "host", host)
    decode = decode_ms(clip)
    with PageServer(Kiosk(host, host.stage, Door()).app()):
        host.begin(
            {"game": "rocca", "seats": ["A", "B", "C"], "camera": f"loop:{clip}", "profile": str(stills)}
        )
        used, played = _play(host, frames_of(clip) * ROUNDS)
        assert host.table is not None
        assert host.table.relay is not None
        lost = host.table.relay.eyes.dropped + host.table.relay.recorder.dropped
    host.close()
    a_second = used / played
    figure(
        f"eyes + recording + page, 720p60, {name}",
        f"{a_second:.2f} s of processor per second of play, {a_second * 1000 / FPS / decode:.1f} x decoding it",
        f"{MOST_S} s",
        "make bench",
    )
    assert lost == 0
    assert a_second <= MOST_S


def frames_of(clip: Path) -> int:
    return len(FootageCamera(str(clip)).places())


def _play(host: Host, frames: int) -> tuple[float, float]:
    """Processor time and seconds of play, counted from the second round on: a board is learned once."""
    table = host.table
    assert table is not None and table.relay is not None
    begin, pictures, began = frames // ROUNDS, 0, 0.0
    while True:
        frame = table.relay.latest
        index = frame.index if frame is not None else 0
        if not began and index >= begin:
            began, pictures = time.process_time(), index
        if began and index - pictures >= FPS // LIVE_FPS:
            pictures = index
            host.picture()
        if index >= frames - 1:
            return time.process_time() - began, (frames - 1 - begin) / FPS
        time.sleep(0.002)
