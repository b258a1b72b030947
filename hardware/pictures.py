"""Pictures from files, held to a size before they are unpacked."""

from pathlib import Path

import cv2
import numpy as np

from hardware.errors import TableError
from hardware.frames import Image

MOST_PIXELS = 120_000_000
"""More than any camera's; a small file may claim to unpack to all of the memory."""
MOST_BYTES = 200_000_000


def read_picture(path: Path) -> Image:
    """A PNG, JPEG, WebP or BMP as a person sees it, turned as its camera says; anything else is refused."""
    image = _decoded(path) if path.is_file() and path.stat().st_size <= MOST_BYTES else None
    if image is None:
        raise TableError(f"{path.name or path} is not a picture that can be read")
    return np.asarray(image, np.uint8)


def _decoded(path: Path) -> object:
    raw = path.read_bytes()
    size = claimed_size(raw)
    if size is None:
        return None
    if size[0] * size[1] > MOST_PIXELS:
        raise TableError(f"{path.name} claims to be {size[0]} x {size[1]} pixels, larger than any camera's")
    if is_torn(raw):
        raise TableError(f"{path.name} is torn: the file ends before the picture does; copy or take it again")
    try:
        return cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None


def claimed_size(raw: bytes) -> tuple[int, int] | None:
    """Width and height as the head of the file says; None for a format we do not take."""
    if raw[:8] == b"\x89PNG\r\n\x1a\n":
        return _number(raw, 16, 4), _number(raw, 20, 4)
    if raw[:2] == b"\xff\xd8":
        return _jpeg_size(raw)
    if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
        return _webp_size(raw)
    if raw[:2] == b"BM":
        width, height = (int.from_bytes(raw[at : at + 4], "little", signed=True) for at in (18, 22))
        return abs(width), abs(height)
    return None


def is_torn(raw: bytes) -> bool:
    """Whether the end is missing: decoders fill it with grey and say nothing."""
    if raw[:2] == b"\xff\xd8":
        header = _jpeg_header(raw)
        return header is None or raw.rfind(b"\xff\xd9") < header
    if raw[:4] == b"RIFF":
        return 8 + int.from_bytes(raw[4:8], "little") > len(raw) + 1
    return raw[:4] == b"\x89PNG" and b"IEND" not in raw[-64:]


def _jpeg_size(raw: bytes) -> tuple[int, int] | None:
    at = _jpeg_header(raw)
    return None if at is None else (_number(raw, at + 7, 2), _number(raw, at + 5, 2))


def _jpeg_header(raw: bytes) -> int | None:
    """Where the frame header is; the segments before it, which may hold a small picture, are stepped over."""
    at = 2
    while at + 9 <= len(raw):
        if raw[at] != 0xFF:
            at += 1
        elif raw[at + 1] in _FRAME_HEADERS:
            return at
        elif raw[at + 1] in _ALONE:
            at += 1
        else:
            at += 2 + _number(raw, at + 2, 2)
    return None


def _webp_size(raw: bytes) -> tuple[int, int] | None:
    kind = raw[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(raw[24:27], "little"), 1 + int.from_bytes(raw[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(raw[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        width, height = (int.from_bytes(raw[at : at + 2], "little") & 0x3FFF for at in (26, 28))
        return width, height
    return None


def _number(raw: bytes, at: int, count: int) -> int:
    return int.from_bytes(raw[at : at + count], "big")


_FRAME_HEADERS = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_ALONE = {0x01, 0xFF, *range(0xD0, 0xD9)}
"""Markers without a length; 0xFF is padding."""
