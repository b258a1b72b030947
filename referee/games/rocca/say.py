"""Short ways to say a ruling."""

from referee.games.rocca.state import State
from referee.types import Code, Judged, Ruling, Seat


def rule(code: Code, because: str, *clauses: str, seat: Seat | None = None) -> Ruling:
    return Ruling(code, clauses, because, seat=seat)


def refuse(state: State, because: str, *clauses: str, seat: Seat | None = None) -> Judged[State]:
    """The event does not count; the state stays the very same."""
    return Judged(state, (Ruling(Code.ILLEGAL, clauses, because, seat=seat),))


def correct(state: State, because: str, *clauses: str, seat: Seat | None = None) -> Judged[State]:
    """The table must be put right; the state stays the very same."""
    return Judged(state, (Ruling(Code.CORRECT, clauses, because, seat=seat),))


def count(n: int, one: str = "piece", many: str = "pieces") -> str:
    return f"{n} {one if n == 1 else many}"


def and_also(first: Judged[State], *more: Ruling) -> Judged[State]:
    return Judged(first.state, (*first.rulings, *more))


def after(earlier: tuple[Ruling, ...], judged: Judged[State]) -> Judged[State]:
    return Judged(judged.state, (*earlier, *judged.rulings))
