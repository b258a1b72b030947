"""A game's `rules.toml`: its clauses and house rules in words for people."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from referee.codec import from_plain
from referee.errors import TableError


@dataclass(frozen=True, slots=True)
class Clause:
    id: str
    text: str
    tag: str = "PUBLIC"
    """PUBLIC: the camera sees it. DECLARED: somebody says it. HIDDEN: nobody may know. ADVICE: free."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A house rule: a question the printed rules leave open."""

    name: str
    default: bool | int | float | str
    question: str
    gap: str = ""
    """The id under which rulings cite it."""
    choices: tuple[str, ...] = ()
    """For words: the ones that may be chosen."""

    @property
    def kind(self) -> str:
        return {bool: "yes or no", int: "number", float: "number"}.get(type(self.default), "choice")


@dataclass(frozen=True, slots=True)
class Rulebook:
    title: str
    clauses: tuple[Clause, ...]
    switches: tuple[Switch, ...] = ()
    summary: str = ""
    """The game in a few sentences."""

    def text(self, clause: str) -> str:
        """What the clause says; the empty word for one that is not in the book."""
        return next((c.text for c in self.clauses if c.id == clause), "")


def read_rulebook(package: str, name: str = "rules.toml") -> Rulebook:
    """The rulebook beside the code of a game (`package` as in GAMES)."""
    page = files(package) / name
    if not page.is_file():
        raise TableError(f"{package} has no {name}")
    return from_plain(Rulebook, tomllib.loads(page.read_text(encoding="utf8")), name)


def check_switches(book: Rulebook, chosen: Mapping[str, object]) -> None:
    """Refuse a house rule that the game does not have, or a value it cannot take."""
    known = {switch.name: switch for switch in book.switches}
    for name, value in chosen.items():
        if name not in known:
            raise TableError(f"no house rule called {name!r}; house rules: {', '.join(known)}")
        _check_value(known[name], value)


def _check_value(switch: Switch, value: object) -> None:
    if switch.choices and value not in switch.choices:
        raise TableError(f"house rule {switch.name} is {value!r}, not one of {', '.join(switch.choices)}")
    if type(value) is not type(switch.default):
        raise TableError(f"house rule {switch.name} is {value!r}, not a {switch.kind}")
