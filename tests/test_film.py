"""Promises of the review's pictures: the frame shown is the frame asked for, and nothing secret leaves."""

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from hardware.cameras.footage import FootageCamera
from hardware.frames import Frame, Image, as_image
from hardware.recorder import Recorder, frames_recorded
from referee.errors import TableError
from referee.film import Film
from referee.folder import FootageFolder, MatchSheet
from referee.footage import Recording, Told, frame_numbers, open_recording
from referee.games import find_game
from referee.journal import Journal
from referee.kiosk.review import review_app
from referee.ledger import CAMERA
from referee.match import open_match
from referee.screening import Screening
from referee.veil import CURTAIN, Veiled, veiled
from tests.hardware.videos import numbered, read_number, write_video
from tests.untroubled import untroubled

CONSTANT = [k * 40 for k in range(200)]
VARIABLE = [k * 33 + random.Random(k).randrange(20) for k in range(200)]


@pytest.fixture(params=["constant", "variable"])
def screening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Screening]:
    times = CONSTANT if request.param == "constant" else VARIABLE
    write_video(tmp_path / "footage.mp4", times)
    shown = Screening(Recording(FootageFolder(tmp_path, tmp_path / "footage.mp4", MatchSheet(), tmp_path)))
    yield shown
    shown.close()


def decoded(jpeg: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def test_every_frame_asked_over_http_is_the_frame_shown(screening: Screening) -> None:
    page = TestClient(review_app(screening))
    for index in (*random.Random(7).sample(range(200), 60), 0, 1, 2, 1, 0, 199, 198):
        answer = page.get(f"/review/frame/{index}")
        assert read_number(decoded(answer.content)) == index


def test_the_page_is_told_each_frame_s_own_time(screening: Screening) -> None:
    raw = TestClient(review_app(screening)).get("/review/times").content
    first, *rest = np.frombuffer(raw, "<f8")
    assert first == 0
    assert len(rest) == 199
    steps = np.diff(np.frombuffer(raw, "<f8"))
    assert (steps > 0).all()


@pytest.mark.parametrize("path", ["frame/200", "frame/-1", "frame/x", "above/0", "frame/0?w=0"])
def test_what_is_not_there_is_refused_in_a_sentence(screening: Screening, path: str) -> None:
    answer = TestClient(review_app(screening)).get(f"/review/{path}")
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_stepping_back_does_not_decode_again(tmp_path: Path) -> None:
    write_video(tmp_path / "footage.mp4", CONSTANT)
    film = Film(FootageCamera(str(tmp_path / "footage.mp4")))
    film.jpeg(150)
    film._run = iter(())
    assert film.jpeg(149) is not None
    assert film.jpeg(145) is not None


def test_what_lies_hidden_is_covered_and_the_night_is_never_shown() -> None:
    image = np.full((40, 60, 3), 200, np.uint8)
    veils = (Veiled(0, ()), Veiled(10, (((5, 5), (20, 5), (20, 20), (5, 20)),)), Veiled(20, None))
    assert veiled(image, 5, veils) is image
    covered = veiled(image, 12, veils)
    assert covered is not None
    assert tuple(covered[10, 10]) == CURTAIN
    assert tuple(covered[30, 40]) == (200, 200, 200)
    assert veiled(image, 25, veils) is None


def test_a_game_with_secrets_shows_nothing_before_it_was_judged(tmp_path: Path) -> None:
    write_video(tmp_path / "footage.mp4", CONSTANT[:20])
    sheet = MatchSheet("shisogari", ("A", "B", "C", "D"))
    shown = Screening(Recording(FootageFolder(tmp_path, tmp_path / "footage.mp4", sheet, tmp_path)))
    answer = TestClient(review_app(shown)).get("/review/frame/3")
    assert (answer.status_code, answer.content) == (204, b"")
    assert shown.hands(3) == []
    shown.close()


def test_frames_dropped_by_the_recorder_do_not_shift_the_ones_behind_them(tmp_path: Path) -> None:

    recorder = Recorder(tmp_path, untroubled)
    kept = [k for k in range(60) if k % 7]
    for k in kept:
        recorder.write(Frame(k, k * 16_000_000, as_image(numbered(k))))
    recorder.close()
    camera = FootageCamera(str(tmp_path))
    assert frames_recorded(tmp_path, camera.counted()) == tuple(kept)
    numbers = frame_numbers(tmp_path, camera)
    assert all(read_number(camera.frame_at(numbers.place(k)).image) == k for k in (1, 20, 41, 59))


def test_a_video_without_a_calibration_says_what_it_needs(tmp_path: Path) -> None:
    write_video(tmp_path / "phone.mp4", CONSTANT[:5])
    with pytest.raises(TableError, match=r"--profile, --calibration .* --points"):
        open_recording(tmp_path / "phone.mp4", Told())


def test_the_index_of_an_hour_opens_within_two_seconds(tmp_path: Path) -> None:
    _hour(tmp_path / "hour.mp4")
    began = time.process_time()
    film = Film(FootageCamera(str(tmp_path / "hour.mp4")))
    assert len(film.times_ns) == 108_000
    assert time.process_time() - began < 2


def _hour(path: Path) -> None:
    """An hour at 30 frames a second: one encoded second, again and again."""
    with av.open(str(path), "w") as video:
        stream = video.add_stream("libx264", rate=30, options={"preset": "ultrafast", "tune": "zerolatency"})
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuv420p"
        stream.codec_context.time_base = stream.time_base = Fraction(1, 30)
        packets: list[tuple[int, bytes, bool]] = []
        for k in range(30):
            picture = av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="bgr24")
            picture.pts, picture.time_base = k, Fraction(1, 30)
            for packet in stream.encode(picture):
                assert packet.pts is not None
                packets.append((packet.pts, bytes(packet), packet.is_keyframe))
        for second in range(3600):
            for pts, raw, key in packets:
                packet = av.Packet(raw)
                packet.stream, packet.time_base = stream, Fraction(1, 30)
                packet.pts = packet.dts = pts + 30 * second
                packet.is_keyframe = key
                video.mux(packet)


@pytest.fixture
def match_folder(tmp_path: Path) -> Path:
    """A recorded match with one ruling."""
    recorder = Recorder(tmp_path / "footage", untroubled)
    for k in range(100, 160):
        recorder.write(Frame(k, k * 16_000_000, as_image(numbered(k))))
    recorder.close()
    (tmp_path / "match.toml").write_text('game = "rocca"\nseats = ["A", "B"]\n')
    with Journal(tmp_path / "journal.db") as journal:
        match = open_match(find_game("rocca"), ("A", "B"), {}, journal, {"phase": "AIM", "board": 5})
        match.feed(match.read({"ev": "gate_called", "seat": "A", "a": 1, "b": 2}), CAMERA, (120, 130), 1)
    return tmp_path


def test_what_a_journal_tells_is_there_before_any_eyes_have_looked(match_folder: Path) -> None:
    with closing(Screening(open_recording(match_folder))) as screening:
        told = screening.state()["review"]
        assert [(m["code"], m["frames"]) for m in told["marks"]] == [("OK", [20, 30])]
        assert told["seats"] == ["A", "B"]
        assert [seat for seat, _ in told["scores"]] == ["A", "B"]
        assert screening.state(brief=True)["review"] is None


def test_where_a_journal_tells_what_was_ruled_eyes_look_again_behind_the_first_picture(
    match_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.screening.LOOKED_AT_S", 60)
    begun = threading.Event()
    monkeypatch.setattr("referee.screening.ProcessPoolExecutor", lambda *_, **__: _Pool(begun))
    (match_folder / "profile.json").write_text("{}")
    with closing(Screening(open_recording(match_folder))) as screening:
        screening.start()
        told = screening.state()
        assert (told["state"], len(told["review"]["marks"])) == ("judging", 1)
        assert not begun.wait(0.2)
        screening.frame(3)
        assert begun.wait(10)


class _Pool:
    """Stands in for the process that judges."""

    _processes: dict[int, Any] = {}

    def __init__(self, begun: threading.Event) -> None:
        self._begun = begun

    def submit(self, *_: object) -> Future[Any]:
        self._begun.set()
        return Future()

    def shutdown(self, **_: object) -> None:
        pass
