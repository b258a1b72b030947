"""Promises of the match report and of the bundle for a bug report."""

import io
import json
import re
import shutil
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import referee
from hardware.cameras.footage import FootageCamera
from hardware.seals import faults
from referee.cli import main
from referee.commands.report import BROWSERS, printed
from referee.film import Film
from referee.folder import MatchSheet, read_match_sheet
from referee.footage import Told, open_recording
from referee.kept_sheet import sheet_words
from referee.match_drawings import score_curve
from referee.match_report import closest_calls, shots_by_seat
from referee.pages.words import Words
from referee.report import Word
from referee.sentences import LANGUAGES
from referee.submission import kept_at_rest, submission, submitted_film
from tests.hardware.test_kept_stills import picture, recorded

CLIP = Path(__file__).parents[1] / "sample_footage" / "rocca" / "pushed-not-flicked"
REFEREE = Path(referee.__file__).parent
SHOT = {
    "verdict": "foul",
    "clauses": ["RO-48"],
    "facts": {"clearance_mm": -4.0, "clearance_sigma_mm": 0.4},
    "window_mm": [0, 0, 1, 1],
}


def test_the_score_curve_has_a_line_for_every_player() -> None:
    moments = [{"frame": k, "scores": [["A", str(7 + k)], ["B", "7"]]} for k in range(3)]
    drawn = score_curve(moments, ["A", "B"], Words())
    assert drawn.count("<polyline") == 2
    assert score_curve(moments[:1], ["A", "B"], Words()) == ""


def test_names_beside_the_curve_do_not_lie_on_one_another() -> None:
    moments = [{"frame": k, "scores": [[seat, "7"] for seat in "ABCDEF"]} for k in range(2)]
    heights = sorted(
        int(y) for y in re.findall(r'x="570" y="(-?\d+)"', score_curve(moments, list("ABCDEF"), Words()))
    )
    assert len(heights) == 6
    assert all(below - above >= 17 for above, below in pairwise(heights))


@pytest.mark.parametrize(("low", "high"), [(0, 0), (7, 8), (-3, 21), (6.5, 6.5), (0, 1234)])
def test_the_marks_of_the_curve_hold_every_score(low: float, high: float) -> None:
    moments = [{"frame": 0, "scores": [["A", f"{low:g}"]]}, {"frame": 1, "scores": [["A", f"{high:g}"]]}]
    marks = [
        float(m) for m in re.findall(r'text-anchor="end">(-?[\d.]+)<', score_curve(moments, ["A"], Words()))
    ]
    assert min(marks) <= low <= high <= max(marks)
    assert 2 <= len(marks) <= 6


def test_a_shot_belongs_to_the_seat_that_the_ruling_names() -> None:
    plain = {
        "seats": ["A", "B"],
        "shots": [SHOT],
        "marks": [{"shot": 0, "seat": "B"}, {"shot": None, "seat": "A"}],
    }
    assert shots_by_seat(plain) == {"B": [SHOT]}


def test_the_closest_call_is_the_one_smallest_against_its_error() -> None:
    close = SHOT | {"facts": {"clearance_mm": 0.9, "clearance_sigma_mm": 0.5}}
    assert closest_calls({"shots": [SHOT, close]})[0] is close


def test_the_sheet_of_a_part_is_read_back_with_its_moments_moved(tmp_path: Path) -> None:
    called = {"frame": 40, "event": "gate_called", "at_px": [[1.5, 2.0], [3.0, 4.0]]}
    sheet = MatchSheet(
        "rocca", ("A", 'B "the" C'), "A", switches={"must_shoot_once": True}, declared=(called,)
    )
    (tmp_path / "match.toml").write_text(sheet_words(sheet, 30), encoding="utf8")
    read = read_match_sheet(tmp_path / "match.toml")
    assert (read.seats, read.turn, dict(read.switches)) == (sheet.seats, "A", {"must_shoot_once": True})
    assert dict(read.declared[0]) == called | {"frame": 10}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def test_report_and_bundle_of_a_recording(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    assert main(["report", str(CLIP), "--out", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text(encoding="utf8")
    assert all(title in page for title in ("Shots on the board", "Fouls by kind", "Closest calls", "RO-47"))
    assert "http" not in page
    with zipfile.ZipFile(io.BytesIO(submission(open_recording(CLIP, Told()), 1))) as bundle:
        names = set(bundle.namelist())
        assert {"footage.mp4", "match.toml", "profile.json", "evidence.html", "about.json"} <= names
        assert "truth.json" not in names
        assert json.loads(bundle.read("about.json"))["ruling"]["number"] == 1


def test_a_bundle_carries_the_pictures_that_were_measured_to_the_last_bit(tmp_path: Path) -> None:
    recorded(tmp_path / "footage")
    recorded(tmp_path / "footage")  # as after a power cut
    camera = FootageCamera(str(tmp_path / "footage"))
    film = Film(camera)
    assert len(submitted_film(film, 30, 50)) > 1000
    cut = submitted_film(film, 6, 30)
    bundle = {"footage.mp4": cut} | kept_at_rest(tmp_path / "footage", camera, cut, (6, 30))
    (tmp_path / "bundle").mkdir()
    for name, raw in bundle.items():
        (tmp_path / "bundle" / name).write_bytes(raw)
    frames = list(FootageCamera(str(tmp_path / "bundle" / "footage.mp4")).frames())
    assert [f.index + 6 for f in frames if np.array_equal(f.image, picture(7))] == [8, 9, 10, 11, 12]
    assert not list(faults(tmp_path / "bundle"))
    assert kept_at_rest(tmp_path / "footage", camera, cut, (14, 30)) == {}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["report", str(CLIP), "--out", "x.txt"], ".html or .pdf"),
        (["submit", "nowhere", "--ruling", "1"], "no folder nowhere"),
        (["replay", "nowhere"], "no folder nowhere"),
        (["rejudge", "nowhere"], "no folder nowhere"),
        (["verify", "nowhere.html"], "no bundle"),
        (["evidence", str(CLIP), "--ruling", "1", "--points", "1", "2", "3", "4"], "412,230=0,0"),
    ],
)
def test_wrong_input_is_refused_in_a_sentence(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert says in capsys.readouterr().err


@pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="no Chromium here")
def test_a_page_is_printed_as_a_pdf() -> None:
    assert printed("<h1>Rocca</h1>").startswith(b"%PDF")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_a_page_that_stands_alone_is_in_the_book(language: str) -> None:
    words = Words(language, "rocca", ["A"])
    pages = "".join(
        f.read_text(encoding="utf8")
        for f in (REFEREE / "match_report.py", REFEREE / "match_drawings.py", REFEREE / "evidence_page.py")
    )
    for label in re.findall(r"""words\(["']([^"']+)["']\)""", pages):
        assert words(label)
    for verdict in get_args(Word):
        assert words(verdict)
    assert words.clause("RO-50", "hits") != "" and words.code("FOUL") != ""
    assert (words.clause("RO-50", "hits") == "hits") == (language == "en")


def test_a_report_speaks_one_language(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    assert main(["report", str(CLIP), "--out", str(tmp_path / "r.html"), "--language", "de"]) == 0
    page = (tmp_path / "r.html").read_text(encoding="utf8")
    assert '<html lang="de">' in page
    shown = re.sub(r"<[^>]*>", " ", page.split("<main>")[1])
    assert "Alle Entscheidungen" in shown
    assert not re.search(r"\b(the|shooter|piece|gate|ruling)\b", shown, re.I)
