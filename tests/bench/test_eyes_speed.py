"""What the eyes cost a frame, against PyAV decoding the same clip to BGR in the same run, on one thread.

Processor time only, and of several plays the cheapest of each frame: what else the machine does is not the eyes' cost.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

import calibration
from hardware.frames import Frame, as_image
from referee.folder import open_folder
from referee.vision.board import board_from_folder
from referee.watch.looking import Looker
from referee.watch.play import BoardWatch

CLIPS = (
    "touches-a-gate-piece",
    "not-through",
    "through-after-hitting-a-third-piece",
    "pushed-not-flicked",
    "drop",
)
PLAYS = 3
MEAN, WORST = 1.0, 6.0
"""Times the decoding of a frame."""


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


def decoded(path: Path) -> tuple[list[Frame], float]:
    """The frames, and what one costs in milliseconds."""
    frames: list[Frame] = []
    spent = 0.0
    with av.open(str(path)) as video:
        video.streams.video[0].thread_type = "NONE"
        pictures = video.decode(video=0)
        while True:
            began = time.thread_time()
            picture = next(pictures, None)
            if picture is None:
                break
            pixels = picture.to_ndarray(format="bgr24")
            spent += time.thread_time() - began
            image = as_image(pixels)
            assert picture.pts is not None and picture.time_base is not None
            frames.append(Frame(len(frames), int(picture.pts * picture.time_base * 1_000_000_000), image))
    return frames, spent * 1000 / len(frames)


def eyes_ms(clip: Path, frames: list[Frame]) -> list[float]:
    folder = open_folder(clip)
    profile = calibration.from_folder(folder.calibration, size=(1280, 720), board=True)
    watch = BoardWatch(profile, Looker(profile, board_from_folder(folder.calibration, profile)).look)
    costs = []
    for frame in frames:
        began = time.thread_time()
        watch.feed(frame)
        costs.append((time.thread_time() - began) * 1000)
    return costs


@pytest.mark.bench
@pytest.mark.parametrize("name", CLIPS)
def test_the_eyes_keep_up_with_the_camera(name: str) -> None:
    clip = Path("sample_footage/rocca") / name
    frames, decode = decoded(clip / "footage.mp4")
    decode = min(decode, decoded(clip / "footage.mp4")[1])
    costs = np.min([eyes_ms(clip, frames) for _ in range(PLAYS)], axis=0)
    print(
        f"\n{name}: decode {decode:.2f} ms; eyes mean {costs.mean():.2f} ms = {costs.mean() / decode:.2f} x decode, "
        f"median {np.median(costs) / decode:.2f} x, 99 % of frames below {np.percentile(costs, 99) / decode:.1f} x, "
        f"worst {costs.max() / decode:.1f} x"
    )
    assert costs.mean() <= MEAN * decode
    assert costs.max() <= WORST * decode
