"""Tables for readers: cards and dice laid down by seat, without any picture."""

from itertools import count

from referee.card_happenings import Moment
from referee.reading import Table
from referee.types import Card, Die, Face, Point, Seat
from referee.zones import Seating, seat_round

HALF_MM = (500.0, 300.0)
SIDE_MM = {"S": (0.0, -220.0), "W": (-400.0, 0.0), "N": (0.0, 220.0), "E": (400.0, 0.0)}
AT = Moment(50, 1_700_000_000, 30)
_ids = count(1)


def seated(*seats: Seat) -> Seating:
    """Seats on the sides of a table: south, west, north, east."""
    return seat_round(seats, tuple(SIDE_MM.values())[: len(seats)], HALF_MM)


def card(name: str, mm: Point, turn_deg: float = 0.0, face: Face = "up") -> Card:
    corners = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))
    return Card(next(_ids), name, face, corners, mm, turn_deg, 0.99)


def place(card: Card) -> Point:
    """Where it lies on the table."""
    assert card.mm is not None
    return card.mm


def die(value: int, mm: Point) -> Die:
    return Die(next(_ids), value, (0.0, 0.0), mm, settled=True, confidence=0.99)


def table(seating: Seating, *things: Card | Die) -> Table:
    cards = tuple(t for t in things if isinstance(t, Card))
    return Table(cards, tuple(t for t in things if isinstance(t, Die)), seating)
