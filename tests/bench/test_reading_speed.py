"""Reading a frame may cost little more than PyAV's own decode to BGR."""

import time
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest

from hardware.cameras.footage import FootageCamera
from hardware.frames import Frame
from hardware.recorder import Recorder
from tests.bench.figures import Figures
from tests.untroubled import untroubled

MAY_COST = 1.15


def plain_decode(path: Path) -> None:
    with av.open(str(path)) as video:
        video.streams.video[0].thread_type = "AUTO"
        for picture in video.decode(video=0):
            picture.to_ndarray(format="bgr24")


def our_reading(path: Path) -> None:
    for _ in FootageCamera(str(path)).frames():
        pass


def seconds(work: Callable[[Path], None], path: Path) -> float:
    """Of this process alone, on one thread: neighbours on the machine do not count."""
    began = time.process_time()
    work(path)
    return time.process_time() - began


@pytest.mark.bench
def test_reading_costs_no_more_than_the_decode(figure: Figures, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 255, (720, 1280, 3), np.uint8)
    recorder = Recorder(tmp_path, untroubled)
    for k in range(120):
        recorder.write(Frame(k, k * 16_666_667, np.roll(noise, k * 3, axis=1) // 4 + 90))
    recorder.close()
    clip = tmp_path / "000000.mp4"
    runs = [(seconds(plain_decode, clip), seconds(our_reading, clip)) for _ in range(5)]
    ratio = min(ours for _, ours in runs) / min(theirs for theirs, _ in runs)
    figure("reading footage, 720p", f"{ratio:.2f} x PyAV's own decode", f"{MAY_COST} x", "make bench")
    assert ratio <= MAY_COST
