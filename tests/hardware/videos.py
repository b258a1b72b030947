"""Test footage whose every frame carries its own number, readable after compression."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from hardware.frames import Image

SIZE = (320, 192)
BITS = 10


def numbered(number: int) -> Image:
    """A picture that shows `number` as ten black or white bars."""
    image = np.full((SIZE[1], SIZE[0], 3), 40, np.uint8)
    width = SIZE[0] // BITS
    for bit in range(BITS):
        if number >> bit & 1:
            image[:, bit * width : (bit + 1) * width] = 220
    return image


def read_number(image: Image) -> int:
    """The number shown in a picture made by `numbered`."""
    width = SIZE[0] // BITS
    middles = [image[SIZE[1] // 2, bit * width + width // 2].mean() for bit in range(BITS)]
    return sum((middle > 128) << bit for bit, middle in enumerate(middles))


def write_video(path: Path, times_ms: list[int], first_number: int = 0) -> None:
    """An H.264 file with B-frames whose frames are shown at these times."""
    with av.open(str(path), "w") as video:
        stream = video.add_stream("libx264", rate=30, options={"crf": "20", "g": "25", "bf": "2"})
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
        for k, t_ms in enumerate(times_ms):
            picture = av.VideoFrame.from_ndarray(numbered(first_number + k), format="bgr24")
            picture.pts, picture.time_base = t_ms, Fraction(1, 1000)
            video.mux(stream.encode(picture))
        video.mux(stream.encode(None))
