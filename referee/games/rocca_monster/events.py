"""What can happen in Rocca Monster, one class each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.codec import by_name
from referee.games.rocca_monster.state import Body, Face
from referee.types import Seat


@dataclass(frozen=True, slots=True)
class SetupSeen:
    members: Mapping[str, Face]
    voting_cards: int
    die: str | bool | int | None = None
    """`centre` when it lies in the middle."""
    mayor: str | None = None
    """Who wears the Mayor's face, when told by hand."""
    police: str | None = None


@dataclass(frozen=True, slots=True)
class NightBegin:
    pass


@dataclass(frozen=True, slots=True)
class NightEnd:
    pass


@dataclass(frozen=True, slots=True)
class DieFound:
    where: str
    """A villager, `centre`, `grave:<villager>` or `ambiguous`."""


@dataclass(frozen=True, slots=True)
class MayorRedirect:
    to: str


@dataclass(frozen=True, slots=True)
class MayorDeclined:
    pass


@dataclass(frozen=True, slots=True)
class DieRolled:
    value: Literal[1, 2, 3, 4, 5, 6] | None
    """None: it leans or fell off the table."""
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class MemberTurned:
    member: str
    body: Body | None = None
    """What the body card shows; never read but from a grave."""
    up: bool = False
    """Turned back: alive again."""


@dataclass(frozen=True, slots=True)
class VoteSet:
    member: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class VoteLifted:
    member: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class VoteClose:
    pass


@dataclass(frozen=True, slots=True)
class EveningBegin:
    pass


@dataclass(frozen=True, slots=True)
class EveningEnd:
    pass


@dataclass(frozen=True, slots=True)
class VampireClaim:
    seat: Seat


@dataclass(frozen=True, slots=True)
class ClanConfirm:
    seat: Seat
    yes: bool


Event = (
    SetupSeen
    | NightBegin
    | NightEnd
    | DieFound
    | MayorRedirect
    | MayorDeclined
    | DieRolled
    | MemberTurned
    | VoteSet
    | VoteLifted
    | VoteClose
    | EveningBegin
    | EveningEnd
    | VampireClaim
    | ClanConfirm
)
EVENTS: dict[str, type[Event]] = by_name(*Event.__args__)
