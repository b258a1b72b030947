"""referee live: what was asked for is there, or the reason why not."""

import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from referee.cli import main
from referee.host import Host
from referee.stage import Stage

ROCCA = {"game": "rocca", "seats": ["A", "B", "C"]}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["chess"], "no game called 'chess'"),
        (["rise-against-monsters", "--seats", "A"], "takes 2 to 7 players"),
        (["rocca", "--seats", "A,B,C", "--lamp", "red"], "three pins"),
        (["rocca", "--seats", "A,B,C", "--display", "cinema"], "no display called"),
        (["rocca", "--seats", "A,B,C", "--camera", "footage:nowhere.mp4"], "there is no footage"),
        (["--seats", "A,B"], "seats without a game"),
    ],
)
def test_what_cannot_be_had_is_refused_in_one_sentence(
    words: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["live", *words, "--folder", str(tmp_path), "--port", "0"]) == 2
    assert says in capsys.readouterr().err


def test_a_table_by_hand_serves_its_page_until_it_is_stopped(tmp_path: Path) -> None:
    words = [
        "live",
        "rocca",
        "--seats",
        "A,B,C",
        "--folder",
        str(tmp_path),
        "--host",
        "127.0.0.1",
        "--port",
        "0",
    ]
    command = [sys.executable, "-m", "referee", *words, "--display", "terminal"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as live:
        assert live.stdout is not None
        first = [live.stdout.readline() for _ in range(2)]
        url = next(line for line in first if "http" in line).split()[-1]
        assert b"Table Referee" in urllib.request.urlopen(url).read()
        live.terminate()
        assert live.wait(10) == 0
    assert list(tmp_path.glob("*/journal.db"))


def test_a_button_means_the_choice_of_its_name(tmp_path: Path) -> None:
    host = Host(tmp_path, Stage())
    host.begin(ROCCA)
    assert host.button("undo") == {"ev": "undo"}
    assert host.button("practice_on")["ev"] == "practice_on"
    host.close()
