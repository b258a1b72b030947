"""Promises of evidence: whole, sealed, nothing secret, and tampering is named."""

import base64
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware.frames import Frame, as_image
from hardware.recorder import Recorder
from referee.cli import main
from referee.errors import TableError
from referee.evidence import Evidence, gather
from referee.evidence_page import evidence_page
from referee.footage import open_recording
from referee.games import find_game
from referee.journal import Journal
from referee.marks import marks
from referee.match import open_match, resume_match
from referee.rejudging import compare_marks
from referee.reviewing import judge_for_review
from referee.shot_story import Plain
from referee.types import Code, Ruling
from referee.verifying import verify_path
from tests.untroubled import untroubled

CLIP = Path(__file__).parents[1] / "sample_footage" / "rocca" / "pushed-not-flicked"
Json = dict[str, Any]


@pytest.fixture(scope="module")
def cached(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("cache")
        patch.setenv("XDG_CACHE_HOME", str(home))
        evidence = gather(open_recording(CLIP), 1)
        page = home / "one.evidence.html"
        page.write_text(evidence_page(evidence), encoding="utf8")
        page.with_suffix(".json").write_text(json.dumps(evidence.sealed()), encoding="utf8")
    return page


def test_the_bundle_stands_alone_and_is_as_sealed(cached: Path) -> None:
    page = cached.read_text(encoding="utf8")
    assert 'src="http' not in page
    assert "href=" not in page
    bundle = json.loads(cached.with_suffix(".json").read_text(encoding="utf8"))
    assert bundle["told"]["ruling"]["clauses"][0]["text"]
    assert bundle["told"]["calibration"]["plane_error_mm"] >= 0
    assert len(bundle["clip"]) == len(bundle["told"]["clip"]) > 10
    assert verify_path(cached) == []
    assert main(["verify", str(cached)]) == 0


def changed(bundle: Path, tmp_path: Path, change: Callable[[Json], None]) -> Path:
    plain = json.loads(bundle.with_suffix(".json").read_text(encoding="utf8"))
    change(plain)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(plain), encoding="utf8")
    return path


def _other_sentence(plain: Json) -> None:
    plain["told"]["ruling"]["because"] = "It did not."


def _other_frame(plain: Json) -> None:
    plain["clip"][3] = base64.b64encode(b"another picture").decode()


def _shorter(plain: Json) -> None:
    plain["clip"].pop()


def _other_picture(plain: Json) -> None:
    plain["deciding"] = plain["clip"][0]


def _other_seals(plain: Json) -> None:
    plain["seal"] = "0" * 64


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (_other_sentence, "the ruling or its numbers"),
        (_other_frame, "the clip was changed at frame"),
        (_shorter, "frames"),
        (_other_picture, "deciding picture"),
        (_other_seals, "seals were changed"),
    ],
)
def test_what_was_changed_in_a_bundle_is_named(
    cached: Path, tmp_path: Path, change: Callable[[Json], None], named: str
) -> None:
    path = changed(cached, tmp_path, change)
    assert any(named in fault for fault in verify_path(path))
    assert main(["verify", str(path)]) == 1


def test_a_word_changed_on_the_page_alone_is_named(cached: Path, tmp_path: Path) -> None:
    page = cached.read_text(encoding="utf8")
    forged = tmp_path / "forged.html"
    forged.write_text(page.replace("<h2>Numbers</h2>", "<h2>Other numbers</h2>"), encoding="utf8")
    assert verify_path(forged) == ["the page around the evidence was changed"]


@pytest.mark.parametrize("content", ["{}", "[]", '{"format": 1}', "nonsense"])
def test_what_is_no_bundle_is_refused_in_a_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf8")
    with pytest.raises(TableError):
        verify_path(path)


def test_a_changed_segment_of_footage_is_named(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "footage", untroubled)
    for k in range(20):
        recorder.write(Frame(k, k * 20_000_000, as_image(np.full((64, 64, 3), k, np.uint8))))
    recorder.close()
    assert verify_path(tmp_path) == []
    segment = tmp_path / "footage" / "000000.mp4"
    segment.write_bytes(segment.read_bytes()[:-7] + b"another")
    assert verify_path(tmp_path) == ["the footage was changed in 000000.mp4"]
    segment.unlink()
    assert verify_path(tmp_path) == ["the footage lacks 000000.mp4"]


def _match_in(folder: Path) -> Path:
    path = folder / "journal.db"
    with Journal(path) as journal:
        match = open_match(find_game("rocca"), ("A", "B", "C"), {}, journal)
        match.tell({"ev": "game_configured", "players": ["A", "B", "C"], "first": "A"})
    return path


def test_a_changed_journal_is_named(tmp_path: Path) -> None:
    path = _match_in(tmp_path)
    assert verify_path(tmp_path) == []
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER no_change")
        db.execute("UPDATE entries SET body = replace(body, 'A', 'B') WHERE number = 2")
    assert verify_path(tmp_path) == ["the journal was changed at entry 2"]


def test_replaying_a_journal_gives_the_same_bytes(tmp_path: Path) -> None:
    path = _match_in(tmp_path)
    with Journal(path) as journal, Journal(tmp_path / "again.db") as again:
        body = journal.whole()[0].note.body
        seats, switches = body["seats"], body["switches"]
        assert isinstance(seats, list) and isinstance(switches, dict)
        replayed = open_match(find_game("rocca"), tuple(seats), switches, again)
        for entry in journal.whole():
            if entry.note.kind == "event":
                replayed.feed(replayed.read(entry.note.body), entry.note.cause, entry.note.frames)
        assert [e.hash for e in again.whole()] == [e.hash for e in journal.whole()]
        assert resume_match(find_game("rocca"), journal).state == replayed.state


def test_judging_twice_gives_the_same_rulings_and_the_same_numbers() -> None:
    folder = open_recording(CLIP).footage
    assert judge_for_review(folder).plain == judge_for_review(folder).plain


def test_evidence_without_pictures_says_so() -> None:
    told: Plain = {
        "game": "rocca-monster",
        "version": "1",
        "recording": "r",
        "title": "Rocca Monster",
        "ruling": {
            "number": 1,
            "code": "OK",
            "because": "Night.",
            "seat": None,
            "clauses": [],
            "frames": None,
        },
        "shot": None,
        "clip": [],
        "calibration": {"reprojection_px": 1, "plane_error_mm": 1, "smallest_margin_mm": 1},
        "journal": None,
        "footage": {},
    }
    assert "No picture of this may be shown" in evidence_page(Evidence(told, (), None))


def test_a_ruling_that_would_change_is_told_with_both_sentences() -> None:
    was = Ruling(Code.OK, ("RO-35",), "Through.", "A", frames=(10, 40))
    now = Ruling(Code.FOUL, ("RO-50",), "Foul: it touched.", "A", frames=(12, 41))
    (change,) = compare_marks(marks("rocca", [was]), marks("rocca", [now]))
    assert ("Through." in change.was, "it touched" in change.now) == (True, True)
    assert list(compare_marks(marks("rocca", [was]), marks("rocca", [was]))) == []
    (gone,) = compare_marks(marks("rocca", [was]), [])
    assert gone.now == "nothing is ruled"
