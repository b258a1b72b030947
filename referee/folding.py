"""The bench alone: a state and events in, the state after them and the rulings out."""

from collections.abc import Mapping
from typing import Any

from referee.codec import to_plain
from referee.errors import BadEvent
from referee.game import Game, Plain
from referee.match import Match
from referee.types import Ruling


def fold(game: Game[Any, Any], asked: object) -> dict[str, object]:
    """Answer `{"given": {...}, "when": [...]}`."""
    given, when = _read(asked)
    begun = game.load(given)
    match = Match(game, begun, alone=True)
    around = {k: v for k, v in given.items() if k not in game.dump(begun)}
    rulings: list[Ruling] = []
    answers: list[object] = []
    for plain in when:
        if plain.get("ev") == "query":
            answers.append(game.answer(match.state, {**around, **plain}))
            entered = game.entered(plain)
            rulings.extend(match.feed(entered) if entered is not None else ())
        else:
            rulings.extend(match.tell(plain))
    return _told(game.dump(match.state), rulings, answers)


def plain_ruling(ruling: Ruling) -> dict[str, object]:
    """A ruling as JSON; `clause` is the first of `clauses`."""
    plain = to_plain(ruling)
    plain["clause"] = ruling.clauses[0] if ruling.clauses else None
    plain["audience"] = str(ruling.audience)
    return {k: v for k, v in plain.items() if v is not None and v != []}


def _told(state: dict[str, object], rulings: list[Ruling], answers: list[object]) -> dict[str, object]:
    told: dict[str, object] = {"state": state, "rulings": [plain_ruling(r) for r in rulings]}
    if answers:
        told["result"] = to_plain(answers[0] if len(answers) == 1 else answers)
    if "deltas" in state:
        told["deltas"] = state["deltas"]
    return told


def _read(asked: object) -> tuple[Plain, list[Plain]]:
    if not isinstance(asked, Mapping):
        raise BadEvent('fold takes {"given": {...}, "when": [...]}')
    given, when = asked.get("given", {}), asked.get("when", [])
    if not isinstance(given, Mapping):
        raise BadEvent(f"'given' is {given!r}, not a state")
    if not isinstance(when, list) or not all(isinstance(plain, Mapping) for plain in when):
        raise BadEvent(f"'when' is {when!r}, not a list of events")
    return given, when
