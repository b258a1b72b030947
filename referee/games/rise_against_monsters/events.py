"""What can happen, one class each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from referee.codec import by_name, plain_event, read_event
from referee.game import Plain
from referee.games.rise_against_monsters.cards import check_card
from referee.games.rise_against_monsters.state import Step
from referee.types import Seat


@dataclass(frozen=True, slots=True)
class Dealt:
    """The first hands, all at once or seat by seat."""

    hands: Mapping[Seat, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class StepBegin:
    seat: Seat
    step: Step


@dataclass(frozen=True, slots=True)
class StepDone:
    seat: Seat
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class Untap:
    """What still lies sideways after the player turned the rest upright, and who supports what."""

    seat: Seat
    left_tapped: tuple[str, ...] = ()
    support: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Bonus card or castle -> workers; a card that is not named keeps those left sideways at it."""


@dataclass(frozen=True, slots=True)
class Attack:
    attacker: str
    target: str
    via: str | None = None


@dataclass(frozen=True, slots=True)
class MonsterMoved:
    card: str
    from_: Seat
    to: Seat


@dataclass(frozen=True, slots=True)
class Choice:
    """The turn player settles a tie: `what` is the monster (or `first`), `value` the target, land or monster."""

    what: str
    value: str


@dataclass(frozen=True, slots=True)
class Drawn:
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class DrawStop:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Reshuffled:
    deck_n: int


@dataclass(frozen=True, slots=True)
class Play:
    seat: Seat
    card: str
    ends: tuple[Seat, ...] | None = None
    support: tuple[str, ...] = ()
    via: Mapping[str, str] = field(default_factory=dict)
    """Remote worker -> the road it helps over."""


@dataclass(frozen=True, slots=True)
class JokerUsed:
    seat: Seat
    land: Seat | None = None
    """Where it is used; the own land unless told."""


@dataclass(frozen=True, slots=True)
class SupportAdded:
    target: str
    workers: tuple[str, ...]
    via: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Transfer:
    card: str
    road: str


@dataclass(frozen=True, slots=True)
class CastleSet:
    castle: str
    under: tuple[str, ...]
    out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Discarded:
    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableVerified:
    """The picture equals the state."""


Event = (
    Dealt
    | StepBegin
    | StepDone
    | Untap
    | Attack
    | MonsterMoved
    | Choice
    | Drawn
    | DrawStop
    | Reshuffled
    | Play
    | JokerUsed
    | SupportAdded
    | Transfer
    | CastleSet
    | Discarded
    | TableVerified
)
EVENTS: dict[str, type[Event]] = by_name(
    Dealt,
    StepBegin,
    StepDone,
    Untap,
    Attack,
    MonsterMoved,
    Choice,
    Drawn,
    DrawStop,
    Reshuffled,
    Play,
    JokerUsed,
    SupportAdded,
    Transfer,
    CastleSet,
    Discarded,
    TableVerified,
)


def read(plain: Plain) -> Event:
    """The event from JSON; a deal may name one seat and its cards."""
    if plain.get("ev") == "dealt" and "seat" in plain and "cards" in plain:
        plain = {"ev": "dealt", "hands": {plain["seat"]: plain["cards"]}}
    event = read_event(EVENTS, plain)
    for card in _cards(event):
        check_card(card)
    return event


def tell(event: Event) -> dict[str, object]:
    """The event as JSON again."""
    return plain_event(event)


def _cards(event: Event) -> Iterator[str]:
    match event:
        case Dealt(hands):
            for cards in hands.values():
                yield from cards
        case Untap(_, left, support):
            yield from (*left, *support, *(w for workers in support.values() for w in workers))
        case Attack(attacker, target, via):
            yield from (attacker, target, *((via,) if via else ()))
        case MonsterMoved(card) | Drawn(_, card):
            yield card
        case Play(_, card, _, support, via) | SupportAdded(card, support, via):
            yield from (card, *support, *via, *via.values())
        case Transfer(card, road):
            yield from (card, road)
        case CastleSet(castle, under, out):
            yield from (castle, *under, *out)
        case Discarded(_, cards):
            yield from cards
