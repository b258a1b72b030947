"""Small files that claim to be huge are refused before they are unpacked."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from hardware.errors import TableError
from hardware.pictures import claimed_size, read_picture
from referee.decks import store
from tests.fuzz.bounds import bounded
from tests.fuzz.readers import _pictures, _videos, read_alone
from tests.instead import instead

HUGE = 32_000


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _png_bomb() -> bytes:
    rows = zlib.compress(bytes(HUGE * 3 + 1) * 64, 9)
    head = struct.pack(">IIBBBBB", HUGE, HUGE, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")


def test_a_picture_that_would_fill_the_memory_is_refused_unread(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(_png_bomb())
    with bounded(most_mb=50), pytest.raises(TableError, match="claims to be 32000 x 32000"):
        read_picture(bomb)


def test_every_format_tells_its_size_before_it_is_unpacked() -> None:
    assert [claimed_size(raw) for raw in _pictures()] == [(70, 98)] * 3


def test_a_film_whose_pictures_claim_to_be_huge_is_refused_unread() -> None:
    raw = bytearray(_videos()[0])
    at = raw.index(b"avc1", raw.index(b"stsd")) + 4 + 24  # width and height of the sample entry
    raw[at : at + 4] = struct.pack(">HH", 65_000, 65_000)
    track = raw.index(b"tkhd") + 4 + 76
    raw[track : track + 8] = struct.pack(">II", 65_000 << 16, 65_000 << 16)
    with bounded(most_mb=200):
        try:
            read_alone("video", bytes(raw))
        except TableError as error:
            assert "000000.mp4" in str(error)


def test_a_deck_that_unpacks_to_all_of_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, store, store.shelf)(lambda: tmp_path)
    np.savez_compressed(
        tmp_path / "bomb.npz", names=np.array(["a"]), pictures=np.zeros((400_000_000,), np.uint8)
    )
    with bounded(most_mb=100), pytest.raises(TableError, match="bomb"):
        store.find_deck("bomb")
