"""What can happen, one class each."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from referee.codec import by_name, plain_event, read_event
from referee.errors import BadEvent
from referee.game import Plain
from referee.games.shisogari.cards import CARDS, Colour
from referee.games.shisogari.state import Hand, Kind, Role
from referee.types import Seat

Outcome = Literal["added", "pair_up", "pair_down"]


@dataclass(frozen=True, slots=True)
class SetupSeen:
    """The backs in front of every seat after the deal."""

    hand: Mapping[Seat, Hand]
    start: Seat | None = None


@dataclass(frozen=True, slots=True)
class TableCardTaken:
    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class Action:
    """A player says what the turn is used for."""

    seat: Seat
    kind: Kind
    target: Seat | None = None
    item: str | None = None


@dataclass(frozen=True, slots=True)
class CardPicked:
    picker: Seat
    from_: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the picker did with the card; the Item is told only of two faces laid open."""

    seat: Seat
    outcome: Outcome
    colour: Colour
    item: str | None = None


@dataclass(frozen=True, slots=True)
class RoleShown:
    seat: Seat
    role: Role


@dataclass(frozen=True, slots=True)
class ShownPair:
    owner: Seat
    cards: tuple[str, str]
    face: Literal["up", "down"] = "down"
    named: str | None = None
    """The Item named when it was laid; None for one that was not laid by an action."""


@dataclass(frozen=True, slots=True)
class AllShown:
    """All cards are turned face up at the end."""

    roles: Mapping[Seat, Role]
    pairs: tuple[ShownPair, ...] = ()
    hands: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pass:
    seat: Seat


@dataclass(frozen=True, slots=True)
class TalkReported:
    seat: Seat


Event = (
    SetupSeen | TableCardTaken | Action | CardPicked | Resolved | RoleShown | AllShown | Pass | TalkReported
)
EVENTS: dict[str, type[Event]] = by_name(
    SetupSeen, TableCardTaken, Action, CardPicked, Resolved, RoleShown, AllShown, Pass, TalkReported
)


def read(plain: Plain) -> Event:
    """The event from JSON; the Item of a card that nobody laid open is dropped at the door."""
    event = read_event(EVENTS, _spelled_out(plain))
    if isinstance(event, Resolved) and event.outcome != "pair_up":
        return replace(event, item=None)
    if isinstance(event, AllShown):
        _check_cards(event)
    return event


def tell(event: Event) -> dict[str, object]:
    """The event as JSON again."""
    return plain_event(event)


def _spelled_out(plain: Plain) -> Plain:
    """Pairs may be typed as words: `A dagger dagger` or `A dagger dagger up dagger`."""
    pairs = plain.get("pairs")
    if plain.get("ev") != "all_shown" or not isinstance(pairs, list):
        return plain
    return {**plain, "pairs": [_typed_pair(p) if isinstance(p, str) else p for p in pairs]}


def _typed_pair(words: str) -> dict[str, object]:
    owner, *rest = words.split() or [""]
    return {"owner": owner, "cards": rest[:2], **dict(zip(("face", "named"), rest[2:], strict=False))}


def _check_cards(event: AllShown) -> None:
    shown = [c for pair in event.pairs for c in pair.cards] + [c for h in event.hands.values() for c in h]
    strange = [c for c in shown if c not in CARDS]
    if strange:
        raise BadEvent(f"no card called {strange[0]!r}; cards: {', '.join(CARDS)}")
