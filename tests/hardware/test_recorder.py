"""Promises of the recorder: playable after a power cut, bounded, and never in the way of the game."""

import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hardware.cameras.footage import FootageCamera
from hardware.frames import Frame
from hardware.recorder import SEGMENT_NS, Recorder
from tests.hardware.videos import numbered, read_number

STEP_NS = 16_666_667
BEGIN_NS = 5_000_000_000_000


def frame(number: int, t_ns: int | None = None) -> Frame:
    return Frame(number, BEGIN_NS + (number * STEP_NS if t_ns is None else t_ns), numbered(number))


def no_stop(why: str | None) -> None:
    pytest.fail(str(why))


def test_what_is_recorded_is_replayed_with_the_clock_of_the_play(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, no_stop)
    for k in range(90):
        recorder.write(frame(k))
    recorder.close()
    recorder.close()
    frames = list(FootageCamera(str(tmp_path)).frames())
    assert [read_number(f.image) for f in frames] == list(range(90))
    assert all(abs(f.t_ns - f.index * STEP_NS) < 12_000 for f in frames)


def test_the_clock_of_the_play_goes_on_from_one_segment_to_the_next(tmp_path: Path) -> None:
    times = [k * STEP_NS + (k % 3) * 2_000_000 + (k // 25) * 3_000_000_000 for k in range(60)]
    recorder = Recorder(tmp_path, no_stop, segment_ns=10 * STEP_NS)
    for k, t_ns in enumerate(times):
        recorder.write(frame(k, t_ns))
    recorder.close()
    camera = FootageCamera(str(tmp_path))
    assert len(list(tmp_path.glob("*.mp4"))) > 4
    assert all(abs(f.t_ns - t_ns) < 12_000 for f, t_ns in zip(camera.frames(), times, strict=True))
    assert [read_number(camera.frame_at(k).image) for k in (0, 9, 10, 26, 59)] == [0, 9, 10, 26, 59]


def test_segments_change_every_minute_and_a_resumed_recording_overwrites_none(tmp_path: Path) -> None:
    for run in range(2):
        recorder = Recorder(tmp_path, no_stop)
        for k in range(3):
            recorder.write(frame(run * 3 + k, k * SEGMENT_NS))
        recorder.close()
    assert [f.name for f in sorted(tmp_path.glob("*.mp4"))] == [f"{k:06d}.mp4" for k in range(6)]
    assert [read_number(f.image) for f in FootageCamera(str(tmp_path)).frames()] == list(range(6))


def test_oldest_segments_that_no_ruling_needs_are_dropped_first(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, no_stop, budget_bytes=1, keep=lambda: {"000001.mp4"})
    for k in range(5):
        recorder.write(frame(k, k * SEGMENT_NS))
    recorder.close()
    assert [f.stem for f in sorted(tmp_path.glob("*.mp4"))] == ["000001", "000004"]
    assert [f.stem for f in sorted(tmp_path.glob("*.frames"))] == ["000001", "000004"]


def test_a_picture_of_odd_size_stops_the_recording_with_a_word_and_not_the_game(tmp_path: Path) -> None:
    said: list[str | None] = []
    recorder = Recorder(tmp_path, said.append)
    recorder.write(Frame(0, BEGIN_NS, numbered(0)[:-1]))
    recorder.close()
    assert [why is not None and "odd number of pixels" in why for why in said] == [True]


CHILD = """
import sys; from pathlib import Path
from tests.hardware.test_recorder import Recorder, frame
recorder = Recorder(Path(sys.argv[1]), print)
for k in range(1000):
    recorder.write(frame(k)); print(k, flush=True)
"""


def test_a_power_cut_costs_at_most_the_last_second(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    written = next(int(line) for line in child.stdout if int(line) >= 250)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    numbers = [read_number(f.image) for f in FootageCamera(str(tmp_path)).frames()]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) > written - 60


def test_a_full_disk_stops_the_recording_not_the_game_and_it_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    said: list[str | None] = []
    recorder = Recorder(tmp_path, said.append)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        for k in range(400):
            recorder.write(frame(k))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert str(said[0]).startswith("Recording stopped: the disk")
    assert "The game goes on" in str(said[0])
    for k in range(400, 700):
        recorder.write(frame(k))
    recorder.close()
    assert (recorder.stopped, said[-1]) == (None, None)
    numbers = [read_number(f.image) for f in FootageCamera(str(tmp_path)).frames()]
    assert numbers == sorted(numbers)
    assert numbers[0] == 0
    assert numbers[-180:] == list(range(520, 700))


def test_a_segment_torn_by_a_power_cut_does_not_hide_the_ones_behind_it(tmp_path: Path) -> None:
    for run in range(3):
        recorder = Recorder(tmp_path, no_stop)
        for k in range(60):
            recorder.write(frame(run * 60 + k))
        if run == 2:
            recorder.close()
            continue
        recorder._drop_segment()  # no seal, and torn as when the power goes
        torn = tmp_path / f"{run:06d}.mp4"
        torn.write_bytes(torn.read_bytes()[: -900 if run else 40])
    numbers = [read_number(f.image) for f in FootageCamera(str(tmp_path)).frames()]
    assert numbers[-60:] == list(range(120, 180))
    assert 60 in numbers
    camera = FootageCamera(str(tmp_path))
    assert read_number(camera.frame_at(len(camera.places()) - 1).image) == 179


def test_a_clock_that_goes_back_does_not_stop_the_recording(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, no_stop)
    for k in range(60):
        recorder.write(frame(k, k * STEP_NS if k < 30 else (k - 30) * STEP_NS))
    recorder.close()
    assert len(list(FootageCamera(str(tmp_path)).frames())) == 60


@pytest.mark.bench
def test_recording_leaves_room_for_the_eyes(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, no_stop)
    began = time.perf_counter()
    for k in range(200):
        recorder.write(frame(k))
    recorder.close()
    print(f"recording {(time.perf_counter() - began) / 200 * 1e3:.2f} ms a frame of 320x192")
