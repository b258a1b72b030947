"""The doctor: a tick, or the one thing to do."""

from pathlib import Path

import pytest

from referee.cli import main
from tests.hardware.videos import write_video


def test_every_thing_gets_a_line_and_faults_say_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_video(tmp_path / "f.mp4", [k * 100 for k in range(30)])
    camera = f"footage:{tmp_path / 'f.mp4'}"
    assert main(["doctor", "--camera", camera, "--recordings", str(tmp_path / "not-yet")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[1] for line in lines} >= {
        "sharpness",
        "exposure",
        "flicker",
        "calibration",
        "disk",
    }
    assert any(line.startswith("✗") and "10 frames a second" in line for line in lines)
    assert any("referee print sheet" in line for line in lines)


def test_a_missing_camera_is_a_finding_not_a_crash(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--camera", "footage:nowhere.mp4"]) == 1
    assert "✗ footage:nowhere.mp4 there is no footage at nowhere.mp4" in capsys.readouterr().out
