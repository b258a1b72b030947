"""Single frames of recorded footage by their number, as pictures for a page.

A player steps and plays forwards, so the decoder is kept where it stands and only sought when somebody jumps. What was
decoded on the way is kept for a while: stepping backwards costs nothing then. Everything that leaves passes the veil.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import cast

import cv2

from hardware.cameras.footage import FootageCamera
from hardware.errors import CameraError
from hardware.frames import Frame, Image

JPEG_QUALITY = 88
KEPT_BYTES = 96_000_000
"""Of decoded frames behind the one asked for last."""
JPEGS_BYTES = 48_000_000
LEAP = 40
"""Frames worth decoding on the way rather than seeking."""

Veil = Callable[[int, Image], Image | None]
"""The picture of a frame as everybody may see it; None when nobody may."""


class Film:
    """Exact frames of one recording; safe to ask from any thread."""

    def __init__(self, camera: FootageCamera, veil: Veil = lambda _index, image: image) -> None:
        self._camera, self._veil = camera, veil
        self.times_ns = camera.places().times_ns
        self._lock = threading.Lock()
        self._run: Iterator[Frame] = iter(())
        self._next: int | None = None
        """The frame that the decoder gives next; None before it was sought."""
        self._decoded: OrderedDict[int, Frame] = OrderedDict()
        self._jpegs: OrderedDict[tuple[int, int], bytes] = OrderedDict()
        self._jpegs_bytes = 0

    @property
    def size(self) -> tuple[int, int]:
        return self._camera.size

    def image(self, index: int) -> Image | None:
        """The frame as everybody may see it; None when nobody may."""
        with self._lock:
            return self._veil(index, self._frame(index).image)

    def jpeg(self, index: int, width: int | None = None) -> bytes | None:
        """The frame as a JPEG, at most `width` wide; None when nobody may see it."""
        wide = min(width or self.size[0], self.size[0])
        with self._lock:
            image = self._veil(index, self._frame(index).image)
            if image is None:
                return None
            # A veil may fall later than the picture was asked for first: only what it lets through is looked up.
            known = self._jpegs.get((index, wide))
            return known if known is not None else self._encode(index, wide, image)

    def close(self) -> None:
        with self._lock:
            self._run, self._next = iter(()), None
            self._decoded.clear()
            self._camera.close()

    def _frame(self, index: int) -> Frame:
        if not 0 <= index < len(self.times_ns):
            raise CameraError(
                f"frame {index} is not in the footage; it has frames 0 to {len(self.times_ns) - 1}"
            )
        if index in self._decoded:
            return self._decoded[index]
        if self._next is None or not 0 <= index - self._next <= LEAP:
            self._run = self._camera.frames_from(max(0, index - LEAP // 4))
        for frame in self._run:
            self._keep(frame)
            if frame.index == index:
                return frame
        self._next = None
        raise CameraError(f"frame {index} cannot be decoded")

    def _keep(self, frame: Frame) -> None:
        self._next = frame.index + 1
        self._decoded[frame.index] = frame
        most = max(2, KEPT_BYTES // frame.image.nbytes)
        while len(self._decoded) > most:
            self._decoded.popitem(last=False)

    def _encode(self, index: int, wide: int, image: Image) -> bytes:
        jpeg = as_jpeg(image, wide)
        self._jpegs[index, wide] = jpeg
        self._jpegs_bytes += len(jpeg)
        while self._jpegs_bytes > JPEGS_BYTES:
            self._jpegs_bytes -= len(self._jpegs.popitem(last=False)[1])
        return jpeg


def as_jpeg(image: Image, width: int | None = None, quality: int = JPEG_QUALITY) -> bytes:
    """The picture as a JPEG, made smaller when it is wider than `width`."""
    height, own = image.shape[:2]
    if width is not None and width < own:
        size = (width, max(1, round(width * height / own)))
        image = cast(Image, cv2.resize(image, size, interpolation=cv2.INTER_AREA))
    done, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done, "OpenCV can always write JPEG"
    return jpeg.tobytes()
