"""A game refereed by hand: what the terminal shows and what people type."""

from collections.abc import Callable
from typing import Any

from referee.errors import TableError
from referee.match import Match
from referee.types import TABLE, Ask, Choice, Code, Ruling, View

Say = Callable[[str], None]
Hear = Callable[[str], str]
"""Shows a prompt and returns what was typed; raises EOFError at the end."""

COMMANDS = {"u": "undo", "r": "redo", "p": "pause"}
HELP = "a number chooses; u take back, r do again, p pause, q stop"


def play(match: Match[Any, Any], hear: Hear, say: Say) -> None:
    """Show, ask, rule, until the game is over or the players stop."""
    say(f"({HELP})")
    while True:
        view, choices = match.view(TABLE), match.choices()
        say("\n" + "\n".join(view_lines(view, choices)))
        try:
            word = hear("> ").strip()
        except EOFError:
            return
        if word == "q":
            return
        if word:
            _answer(match, choices, word, hear, say)


def view_lines(view: View, choices: tuple[Choice, ...]) -> list[str]:
    """A view as lines of text, with the choices numbered."""
    lines = [f"== {view.headline}"]
    if view.scores:
        lines.append("   ".join(f"{name}: {score}" for name, score in view.scores))
    lines += view.lines
    if view.prompt:
        lines.append(view.prompt)
    return lines + [f"  {i}  {choice.label}" for i, choice in enumerate(choices, 1)]


def ruling_line(ruling: Ruling) -> str:
    """A ruling as one line: what, why, by which clauses."""
    return f"{_MARKS.get(ruling.code, ' ')} {ruling.code}: {ruling.because} [{', '.join(ruling.clauses)}]"


_MARKS = {
    Code.OK: "+",
    Code.WIN: "*",
    Code.DRAW: "*",
    Code.FOUL: "!",
    Code.ILLEGAL: "x",
    Code.CORRECT: "x",
    Code.REVIEW: "?",
    Code.PROMPT: "?",
}


def _answer(match: Match[Any, Any], choices: tuple[Choice, ...], word: str, hear: Hear, say: Say) -> None:
    try:
        plain = _event(choices, word, hear)
        rulings = match.tell(plain)
    except TableError as error:
        say(f"x {error}")
    except EOFError:
        say("x left unanswered: nothing happened")
    else:
        for ruling in rulings:
            say(ruling_line(ruling))


def _event(choices: tuple[Choice, ...], word: str, hear: Hear) -> dict[str, object]:
    if word in COMMANDS:
        return {"ev": COMMANDS[word], "src": "P"}
    if not word.isdecimal() or not 1 <= int(word) <= len(choices):
        raise TableError(f"{word!r} is no choice here; {HELP}")
    choice = choices[int(word) - 1]
    asked = {ask.name: _ask(ask, hear) for ask in choice.asks}
    return {"ev": choice.event, **choice.fields, **asked, "src": "P"}


def _ask(ask: Ask, hear: Hear) -> object:
    options = f" ({', '.join(ask.options)})" if ask.options else ""
    word = hear(f"  {ask.name.replace('_', ' ')}{options}: ").strip()
    if ask.options and ask.kind != "pieces" and word not in ask.options:
        raise TableError(f"{ask.name} is {word!r}, not one of {', '.join(ask.options)}")
    return _meant(ask, word)


def _meant(ask: Ask, word: str) -> object:
    if ask.kind == "number":
        if not word.lstrip("-").isdecimal():
            raise TableError(f"{ask.name} is {word!r}, not a number")
        return int(word)
    if ask.kind == "pieces":
        return [name.strip() for name in word.split(",") if name.strip()]
    if ask.options and set(ask.options) <= {"yes", "no"}:
        return word == "yes"
    return word
