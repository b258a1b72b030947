"""A board with a print on it must have been seen empty."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.frames import Frame, Image
from hardware.recorder import Recorder
from referee.cli import main
from referee.errors import TableError
from referee.vision.board import must_be_plain
from tests.untroubled import untroubled
from tests.vision import table
from tests.watch import painted


def wood(pieces: int) -> Image:
    chance = np.random.default_rng(5)
    grain = cv2.GaussianBlur(chance.normal(0, 30, (table.HEIGHT, table.WIDTH)), (0, 0), sigmaX=30, sigmaY=1.2)
    picture = np.clip(np.array([70, 110, 150]) + 4 * grain[..., None], 0, 255).astype(np.uint8)
    for x, y in chance.uniform((150, 60), (490, 420), (pieces, 2)):
        cv2.circle(picture, (round(x), round(y)), 12, (40, 40, 45), -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("kind", painted.BOARDS)
def test_a_printed_board_that_no_still_shows_empty_is_refused_in_one_sentence(kind: str) -> None:
    with pytest.raises(TableError, match="pattern") as refused:
        must_be_plain(painted.flick(kind, "coin").picture(0), table.profile())
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("pieces", [0, 12])
def test_the_grain_of_wood_and_a_handful_of_pieces_are_no_pattern(pieces: int) -> None:
    must_be_plain(wood(pieces), table.profile())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game on a chessboard of which there is only a profile."""
    path = tmp_path_factory.mktemp("chess")
    recorder = Recorder(path, untroubled)
    for k in range(3):
        recorder.write(Frame(k, k * 33_000_000, painted.flick("chessboard", "coin").picture(k)))
    recorder.close()
    (path / "000000.mp4").rename(path / "footage.mp4")
    table.profile().save(path / "profile.json")
    (path / "match.toml").write_text('game = "rocca"\nseats = ["A", "B", "C"]\n', encoding="utf8")
    return path


@pytest.mark.parametrize("command", ["judge", "observe", "live", "live --footage"])
def test_every_way_to_watch_refuses_it_alike(
    command: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, at = str(tmp_path / "out.json"), ["--folder", str(tmp_path), "--port", "0"]
    camera = ["--camera", f"footage:{folder / 'footage.mp4'}", "--profile", str(folder / "profile.json")]
    words = {
        "judge": ["judge", str(folder), "--json", out],
        "observe": ["observe", str(folder), "--json", out],
        "live": ["live", "rocca", "--seats", "A,B,C", *camera, *at],
        "live --footage": ["live", "--footage", str(folder), *at],
    }
    assert main(words[command]) == 2
    said = capsys.readouterr().err
    assert "the board has a pattern and no still shows it empty" in said
    assert len(said.strip().splitlines()) == 1
