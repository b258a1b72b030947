"""A Raspberry Pi camera through picamera2.

What was asked for is read back before it is believed: libcamera may change the pixel format, the stride or the
size of a stream without a word.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.closing import Closing
from hardware.cameras.settings import Settings, split_address
from hardware.errors import CameraError, CameraLost
from hardware.frames import Frame, Image, as_image

PATIENCE_S = 3.0
"""Without a frame for this long the camera counts as gone."""
PREVIEW_SIZE = (640, 360)


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream as libcamera really configured it."""

    format: str
    size: tuple[int, int]
    stride: int


class PiCamera(Closing):
    def __init__(self, address: str, open_device: Callable[[str], Any] | None = None) -> None:
        number, wanted = split_address(address)
        self._name = f"picamera:{number}"
        self._device = (open_device or _open_device)(number)
        self._device.configure(_configuration(self._device, wanted))
        streams = self._device.camera_configuration()
        self._main, self._lores = (_stream(streams[name]) for name in ("main", "lores"))
        if self._main.format not in TO_BGR:
            self.close()
            raise CameraError(f"{self._name} delivers {self._main.format}, which the referee cannot read")
        self.preview: Image | None = None
        """The small picture of the last frame, for the screen."""
        self._device.start()

    @property
    def size(self) -> tuple[int, int]:
        return self._main.size

    @property
    def format(self) -> str:
        """The pixel format that was granted, whatever was asked for."""
        return self._main.format

    def frames(self) -> Iterator[Frame]:
        index = 0
        while self._device is not None:
            request = self._request()
            try:
                t_ns = int(request.get_metadata()["SensorTimestamp"])
                image = to_bgr(request.make_buffer("main"), self._main)
                if self._lores.format in TO_BGR:
                    self.preview = to_bgr(request.make_buffer("lores"), self._lores)
            finally:
                request.release()
            yield Frame(index, t_ns, image)
            index += 1

    def close(self) -> None:
        device, self._device = getattr(self, "_device", None), None
        if device is not None:
            device.stop()
            device.close()

    def _request(self) -> Any:
        try:
            return self._device.capture_request(wait=PATIENCE_S)
        except TimeoutError:
            raise CameraLost(
                f"{self._name} delivered nothing for {PATIENCE_S:g} s: check its ribbon"
            ) from None


def to_bgr(buffer: NDArray[np.uint8], stream: Stream) -> Image:
    """A raw buffer as BGR, its padding cut off."""
    return as_image(TO_BGR[stream.format](buffer, stream))


def _planar(code: int) -> Callable[[NDArray[np.uint8], Stream], object]:
    def convert(buffer: NDArray[np.uint8], stream: Stream) -> object:
        width, height = stream.size
        rows = buffer[: stream.stride * height * 3 // 2].reshape(height * 3 // 2, stream.stride)
        return cv2.cvtColor(np.ascontiguousarray(rows[:, :width]), code)

    return convert


def _i420(buffer: NDArray[np.uint8], stream: Stream) -> object:
    """Three planes: the two colour planes have half the stride, so each is cut on its own."""
    (width, height), stride = stream.size, stream.stride
    luma, half = stride * height, stride // 2 * height // 2
    y = buffer[:luma].reshape(height, stride)[:, :width]
    u, v = (
        buffer[luma + k * half : luma + (k + 1) * half].reshape(height // 2, stride // 2)[:, : width // 2]
        for k in (0, 1)
    )
    flat = np.concatenate([plane.reshape(-1) for plane in (y, u, v)])
    return cv2.cvtColor(flat.reshape(height * 3 // 2, width), cv2.COLOR_YUV2BGR_I420)


def _packed(channels: int, code: int | None) -> Callable[[NDArray[np.uint8], Stream], object]:
    def convert(buffer: NDArray[np.uint8], stream: Stream) -> object:
        width, height = stream.size
        rows = buffer[: stream.stride * height].reshape(height, stream.stride)[:, : width * channels]
        pixels = np.ascontiguousarray(rows).reshape(height, width, channels)
        return pixels if code is None else cv2.cvtColor(pixels, code)

    return convert


TO_BGR: Mapping[str, Callable[[NDArray[np.uint8], Stream], object]] = {
    "YUV420": _i420,
    "NV12": _planar(cv2.COLOR_YUV2BGR_NV12),
    "NV21": _planar(cv2.COLOR_YUV2BGR_NV21),
    # libcamera names channels from the highest bit down: RGB888 lies in memory as B, G, R.
    "RGB888": _packed(3, None),
    "BGR888": _packed(3, cv2.COLOR_RGB2BGR),
    "XRGB8888": _packed(4, cv2.COLOR_BGRA2BGR),
    "XBGR8888": _packed(4, cv2.COLOR_RGBA2BGR),
}


def _configuration(device: Any, wanted: Settings) -> Any:
    return device.create_video_configuration(
        main={"size": wanted.size, "format": "YUV420"},
        lores={"size": PREVIEW_SIZE, "format": "YUV420"},
        raw=None,
        buffer_count=6,
        controls=_controls(wanted, device.camera_controls),
    )


def _controls(wanted: Settings, offered: Mapping[str, object]) -> dict[str, object]:
    """Only what this sensor offers; a control it lacks would be refused aloud by libcamera."""
    frame_us = round(1_000_000 / wanted.fps)
    controls: dict[str, object] = {"FrameDurationLimits": (frame_us, frame_us)}
    if wanted.exposure_us is not None:
        controls |= {"AeEnable": False, "ExposureTime": wanted.exposure_us}
    if wanted.gain is not None:
        controls |= {"AnalogueGain": wanted.gain}
    if wanted.focus is not None:
        controls |= {"AfMode": 0, "LensPosition": wanted.focus}
    return {name: value for name, value in controls.items() if name in offered}


def _stream(configured: Mapping[str, Any]) -> Stream:
    width, height = configured["size"]
    return Stream(str(configured["format"]), (int(width), int(height)), int(configured["stride"]))


def _open_device(number: str) -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraError(
            f"picamera2 is not installed ({error}); on Raspberry Pi OS: sudo apt install python3-picamera2"
        ) from error
    cameras = Picamera2.global_camera_info()
    if not number.isdigit() or int(number) >= len(cameras):
        found = ", ".join(str(c.get("Model", c["Id"])) for c in cameras) or "none"
        raise CameraError(f"there is no Pi camera number {number or '(none)'}; found: {found}")
    try:
        return Picamera2(int(number))
    except RuntimeError as error:
        raise CameraError(f"Pi camera {number} cannot be opened ({error})") from error
