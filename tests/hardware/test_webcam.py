"""The webcam driver against a stand-in for OpenCV's capture."""

from typing import Any

import cv2
import numpy as np
import pytest

from hardware.cameras import webcam
from hardware.cameras.settings import Settings, split_address
from hardware.cameras.webcam import Webcam
from hardware.errors import CameraError, CameraLost


class StandIn:
    """A camera with one size that delivers a stale frame first and then goes away."""

    size = (1280, 720)

    def __init__(self, number: int, backend: int) -> None:
        assert backend == cv2.CAP_V4L2
        self.open, self.reads = number == 0, 0
        self.settings: dict[int, float] = {}

    def isOpened(self) -> bool:
        return self.open

    def set(self, prop: int, value: float) -> bool:
        self.settings[prop] = value
        return True

    def get(self, prop: int) -> float:
        answers = {
            cv2.CAP_PROP_FRAME_WIDTH: self.size[0],
            cv2.CAP_PROP_FRAME_HEIGHT: self.size[1],
            cv2.CAP_PROP_FOURCC: webcam.MJPG,
            cv2.CAP_PROP_FPS: 30.0,
            cv2.CAP_PROP_POS_MSEC: 1000.0 + self.reads * 20,
        }
        return float(answers[prop])

    def read(self) -> tuple[bool, Any]:
        self.reads += 1
        if self.reads > 4:
            return False, None
        return True, np.full((720, 1280, 3), self.reads, np.uint8)

    def release(self) -> None:
        self.open = False


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", StandIn)


def test_the_stale_first_frame_is_dropped_and_a_vanished_camera_is_said() -> None:
    camera = Webcam("0")
    seen = []
    with pytest.raises(CameraLost, match="webcam:0 stopped delivering"):
        for frame in camera.frames():
            seen.append((frame.index, int(frame.image[0, 0, 0]), frame.t_ns))
    assert seen == [(0, 2, 1_040_000_000), (1, 3, 1_060_000_000), (2, 4, 1_080_000_000)]


def test_what_the_camera_grants_is_checked_not_assumed() -> None:
    assert Webcam("0").granted.fourcc == "MJPG"
    with pytest.raises(CameraError, match="cannot do 1920x1080; it offers 1280x720"):
        Webcam("0?size=1920x1080")


def test_no_camera_is_one_sentence() -> None:
    with pytest.raises(CameraError, match="there is no camera at /dev/video7"):
        Webcam("7")
    with pytest.raises(CameraError, match="not a camera number"):
        Webcam("front")


def test_settings_behind_the_address_are_read_or_refused_by_name() -> None:
    assert split_address("0?size=640x480&fps=30") == ("0", Settings((640, 480), 30.0))
    with pytest.raises(CameraError, match="no camera setting called 'zoom'"):
        split_address("0?zoom=2")
    with pytest.raises(CameraError, match="size='big' is not a size like 1280x720"):
        split_address("0?size=big")
