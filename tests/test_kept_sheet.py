"""What a live table leaves is a footage folder like any other."""

import errno
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.recorder import noted
from referee.folder import DeckChoice, MatchSheet, open_folder, read_match_sheet
from referee.footage import covered_words, open_recording
from referee.kept_sheet import KeptSheet, sheet_words
from tests.hardware.videos import write_video

SHEET = MatchSheet(
    "rocca",
    ("Ann", 'Ben "the" Cat\x7f'),
    "Ann",
    None,
    {"must_shoot_once": True},
    DeckChoice(folder="deck"),
    {"HAND A": (1.5, -2.0)},
    {"phase": "AIM", "bowls": {"Ann": 6}, "winner": None},
)


def test_a_sheet_is_read_as_it_was_written(tmp_path: Path) -> None:
    kept = KeptSheet(tmp_path, SHEET)
    kept.tell({"ev": "gate_called", "seat": "Ann", "at_px": [[1.0, 2.5], [3, 4]]}, 12)
    kept.tell({"ev": "undo"}, 30)
    again = read_match_sheet(tmp_path / "match.toml")
    assert again == replace(
        SHEET,
        state={"phase": "AIM", "bowls": {"Ann": 6}},
        declared=(
            {"frame": 12, "event": "gate_called", "seat": "Ann", "at_px": [[1.0, 2.5], [3, 4]]},
            {"frame": 30, "event": "undo"},
        ),
    )


def test_what_players_make_of_a_ruling_is_not_told_again(tmp_path: Path) -> None:
    kept = KeptSheet(tmp_path, SHEET)
    kept.tell({"ev": "override", "by": ["Ann"]}, 5)
    kept.tell({"ev": "dispute", "seat": "Ann", "clause": "RO-48"}, 6)
    assert "declared" not in tomllib.loads((tmp_path / "match.toml").read_text())


def test_what_a_full_disk_refuses_is_written_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = KeptSheet(tmp_path, SHEET)
    with monkeypatch.context() as full:
        full.setattr("referee.kept_sheet.write_text", _no_room)
        kept.tell({"ev": "undo"}, 5)
    kept.tell({"ev": "redo"}, 9)
    assert [d["frame"] for d in read_match_sheet(tmp_path / "match.toml").declared] == [5, 9]


def _no_room(path: Path, text: str) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_match_taken_up_again_goes_on_in_its_sheet(tmp_path: Path) -> None:
    KeptSheet(tmp_path, SHEET).tell({"ev": "undo"}, 5)
    KeptSheet(tmp_path, replace(SHEET, seats=("X", "Y"))).tell({"ev": "redo"}, 9)
    again = read_match_sheet(tmp_path / "match.toml")
    assert again.seats == SHEET.seats
    assert [d["event"] for d in again.declared] == ["undo", "redo"]


def test_a_declaration_keeps_its_moment_when_frames_were_dropped(tmp_path: Path) -> None:
    """Frames 0 to 9 and 20 to 29 were recorded: number 22 is the thirteenth of them."""
    (tmp_path / "footage").mkdir()
    write_video(tmp_path / "footage" / "000000.mp4", [k * 40 for k in range(20)])
    seen = [*range(10), *range(20, 30)]
    (tmp_path / "footage" / "000000.frames").write_bytes(noted(seen))
    told = replace(SHEET, declared=({"frame": 22, "event": "undo"},))
    (tmp_path / "match.toml").write_text(sheet_words(told))
    assert [d["frame"] for d in open_folder(tmp_path).match.declared] == [12]


def test_a_recording_with_covered_hands_says_so(tmp_path: Path) -> None:
    write_video(tmp_path / "footage.mp4", [0, 40])
    (tmp_path / "match.toml").write_text(sheet_words(replace(SHEET, game="shisogari")))
    assert covered_words(open_recording(tmp_path)) is None, "somebody else's film"
    (tmp_path / "journal.db").touch()
    assert "hands are covered" in str(covered_words(open_recording(tmp_path)))
