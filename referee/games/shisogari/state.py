"""What the referee may know: colours, counts and faces laid open. Roles and contents only once all cards are turned."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from referee.codec import from_plain, to_plain
from referee.errors import TableError
from referee.game import Plain
from referee.games.shisogari.cards import COLOURS, THRESHOLD, Colour
from referee.types import Seat

Phase = Literal["SETUP", "TABLE_PICK", "TURN", "PICK", "RESOLVE", "REVEAL", "GAME_OVER"]
Role = Literal["vampire", "hunter"]
Team = Literal["vampire", "hunter"]
Kind = Literal["take", "give", "determine"]
FRESH_SEATS = ("A", "B", "C", "D")
DERIVED = ("threshold",)
"""Told with the state, never read back."""
NEVER_READ = "hidden"
"""The truth that simulators keep beside a state."""


@dataclass(frozen=True, slots=True)
class Switches:
    pick_colour: Literal["picker_holds", "item", "any"] = "picker_holds"
    illegal_claim: Literal["offender_loses", "as_counted", "void"] = "offender_loses"
    lay_initial_pairs: bool = False
    talk_penalty: Literal["none"] = "none"


@dataclass(frozen=True, slots=True)
class Hand:
    white: int = 0
    black: int = 0

    @property
    def size(self) -> int:
        return self.white + self.black

    def holds(self, colour: Colour) -> int:
        return self.white if colour == "white" else self.black

    def colours(self) -> tuple[Colour, ...]:
        return tuple(c for c in COLOURS if self.holds(c))

    def plus(self, colour: Colour, number: int) -> "Hand":
        """The hand with so many cards of the colour more (or fewer)."""
        if colour == "white":
            return Hand(self.white + number, self.black)
        return Hand(self.white, self.black + number)


@dataclass(frozen=True, slots=True)
class Pair:
    owner: Seat
    colour: Colour
    face: Literal["up", "down"]
    item: str | None = None
    """Only of a pair laid face up."""
    action_no: int = 0
    named: str | None = None


@dataclass(frozen=True, slots=True)
class Doing:
    """The action under way."""

    no: int
    kind: Kind
    by: Seat
    target: Seat
    item: str | None = None
    picker: Seat | None = None
    from_: Seat | None = None
    colour: Colour | None = None
    """Of the picked card, once it is picked."""


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Seat, ...] = FRESH_SEATS
    start: Seat = "A"
    turn: Seat = "A"
    phase: Phase = "SETUP"
    hand: Mapping[Seat, Hand] = field(default_factory=dict)
    table: Hand = field(default_factory=Hand)
    """Cards still spread on the table (4 players)."""
    pairs: tuple[Pair, ...] = ()
    action: Doing | None = None
    actions: int = 0
    """How many have been declared."""
    roles_shown: Mapping[Seat, Role] = field(default_factory=dict)
    winner: Team | None = None
    audit: tuple[str, ...] = ()
    item_pairs: int | None = None
    hunters: int | None = None
    kin: tuple[Seat, ...] | None = None
    count: int | None = None
    sw: Switches = field(default_factory=Switches)


def after(players: tuple[Seat, ...], seat: Seat) -> Seat:
    """The next seat clockwise."""
    return players[(players.index(seat) + 1) % len(players)]


def with_hand(state: State, seat: Seat, colour: Colour, number: int) -> State:
    """The state with so many cards of the colour more (or fewer) in the seat's hand."""
    return replace(state, hand={**state.hand, seat: state.hand[seat].plus(colour, number)})


def begin(seats: tuple[Seat, ...], switches: Plain) -> State:
    """A fresh game: nothing dealt, the first seat starts unless the set-up says otherwise."""
    if len(seats) not in THRESHOLD:
        raise TableError(f"Shisogari takes 4 or 5 players, not {len(seats)}")
    return load({"players": list(seats), "sw": switches})


def load(plain: Plain) -> State:
    """A state from JSON; what is missing is as in a fresh game, what must not be known is not read."""
    told = {k: v for k, v in plain.items() if k not in DERIVED and k != NEVER_READ}
    state = _filled(from_plain(State, told, "state"), told)
    _check(state)
    return state


def dump(state: State) -> dict[str, object]:
    plain: dict[str, object] = to_plain(state)
    return {**plain, "threshold": THRESHOLD[len(state.players)]}


def _filled(state: State, told: Plain) -> State:
    """Missing fields from those that are there."""
    players = state.players
    if len(players) not in THRESHOLD:
        raise TableError(f"Shisogari takes 4 or 5 players, not {len(players)}")
    first = players[0]
    start = state.start if "start" in told else state.turn if "turn" in told else first
    turn = state.turn if "turn" in told else start
    fresh = Hand() if state.phase == "SETUP" else Hand(2, 2)
    hand = {seat: state.hand.get(seat, fresh) for seat in players} | dict(state.hand)
    table = state.table if "table" in told or state.phase != "TABLE_PICK" else _left_on_table(hand)
    return replace(state, start=start, turn=turn, hand=hand, table=table)


def _left_on_table(hand: Mapping[Seat, Hand]) -> Hand:
    """Two white and two black lie there at first; whoever has five cards has taken one."""
    white = sum(h.white - 2 for h in hand.values())
    black = sum(h.black - 2 for h in hand.values())
    return Hand(2 - white, 2 - black)


def _check(state: State) -> None:
    seats = {state.start, state.turn, *state.hand, *state.roles_shown}
    strangers = sorted(seats - set(state.players))
    if strangers:
        raise TableError(f"nobody sits at {strangers[0]!r}; seats: {', '.join(state.players)}")
    if len(set(state.players)) != len(state.players):
        raise TableError(f"every seat needs a name of its own, not {', '.join(state.players)}")
    if any(min(h.white, h.black) < 0 for h in (*state.hand.values(), state.table)):
        raise TableError("a hand cannot hold fewer than no cards")
    if state.phase in ("PICK", "RESOLVE", "REVEAL") and state.action is None:
        raise TableError(f"phase {state.phase} needs the action under way")
