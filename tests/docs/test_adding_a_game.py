"""The worked example of the documentation is a game that plays."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.cli import main
from referee.games import find_game
from referee.house import Undo
from referee.match import open_match
from tests.games.harness import RandomPlayers

PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text(encoding="utf8")


def block(language: str) -> str:
    (text,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(text)


@pytest.fixture
def tic_tac_toe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    package = tmp_path / "newcomer"
    package.mkdir()
    (package / "__init__.py").write_text(block("python"))
    (package / "rules.toml").write_text(block("toml"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(games.GAMES, "tic-tac-toe", "newcomer")
    yield find_game("tic-tac-toe")
    sys.modules.pop("newcomer", None)


def test_random_players_play_it_to_the_end(tic_tac_toe: Any) -> None:
    winners = set()
    for seed in range(30):
        players = RandomPlayers(tic_tac_toe, ("A", "B"), seed=seed)
        steps = list(players.steps())
        assert 5 <= len(steps) <= 9
        winners.add(players.state.winner)
    assert winners == {"A", "B", None}


def test_a_refused_stone_changes_nothing(tic_tac_toe: Any) -> None:
    match = open_match(tic_tac_toe, ("A", "B"), {"first_may_take_middle": False})
    before = match.state
    assert match.tell({"ev": "stone_placed", "seat": "A", "field": "b2"})[0].clauses == ("TT-G1",)
    assert match.tell({"ev": "stone_placed", "seat": "B", "field": "a1"})[0].code == "ILLEGAL"
    assert match.state is before


def test_undo_works_without_a_line_of_code(tic_tac_toe: Any) -> None:
    match = open_match(tic_tac_toe, ("A", "B"), {})
    before = match.state
    match.tell({"ev": "stone_placed", "seat": "A", "field": "b2"})
    match.feed(Undo())
    assert match.state == before


def test_its_rules_are_printed_for_people(tic_tac_toe: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "tic-tac-toe"]) == 0
    assert "Three own stones in a row" in capsys.readouterr().out
