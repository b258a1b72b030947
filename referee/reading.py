"""What a reader of a game is: happenings and the settled table in, events of the rules digest out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from referee.card_happenings import Happening, Moment
from referee.game import Plain
from referee.types import Card, Die, Point, Seat
from referee.zones import Seating, Zone

S = TypeVar("S", contravariant=True)


@dataclass(frozen=True, slots=True)
class Table:
    """The table as it lies, settled."""

    cards: tuple[Card, ...]
    dice: tuple[Die, ...]
    seating: Seating

    def seat_of(self, card: Card) -> Seat | None:
        """On whose side a card lies."""
        return self.seating.seat_at(card.mm) if card.mm else None

    def card(self, number: int | None) -> Card | None:
        return next((c for c in self.cards if c.id == number), None)


@dataclass(frozen=True, slots=True)
class Read:
    """An event of the game, and the pictures that show it."""

    event: Plain
    at: Moment | None = None
    also: Plain = field(default_factory=dict)
    """More about it that the rules do not ask for."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the eyes must not read now."""

    zones: tuple[Zone, ...] = ()
    """Here only backs are told apart."""
    unread: tuple[str, ...] = ()
    """Cards whose names begin so are not known anywhere."""
    shown: Zone | None = None
    """Where everything lies open; nothing outside of it is shown or kept. None: all of the table."""

    def shows(self, mm: Point) -> bool:
        """Whether everybody may see what lies here."""
        return not any(zone.holds(mm) for zone in self.zones) and (self.shown is None or self.shown.holds(mm))


class Reader(Protocol[S]):
    """Reads one game; remembers only what lies open on the table."""

    def begin(self, table: Table, given: Plain) -> Mapping[str, object]:
        """What the first picture shows, as fields of the game's state; `given` is what the players entered."""

    def standing(self, state: S, table: Table) -> tuple[Read, ...]:
        """What the table tells as it lies, without anything having happened."""

    def read(self, state: S, batch: tuple[Happening, ...], table: Table) -> tuple[Read, ...]:
        """What happened, in the words of the game; `batch` is all that one visit of hands brought about."""

    def secrets(self, state: S, table: Table) -> Secrets:
        """What must not be read in this phase."""

    def declared(self, event: Plain) -> None:
        """A player told the referee something aloud."""

    def outcome(self, event: Plain, before: S, after: S) -> Mapping[str, object]:
        """What came of an event that was judged, for the record."""

    def zones(self, table: Table) -> tuple[Zone, ...]:
        """Where things belong, to be shown and dragged."""


def hand_seat(at: Moment, table: Table) -> Seat | None:
    """Whose hand it was: the seat nearest to where it came in over the edge."""
    return table.seating.seat_at(at.hand_mm) if at.hand_mm else None
