"""Every reader of files and messages, with good examples of what it reads."""

import json
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import cv2
import numpy as np

from calibration.profile import Profile
from calibration.stills import read_flat
from hardware.cameras.footage import FootageCamera
from hardware.cameras.fragments import read_heads
from hardware.frames import Frame
from hardware.pictures import read_picture
from hardware.recorder import Recorder, frames_recorded, last_recorded
from hardware.seals import faults
from referee.config import read_config
from referee.decks import store
from referee.decks.learning import flat_picture, learn
from referee.evidence import Evidence
from referee.evidence_page import evidence_page
from referee.folder import read_match_sheet
from referee.folding import fold
from referee.footage import open_recording
from referee.games import GAMES, find_game
from referee.host import Host
from referee.journal import Journal, read_rulings, verify
from referee.kiosk.hall import Hall
from referee.match import open_match, resume_match
from referee.sheet import check_sheet
from referee.stage import Stage
from referee.verifying import verify_path
from tests.hardware.videos import numbered, write_video

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_footage"
VECTORS = ROOT / "tests" / "games" / "vectors"


@dataclass(frozen=True)
class Reader:
    seeds: Callable[[], tuple[bytes, ...]]
    read: Callable[[bytes, Path], object]
    """May raise a TableError, and nothing else; the folder is empty and its own."""


def _match_toml(raw: bytes, folder: Path) -> None:
    (folder / "match.toml").write_bytes(raw)
    sheet = read_match_sheet(folder / "match.toml")
    check_sheet(sheet)
    open_match(find_game(sheet.game), sheet.seats, sheet.switches, given=sheet.state)


def _profile(raw: bytes, folder: Path) -> None:
    (folder / "profile.json").write_bytes(raw)
    profile = Profile.load(folder / "profile.json")
    with np.errstate(all="ignore"):
        profile.to_pixels(profile.to_board(np.array([[10.0, 20.0]])))


def _setup(raw: bytes, folder: Path) -> None:
    (folder / "setup.json").write_bytes(raw)
    (folder / "footage").mkdir()
    (folder / "journal.db").write_bytes(_journal_seeds()[0])
    open_recording(folder)
    host = Host(folder.parent, Stage())
    try:
        host.resume(folder)
    finally:
        host.close()


def _journal(raw: bytes, folder: Path) -> None:
    path = folder / "journal.db"
    path.write_bytes(raw)
    verify(path)
    read_rulings(path)
    with Journal(path) as journal:
        resume_match(find_game("rocca"), journal)


def _video(raw: bytes, folder: Path) -> None:
    (folder / "000000.mp4").write_bytes(raw)
    read_heads(folder / "000000.mp4")
    with FootageCamera(str(folder / "000000.mp4")) as camera:
        places = camera.places()
        for _ in camera.frames():
            pass
        camera.frame_at(len(places) // 2)


def _recording(raw: bytes, folder: Path) -> None:
    """The small files beside the footage."""
    (folder / "000000.mp4").write_bytes(_two_frames())
    (folder / "000000.frames").write_bytes(raw)
    (folder / "seals.txt").write_bytes(raw)
    list(faults(folder))
    last_recorded(folder)
    frames_recorded(folder, [(folder / "000000.mp4", 2)])


def _picture(raw: bytes, folder: Path) -> None:
    file = folder / "board_sheet.png"
    file.write_bytes(raw)
    read_picture(file)
    flat_picture(file)
    read_flat(folder)


def _deck(raw: bytes, folder: Path) -> None:
    (folder / "card.png").write_bytes(raw)
    learn(folder)


def _kept_deck(raw: bytes, folder: Path) -> None:
    with patch.object(store, "shelf", lambda: folder):
        (folder / "fuzzed.npz").write_bytes(raw)
        store.find_deck("fuzzed")


def _bundle(raw: bytes, folder: Path) -> None:
    path = folder / f"one.evidence.{'html' if raw.lstrip()[:1] == b'<' else 'json'}"
    path.write_bytes(raw)
    verify_path(path)


def _settings(raw: bytes, folder: Path) -> None:
    (folder / "referee.toml").write_bytes(raw)
    read_config(folder / "referee.toml").matches_path()


def _fold(raw: bytes, _folder: Path) -> None:
    """As `referee fold` reads it; every game is asked."""
    try:
        asked = json.loads(raw)
    except (ValueError, RecursionError):
        return
    for name in GAMES:
        json.dumps(fold(find_game(name), asked))


def _hall(raw: bytes, _folder: Path) -> None:
    hall = Hall()
    for leaf in ("online", "state", "ruling"):
        hall.hear(f"table-referee/x/{leaf}", raw.decode(errors="replace"))
    json.dumps(hall.tables())


# --- Good examples -------------------------------------------------------------------------------------


@cache
def _sheets() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(SAMPLES.glob("*/*/match.toml"))[:12])


@cache
def _profiles() -> tuple[bytes, ...]:
    turn = np.diag([1.0, -1.0, -1.0]).tolist()
    lens = [[900.0, 0, 640], [0, 900, 360], [0, 0, 1]]
    board = [[-200.0, -150], [200, -150], [200, 150], [-200, 150]]
    plain = {
        "image_size": [1280, 720], "K": lens, "dist": [0.1, 0, 0, 0, 0], "R": turn, "t_mm": [0.0, 0, 800],
        "board_outline_mm": board, "reprojection_px": 0.2, "plane_error_mm": 0.1, "smallest_margin_mm": 0.3,
    }  # fmt: skip
    return (json.dumps(plain).encode(),)


@cache
def _setups() -> tuple[bytes, ...]:
    plain = {
        "game": "rocca", "seats": ["A", "B", "C"], "switches": {"must_shoot_once": True}, "camera": None,
        "profile": None, "deck": "standard", "authority": {"RO-48": "propose"}, "record": False,
        "zones": {"hand": [1.0, 2.0]}, "state": {}, "footage": None,
    }  # fmt: skip
    return (json.dumps(plain).encode(), json.dumps({"game": "shisogari", "seats": list("ABCD")}).encode())


@cache
def _journal_seeds() -> tuple[bytes, ...]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        with Journal(path) as journal:
            match = open_match(find_game("rocca"), ("A", "B", "C"), {}, journal)
            match.tell({"ev": "game_configured", "players": ["A", "B", "C"], "first": "B", "src": "P"})
            match.tell({"ev": "undo"})
            match.tell({"ev": "redo"})
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            db.execute("PRAGMA journal_mode = DELETE")
        db.close()
        return (path.read_bytes(),)


@cache
def _videos() -> tuple[bytes, ...]:
    with TemporaryDirectory() as folder:
        write_video(Path(folder) / "a.mp4", [k * 20 for k in range(12)])
        recorder = Recorder(Path(folder) / "rec", print)
        for k in range(40):
            recorder.write(Frame(k, k * 16_666_667, numbered(k)))
        recorder.close()
        return (Path(folder) / "a.mp4").read_bytes(), (Path(folder) / "rec" / "000000.mp4").read_bytes()


@cache
def _two_frames() -> bytes:
    with TemporaryDirectory() as folder:
        write_video(Path(folder) / "a.mp4", [0, 10])
        return (Path(folder) / "a.mp4").read_bytes()


@cache
def _beside() -> tuple[bytes, ...]:
    with TemporaryDirectory() as folder:
        recorder = Recorder(Path(folder), print)
        for k in range(3):
            recorder.write(Frame(k, k * 16_666_667, numbered(k)))
        recorder.close()
        return tuple((Path(folder) / name).read_bytes() for name in ("000000.frames", "seals.txt"))


@cache
def _pictures() -> tuple[bytes, ...]:
    rng = np.random.default_rng(3)
    image = cv2.resize(rng.integers(0, 255, (14, 10, 3), np.uint8), (70, 98), interpolation=cv2.INTER_CUBIC)
    return tuple(cv2.imencode(ending, image)[1].tobytes() for ending in (".png", ".jpg", ".webp"))


@cache
def _kept_decks() -> tuple[bytes, ...]:
    with TemporaryDirectory() as folder, patch.object(store, "shelf", lambda: Path(folder)):
        (Path(folder) / "one.png").write_bytes(_pictures()[0])
        (Path(folder) / "back.png").write_bytes(_pictures()[1])
        return (store.save("kept", learn(Path(folder))).read_bytes(),)


@cache
def _bundles() -> tuple[bytes, ...]:
    told = {
        "version": "1", "recording": "x", "game": "rocca", "title": "Rocca", "seats": ["A"], "journal": None,
        "ruling": {"number": 1, "because": "It was.", "clauses": [{"id": "RO-1", "text": "It is."}], "code": "FOUL",
                   "frames": [1, 2], "seat": "A"},
        "shot": None, "clip": [{"frame": 3, "ms": 1.0}], "footage": {},
        "calibration": {"reprojection_px": 0.2, "plane_error_mm": 0.1, "smallest_margin_mm": 0.3},
    }  # fmt: skip
    evidence = Evidence(told, (_pictures()[1],), None)
    return json.dumps(evidence.sealed()).encode(), evidence_page(evidence).encode()


@cache
def _settings_seeds() -> tuple[bytes, ...]:
    return (b'camera = "webcam:0"\ndisplays = ["terminal"]\nprofile = "~/p.json"\nmatches = "~/m"\n',)


@cache
def _vectors() -> tuple[bytes, ...]:
    cases = [case for path in sorted(VECTORS.glob("*.json")) for case in json.loads(path.read_text("utf8"))]
    return tuple(json.dumps({"given": c["given"], "when": c["when"]}).encode() for c in cases)


READERS = {
    "match.toml": Reader(_sheets, _match_toml),
    "profile.json": Reader(_profiles, _profile),
    "setup.json": Reader(_setups, _setup),
    "referee.toml": Reader(_settings_seeds, _settings),
    "journal": Reader(_journal_seeds, _journal),
    "video": Reader(_videos, _video),
    "beside-the-video": Reader(_beside, _recording),
    "picture": Reader(_pictures, _picture),
    "deck": Reader(_pictures, _deck),
    "kept-deck": Reader(_kept_decks, _kept_deck),
    "bundle": Reader(_bundles, _bundle),
    "fold": Reader(_vectors, _fold),
    "hall": Reader(_setups, _hall),
}


def read_alone(name: str, raw: bytes) -> None:
    """Let one reader read `raw` in an empty folder."""
    with TemporaryDirectory(prefix="fuzz-", dir=os.environ.get("FUZZ_FOLDER")) as folder:
        place = Path(folder) / "here"
        place.mkdir()
        READERS[name].read(raw, place)
