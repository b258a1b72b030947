"""What the bench says can be read in three languages: one book of templates holds all of it."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from referee.games import GAMES
from referee.rulebook import read_rulebook

HERE = Path(referee.__file__).parent
BOOK: dict[str, list[str]] = json.loads(
    (HERE / "kiosk" / "static" / "words" / "bench.json").read_text(encoding="utf8")
)
CLAUSES = HERE / "kiosk" / "static" / "words" / "clauses"
NOT_SAID = ("reading.py", "answers.py", "loading.py")
"""These speak to the eyes and to scripts."""
BENCH = [f for f in sorted((HERE / "games").rglob("*.py")) if f.name not in NOT_SAID]


def spoken(file: Path) -> Iterator[str]:
    """Every sentence of a module with its values as {0}, {1}, ...; not what is raised, nor docstrings."""
    tree = ast.parse(file.read_text(encoding="utf8"))
    silent = {id(part) for node in ast.walk(tree) for part in _silent(node)}
    for node in ast.walk(tree):
        if id(node) not in silent and isinstance(node, ast.Constant | ast.JoinedStr):
            text = _template(node)
            if " " in text.strip() and re.search("[A-Za-z]", re.sub(r"\{\d\}", "", text)):
                yield text


def _silent(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.JoinedStr):
        yield from node.values
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    if isinstance(node, ast.Raise):
        yield from ast.walk(node)


def _template(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        names = list(dict.fromkeys(re.findall(r"\{(\w+)\}", str(node.value))))
        return re.sub(r"\{(\w+)\}", lambda m: f"{{{names.index(m[1])}}}", str(node.value))
    values = iter(range(9))
    parts = (str(v.value) if isinstance(v, ast.Constant) else f"{{{next(values)}}}" for v in node.values)
    return "".join(parts)


@pytest.mark.parametrize(
    "file", [*BENCH, HERE / "house.py", HERE / "match.py"], ids=lambda f: f"{f.parent.name}/{f.name}"
)
def test_every_sentence_of_the_bench_is_in_the_book(file: Path) -> None:
    titles = {name.replace("-", " ") for name in GAMES}
    missing = [text for text in spoken(file) if text not in BOOK and text.lower() not in titles]
    assert missing == []


def test_every_sentence_has_its_german_and_japanese_words_with_the_same_values() -> None:
    def values(text: str) -> list[str]:
        return sorted(re.findall(r"\{\d\}", text))

    assert BOOK
    for english, others in BOOK.items():
        assert len(others) == 2, english
        assert all(other.strip() for other in others if english.strip(" ,")), english
        assert [values(other) for other in others] == [values(english)] * 2, english


@pytest.mark.parametrize("game", [*GAMES, "house"])
def test_every_clause_has_its_german_and_japanese_words(game: str) -> None:
    book = read_rulebook(GAMES[game]) if game in GAMES else read_rulebook("referee", "house.toml")
    words = json.loads((CLAUSES / f"{game}.json").read_text(encoding="utf8"))
    assert set(words) == {clause.id for clause in book.clauses}
    for clause, others in words.items():
        assert len(others) == 2, clause
        assert all(other.strip() for other in others), clause


@pytest.mark.parametrize("game", GAMES)
def test_every_house_rule_and_summary_is_in_the_book(game: str) -> None:
    book = read_rulebook(GAMES[game])
    assert [s.question for s in book.switches if s.question not in BOOK] == []
    assert book.summary in BOOK
