"""A USB camera through V4L2: asks for MJPG, size and rate, checks what it got, drops a stale first frame."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
from cv2.utils import logging

from hardware.cameras.closing import Closing
from hardware.cameras.settings import Settings, split_address
from hardware.errors import CameraError, CameraLost
from hardware.frames import Frame, as_image

MJPG = float(cv2.VideoWriter.fourcc(*"MJPG"))
PATIENCE = 5
"""Failed reads in a row before the camera counts as gone."""


@dataclass(frozen=True, slots=True)
class Granted:
    """What the camera really gives, asked for or not."""

    size: tuple[int, int]
    fps: float
    fourcc: str


class Webcam(Closing):
    def __init__(self, address: str) -> None:
        number, self._wanted = split_address(address)
        if not number.isdigit():
            raise CameraError(f"webcam:{number} is not a camera number; try webcam:0")
        self._name = f"webcam:{number}"
        logging.setLogLevel(logging.LOG_LEVEL_ERROR)  # that there is no camera we say ourselves
        self._capture = cv2.VideoCapture(int(number), cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise CameraError(f"there is no camera at /dev/video{number}, or another program has it")
        _ask(self._capture, self._wanted)
        self.granted = _granted(self._capture)
        if self.granted.size != self._wanted.size:
            self.close()
            asked, got = ("x".join(map(str, s)) for s in (self._wanted.size, self.granted.size))
            raise CameraError(f"{self._name} cannot do {asked}; it offers {got}: add ?size={got}")

    @property
    def size(self) -> tuple[int, int]:
        return self.granted.size

    def frames(self) -> Iterator[Frame]:
        self._capture.read()  # the driver's queue holds a frame from before we asked
        index, misses = 0, 0
        while self._capture.isOpened():
            ok, picture = self._capture.read()
            if not ok:
                misses += 1
                if misses >= PATIENCE:
                    raise CameraLost(f"{self._name} stopped delivering pictures")
                continue
            misses = 0
            yield Frame(index, self._t_ns(), as_image(picture))
            index += 1

    def close(self) -> None:
        self._capture.release()

    def _t_ns(self) -> int:
        """The driver's buffer time; the arrival time where it gives none."""
        ms = self._capture.get(cv2.CAP_PROP_POS_MSEC)
        return int(ms * 1_000_000) if ms > 0 else time.monotonic_ns()


def _ask(capture: cv2.VideoCapture, wanted: Settings) -> None:
    capture.set(cv2.CAP_PROP_FOURCC, MJPG)
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, wanted.size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, wanted.size[1])
    capture.set(cv2.CAP_PROP_FPS, wanted.fps)
    if wanted.exposure_us is not None:
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)  # V4L2: 1 is manual
        capture.set(cv2.CAP_PROP_EXPOSURE, wanted.exposure_us / 100)  # V4L2 counts in 100 us
    if wanted.gain is not None:
        capture.set(cv2.CAP_PROP_GAIN, wanted.gain)
    if wanted.focus is not None:
        capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        capture.set(cv2.CAP_PROP_FOCUS, wanted.focus)


def _granted(capture: cv2.VideoCapture) -> Granted:
    size = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    code = int(capture.get(cv2.CAP_PROP_FOURCC))
    letters = "".join(chr(code >> 8 * k & 0xFF) for k in range(4)).strip("\0 ")
    return Granted(size, capture.get(cv2.CAP_PROP_FPS), letters)
