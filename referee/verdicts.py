"""Rulings in few words, for the benches of the games."""

from typing import TypeVar

from referee.types import Code, Judged, Ruling, Seat

S = TypeVar("S")


def ok(because: str, *clauses: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.OK, clauses, because, seat)


def info(because: str, *clauses: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.INFO, clauses, because, seat)


def prompt(because: str, *clauses: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.PROMPT, clauses, because, seat)


def illegal(because: str, *clauses: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.ILLEGAL, clauses, because, seat)


def correct(because: str, *clauses: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.CORRECT, clauses, because, seat)


def assume(because: str, *clauses: str) -> Ruling:
    return Ruling(Code.ASSUME, clauses, because)


def unchanged(state: S, *rulings: Ruling) -> Judged[S]:
    """What is not allowed changes nothing: the very same state object."""
    return Judged(state, rulings)
