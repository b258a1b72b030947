"""Calibrating live, with guidance: what the camera was shown is kept, and measures like the stills."""

from pathlib import Path

import cv2
import numpy as np
import pytest

import calibration
from calibration.profile import Profile
from hardware.frames import Frame
from hardware.recorder import Recorder
from referee.cli import main
from tests.untroubled import untroubled

CAMERA = Path(__file__).parents[2] / "sample_footage" / "rocca" / "cameras" / "camera_12_60"
STEP_NS = 200_000_000


def film(folder: Path) -> Path:
    """Somebody holds the sheet still in each pose, then lays it flat."""
    recorder = Recorder(folder, untroubled)
    held = [pose for pose in sorted(CAMERA.glob("calib_*.jpg")) for _ in range(4)]
    flat = [CAMERA / "board_sheet.jpg"] * 20
    pictures = [np.asarray(cv2.imread(str(pose)), np.uint8) for pose in held + flat]
    for number, picture in enumerate(pictures):
        recorder.write(Frame(number, number * STEP_NS, picture))
    recorder.close()
    return folder / "000000.mp4"


def test_guided_calibration_keeps_its_stills_and_measures_like_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "my-table"
    assert main(["calibrate", str(table), "--camera", f"footage:{film(tmp_path / 'film')}"]) == 0
    assert "of the picture]" in capsys.readouterr().out
    assert (table / "board_sheet.png").exists()
    assert len(list(table.glob("calib_*.png"))) >= 4
    guided, known = Profile.load(table / "profile.json"), calibration.from_folder(CAMERA)
    corners = known.to_pixels(np.array([[-150.0, -150.0], [150.0, -150.0], [150.0, 150.0], [-150.0, 150.0]]))
    sides = np.linalg.norm(np.diff(guided.to_board(corners), axis=0), axis=1)
    assert sides == pytest.approx([300.0] * 3, abs=0.5)
