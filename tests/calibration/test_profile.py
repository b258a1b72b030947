"""A profile in a file: what is read back can be trusted."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibration import Profile
from hardware.errors import TableError

STRAIGHT_DOWN = {
    "image_size": [320, 240],
    "K": [[300, 0, 160], [0, 300, 120], [0, 0, 1]],
    "dist": [0, 0, 0, 0, 0],
    "R": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
    "t_mm": [0, 0, 700],
    "board_outline_mm": [[-100, -100], [100, -100], [100, 100], [-100, 100]],
    "reprojection_px": 0,
    "plane_error_mm": 0.1,
    "smallest_margin_mm": 0.3,
}


def _written(folder: Path, text: str | bytes) -> Path:
    page = folder / "profile.json"
    page.write_bytes(text if isinstance(text, bytes) else text.encode())
    return page


def test_a_profile_written_in_whole_numbers_measures(tmp_path: Path) -> None:
    profile = Profile.load(_written(tmp_path, json.dumps(STRAIGHT_DOWN)))
    assert profile.to_pixels(np.array([[70.0, 0.0]])).round(6).tolist() == [[190.0, 120.0]]
    assert profile.to_board(np.array([[190.0, 120.0]])).round(6).tolist() == [[70.0, 0.0]]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("K", "wide"),
        ("K", [[float("nan")] * 3] * 3),
        ("dist", 5),
        ("R", [[1]]),
        ("R", [[1, 0, 0], [1, 0, 0], [0, 0, 1]]),
        ("t_mm", None),
        ("board_outline_mm", "square"),
        ("board_outline_mm", [[0, 0], [1, 1]]),
        ("image_size", "320x240"),
        ("plane_error_mm", "low"),
    ],
)
def test_a_field_that_cannot_be_is_named(tmp_path: Path, field: str, value: object) -> None:
    page = _written(tmp_path, json.dumps({**STRAIGHT_DOWN, field: value}))
    with pytest.raises(TableError, match=r"profile\.json is not a calibration profile"):
        Profile.load(page)


@pytest.mark.parametrize("text", ["{", "[]", "{}", b"\xff\xfe", "[" * 100_000])
def test_a_file_that_is_no_profile_is_refused(tmp_path: Path, text: str | bytes) -> None:
    with pytest.raises(TableError, match=r"profile\.json is not a calibration profile"):
        Profile.load(_written(tmp_path, text))
