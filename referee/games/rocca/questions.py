"""Questions to the rules alone: handing out, and the geometry of round pieces."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.codec import from_plain, to_plain
from referee.errors import BadEvent
from referee.game import Plain
from referee.games.rocca.settle import shares
from referee.games.rocca.state import State
from referee.games.rocca.track import Circle, Gate, classify
from referee.types import Point


@dataclass(frozen=True, slots=True)
class HandOut:
    pool: int
    receivers: int


@dataclass(frozen=True, slots=True)
class Track:
    gate: tuple[Circle, Circle]
    shooter_r: float
    path: tuple[Point, ...]
    sigma_mm: float = 0.0
    """Standard error of a position."""


def answer(state: State, asked: Plain) -> object:
    """`{"name": question, ...}` with the question's fields beside the name or in `args`."""
    name, args = asked.get("name"), asked.get("args", {})
    if not isinstance(name, str) or name not in QUESTIONS:
        raise BadEvent(f"no question called {name!r}; questions: {', '.join(QUESTIONS)}")
    fields = {**asked, **args} if isinstance(args, Mapping) else dict(asked)
    return QUESTIONS[name](state, fields)


def _distribute(_state: State, asked: Plain) -> object:
    given = from_plain(HandOut, _only(HandOut, asked), "distribute")
    if given.pool < 0 or given.receivers < 1:
        raise BadEvent(f"distribute has {given.pool} pieces for {given.receivers} players")
    return shares(given.pool, given.receivers)


def _classify_track(state: State, asked: Plain) -> object:
    track = from_plain(Track, _only(Track, asked), "classify_track")
    gate = Gate(*track.gate)
    if not track.path or gate.length == 0:
        raise BadEvent("classify_track needs a path and two gate pieces in two places")
    tol_mm = max(state.tol_mm, 3 * track.sigma_mm)
    at_rest = state.sw.crossing_moment == "at_rest"
    return to_plain(classify(gate, track.shooter_r, track.path, tol_mm, at_rest))


def _only(kind: type, asked: Plain) -> Plain:
    return {k: v for k, v in asked.items() if k in kind.__dataclass_fields__}  # type: ignore[attr-defined] # a dataclass


QUESTIONS: Mapping[str, Callable[[State, Plain], object]] = {
    "distribute": _distribute,
    "classify_track": _classify_track,
}
