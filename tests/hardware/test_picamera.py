"""The Pi camera driver against a stand-in that keeps picamera2's contract: what was granted is read back."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.cameras.picamera import PATIENCE_S, TO_BGR, PiCamera, Stream, to_bgr
from hardware.errors import CameraError, CameraLost

COLOUR = (40, 90, 200)


class StandInRequest:
    def __init__(self, device: "StandIn", number: int) -> None:
        self.device, self.number, self.released = device, number, False

    def get_metadata(self) -> dict[str, int]:
        return {"SensorTimestamp": 1_000_000 + self.number * 16_000_000}

    def make_buffer(self, name: str) -> NDArray[np.uint8]:
        return padded(self.device.granted[name])

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.device.held -= 1


class StandIn:
    """Grants another format and a padded stride, as libcamera may."""

    camera_controls = {
        "FrameDurationLimits": (1, 2, 3),
        "ExposureTime": (1, 2, 3),
        "AeEnable": (False, True, True),
    }

    def __init__(self, fmt: str = "NV12", frames: int = 5) -> None:
        self.fmt, self.frames, self.held = fmt, frames, 0
        self.asked: dict[str, Any] = {}
        self.running = self.closed = False

    def create_video_configuration(self, **asked: Any) -> dict[str, Any]:
        self.asked = asked
        return asked

    def configure(self, asked: dict[str, Any]) -> None:
        wide = {"XRGB8888": 4, "XBGR8888": 4, "RGB888": 3, "BGR888": 3}.get(self.fmt, 1)
        self.granted = {
            name: {
                "format": self.fmt,
                "size": asked[name]["size"],
                "stride": asked[name]["size"][0] * wide + 64,
            }
            for name in ("main", "lores")
        }

    def camera_configuration(self) -> dict[str, Any]:
        return self.granted

    def start(self) -> None:
        self.running = True

    def stop(self) -> None:
        self.running = False

    def close(self) -> None:
        self.closed = True

    def capture_request(self, wait: float) -> StandInRequest:
        assert self.running
        assert wait == PATIENCE_S
        if not self.frames:
            raise TimeoutError
        self.frames -= 1
        self.held += 1
        assert self.held == 1, "a request was kept: the camera would run out of buffers"
        return StandInRequest(self, 5 - self.frames)


def padded(granted: dict[str, Any]) -> NDArray[np.uint8]:
    """A buffer of one colour with rubbish in the padding behind each row."""
    (width, height), stride = granted["size"], granted["stride"]
    bgr = np.full((height, width, 3), COLOUR, np.uint8)
    if granted["format"] in ("NV12", "NV21", "YUV420"):
        return _padded_yuv(bgr, granted["format"], stride)
    rows = {
        "RGB888": bgr,
        "BGR888": bgr[:, :, ::-1],
        "XRGB8888": cv2.cvtColor(bgr, cv2.COLOR_BGR2BGRA),
        "XBGR8888": cv2.cvtColor(bgr, cv2.COLOR_BGR2RGBA),
    }[granted["format"]].reshape(height, -1)
    return np.pad(rows, ((0, 0), (0, stride - rows.shape[1])), constant_values=255).reshape(-1)


def _padded_yuv(bgr: NDArray[np.uint8], fmt: str, stride: int) -> NDArray[np.uint8]:
    height, width = bgr.shape[:2]
    i420 = cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420).reshape(-1)
    y, u, v = np.split(i420, [width * height, width * height * 5 // 4])
    if fmt == "YUV420":
        planes = [(y, width, stride), (u, width // 2, stride // 2), (v, width // 2, stride // 2)]
    else:
        mixed = np.stack([u, v] if fmt == "NV12" else [v, u], axis=1).reshape(-1)
        planes = [(y, width, stride), (mixed, width, stride)]
    rows = [
        np.pad(p.reshape(-1, w), ((0, 0), (0, s - w)), constant_values=255).reshape(-1) for p, w, s in planes
    ]
    return np.concatenate(rows)


@pytest.mark.parametrize("fmt", sorted(TO_BGR))
def test_every_granted_format_is_read_with_its_own_stride(fmt: str) -> None:
    stride = 64 * (4 if "X" in fmt else 3 if "88" in fmt else 1) + 32
    granted = {"format": fmt, "size": (64, 32), "stride": stride}
    image = to_bgr(padded(granted), Stream(fmt, (64, 32), stride))
    assert image.shape == (32, 64, 3)
    assert np.abs(image.astype(int) - COLOUR).max() <= 4


def test_frames_carry_the_sensor_s_time_and_requests_go_back_at_once() -> None:
    device = StandIn()
    camera = PiCamera("0?size=1280x720&fps=60&exposure_us=4000", lambda number: device)
    frames = []
    with pytest.raises(CameraLost, match="check its ribbon"):
        for frame in camera.frames():
            frames.append(frame)
    assert [f.t_ns for f in frames] == [1_000_000 + k * 16_000_000 for k in range(1, 6)]
    assert camera.format == "NV12"
    assert camera.preview is not None
    assert camera.preview.shape == (360, 640, 3)
    assert device.held == 0


def test_rate_and_exposure_are_fixed_and_absent_controls_are_not_asked_for() -> None:
    device = StandIn()
    PiCamera("0?fps=50&exposure_us=4000&focus=2.5", lambda number: device).close()
    assert device.asked["controls"] == {
        "FrameDurationLimits": (20_000, 20_000),
        "AeEnable": False,
        "ExposureTime": 4000,
    }


def test_a_format_nobody_can_read_is_refused_and_the_camera_given_back() -> None:
    device = StandIn("SRGGB10")
    with pytest.raises(CameraError, match="delivers SRGGB10"):
        PiCamera("0", lambda number: device)
    assert device.closed


def test_closing_twice_is_harmless() -> None:
    device = StandIn()
    camera = PiCamera("0", lambda number: device)
    camera.close()
    camera.close()
    assert device.closed
    assert list(camera.frames()) == []
