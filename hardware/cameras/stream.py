"""A camera on the network: MJPEG over HTTP, RTSP, a phone.

The times in such streams are often invented (MJPEG has none, RTSP begins with bad ones), so a frame's time
is the container's only while it keeps step with the clock on the wall; otherwise it is the time of arrival.
"""

import time
from collections.abc import Callable, Iterator

import av
from av.container import InputContainer

from hardware.cameras.closing import Closing
from hardware.errors import CameraError, CameraLost
from hardware.frames import Frame, as_image

TIMEOUT_S = 10.0
NS = 1_000_000_000
STRAY_NS = 250_000_000
"""A container clock further than this from the wall's is invented."""
TIMELESS = ("mpjpeg", "mjpeg", "image2", "image2pipe")
"""Formats that carry no times at all."""


class StreamCamera(Closing):
    def __init__(self, address: str, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._url, self._clock = address, clock
        self._video = _open(address)
        stream = self._video.streams.video[0]
        self._size = (stream.width, stream.height)
        self._closed = False

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def frames(self) -> Iterator[Frame]:
        step = StreamClock(self._clock, trust=self._video.format.name not in TIMELESS)
        try:
            for index, picture in enumerate(self._video.decode(video=0)):
                if self._closed:
                    return
                yield Frame(index, step.t_ns(picture), as_image(picture.to_ndarray(format="bgr24")))
        except (OSError, av.FFmpegError) as error:
            raise CameraLost(f"the stream {self._url} broke off ({error})") from error
        if not self._closed:
            raise CameraLost(f"the stream {self._url} ended")

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._video.close()


class StreamClock:
    """Chooses, frame by frame, between the container's time and the time of arrival; never goes back."""

    def __init__(self, clock: Callable[[], int], trust: bool) -> None:
        self._clock, self._trust = clock, trust
        self._origin: int | None = None
        self._last = -1

    def t_ns(self, picture: av.VideoFrame) -> int:
        now = self._clock()
        t_ns = max(self._container_time(picture, now), self._last + 1)
        self._last = t_ns
        return t_ns

    def _container_time(self, picture: av.VideoFrame, now: int) -> int:
        if not self._trust or picture.pts is None or picture.time_base is None:
            return now
        own = int(picture.pts * picture.time_base * NS)
        if self._origin is None:
            self._origin = now - own
        if abs(now - self._origin - own) > STRAY_NS:
            self._trust = False
            return now
        return self._origin + own


def _open(url: str) -> InputContainer:
    try:
        video = av.open(url, options=_options(url), timeout=TIMEOUT_S, metadata_errors="ignore")
    except (OSError, av.FFmpegError) as error:
        why = getattr(error, "strerror", None) or error
        raise CameraError(f"no stream at {url} ({why})") from error
    if not video.streams.video:
        video.close()
        raise CameraError(f"the stream {url} has no video in it")
    return video


def _options(url: str) -> dict[str, str]:
    """Small buffers, and RTSP over TCP: a referee prefers a late frame to a torn one."""
    options = {"fflags": "nobuffer"}
    if url.startswith("rtsp"):
        options |= {"rtsp_transport": "tcp"}
    return options
