"""Promises of network cameras: times that can be trusted, and a clear word when they vanish."""

import threading
from collections.abc import Iterator
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, HTTPServer

import av
import cv2
import pytest

from hardware.cameras.stream import StreamCamera, StreamClock
from hardware.errors import CameraError, CameraLost
from tests.hardware.videos import SIZE, numbered, read_number


class _Phone(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for k in range(12):
            _, jpeg = cv2.imencode(".jpg", numbered(k))
            self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg.tobytes() + b"\r\n")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def phone() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Phone)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/video"
    server.shutdown()
    server.server_close()


def test_a_phone_s_mjpeg_comes_with_arrival_times_and_its_end_is_said(phone: str) -> None:
    clock = iter(range(1_000, 100_000, 7)).__next__
    camera = StreamCamera(phone, clock)
    assert camera.size == SIZE
    frames = []
    with pytest.raises(CameraLost, match=r"broke off|ended"):
        for frame in camera.frames():
            frames.append(frame)
    camera.close()
    camera.close()
    numbers = [read_number(f.image) for f in frames]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert len(numbers) >= 10  # probing may cost the first picture, the end the last
    assert [f.t_ns for f in frames] == [1_000 + 7 * k for k in range(len(frames))]


def test_no_stream_is_one_sentence() -> None:
    with pytest.raises(CameraError, match="no stream at"):
        StreamCamera("http://127.0.0.1:9/video")


def picture(pts: int | None) -> av.VideoFrame:
    made = av.VideoFrame(16, 16, "yuv420p")
    made.pts, made.time_base = pts, Fraction(1, 1000)
    return made


def test_container_times_are_kept_while_they_keep_step_with_the_wall() -> None:
    wall = iter([1_000_000_000, 1_045_000_000, 1_060_000_000]).__next__
    clock = StreamClock(wall, trust=True)
    assert [clock.t_ns(picture(pts)) - 1_000_000_000 for pts in (0, 33, 66)] == [0, 33_000_000, 66_000_000]


def test_invented_container_times_give_way_to_arrival_times_and_never_go_back() -> None:
    wall = iter([10**9, 2 * 10**9, 3 * 10**9, 3 * 10**9]).__next__
    clock = StreamClock(wall, trust=True)
    times = [clock.t_ns(picture(pts)) for pts in (0, 40, None, 80)]
    assert times == [10**9, 2 * 10**9, 3 * 10**9, 3 * 10**9 + 1]
