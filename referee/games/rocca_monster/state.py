"""The table of Rocca Monster as everybody may see it. Who holds the Monster is in no field."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from referee.codec import from_plain, to_plain
from referee.errors import BadEvent, TableError
from referee.game import Plain
from referee.types import Seat

Phase = Literal[
    "SETUP", "NIGHT", "MORNING", "ROLL", "DAY", "EXECUTION", "EVENING", "PRAYER_ROLL", "GAME_OVER"
]
Face = Literal["plain", "mayor", "police", "custom"]
Body = Literal["villager", "monster", "vampire", "healer"]
Winner = Literal["villagers", "monster", "vampire"]
FAMILY = 3
"""Villagers per player."""


@dataclass(frozen=True, slots=True)
class Member:
    owner: Seat
    face: Face = "plain"
    alive: bool = True
    revealed: Body | None = None
    """What its turned body card shows; None while the body side is up."""


@dataclass(frozen=True, slots=True)
class Options:
    """The special cards in play."""

    healer: bool = False
    vampire: bool = False
    mayor: bool = False
    police: bool = False


@dataclass(frozen=True, slots=True)
class Switches:
    attack_table: Literal["3to6", "3or4", "reroll56", "mild", "police_paragraph"] = "3to6"
    special_bodies_min: int = 4
    self_kill: Literal["villagers", "continues"] = "villagers"
    monster_check_first: bool = True
    vote_rule: Literal["plurality", "absolute"] = "plurality"
    dead_family_votes: bool = True
    no_attack: Literal["repeat_once", "no_victim"] = "repeat_once"
    mayor_target: Literal["other_family", "any"] = "other_family"
    mayor_revive: bool = False
    police_revive: bool = True
    count_deaths: Literal["current", "cumulative"] = "current"
    bite_window: Literal["any_later_night", "next_night"] = "any_later_night"
    count_seconds: int = 12
    gm: str = "referee"


@dataclass(frozen=True, slots=True)
class Claim:
    """The Vampire's word that all living families are its clan."""

    by: Seat
    answered: tuple[Seat, ...] = ()
    all_yes: bool = True
    """Nobody has said no so far; told to nobody before all have answered."""


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Seat, ...]
    threshold: int
    """Graves with which the Monster has won."""
    gm: str = "referee"
    members: Mapping[str, Member] = field(default_factory=dict)
    graves: int = 0
    deaths: int = 0
    """All deaths of the game, revived or not."""
    third: int | None = None
    """Graves that wake the Healer; None without a Healer."""
    opts: Options = Options()
    phase: Phase = "SETUP"
    asleep: bool = False
    """Eyes are shut, in NIGHT or EVENING: the camera is off."""
    day: int = 1
    die_on: str | None = None
    rolled: int | None = None
    """A roll that waits for its cards to be turned."""
    night_repeats: int = 0
    votes: Mapping[str, int] = field(default_factory=dict)
    voters: Mapping[Seat, str] = field(default_factory=dict)
    """Whose card lies where, as far as voting cards are told apart."""
    condemned: str | None = None
    mayor_used: bool = False
    mayor_lost: bool = False
    mayor_declined: bool = False
    """For the attack of this morning."""
    police_alive: bool = False
    healer_awake: bool = False
    healer_dead: bool = False
    claim: Claim | None = None
    winner: Winner | None = None
    sw: Switches = Switches()


# --- Questions about the table -----------------------------------------------------------------------


def threshold(n: int) -> int:
    """More than half of the villagers, the Monster counted among them."""
    return FAMILY * n // 2 + 1


def third(n: int) -> int:
    """One third of the villagers."""
    return n


def living(state: State) -> tuple[str, ...]:
    return tuple(m for m, member in state.members.items() if member.alive)


def dead(state: State) -> tuple[str, ...]:
    return tuple(m for m, member in state.members.items() if not member.alive)


def living_families(state: State) -> tuple[Seat, ...]:
    """Seats that still have a living villager."""
    return tuple(s for s in state.players if any(m.alive for m in state.members.values() if m.owner == s))


def holder_of(state: State, face: Face) -> str | None:
    """The villager with this face."""
    return next((m for m, member in state.members.items() if member.face == face), None)


def deaths_that_count(state: State) -> int:
    return state.graves if state.sw.count_deaths == "current" else state.deaths


def named(seat: Seat) -> tuple[str, ...]:
    """The three villagers of a seat: A1, A2, A3."""
    return tuple(f"{seat}{i}" for i in range(1, FAMILY + 1))


# --- A fresh game, and one from JSON -----------------------------------------------------------------


def begin(seats: tuple[Seat, ...], rules: Plain) -> State:
    """A fresh game; `rules` are switches and the special cards that are in play."""
    chosen = {f.name for f in fields(Options)}
    opts = from_plain(Options, {k: v for k, v in rules.items() if k in chosen}, "special cards")
    sw = from_plain(Switches, {k: v for k, v in rules.items() if k not in chosen}, "house rules")
    _check_special_bodies(len(seats), opts, sw)
    _check_master(seats, sw.gm)
    return State(
        players=seats,
        threshold=threshold(len(seats)),
        gm=sw.gm,
        third=third(len(seats)) if opts.healer else None,
        opts=opts,
        police_alive=opts.police,
        sw=sw,
    )


def _check_special_bodies(n: int, opts: Options, sw: Switches) -> None:
    if (opts.healer or opts.vampire) and n < sw.special_bodies_min:
        which = "Healer" if opts.healer else "Vampire"
        raise TableError(f"the {which} needs {sw.special_bodies_min} players or more, not {n}")


def _check_master(seats: tuple[Seat, ...], gm: str) -> None:
    if gm != "referee" and gm not in seats:
        raise TableError(f"the Game Master is {gm!r}, not one of referee, {', '.join(seats)}")


def load(given: Plain) -> State:
    """A state from JSON; what is not said is as in a fresh game, or follows from the rest."""
    known = {f.name for f in fields(State)}
    unknown = sorted(set(given) - known)
    if unknown:
        raise BadEvent(f"the state has no field {unknown[0]!r}; fields: {', '.join(sorted(known))}")
    state = from_plain(State, {**_natural(given), **_voted(given)}, "state")
    _check(state)
    return state


def _check(state: State) -> None:
    """Refuse a table that cannot be."""
    if not 3 <= len(state.players) <= 6 or len(set(state.players)) != len(state.players):
        raise BadEvent(f"state.players is {list(state.players)!r}, not three to six different seats")
    villagers = (state.die_on, state.condemned, *state.votes, *state.voters.values())
    _among("villager", villagers, state.members)
    claimed = (state.claim.by, *state.claim.answered) if state.claim is not None else ()
    _among("seat", (*(m.owner for m in state.members.values()), *state.voters, *claimed), state.players)
    if state.phase == "ROLL" and state.die_on is None:
        raise BadEvent("state.phase is ROLL, but state.die_on names no villager")
    if state.phase == "EXECUTION" and state.condemned is None:
        raise BadEvent("state.phase is EXECUTION, but state.condemned names no villager")


def _among(what: str, named: Iterable[str | None], known: Collection[str]) -> None:
    stranger = next((n for n in named if n is not None and n not in known), None)
    if stranger is not None:
        raise BadEvent(f"the state names a {what} {stranger!r}, not one of {', '.join(known)}")


def _natural(given: Plain) -> dict[str, object]:
    players = _players(given)
    members = _members(given, players)
    faces = {_part(m, "face", "plain"): _part(m, "alive", True) for m in members.values()}
    buried = sum(1 for m in members.values() if not _part(m, "alive", True))
    opts = {"mayor": "mayor" in faces, "police": "police" in faces, **_table(given, "opts")}
    fresh = {
        "players": players,
        "threshold": threshold(len(players)),
        "gm": _table(given, "sw").get("gm", "referee"),
        "graves": buried,
        "deaths": given.get("graves", buried),
        "third": third(len(players)) if opts.get("healer") else None,
        "mayor_lost": bool(faces.get("mayor") is False and not given.get("mayor_used")),
        "healer_dead": any(_part(m, "revealed", None) == "healer" for m in members.values()),
        "police_alive": bool(opts["police"] and faces.get("police", True)),
    }
    return {**fresh, **given, "players": players, "members": members, "opts": opts}


def _players(given: Plain) -> list[object]:
    players = given.get("players", ["A", "B", "C"])
    if not isinstance(players, list | tuple) or not all(isinstance(p, str) for p in players):
        raise BadEvent(f"state.players is {players!r}, not a list of seats")
    return list(players)


def _members(given: Plain, players: list[object]) -> dict[str, object]:
    members = _table(given, "members")
    if members or given.get("phase", "SETUP") == "SETUP":
        return members
    return {name: {"owner": str(seat)} for seat in players for name in named(str(seat))}


def _voted(given: Plain) -> dict[str, object]:
    """Votes as villager -> number, or as seat -> villager."""
    votes = _table(given, "votes")
    if not votes or not all(isinstance(v, str) for v in votes.values()):
        return {}
    on = list(votes.values())
    return {"voters": votes, "votes": {str(m): on.count(m) for m in on}}


def _table(given: Plain, name: str) -> dict[str, object]:
    value = given.get(name, {})
    if not isinstance(value, Mapping):
        raise BadEvent(f"state.{name} is {value!r}, not a table")
    return dict(value)


def _part(member: object, name: str, default: object) -> object:
    return member.get(name, default) if isinstance(member, Mapping) else default


def dump(state: State) -> dict[str, object]:
    plain: dict[str, object] = to_plain(state)
    return plain


def with_member(state: State, name: str, member: Member) -> State:
    return replace(state, members={**state.members, name: member})
