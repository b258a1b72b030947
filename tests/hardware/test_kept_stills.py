"""Promises of what is kept exactly beside the footage."""

from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.footage import FootageCamera
from hardware.frames import Frame, Image, as_image
from hardware.recorder import Recorder
from hardware.seals import faults
from hardware.stills import KeptStill

STEP_NS = 16_666_667
SEGMENT_NS = 10 * STEP_NS
FIRST = 100
"""The referee has counted frames before: the recording begins in the middle."""


def picture(seed: int) -> Image:
    rough = np.random.default_rng(seed).integers(30, 220, (9, 16, 3), np.uint8)
    return as_image(cv2.resize(rough, (320, 180), interpolation=cv2.INTER_CUBIC))


def recorded(folder: Path, budget_bytes: int = 10**9) -> Recorder:
    recorder = Recorder(folder, lambda why: None, budget_bytes, segment_ns=SEGMENT_NS)
    for k in range(40):
        recorder.write(Frame(FIRST + k, k * STEP_NS, picture(k // 20)))
        if k == 15:
            recorder.keep(KeptStill((FIRST + 8, FIRST + 12), picture(7)))
    recorder.close()
    return recorder


def test_a_kept_still_is_read_back_to_the_last_bit_for_its_frames_and_no_other(tmp_path: Path) -> None:
    recorded(tmp_path)
    frames = list(FootageCamera(str(tmp_path)).frames())
    exact = [f.index for f in frames if np.array_equal(f.image, picture(7))]
    assert exact == [8, 9, 10, 11, 12]
    sought = FootageCamera(str(tmp_path))
    assert all(np.array_equal(sought.frame_at(k).image, frames[k].image) for k in (7, 8, 11, 12, 13, 31))


def test_a_changed_still_is_named(tmp_path: Path) -> None:
    recorded(tmp_path)
    assert not list(faults(tmp_path))
    (still,) = tmp_path.glob("*.png")
    cv2.imwrite(str(still), picture(8))
    assert list(faults(tmp_path)) == [f"the footage was changed in {still.name}"]


def test_a_still_goes_when_its_frames_make_room(tmp_path: Path) -> None:
    recorded(tmp_path, budget_bytes=1)
    assert not list(tmp_path.glob("*.png"))
    assert len(list(tmp_path.glob("*.mp4"))) == 1
    assert not list(faults(tmp_path))


def test_a_still_that_is_no_picture_of_this_size_is_left_to_the_footage(tmp_path: Path) -> None:
    recorded(tmp_path)
    before = FootageCamera(str(tmp_path)).frame_at(13).image
    (still,) = tmp_path.glob("*.png")
    whole = still.read_bytes()
    huge = whole[:16] + (60_000).to_bytes(4, "big") * 2 + whole[24:]
    for damage in (b"torn", huge, cv2.imencode(".png", picture(7)[:90])[1].tobytes()):
        still.write_bytes(damage)
        assert np.abs(FootageCamera(str(tmp_path)).frame_at(9).image.astype(int) - before).mean() < 3


def test_no_grey_level_is_lost_on_the_way_through_a_recording(tmp_path: Path) -> None:
    recorded(tmp_path)
    for frame in FootageCamera(str(tmp_path)).frames():
        if frame.index < 8:
            off = frame.image.astype(float) - picture(0)
            assert np.abs(off.mean(axis=(0, 1))).max() < 0.3


def test_a_still_that_a_power_cut_tore_is_left_to_the_footage(tmp_path: Path) -> None:
    recorded(tmp_path)
    (still,) = tmp_path.glob("*.png")
    seals = tmp_path / "seals.txt"
    seals.write_text("".join(line for line in seals.read_text().splitlines(True) if still.name not in line))
    still.write_bytes(still.read_bytes()[:-2000])
    frames = list(FootageCamera(str(tmp_path)).frames())
    assert np.abs(frames[9].image.astype(int) - frames[13].image).mean() < 3
