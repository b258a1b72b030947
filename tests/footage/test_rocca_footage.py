"""Every bundled clip of a Rocca board, through the same code as the live table."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import calibration
from hardware.cameras import open_camera
from hardware.frames import Frame
from referee.folder import open_folder
from referee.happenings import SightLost
from referee.judge import as_json, judge_folder, judge_frames
from referee.watch.unrest import RESTLESS

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


def test_a_clip_that_shakes_all_the_time_is_not_passed_over_in_silence() -> None:
    folder = open_folder(Path("sample_footage/rocca/not-through"))
    with open_camera(folder.camera_name) as camera:
        profile = calibration.from_folder(folder.calibration, size=camera.size, board=True)
        judged = judge_frames(folder.match, _shaken(camera.frames()), profile, None)
    assert [h.why for h in judged.happenings if isinstance(h, SightLost)] == [RESTLESS]
    assert [str(r.code) for r in judged.rulings] == ["UNSEEN"]
    assert judged.shots == []
