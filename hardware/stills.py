"""Pictures kept exactly beside the segments of a recording: those at rest, which rulings are measured on.

An encoder moves an edge by a fraction of a pixel, and eyes that look again may then read a stone differently. A still
is the mean picture of some frames in which nothing moved; whoever reads the recording is given it for each of them.
"""

import re
import struct
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

import cv2

from hardware.frames import Image, as_image
from hardware.seals import sealed_names

_NAMED = re.compile(r"(\d{9,})-(\d{9,})\.png")
_SIZE_AT = 16
"""Where a PNG file says how wide and high it is."""
_UP = (cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP) if hasattr(cv2, "IMWRITE_PNG_FILTER") else ()
_QUICK = (cv2.IMWRITE_PNG_COMPRESSION, 1, *_UP)
"""As small as with OpenCV's own choice, in two thirds of the time; OpenCV 4.10 knows no filters."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptStill:
    """What the frames from the first number to the last, both included, showed."""

    frames: tuple[int, int]
    image: Image

    @property
    def name(self) -> str:
        return f"{self.frames[0]:09d}-{self.frames[1]:09d}.png"

    def png(self) -> bytes:
        return cv2.imencode(".png", self.image, _QUICK)[1].tobytes()


class KeptStills:
    """The stills in the folder of a recording, by the numbers of their frames."""

    def __init__(self, folder: Path) -> None:
        sealed = sealed_names(folder)  # what has no seal was torn by a power cut
        named = ((_NAMED.fullmatch(f.name), f) for f in folder.glob("*.png") if f.name in sealed)
        self._kept = sorted((int(name[1]), int(name[2]), file) for name, file in named if name)
        self._firsts = [first for first, _, _ in self._kept]
        self._shown: tuple[Path, Image | None] | None = None

    def between(self, first: int, last: int) -> list[Path]:
        """The files of the stills that show any frame from one number to another."""
        return [file for begin, end, file in self._kept if begin <= last and end >= first]

    def at(self, number: int, size: tuple[int, int]) -> Image | None:
        """What was kept of a frame; None when it was not, or when the file cannot be read as a picture of this size."""
        k = bisect_right(self._firsts, number) - 1
        if k < 0 or number > self._kept[k][1]:
            return None
        file = self._kept[k][2]
        if self._shown is None or self._shown[0] != file:
            self._shown = file, _read(file, size)
        return self._shown[1]


def _read(file: Path, size: tuple[int, int]) -> Image | None:
    try:
        with file.open("rb") as png:
            head = png.read(_SIZE_AT + 8)
    except OSError:
        return None
    # Before it is decoded: a picture that claims to be huge would fill the memory.
    if head[_SIZE_AT:] != struct.pack(">II", *size):
        return None
    image = cv2.imread(str(file), cv2.IMREAD_COLOR)
    return None if image is None or image.shape != (size[1], size[0], 3) else as_image(image)


def stills_until(folder: Path, number: int) -> list[Path]:
    """Those of frames up to a number."""
    return [f for f in folder.glob("*.png") if (m := _NAMED.fullmatch(f.name)) and int(m[2]) <= number]
