"""A recording whose hands are covered is judged again by today's rules, from what was told."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.folder import MatchSheet
from referee.games import find_game
from referee.house import Sitting
from referee.journal import Journal
from referee.kept_sheet import sheet_words
from referee.log import Told
from referee.match import Match, Step, open_match
from referee.rejudging import rejudge
from tests.hardware.videos import write_video
from tests.instead import instead

SEATS = ("A", "B", "C", "D")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_video(tmp_path / "footage.mp4", [0, 40])
    (tmp_path / "match.toml").write_text(sheet_words(MatchSheet("shisogari", SEATS)))
    game = find_game("shisogari")
    with Journal(tmp_path / "journal.db") as journal:
        match = open_match(game, SEATS, {}, journal, {"phase": "TURN", "turn": "A"})
        for kind, seat in (("give", "B"), ("take", "A")):
            match.tell({"ev": "action", "seat": seat, "kind": kind, "target": "C", "item": "stake"})
        match.tell({"ev": "undo"})
        match.tell({"ev": "action", "seat": "A", "kind": "take", "target": "D", "item": "stake"})
    return tmp_path


def test_the_same_rules_rule_the_same(folder: Path) -> None:
    again = rejudge(folder)
    assert again.trouble == ""
    assert again.rulings >= 2
    assert again.changes == ()
    assert "hands are covered" in again.note


def test_rules_that_rule_otherwise_today_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Match._judge_game

    def stricter(self: Match[Any, Any], sitting: Sitting[Any], told: Told, event: Any) -> Step[Any]:
        step = judge(self, sitting, told, event)
        return replace(step, rulings=tuple(replace(r, clauses=("SH-99",)) for r in step.rulings))

    instead(monkeypatch, Match, judge)(stricter)
    changes = rejudge(folder).changes
    assert changes
    assert all("SH-99" in change.now and "SH-99" not in change.was for change in changes)
