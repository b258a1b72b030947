"""Words for the tests of Monster My Neighbour: a table, and what is told at it."""

from typing import Any

from referee.games.monster_my_neighbour import GAME
from referee.games.monster_my_neighbour.state import State
from referee.types import Code, Ruling

Told = dict[str, object]


def table(n: int = 4, turn: str = "A", turns: int = 1, hand: int = 3, **given: Any) -> State:
    """Everybody has played `turns` cards and holds `hand`; `hands` and `phase` tell otherwise."""
    seats = list("ABCDEFGH"[:n])
    hands = dict.fromkeys(seats, hand) | given.pop("hands", {})
    fresh = {"players": seats, "phase": "TURN", "turn": turn, "turns": dict.fromkeys(seats, turns)}
    return GAME.load({**fresh, "hand_n": hands, **given})


def tell(state: State, *events: Told) -> tuple[State, list[Ruling]]:
    rulings: list[Ruling] = []
    for plain in events:
        judged = GAME.judge(state, GAME.event(plain))
        state, rulings = judged.state, [*rulings, *judged.rulings]
    return state, rulings


def refused(state: State, event: Told, code: Code, *clauses: str) -> None:
    judged = GAME.judge(state, GAME.event(event))
    assert judged.state is state
    assert judged.rulings[-1].code == code
    assert set(clauses) <= set(judged.rulings[-1].clauses)


def plays(seat: str, card: str) -> Told:
    return {"ev": "card_played", "seat": seat, "card": card}


def aims(seat: str, target: str) -> Told:
    return {"ev": "target", "seat": seat, "target": target}


def caught(seat: str, monster: bool) -> Told:
    return {"ev": "hunter_answer", "seat": seat, "monster": monster}


def discards(seat: str, monster: bool) -> Told:
    return {"ev": "dog_discard", "seat": seat, "monster": monster}


def gives_hunter(seat: str, hunter: bool) -> Told:
    return {"ev": "friend_answer", "seat": seat, "hunter": hunter}


def moved(kind: str, *moves: str) -> Told:
    """`moved("rumor", "AB", "B>A")`: one card from A to B, one back."""
    pairs = [m.split(">") if ">" in m else list(m) for m in moves]
    told = [{"from": giver, "to": taker, "n": 1} for giver, taker in pairs]
    return {"ev": "exchange_done", "kind": kind, "moves": told}
