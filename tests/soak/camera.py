"""A network camera over a looping clip that can be unplugged, frozen, darkened, bumped and covered at will."""

import socket
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.cameras.footage import FootageCamera
from hardware.frames import Image

FPS = 12
EVERY = 5
"""Of the clip's sixty frames a second."""
BIT_PX, BITS = 16, 20
HAND = np.array([[1279, 300], [900, 280], [640, 330], [610, 380], [650, 420], [930, 440], [1279, 460]])


def stamped(image: Image, serial: int) -> Image:
    """The picture with its serial number as black and white squares in the upper left corner."""
    marked = image.copy()
    for bit in range(BITS):
        marked[:BIT_PX, bit * BIT_PX : (bit + 1) * BIT_PX] = 235 if serial >> bit & 1 else 20
    return marked


def read_stamp(image: Image) -> int:
    half = BIT_PX // 2
    lit = (image[half, bit * BIT_PX + half].mean() > 128 for bit in range(BITS))
    return sum(int(on) << bit for bit, on in enumerate(lit))


def _hand(image: Image) -> Image:
    covered = image.copy()
    cv2.fillPoly(covered, [HAND], (120, 150, 205))
    return covered


def _bumped(image: Image) -> Image:
    shift = np.array([[1, 0, 9], [0, 1, 6]], np.float64)
    moved = cv2.warpAffine(image, shift, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


LOOKS: dict[str, Any] = {
    "live": lambda image: image,
    "dark": lambda image: (image // 40).astype(np.uint8),
    "bumped": _bumped,
    "hand": _hand,
}


@dataclass
class FaultyCamera:
    """Serves MJPEG at `url`; `look` and `way` may be changed while it runs."""

    clip: Path
    seed: int = 0
    look: str = "live"
    way: str = "steady"
    """Or `frozen`, `silent`, `dropping`, `doubled`."""
    plugged: bool = True
    serial: int = 0

    def __post_init__(self) -> None:
        frames = [frame.image for frame in FootageCamera(str(self.clip)).frames()]
        self._images = frames[::EVERY]
        self._rng = np.random.default_rng(self.seed)
        self._noise = [self._rng.integers(0, 5, self._images[0].shape, np.uint8) for _ in range(3)]
        self._lock = threading.Lock()
        self._lines: set[socket.socket] = set()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.camera = self
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def jpeg(self) -> bytes:
        with self._lock:
            self.serial += 1 + (2 if self.way == "dropping" and self.serial % 3 == 0 else 0)
            image = LOOKS[self.look](self._images[self.serial % len(self._images)])
            noisy = cv2.add(image, self._noise[self.serial % len(self._noise)])
        return bytes(cv2.imencode(".jpg", stamped(np.asarray(noisy, np.uint8), self.serial))[1])

    def unplug(self) -> None:
        self.plugged = False
        with self._lock:
            lines, self._lines = self._lines, set()
        for line in lines:
            line.close()

    def plug(self) -> None:
        self.plugged = True

    def close(self) -> None:
        self.unplug()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    camera: FaultyCamera
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A line that breaks is what this camera is for."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        camera = self.server.camera
        if not camera.plugged:
            self.send_error(503)
            return
        camera._lines.add(self.connection)
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        last = camera.jpeg()
        while camera.plugged:
            if camera.way != "silent":
                last = last if camera.way == "frozen" else camera.jpeg()
                for _ in range(2 if camera.way == "doubled" else 1):
                    self._send(last)
            time.sleep(1 / FPS)

    def _send(self, jpeg: bytes) -> None:
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
        self.wfile.write(head.encode() + jpeg + b"\r\n")

    def log_message(self, format: str, *args: object) -> None:
        pass
