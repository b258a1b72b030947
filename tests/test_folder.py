"""match.toml: what the players entered, read and held against the game."""

from pathlib import Path

import pytest

from referee.errors import BadFolder
from referee.folder import open_folder, read_match_sheet
from referee.sheet import check_sheet

SAMPLES = Path(__file__).parents[1] / "sample_footage"


def _entered(folder: Path, text: str) -> Path:
    page = folder / "match.toml"
    page.write_text(text, encoding="utf8")
    return page


def test_declared_events_come_in_order_of_their_frames(tmp_path: Path) -> None:
    late, soon = ('[[declared]]\nframe = 9\nevent = "pause"\n', '[[declared]]\nframe = 2\nevent = "resume"\n')
    sheet = read_match_sheet(_entered(tmp_path, late + soon))
    assert [entry["frame"] for entry in sheet.declared] == [2, 9]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("game =", "match.toml cannot be used"),
        ("game = 5", "game is 5, not a word"),
        ('seats = "AB"', "seats is 'AB', not a list"),
        ("switches = 3", "switches is 3, not a table"),
        ('colour = "red"', "no field 'colour'"),
        ('[[declared]]\nevent = "pause"', "needs a frame number and an event"),
        ('[[declared]]\nframe = "soon"\nevent = "pause"', "needs a frame number and an event"),
    ],
)
def test_a_sheet_nobody_can_read_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadFolder, match=sentence):
        read_match_sheet(_entered(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('game = "roca"', "no game called 'roca'; games: rocca"),
        ('game = "shisogari"\nseats = ["A", "B"]', "4 to 5 players, not 2"),
        ('seats = ["A", "A"]', "a name of its own"),
        ('seats = ["A", "B"]\nturn = "Z"', "turn is 'Z', and the seats are A, B"),
        ("[switches]\nluck = true", "no house rule called 'luck'"),
        ("[switches]\nmust_shoot_once = 3", "must_shoot_once is 3"),
    ],
)
def test_a_sheet_that_does_not_fit_its_game_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    sheet = read_match_sheet(_entered(tmp_path, text))
    with pytest.raises(BadFolder, match=sentence):
        check_sheet(sheet)


def test_the_sheets_of_all_bundled_recordings_fit() -> None:
    pages = sorted(SAMPLES.glob("*/*/match.toml"))
    assert pages
    for page in pages:
        check_sheet(read_match_sheet(page))


def test_a_video_where_a_folder_is_wanted_is_told_so(tmp_path: Path) -> None:
    video = tmp_path / "evening.mp4"
    video.write_bytes(b"")
    with pytest.raises(BadFolder, match="is a file, not a footage folder"):
        open_folder(video)
