"""The state of a game of Rocca: whose turn, where the pieces are, and by which house rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from referee.codec import from_plain, to_plain
from referee.errors import BadEvent
from referee.game import Plain
from referee.games.rocca.events import PieceId, ShotResult
from referee.games.rocca.switches import Switches
from referee.types import Seat


class Phase(StrEnum):
    SETUP = "SETUP"
    PRACTICE = "PRACTICE"
    ANTE = "ANTE"
    DROP = "DROP"
    AIM = "AIM"
    SHOT = "SHOT"
    """A shot too close to call waits for the players' answer."""
    SETTLE = "SETTLE"
    ANNOUNCE = "ANNOUNCE"
    GAME_OVER = "GAME_OVER"


@dataclass(frozen=True, slots=True)
class Out:
    seat: Seat
    reason: Literal["ante", "clock"]


@dataclass(frozen=True, slots=True)
class Review:
    """What the players are asked before a shot is ruled."""

    questions: tuple[str, ...]
    shot: ShotResult | None = None
    claim: str | None = None
    """The clause a player claims was broken."""


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Seat, ...]
    """Clockwise."""
    active: tuple[Seat, ...]
    turn: Seat
    bowls: Mapping[Seat, int]
    out: tuple[Out, ...] = ()
    phase: Phase = Phase.SETUP
    won: int = 0
    """Beside the turn player's bowl."""
    hand: int = 0
    """Antes received, not yet dropped."""
    board: int = 0
    aside: int = 0
    """Splash of this turn."""
    off: int = 0
    """Pushed off by a shot and not yet handed out."""
    removed: int = 0
    """Out of the game by a house rule."""
    gate_call: tuple[PieceId, PieceId] | Literal["obvious"] | None = None
    call_required: bool = False
    warned: bool = False
    """A shot was replayed already because the gate asked for was not called."""
    pending_removal: tuple[PieceId, ...] = ()
    """Won, but still lying on the board."""
    ante_due: Mapping[Seat, int] = field(default_factory=dict)
    """Still to be paid; empty until the turn has begun."""
    ante_size: int = 1
    review: Review | None = None
    last_good: PieceId | None = None
    """The shooter of the last good shot, while the others may still claim a foul in it."""
    deltas: Mapping[Seat, int] = field(default_factory=dict)
    """What the last settlement put into each bowl."""
    assistive_tool: tuple[Seat, ...] = ()
    """Who may shoot with something else than the hand."""
    clock_ms: Mapping[Seat, int] | None = None
    tol_mm: float = 1.0
    """A margin this small or smaller is too close to call."""
    winner: Seat | tuple[Seat, ...] | None = None
    sw: Switches = field(default_factory=Switches)


def is_solo(state: State) -> bool:
    return len(state.players) == 1


def win_at(state: State) -> int:
    """RO-60: double the starting number."""
    return 2 * state.sw.start_pieces


def pieces(state: State) -> int:
    """All pieces there are; no event may change it."""
    on_table = state.won + state.hand + state.board + state.aside + state.off
    return sum(state.bowls.values()) + on_table + state.removed


def round_from(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The seats still in the game, clockwise, beginning left of `seat`; the seat itself, if in, comes last."""
    at = state.players.index(seat) + 1
    around = state.players[at:] + state.players[:at]
    return tuple(s for s in around if s in state.active)


def ante_for(active: tuple[Seat, ...]) -> int:
    """RO-13, RO-14: one piece each, two while only two players remain."""
    return 2 if len(active) == 2 else 1


def begin(seats: tuple[Seat, ...], switches: Plain) -> State:
    """A fresh game."""
    sw = from_plain(Switches, switches, "switches")
    clock = dict.fromkeys(seats, sw.clock_minutes * 60_000) if sw.chess_clock else None
    if len(seats) == 1:
        return State(seats, seats, seats[0], {seats[0]: 0}, phase=Phase.DROP, hand=sw.solo_pieces, sw=sw)
    bowls = dict.fromkeys(seats, sw.start_pieces)
    return State(seats, seats, seats[0], bowls, ante_size=ante_for(seats), clock_ms=clock, sw=sw)


FIELDS = tuple(State.__dataclass_fields__)
MOST_PLAYERS = 6
_SEATS = ("A", "B", "C")


def load(given: Plain) -> State:
    """A state from JSON; what is no field of it belongs to the questions asked about it."""
    players = from_plain(tuple[Seat, ...], given.get("players", _SEATS), "players")
    if not players or len(set(players)) != len(players):
        raise BadEvent(f"players are {list(players)!r}: every one needs a seat of its own")
    if len(players) > MOST_PLAYERS:
        raise BadEvent(f"Rocca takes 1 to {MOST_PLAYERS} players, not {len(players)}")
    named = {k: v for k, v in given.items() if k in FIELDS}
    fresh = begin(players, _table(named.get("sw", {}), "sw"))
    state = from_plain(State, {**to_plain(fresh), **_active(players, named), **named}, "state")
    return _checked(replace(state, bowls=_bowls(state, given), ante_size=_ante_size(state, given)))


def _active(players: tuple[Seat, ...], named: Plain) -> dict[str, object]:
    gone = [entry.get("seat") for entry in _list(named.get("out", ())) if isinstance(entry, Mapping)]
    return {"active": [seat for seat in players if seat not in gone]}


def _bowls(state: State, given: Plain) -> dict[Seat, int]:
    full = {s: state.sw.start_pieces if s in state.active else 0 for s in state.players}
    return {**full, **state.bowls} if "bowls" in given else dict(state.bowls)


def _ante_size(state: State, given: Plain) -> int:
    return state.ante_size if "ante_size" in given else ante_for(state.active)


def _checked(state: State) -> State:
    for seat in (*state.active, state.turn, *state.bowls, *state.ante_due):
        if seat not in state.players:
            raise BadEvent(f"no player sits at {seat!r}; players: {', '.join(state.players)}")
    counts = (*state.bowls.values(), state.won, state.hand, state.board, state.aside, state.removed)
    if min(counts) < 0:
        raise BadEvent(f"a state with {min(counts)} pieces somewhere")
    return state


def _table(value: object, where: str) -> Plain:
    if not isinstance(value, Mapping):
        raise BadEvent(f"{where} is {value!r}, not a table")
    return value


def _list(value: object) -> list[object] | tuple[object, ...]:
    return value if isinstance(value, list | tuple) else ()
