"""When each frame of a recorded segment is shown, from the heads of its fragments alone: the pictures are not read.

A recording of an hour has two gigabytes of pictures and one megabyte of heads.
"""

import struct
from collections.abc import Iterator
from io import BufferedReader
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

DURATIONS, SIZES, OFFSETS, FIRST_FLAGS = 0x100, 0x200, 0x800, 0x004
FIELDS = (DURATIONS, SIZES, 0x400, OFFSETS)
"""What a run may say of each frame, in this order, four bytes each: how long, how large, flags, shown later by."""
IS_NO_KEY = 0x10000
MOST_HEAD, MOST_FRAMES = 1_000_000, 100_000
LATEST = 2**62
"""Ticks; FFmpeg knows none that are later."""


class Heads(NamedTuple):
    """The clock of a file, in ticks a second, and its frames: when each is shown, and whether it is a key frame."""

    ticks: int
    pts: list[int]
    keys: list[bool]


def read_heads(file: Path) -> Heads | None:
    """None for anything but a whole fragmented film of one track, each frame shown when it is decoded."""
    try:
        with file.open("rb") as film:
            return _read(film, file.stat().st_size)
    except (OSError, struct.error, KeyError, IndexError):
        return None


def _read(film: BufferedReader, size: int) -> Heads | None:
    ticks, at = 0, 0
    pts, keys = list[int](), list[bool]()
    while at < size:
        film.seek(at)
        length, kind = struct.unpack(">I4s", film.read(8))
        if length < 8 or at + length > size or (kind in (b"moov", b"moof") and length > MOST_HEAD):
            return None
        if kind == b"moov":
            ticks = _ticks(film.read(length - 8))
        elif kind == b"moof":
            run = _run(film.read(length - 8))
            if run is None:
                return None
            pts += run[0]
            keys += run[1]
        at += length
    return Heads(ticks, pts, keys) if ticks and pts else None


def is_swollen(file: Path) -> bool:
    """Whether a fragment says it has more frames than it can hold: FFmpeg would fill the memory with room for them."""
    try:
        with file.open("rb") as film:
            return any(map(_swells, _fragments(film, file.stat().st_size)))
    except (OSError, struct.error):
        return False


def _fragments(film: BufferedReader, size: int) -> Iterator[bytes]:
    """The heads of all fragments, also of one that is longer than its file."""
    at = 0
    while at + 8 <= size:
        film.seek(at)
        length, kind = struct.unpack(">I4s", film.read(8))
        if kind == b"moof":
            yield film.read(min(max(length - 8, 0), MOST_HEAD))
        if length < 8:
            return
        at += length


def _swells(moof: bytes) -> bool:
    for kind, track in _boxes(moof):
        for inner, run in _boxes(track) if kind == b"traf" else ():
            if inner == b"trun" and len(run) >= 8:
                said, count = struct.unpack_from(">II", run)
                each = 4 * sum(bool(said & field) for field in FIELDS)
                if count >= MOST_FRAMES or each * count > len(run):
                    return True
    return False


def _boxes(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(raw):
        length, kind = struct.unpack_from(">I4s", raw, at)
        if length < 8:
            return
        yield kind, raw[at + 8 : at + length]
        at += length


def _ticks(moov: bytes) -> int:
    """Nothing for a film of several tracks, or with a list of edits."""
    tracks = [dict(_boxes(box)) for kind, box in _boxes(moov) if kind == b"trak"]
    if len(tracks) != 1 or b"edts" in tracks[0]:
        return 0
    clock = dict(_boxes(tracks[0][b"mdia"]))[b"mdhd"]
    return int(struct.unpack_from(">I", clock, 20 if clock[0] else 12)[0])


def _run(moof: bytes) -> tuple[list[int], list[bool]] | None:
    """The times and keys of one fragment; None when it is put together in another way than the recorder's."""
    tracks = [box for kind, box in _boxes(moof) if kind == b"traf"]
    parts = list(_boxes(tracks[0])) if len(tracks) == 1 else []
    if [kind for kind, _ in parts] != [b"tfhd", b"tfdt", b"trun"]:
        return None
    (_, head), (_, clock), (_, run) = parts
    begin = int(struct.unpack_from(">Q" if clock[0] else ">I", clock, 4)[0])
    said, count = struct.unpack_from(">II", run)
    usual = _usual(head)
    # Frames without a size each would be as many as a number says, and fill the memory.
    if said & OFFSETS or not (said & SIZES and said & 0x001) or not 0 < count < MOST_FRAMES or usual is None:
        return None
    if begin > LATEST:
        return None
    return _timed(run, said & 0xFFFFFF, count, begin, usual)


def _usual(head: bytes) -> tuple[int, int] | None:
    """How long a frame is shown and its flags where a run does not say so."""
    said = struct.unpack_from(">I", head)[0] & 0xFFFFFF
    if said & 0x03 or not (said & 0x08 and said & 0x20):
        return None
    fields = [bit for bit in (0x08, 0x10, 0x20) if said & bit]
    known = dict(zip(fields, struct.unpack_from(f">{len(fields)}I", head, 8), strict=True))
    return known[0x08], known[0x20]


def _timed(
    run: bytes, said: int, count: int, begin: int, usual: tuple[int, int]
) -> tuple[list[int], list[bool]] | None:
    names = [field for field in FIELDS if said & field]
    at = 16 if said & FIRST_FLAGS else 12
    first_flags = struct.unpack_from(">I", run, 12)[0] if said & FIRST_FLAGS else None
    if len(run) < at + 4 * len(names) * count:
        return None
    values = struct.unpack_from(f">{len(names) * count}I", run, at)
    columns = {name: values[k :: len(names)] for k, name in enumerate(names)}
    flags = list(columns.get(0x400, (usual[1],) * count))
    if first_flags is not None:
        flags[0] = first_flags
    lengths = columns.get(DURATIONS, (usual[0],) * count)
    pts = list(accumulate(lengths[:-1], initial=begin))
    return pts, [not flag & IS_NO_KEY for flag in flags]
