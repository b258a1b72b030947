"""What can happen in Monster My Neighbour, one class each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.codec import by_name
from referee.games.monster_my_neighbour.cards import Card
from referee.types import Seat


@dataclass(frozen=True, slots=True)
class RoundSetupSeen:
    general_n: int | None = None
    monster_deck_n: int | None = None
    hand_n: int | Mapping[Seat, int] | None = None
    apart: bool = True
    """Monster deck and general deck lie apart."""


@dataclass(frozen=True, slots=True)
class CardPlayed:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class FacedownDiscard:
    """A starting hand without a playable card: one Hunter goes face down to the own pile."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """Only under `last_turn = "fourth_turn"`: the one card left is a Monster that must wait."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Target:
    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class HunterAnswer:
    seat: Seat
    monster: bool
    card: Card | None = None
    """The Monster, when it lies face up."""


@dataclass(frozen=True, slots=True)
class DogDiscard:
    seat: Seat
    monster: bool
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class FriendAnswer:
    seat: Seat
    hunter: bool


@dataclass(frozen=True, slots=True)
class DealNumber:
    seat: Seat
    n: int


@dataclass(frozen=True, slots=True)
class Move:
    from_: str
    to: str
    n: int = 1


@dataclass(frozen=True, slots=True)
class ExchangeDone:
    kind: str
    moves: tuple[Move, ...] | None = None
    """What was seen to move; None when the players just say that it is done."""


@dataclass(frozen=True, slots=True)
class WentOn:
    """The next player lays a card: what the last card asked for is over, though the referee was told nothing of it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class VpSeen:
    vp: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class RoundCleared:
    pass


@dataclass(frozen=True, slots=True)
class ExtraRound:
    yes: bool


@dataclass(frozen=True, slots=True)
class ScoreRound:
    """A whole round entered by hand."""

    res: Literal["escaped", "caught", "betrayed"]
    monster: Seat
    friends: tuple[Seat, ...] = ()
    catcher: Seat | None = None
    vamp: bool = False


Event = (
    RoundSetupSeen
    | CardPlayed
    | FacedownDiscard
    | TurnPassed
    | Target
    | HunterAnswer
    | DogDiscard
    | FriendAnswer
    | DealNumber
    | ExchangeDone
    | WentOn
    | VpSeen
    | RoundCleared
    | ExtraRound
    | ScoreRound
)
EVENTS: dict[str, type[Event]] = by_name(*Event.__args__)
