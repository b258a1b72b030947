"""Before a match the table can be looked at: picture, exactness, and zones to be dragged."""

import base64
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.errors import TableError
from referee.host import Host
from referee.stage import Stage
from referee.veil import CURTAIN

GAME = Path(__file__).parents[1] / "sample_footage" / "monster-my-neighbour"
ASKED: dict[str, Any] = {
    "game": "monster-my-neighbour",
    "seats": ["A", "B", "C", "D"],
    "camera": f"footage:{GAME / 'cards-are-played' / 'footage.mp4'}",
    "profile": str(GAME / "camera"),
    "deck": str(GAME / "deck"),
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    return Host(tmp_path_factory.mktemp("matches"), Stage())


def zone(seen: Any, name: str) -> np.ndarray[Any, Any]:
    (outline,) = (z["outline_px"] for z in seen["zones"] if z["name"] == name)
    return np.asarray(np.mean(outline, axis=0))


def test_the_set_up_shows_how_exact_the_camera_is_and_where_a_zone_was_dragged_to(host: Host) -> None:
    seen = host.preview(ASKED)
    assert 0 < seen["calibration"]["plane_error_mm"] < seen["calibration"]["smallest_margin_mm"] < 3
    hand = zone(seen, "HAND A")
    again = host.preview({**ASKED, "moved_px": {"HAND A": np.add(hand, (30, -60)).tolist()}})
    assert np.allclose(zone(again, "HAND A"), np.add(hand, (30, -60)), atol=6)
    kept = host.preview({**ASKED, "zones": again["placed"]})
    assert np.allclose(zone(kept, "HAND A"), zone(again, "HAND A"), atol=0.5)


def test_hands_have_a_curtain_in_the_set_up_too(host: Host) -> None:
    seen = host.preview(ASKED)
    jpeg = base64.b64decode(seen["picture"].partition(",")[2])
    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))
    x, y = (zone(seen, "HAND A") * image.shape[1] / seen["size"][0]).astype(int)
    inside = image[min(y, image.shape[0] - 12), x].astype(int)
    assert np.abs(inside - CURTAIN).max() < 12


def test_an_uncalibrated_camera_is_shown_and_said(host: Host) -> None:
    seen = host.preview({**ASKED, "profile": None})
    assert "not calibrated" in seen["trouble"]
    assert seen["picture"].startswith("data:image/jpeg")


def test_a_camera_that_is_not_there_is_said(host: Host) -> None:
    with pytest.raises(TableError, match="there is no footage"):
        host.preview({**ASKED, "camera": "footage:nowhere.mp4"})
    with pytest.raises(TableError, match="no zone called"):
        host.preview({**ASKED, "moved_px": {"MOON": [1, 2]}})
