"""Promises of the command line."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cli import COMMANDS, main


def test_wrong_input_is_one_sentence_and_exit_code_two(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "x.jsonl"
    assert main(["observe", "no-such-folder", "--json", str(out)]) == 2
    said = capsys.readouterr().err
    assert said == "referee: there is no folder no-such-folder\n"
    assert not out.exists()


def test_unknown_command_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["jugde"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("referee: no command called 'jugde'; commands: ")
    assert all(name in said for name in COMMANDS)


@pytest.mark.parametrize("args", [["--luck"], ["fold"], ["rules", "rocca", "--luck"], ["journal", "verify"]])
def test_wrong_arguments_are_one_sentence_too(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(args)
    said = capsys.readouterr().err
    assert (stop.value.code, said.count("\n")) == (2, 1)
    assert said.startswith("referee: ")


def test_a_file_in_the_way_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_game: object) -> None:
        raise OSError(28, "No space left on device", "evening.json")

    monkeypatch.setattr("referee.commands.rules.run", full)
    assert main(["rules", "rocca"]) == 2
    assert capsys.readouterr().err == "referee: evening.json: No space left on device\n"


def test_an_interrupted_command_ends_quietly(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("referee.commands.rules.run", interrupted)
    assert main(["rules", "rocca"]) == 130
    assert capsys.readouterr().err == ""


def test_a_reader_who_leaves_early_is_no_fault() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "referee", "rules", "rocca"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as printing:
        assert printing.stdout is not None and printing.stderr is not None
        printing.stdout.close()
        assert (printing.stderr.read(), printing.wait()) == (b"", 0)


def test_a_full_disk_is_one_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "referee", "rules", "rocca"], stdout=full, stderr=subprocess.PIPE
        )
    assert (run.returncode, run.stderr) == (2, b"referee: No space left on device\n")


@pytest.mark.parametrize(("own", "threads"), [(None, "1"), ("3", "3")])
def test_small_sums_are_not_spread_over_threads_unless_asked(
    monkeypatch: pytest.MonkeyPatch, own: str | None, threads: str
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if own is not None:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", own)
    assert main(["rules", "rocca"]) == 0
    assert os.environ["OPENBLAS_NUM_THREADS"] == threads


def test_asking_for_help_does_not_open_the_eyes() -> None:
    """Commands load the heavy libraries when they run, not when they are asked about."""
    ask = (
        "import contextlib, io, sys\n"
        "from referee.cli import COMMANDS, main\n"
        "for name in COMMANDS:\n"
        "    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "        main([name, '--help'])\n"
        "print([m for m in ('referee.board_eyes', 'referee.watch') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("command", ["replay", "evidence", "report", "submit"])
def test_a_picture_is_no_recording(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str) -> None:
    picture = tmp_path / "some.jpg"
    assert cv2.imwrite(str(picture), np.zeros((90, 160, 3), np.uint8))
    (tmp_path / "profile.json").write_text("{}")
    ruling = ["--ruling", "1"] if command in ("evidence", "submit") else []
    assert main([command, str(picture), *ruling]) == 2
    assert capsys.readouterr().err == "referee: some.jpg is a picture, not a video\n"
