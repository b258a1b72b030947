"""Every bundled clip of a Rocca board, through the same code as the live table."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cameras import open_camera
from hardware.frames import Frame
from hardware.recorder import Recorder
from referee.cli import main
from referee.judge import as_json, judge_folder
from referee.watch.unrest import RESTLESS
from tests.untroubled import untroubled

CLIPS = sorted(p.parent for p in Path("sample_footage/rocca").glob("*/footage.mp4"))


def test_there_are_clips_to_judge() -> None:
    assert len(CLIPS) >= 10


@pytest.mark.parametrize("clip", CLIPS, ids=lambda clip: clip.name)
def test_the_clip_is_ruled_as_it_happened(clip: Path) -> None:
    expected = json.loads((clip / "expected.json").read_text(encoding="utf8"))
    said = as_json(judge_folder(clip))
    assert [shot["verdict"] for shot in said["shots"]] == [shot["verdict"] for shot in expected["shots"]]
    for shot, want in zip(said["shots"], expected["shots"], strict=True):
        assert set(shot["clauses"]) <= set(want["clauses"])
        assert bool(shot["clauses"]) == bool(want["clauses"])
    assert [d["off_board"] for d in said["drops"]] == [d["off_board"] for d in expected.get("drops", ())]


def test_a_folder_with_a_profile_and_no_stills_is_ruled_the_same(tmp_path: Path) -> None:
    (bundled,) = Path("referee/sample/rocca").iterdir()
    bare = tmp_path / bundled.name
    bare.mkdir()
    for name in ("footage.mp4", "match.toml", "profile.json"):
        (bare / name).write_bytes((bundled / name).read_bytes())
    (shot,) = as_json(judge_folder(bare))["shots"]
    assert (shot["verdict"], shot["clauses"]) == ("foul", ["RO-50"])


def _shaken(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Each picture turned by a fraction of a degree, as a camera is on a stand that is knocked again and again."""
    for frame in frames:
        height, width = frame.image.shape[:2]
        turn = float(np.random.default_rng(frame.index).normal(0, 0.4))
        warp = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
        shaken = cv2.warpAffine(frame.image, warp, (width, height), borderMode=cv2.BORDER_REPLICATE)
        yield replace(frame, image=np.asarray(shaken, np.uint8))


@pytest.fixture
def shaking(tmp_path: Path) -> Path:
    """A bundled clip as a camera would have filmed it that shakes all the time."""
    (bundled,) = Path("referee/sample/rocca").iterdir()
    recorder = Recorder(tmp_path, untroubled)
    with open_camera(f"footage:{bundled / 'footage.mp4'}") as camera:
        for frame in _shaken(camera.frames()):
            recorder.write(frame)
    recorder.close()
    (tmp_path / "000000.mp4").rename(tmp_path / "footage.mp4")
    for name in ("match.toml", "profile.json"):
        (tmp_path / name).write_bytes((bundled / name).read_bytes())
    return tmp_path


def test_a_clip_that_shakes_all_the_time_is_not_passed_over_in_silence(
    shaking: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = shaking / "out.json"
    assert main(["judge", str(shaking), "--json", str(out)]) == 0
    assert RESTLESS in capsys.readouterr().out
    judged = json.loads(out.read_text(encoding="utf8"))
    assert judged["shots"] == []
    assert judged["events"][0] == {"ev": "camera_blocked", "why": RESTLESS}
    assert judged["rulings"][0]["code"] == "UNSEEN"
    assert main(["watch", str(shaking), "--json", str(out)]) == 0
    told = json.loads(out.read_text(encoding="utf8"))
    assert (told[0]["kind"], told[0]["why"]) == ("sight_lost", RESTLESS)
