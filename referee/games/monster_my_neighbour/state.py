"""The table of Monster My Neighbour as everybody may see it: no hand and no face-down card is in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from referee.codec import from_plain, to_plain
from referee.errors import BadEvent
from referee.game import Plain
from referee.games.monster_my_neighbour.cards import (
    AIMED,
    CIRCLES,
    GENERAL_CARDS,
    HAND,
    MONSTERS,
    Card,
    general_left,
)
from referee.types import Seat

Phase = Literal[
    "GAME_SETUP",
    "ROUND_SETUP",
    "WANTED",
    "TURN",
    "TARGET",
    "ANSWER",
    "EXCHANGE",
    "ROUND_END",
    "GAME_OVER",
]
Result = Literal["escaped", "caught", "betrayed", "exposed", "nobody"]
BEFORE_DEALING = ("GAME_SETUP", "ROUND_SETUP")
PENDING: Mapping[str, tuple[str, ...]] = {
    "TARGET": AIMED,
    "ANSWER": ("hunter", "dog", "friend"),
    "EXCHANGE": (*CIRCLES, "steal", "deal"),
}
"""Phase -> cards whose effect can be under way in it."""


@dataclass(frozen=True, slots=True)
class Switches:
    fog: Literal["pool", "none", "rotate_left", "rotate_right"] = "pool"
    deal_pick: Literal["own_choice", "blind_draw"] = "own_choice"
    friend_redraw: bool = False
    last_turn: Literal["last_card", "fourth_turn"] = "last_card"
    mermaid: Literal["round", "on_holder"] = "round"
    round_audit: bool = False
    early_monster: Literal["take_back", "round_lost"] = "take_back"
    extra_players: Literal["all", "tied"] = "all"
    has_investigate: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """A card before a player; face down nobody knows which."""

    card: Card | None
    up: bool = True


@dataclass(frozen=True, slots=True)
class Pending:
    """A card whose effect is not finished."""

    card: Card
    by: Seat
    target: Seat | None = None
    n: int | None = None
    """Cards that change hands in a Deal."""


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Seat, ...]
    part: tuple[Seat, ...]
    """Who plays this round: everybody, but for extra rounds of the tied alone."""
    round: int = 1
    phase: Phase = "GAME_SETUP"
    turn: Seat | None = None
    last: Seat | None = None
    """Who finished a turn last."""
    turns: Mapping[Seat, int] = field(default_factory=dict)
    hand_n: Mapping[Seat, int] = field(default_factory=dict)
    played: Mapping[Seat, tuple[Laid, ...]] = field(default_factory=dict)
    skipped: tuple[Seat, ...] = ()
    """Who began the round with a Hunter face down."""
    hunters_played: int = 0
    villagers_played: int = 0
    friends: tuple[Seat, ...] = ()
    general_n: int = GENERAL_CARDS
    monster_deck_n: int = MONSTERS
    monsters_used: int = 0
    vp: Mapping[Seat, int] = field(default_factory=dict)
    pending: Pending | None = None
    round_result: Result | None = None
    round_points: Mapping[Seat, int] = field(default_factory=dict)
    winner: Seat | None = None
    winners: tuple[Seat, ...] = ()
    """Who leads when the game is over; several share the victory."""
    sw: Switches = Switches()


# --- Questions about the table -----------------------------------------------------------------------


def with_cards(state: State) -> tuple[Seat, ...]:
    """Seats clockwise that still hold cards."""
    return tuple(s for s in state.part if state.hand_n[s] > 0)


def clockwise_from(state: State, seat: Seat) -> tuple[Seat, ...]:
    """All seats of the round, beginning with the one to the left of `seat` and ending with `seat`."""
    i = state.part.index(seat) + 1
    return state.part[i:] + state.part[:i]


def next_with_cards(state: State, seat: Seat) -> Seat | None:
    return next((s for s in clockwise_from(state, seat) if state.hand_n[s] > 0), None)


def others_with_cards(state: State, seat: Seat) -> tuple[Seat, ...]:
    return tuple(s for s in with_cards(state) if s != seat)


def face_down(state: State) -> dict[Seat, int]:
    counts = {s: sum(1 for laid in state.played.get(s, ()) if not laid.up) for s in state.players}
    return {s: n for s, n in counts.items() if n}


def lay(state: State, seat: Seat, laid: Laid) -> State:
    return replace(state, played={**state.played, seat: (*state.played.get(seat, ()), laid)})


def change_hand(state: State, seat: Seat, by: int) -> State:
    return replace(state, hand_n={**state.hand_n, seat: state.hand_n[seat] + by})


def monsters_after_dealing(round_: int) -> int:
    """Cards of the Monster deck when the round's Monster is dealt; reshuffled when all five are used."""
    return MONSTERS - 1 - (round_ - 1) % MONSTERS


# --- A fresh game, and one from JSON -----------------------------------------------------------------


def begin(seats: tuple[Seat, ...], rules: Plain) -> State:
    """A fresh game."""
    return load({"players": list(seats), "sw": dict(rules)})


def load(given: Plain) -> State:
    """A state from JSON; what is not said is as in a fresh game."""
    known = {f.name for f in fields(State)} | {"played_facedown"}
    unknown = sorted(set(given) - known)
    if unknown:
        raise BadEvent(f"the state has no field {unknown[0]!r}; fields: {', '.join(sorted(known))}")
    told = {k: v for k, v in given.items() if k != "played_facedown"}
    filled = {**_natural(given), **told, **_per_seat(given), "sw": _switches(given)}
    state = from_plain(State, filled, "state")
    _check(state)
    return state


def _check(state: State) -> None:
    """Refuse a table that cannot be."""
    if not 3 <= len(state.players) <= 8 or len(set(state.players)) != len(state.players):
        raise BadEvent(f"state.players is {list(state.players)!r}, not three to eight different seats")
    pending = (state.pending.by, state.pending.target) if state.pending is not None else ()
    named = (state.turn, state.last, state.winner, *state.friends, *state.winners, *state.part, *pending)
    counted = (*state.turns, *state.hand_n, *state.vp, *state.played, *state.round_points)
    stranger = next((s for s in (*named, *counted) if s is not None and s not in state.players), None)
    if stranger is not None:
        raise BadEvent(f"the state names a seat {stranger!r}, not one of {', '.join(state.players)}")
    if min(state.hand_n.values()) < 0 or state.round < 1 or len(state.part) < 2:
        raise BadEvent("the state has fewer than no cards in a hand, no round, or nobody to play it")
    _check_pending(state)


def _check_pending(state: State) -> None:
    due = PENDING.get(state.phase, ())
    if not due:
        return
    pending = state.pending
    if pending is None or pending.card not in due or pending.by not in state.part:
        raise BadEvent(f"state.phase is {state.phase}, but state.pending is no card of {', '.join(due)}")
    aimed = state.phase == "ANSWER" or (pending.card in ("steal", "deal") and state.phase == "EXCHANGE")
    if aimed and pending.target not in state.part:
        raise BadEvent(f"state.phase is {state.phase}, but state.pending.target is {pending.target!r}")


def _switches(given: Plain) -> dict[str, object]:
    """How many copies of each card a box holds is told by some tables and needed by no ruling."""
    return {k: v for k, v in _table(given, "sw").items() if k != "kind_counts"}


def _natural(given: Plain) -> dict[str, object]:
    players = _players(given)
    round_ = given.get("round", 1)
    number = round_ if type(round_) is int else 1
    dealt = given.get("phase", "GAME_SETUP") not in BEFORE_DEALING
    out = given.get("phase") in ("ROUND_END", "GAME_OVER")
    return {
        "players": players,
        "part": players,
        "general_n": general_left(len(players)) if dealt else GENERAL_CARDS,
        "monster_deck_n": monsters_after_dealing(number) + (0 if dealt else 1),
        "monsters_used": (number - 1) % MONSTERS + (1 if out else 0),
    }


def _per_seat(given: Plain) -> dict[str, object]:
    """Counts by seat, filled up for the seats that are not told."""
    players = _players(given)
    dealt = given.get("phase", "GAME_SETUP") not in BEFORE_DEALING
    hand = {str(s): HAND if dealt else 0 for s in players}
    none: dict[str, object] = {str(s): 0 for s in players}
    return {
        "hand_n": {**hand, **_table(given, "hand_n")},
        "turns": {**none, **_table(given, "turns")},
        "vp": {**none, **_table(given, "vp")},
        "played": {**{str(s): [] for s in players}, **_played(given)},
    }


def _played(given: Plain) -> dict[str, object]:
    if "played" in given:
        return _table(given, "played")
    counts = _table(given, "played_facedown")
    down = {"card": None, "up": False}
    return {s: [down] * n for s, n in counts.items() if type(n) is int and 0 <= n <= GENERAL_CARDS}


def _players(given: Plain) -> list[object]:
    players = given.get("players", ["A", "B", "C"])
    if not isinstance(players, list | tuple) or not all(isinstance(p, str) for p in players):
        raise BadEvent(f"state.players is {players!r}, not a list of seats")
    return list(players)


def _table(given: Plain, name: str) -> dict[str, object]:
    value = given.get(name, {})
    if not isinstance(value, Mapping):
        raise BadEvent(f"state.{name} is {value!r}, not a table")
    return dict(value)


def dump(state: State) -> dict[str, object]:
    """As JSON, with the face-down cards counted."""
    plain: dict[str, object] = to_plain(state)
    return {**plain, "played_facedown": face_down(state)}
