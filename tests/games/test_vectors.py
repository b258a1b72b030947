"""Worked examples of the rules: a state and events, and what must come out of them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.folding import fold
from referee.games import find_game

VECTORS = sorted((Path(__file__).parent / "vectors").glob("*.json"))

IN_ANY_ORDER = ("tapped", "kin")
AMONG_OTHERS = {"discard": "discard", "tapped_includes": "tapped"}
"""Key of an example -> the list of the state that must hold at least these."""


def _examples() -> Iterator[Any]:
    for path in VECTORS:
        for vector in json.loads(path.read_text(encoding="utf8")):
            yield pytest.param(path.stem.replace("_", "-"), vector, id=vector["id"])


def test_there_are_worked_examples() -> None:
    assert VECTORS


@pytest.mark.parametrize(("game", "vector"), list(_examples()))
def test_worked_example(game: str, vector: dict[str, Any]) -> None:
    given = {k: v for k, v in vector["given"].items() if k != "hidden"}
    answer = fold(find_game(game), {"given": given, "when": vector["when"]})
    answer = json.loads(json.dumps(answer))
    for key, want in vector["then"].items():
        if key != "tapped_after_moves":  # tells what would follow, not what is
            _check(key, want, answer)


def _check(key: str, want: Any, answer: dict[str, Any]) -> None:
    if key == "rulings":
        said = iter(answer["rulings"])
        for ruling in want:
            assert any(_says(s, ruling) for s in said), f"{ruling} is missing in {answer['rulings']}"
    elif key == "rulings_last":
        assert _says(answer["rulings"][-1], want), answer["rulings"][-1]
    elif key == "deltas":
        assert {k: v for k, v in answer["deltas"].items() if v} == want
    elif key == "result":
        assert _includes(answer["result"], want), answer["result"]
    elif key in IN_ANY_ORDER:
        assert sorted(answer["state"][key]) == sorted(want), (key, answer["state"][key])
    elif key in AMONG_OTHERS:
        assert set(want) <= set(answer["state"][AMONG_OTHERS[key]]), (key, answer["state"])
    else:
        assert _includes(answer["state"][key], want), (key, answer["state"][key])


def _says(said: Mapping[str, Any], want: Mapping[str, Any]) -> bool:
    clauses = want.get("clauses") or [want["clause"]]
    others = {k: v for k, v in want.items() if k not in ("clause", "clauses", "text", "why")}
    return set(clauses) <= set(said["clauses"]) and _includes(said, others)


def _includes(got: Any, want: Any) -> bool:
    if isinstance(want, dict):
        return isinstance(got, dict) and all(k in got and _includes(got[k], v) for k, v in want.items())
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(_includes, got, want))
    return bool(got == want)
