"""A picture whose end is missing is refused, not filled with grey."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.errors import TableError
from hardware.pictures import read_picture


def encoded(kind: str) -> bytes:
    noise = np.random.default_rng(0).integers(0, 255, (60, 80, 3), np.uint8)
    return cv2.imencode(kind, noise)[1].tobytes()


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize("share", [0.4, 0.9])
def test_a_torn_picture_is_refused(tmp_path: Path, kind: str, share: float) -> None:
    whole = encoded(kind)
    path = tmp_path / f"table{kind}"
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(TableError, match=f"table{kind} is torn: the file ends before the picture does"):
        read_picture(path)


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
def test_a_whole_picture_is_read(tmp_path: Path, kind: str) -> None:
    (tmp_path / f"table{kind}").write_bytes(encoded(kind))
    assert read_picture(tmp_path / f"table{kind}").shape == (60, 80, 3)


def test_a_torn_photograph_with_a_whole_small_picture_inside_is_refused(tmp_path: Path) -> None:
    whole = encoded(".jpg")
    thumbnail = b"\xff\xe1" + (len(whole) + 2).to_bytes(2, "big") + whole
    torn = whole[:2] + thumbnail + whole[2 : len(whole) // 2]
    (tmp_path / "table.jpg").write_bytes(torn)
    with pytest.raises(TableError, match="is torn"):
        read_picture(tmp_path / "table.jpg")
