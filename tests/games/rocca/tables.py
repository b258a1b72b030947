"""Short ways to lay a table for a test of Rocca."""

from typing import Any

from referee.games.rocca import GAME
from referee.games.rocca.state import State
from referee.match import Match
from referee.types import Ruling

SHOT = {"ev": "shot_result", "piece": "p9", "gate": ["p1", "p2"]}


def aiming(*seats: str, turn: str = "A", **fields: Any) -> State:
    """A turn in AIM with seven pieces a player: `board` on it, the rest in the bowls as told."""
    seats = seats or ("A", "B", "C")
    return GAME.load({"players": list(seats), "phase": "AIM", "turn": turn, "board": 5, **fields})


def told(state: State, *events: dict[str, Any]) -> tuple[State, list[Ruling]]:
    """The state after the events, and all that was said."""
    match = Match(GAME, state, alone=True)
    said = [ruling for event in events for ruling in match.tell(event)]
    return match.state, said


def shot(**facts: Any) -> dict[str, Any]:
    """A clean shot through the called gate, but for `facts`."""
    return {**SHOT, "through": True, "margin_mm": 12.0, **facts}


def codes(said: list[Ruling]) -> list[str]:
    return [str(ruling.code) for ruling in said]


def clauses(said: list[Ruling]) -> set[str]:
    return {clause for ruling in said for clause in ruling.clauses}
