"""Words for the tests of Rocca Monster: a table, and what is told at it."""

from typing import Any

from referee.games.rocca_monster import GAME
from referee.games.rocca_monster.state import State, named
from referee.types import Code, Ruling


def village(n: int = 4, phase: str = "MORNING", dead: str = "", **given: Any) -> State:
    """A table in the middle of a game; `dead` names the graves, `faces` the special faces."""
    seats = list("ABCDEF"[:n])
    faces, graves = given.pop("faces", {}), dead.split()
    members = {
        m: {
            "owner": m[0],
            "face": faces.get(m, "plain"),
            "alive": m not in graves,
            "revealed": "villager" if m in graves else None,
        }
        for seat in seats
        for m in named(seat)
    }
    return GAME.load({"players": seats, "members": members, "phase": phase, **given})


def tell(state: State, *events: dict[str, object]) -> tuple[State, list[Ruling]]:
    rulings: list[Ruling] = []
    for plain in events:
        judged = GAME.judge(state, GAME.event(plain))
        state, rulings = judged.state, [*rulings, *judged.rulings]
    return state, rulings


def found(where: str) -> dict[str, object]:
    return {"ev": "die_found", "where": where}


def rolled(value: int | None, by: str | None = None) -> dict[str, object]:
    return {"ev": "die_rolled", "value": value, "by": by}


def turned(member: str, body: str = "villager", up: bool = False) -> dict[str, object]:
    return {"ev": "member_turned", "member": member, "body": body, "up": up}


def votes(**on: str) -> list[dict[str, object]]:
    return [{"ev": "vote_set", "seat": seat, "member": member} for seat, member in on.items()]


CLOSE: dict[str, object] = {"ev": "vote_close"}


def refused(state: State, event: dict[str, object], code: Code, clause: str) -> None:
    judged = GAME.judge(state, GAME.event(event))
    assert judged.state is state
    assert judged.rulings[-1].code == code
    assert clause in judged.rulings[-1].clauses


def executed(state: State, body: str) -> State:
    on = dict.fromkeys(state.players, "C2")
    after, _ = tell(state, *votes(**on), CLOSE, turned("C2", body))
    return after
