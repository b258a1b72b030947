"""What the eyes cost a frame, against PyAV decoding the same clip to BGR in the same run, on one thread."""

import time
from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

import calibration
from hardware.cameras.footage import FootageCamera
from hardware.frames import Frame
from referee.folder import open_folder
from referee.vision.board import board_from_folder
from referee.watch.looking import Looker
from referee.watch.play import BoardWatch

CLIPS = ("touches-a-gate-piece", "not-through", "through-after-hitting-a-third-piece")
ROUNDS = 4
"""The clip is played so often in a row: a board is learned once, and shot at many times."""


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


def decode_ms(path: Path) -> float:
    began, count = time.process_time(), 0
    with av.open(str(path)) as video:
        video.streams.video[0].thread_count = 1
        for picture in video.decode(video=0):
            picture.to_ndarray(format="bgr24")
            count += 1
    return (time.process_time() - began) * 1000 / count


def repeated(path: Path) -> Iterator[Frame]:
    """The clip over and over on one clock."""
    index, t_ns = 0, 0
    for _ in range(ROUNDS):
        for frame in FootageCamera(str(path)).frames():
            yield Frame(index, t_ns + frame.t_ns, frame.image)
            index += 1
        t_ns += frame.t_ns + 16_666_667


def eyes_ms(clip: Path) -> list[float]:
    folder = open_folder(clip)
    profile = calibration.from_folder(folder.calibration, size=(1280, 720), board=True)
    watch = BoardWatch(profile, Looker(profile, board_from_folder(folder.calibration, profile)).look)
    costs = []
    for frame in repeated(folder.video):
        began = time.process_time()
        watch.feed(frame)
        costs.append((time.process_time() - began) * 1000)
    return costs


@pytest.mark.bench
@pytest.mark.parametrize("name", CLIPS)
def test_the_eyes_keep_up_with_the_camera(name: str) -> None:
    clip = Path("sample_footage/rocca") / name
    decode = decode_ms(clip / "footage.mp4")
    costs = np.array(eyes_ms(clip))
    print(
        f"\n{name}: decode {decode:.2f} ms; eyes mean {costs.mean():.2f} ms = {costs.mean() / decode:.2f} x decode, "
        f"median {np.median(costs) / decode:.2f} x, 99 % of frames below {np.percentile(costs, 99) / decode:.1f} x, "
        f"worst {costs.max() / decode:.1f} x"
    )
    assert costs.mean() < 2.5 * decode
    assert np.median(costs) < decode
