"""Cards that change hands face down: only their numbers are known."""

from collections import Counter

from referee.games.monster_my_neighbour.events import Move
from referee.games.monster_my_neighbour.state import State, with_cards

Flow = Counter[tuple[str, str]]
MIDDLE = "middle"


def expected(state: State) -> tuple[Move, ...]:
    """What must move for the pending card."""
    pending = state.pending
    if pending is None:
        return ()
    if pending.card in ("steal", "deal") and pending.target is not None:
        n = pending.n or 1
        return (Move(pending.target, pending.by, n), Move(pending.by, pending.target, n))
    if pending.card == "fog" and state.sw.fog == "pool":
        seats = with_cards(state)
        return (*(Move(s, MIDDLE) for s in seats), *(Move(MIDDLE, s) for s in seats))
    return _round_the_table(state, to_the_right=pending.card == "fog" and state.sw.fog == "rotate_right")


def _round_the_table(state: State, *, to_the_right: bool) -> tuple[Move, ...]:
    """One card of everybody to the neighbour; empty hands are left out of the circle."""
    seats = with_cards(state)
    step = -1 if to_the_right else 1
    return tuple(Move(s, seats[(i + step) % len(seats)]) for i, s in enumerate(seats))


def is_as_told(state: State, moves: tuple[Move, ...]) -> bool:
    """Did just those cards move?"""
    want = _flow(expected(state))
    return _flow(moves) == want or (_is_pool(state) and _balance(moves) == _balance(expected(state)))


def _is_pool(state: State) -> bool:
    return state.pending is not None and state.pending.card == "fog" and state.sw.fog == "pool"


def _flow(moves: tuple[Move, ...]) -> Flow:
    flow: Flow = Counter()
    for move in moves:
        flow[_place(move.from_), _place(move.to)] += move.n
    return flow


def _balance(moves: tuple[Move, ...]) -> Counter[tuple[str, str]]:
    """Through a pool only what each gives and gets is seen."""
    balance: Counter[tuple[str, str]] = Counter()
    for move in moves:
        balance["gives", _place(move.from_)] += move.n
        balance["gets", _place(move.to)] += move.n
    return Counter({key: n for key, n in balance.items() if key[1] != MIDDLE})


def _place(name: str) -> str:
    return MIDDLE if name.lower() in (MIDDLE, "pool") else name
