"""Every bundled clip of a Rocca board, through the same code as the live table."""

import json
from pathlib import Path

import pytest

from referee.judge import as_json, judge_folder

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
