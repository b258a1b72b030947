"""Promises of the instant replay: the disputed moment within two seconds, while the game is being recorded."""

import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from hardware.frames import Frame, Image, as_image
from hardware.recorder import Recorder
from referee.errors import TableError
from referee.host import Host
from referee.instant import PRE_ROLL, open_instant
from referee.kiosk.app import Kiosk
from referee.kiosk.door import Door
from referee.ledger import CAMERA, Entry, Note, Scroll
from referee.stage import Stage
from tests.hardware.videos import numbered, read_number
from tests.instead import plug_in
from tests.standins import StandInCamera, StandInHost
from tests.untroubled import untroubled

FRAME_NS = 16_666_667


def shown(image: Image) -> Image:
    return image


def ruled(frames: tuple[int, int]) -> tuple[Entry, ...]:
    scroll = Scroll()
    event = {"ev": "shot_result", "margin_mm": -0.4, "tol_mm": 1.0}
    scroll.append([Note("event", event, CAMERA, frames=frames)])
    scroll.append([Note("ruling", {"code": "REVIEW", "of": 1}, frames=frames)])
    return scroll.whole()


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    """In the middle of a recording: the segment is not finished."""
    recorder = Recorder(tmp_path, untroubled)
    for k in range(300):
        if k % 50 != 7:  # some frames were dropped
            recorder.write(Frame(k, k * FRAME_NS, as_image(numbered(k))))
    return recorder


def number_in(jpeg: bytes | None) -> int:
    assert jpeg is not None
    return read_number(np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8))


def test_the_moment_is_there_within_two_seconds_with_its_pre_roll(recorder: Recorder, tmp_path: Path) -> None:
    began = time.monotonic()
    replay = open_instant(tmp_path, ruled((150, 180)), 2, shown)
    first = replay.frame(0)
    assert time.monotonic() - began < 2
    assert number_in(first) == 150 - PRE_ROLL
    seen = [number_in(replay.frame(k)) for k in range(replay.state()["frames"])]
    assert seen == [k for k in range(150 - PRE_ROLL, 201) if k % 50 != 7]
    recorder.close()


def test_a_close_call_comes_with_its_number_and_both_readings(recorder: Recorder, tmp_path: Path) -> None:
    said = open_instant(tmp_path, ruled((150, 180)), 2, shown).state()
    assert (said["margin_mm"], said["tolerance_mm"], len(said["readings"])) == (-0.4, 1.0, 2)
    recorder.close()


def test_what_nobody_may_see_is_not_replayed(recorder: Recorder, tmp_path: Path) -> None:
    assert open_instant(tmp_path, ruled((150, 180)), 2, lambda _image: None).frame(3) is None
    recorder.close()


def test_a_ruling_without_pictures_is_refused_in_a_sentence(tmp_path: Path) -> None:
    scroll = Scroll()
    scroll.append([Note("ruling", {"code": "OK", "of": 1})])
    with pytest.raises(TableError, match="no picture was taken"):
        open_instant(tmp_path, scroll.whole(), 1, shown)
    with pytest.raises(TableError, match="no ruling 9"):
        open_instant(tmp_path, scroll.whole(), 9, shown)


def test_a_table_that_keeps_nothing_still_shows_the_moment_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(monkeypatch, "standin", StandInCamera)
    host = StandInHost(tmp_path, Stage())
    host.begin({"game": "rocca", "seats": ["A", "B", "C"], "camera": "standin:0", "record": False})
    assert host.table is not None
    host.table.act({"ev": "game_configured", "players": ["A", "B", "C"], "first": "A"}, "A")
    host.eyes.tell({"ev": "table_bumped"})
    until = time.monotonic() + 20
    while not (
        proven := [e for e in host.table.match.ledger.whole() if e.note.frames and e.note.kind == "ruling"]
    ):
        assert time.monotonic() < until
        time.sleep(0.05)
    replay = host.instant(proven[-1].number)
    assert replay.state()["frames"] > 0
    assert replay.frame(0) is not None
    assert not (tmp_path / "footage").exists()
    assert not list(tmp_path.rglob("*.mp4"))
    host.close()


def test_a_table_without_a_camera_says_so(tmp_path: Path) -> None:
    host = Host(tmp_path, Stage())
    host.begin({"game": "rocca", "seats": ["A", "B", "C"]})
    page = TestClient(Kiosk(host, host.stage, Door()).app(), base_url="http://localhost")
    answer = page.get("/instant/3/state")
    assert (answer.status_code, "no camera" in answer.json()["error"]) == (400, True)
    assert page.get("/instant/x/state").status_code == 400
    host.close()
