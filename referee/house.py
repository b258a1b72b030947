"""What holds in every game: pause, dispute, a blocked camera, a bumped table."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Literal, TypeVar

from referee.codec import by_name
from referee.happenings import Sighted, SightLost
from referee.ledger import Cause
from referee.types import Code, Ruling, Seat

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Pause:
    pass


@dataclass(frozen=True, slots=True)
class Resume:
    pass


@dataclass(frozen=True, slots=True)
class Undo:
    pass


@dataclass(frozen=True, slots=True)
class Redo:
    pass


@dataclass(frozen=True, slots=True)
class Override:
    """All players together overrule the referee."""

    by: tuple[Seat, ...]
    ruling: Mapping[str, object] = field(default_factory=dict)
    """`code` and `clauses` as they should be."""
    target: int | None = None
    """Number of the event it is about in the journal; the last one unless told."""
    instead: Mapping[str, object] | None = None
    """The event that really happened, when the ruling alone does not say it."""


@dataclass(frozen=True, slots=True)
class Dispute:
    seat: Seat
    clause: str


@dataclass(frozen=True, slots=True)
class CameraBlocked:
    why: str = ""


@dataclass(frozen=True, slots=True)
class CameraClear:
    changed: str = ""
    """What lies otherwise than before the camera's view was blocked."""


@dataclass(frozen=True, slots=True)
class TableBumped:
    pass


HouseEvent = Pause | Resume | Undo | Redo | Override | Dispute | CameraBlocked | CameraClear | TableBumped
HOUSE_EVENTS: dict[str, type[HouseEvent]] = by_name(
    Pause, Resume, Undo, Redo, Override, Dispute, CameraBlocked, CameraClear, TableBumped
)


def house_event(happening: Sighted) -> dict[str, object]:
    """What the house is told when the eyes lose sight of the table, or have it back."""
    if isinstance(happening, SightLost):
        return {"ev": "camera_blocked", "why": happening.why}
    return {"ev": "camera_clear", "changed": happening.changed}


Overturn = Literal["unanimous", "majority", "other_side"]
"""Who may overrule the referee; chosen before the game, and written down with its opening."""
OVERTURNS: Mapping[Overturn, str] = {
    "unanimous": "All players together may overrule.",
    "majority": "More than half of the players may overrule.",
    "other_side": "The player concerned and another player may overrule.",
}


@dataclass(frozen=True, slots=True)
class Sitting(Generic[S]):
    """A game's state and what the house knows around it."""

    state: S
    paused: bool = False
    blind: bool = False
    """The camera's view is blocked."""
    overturn: Overturn = "unanimous"
    assumed: frozenset[tuple[str, ...]] = frozenset()
    """Defaults that were said already: each is said once a game."""


def judge_house(sitting: Sitting[S], event: HouseEvent) -> tuple[Sitting[S], Ruling]:
    """What the house says to one of its own events; undo, redo and override are the match's."""
    match event:
        case Pause():
            return _pause(sitting, True)
        case Resume():
            return _pause(sitting, False)
        case CameraBlocked(why):
            because = f"The camera cannot see the table{f' ({why})' if why else ''}: nothing is ruled by it."
            return replace(sitting, blind=True), Ruling(Code.UNSEEN, ("HO-05",), because)
        case CameraClear(changed):
            return replace(sitting, blind=False), _sees_again(changed)
        case TableBumped():
            return sitting, Ruling(
                Code.CORRECT, ("HO-06",), "The table was bumped: put everything back as it lay."
            )
        case Dispute(seat, clause):
            because = f"{seat} disputes {clause}: look at the pictures. {OVERTURNS[sitting.overturn]}"
            return sitting, Ruling(Code.PROMPT, ("HO-04", clause), because, seat=seat)
    raise AssertionError(f"{event} is the match's to judge")


def not_agreed(
    rule: Overturn, by: Collection[Seat], players: Sequence[Seat], about: Seat | None
) -> Ruling | None:
    """Why these players may not overrule, by the rule that the table chose."""
    silent = tuple(seat for seat in players if seat not in by)
    for_it = len(players) - len(silent)
    if rule == "unanimous" and silent:
        because = f"Only all players together may overrule; {', '.join(silent)} did not agree."
    elif rule == "majority" and 2 * for_it <= len(players):
        because = f"More than half of the players must agree to overrule; {for_it} of {len(players)} did."
    elif rule == "other_side" and (for_it < min(2, len(players)) or (about in players and about in silent)):
        because = "The player concerned and another player must agree to overrule."
    else:
        return None
    return Ruling(Code.ILLEGAL, ("HO-03",), because, seats=silent)


def forbids(sitting: Sitting[S], cause: Cause) -> Ruling | None:
    """Why a game's event does not count now, if it does not."""
    if sitting.paused:
        return Ruling(Code.ILLEGAL, ("HO-01",), "The game is paused: nothing counts until it goes on.")
    if sitting.blind and cause.kind == "camera":
        return Ruling(Code.UNSEEN, ("HO-05",), "The camera's view was blocked: this is not ruled.")
    return None


def say_once(sitting: Sitting[S], rulings: tuple[Ruling, ...]) -> tuple[Sitting[S], tuple[Ruling, ...]]:
    """Leave out the defaults that were said before in this game."""
    fresh = tuple(r for r in rulings if r.code != Code.ASSUME or r.clauses not in sitting.assumed)
    new = {r.clauses for r in fresh if r.code == Code.ASSUME}
    return (replace(sitting, assumed=sitting.assumed | new) if new else sitting), fresh


def _sees_again(changed: str) -> Ruling:
    """What changed unseen is said, and nothing is made of it."""
    if not changed:
        return Ruling(Code.INFO, ("HO-05",), "The camera sees the table again.")
    because = f"The camera sees the table again. Not seen: {changed}. Tell what happened, or put it back."
    return Ruling(Code.UNSEEN, ("HO-05",), because)


def _pause(sitting: Sitting[S], on: bool) -> tuple[Sitting[S], Ruling]:
    if sitting.paused == on:
        because = "The game is paused already." if on else "The game is not paused."
        return sitting, Ruling(Code.ILLEGAL, ("HO-01",), because)
    because = "Paused. Nothing counts until the game goes on." if on else "The game goes on."
    return replace(sitting, paused=on), Ruling(Code.INFO, ("HO-01",), because)
