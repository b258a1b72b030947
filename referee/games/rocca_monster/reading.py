"""Rocca Monster from the table: slots of a face above a body, voting cards on them, and one die.

A body's other side is looked at only when it was turned as a grave; nothing is read while the village sleeps.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from referee.card_happenings import (
    CardMoved,
    CardPlaced,
    CardTaken,
    CardTurned,
    DieCocked,
    DieSettled,
    Happening,
    Moment,
)
from referee.game import Plain
from referee.games.rocca_monster.state import FAMILY, State
from referee.reading import Read, Secrets, Table, hand_seat
from referee.types import Card, Point, Seat
from referee.zones import Zone, circle

BODY, BACK, GRAVE, VOTE = "body", "body_back_", "grave", "vote"
GRAVE_MADE = ("ROLL", "EXECUTION", "PRAYER_ROLL", "GAME_OVER")
CENTRE_MM = 40.0
SLOT_MM = (38.0, 105.0)
"""Half the width and half the height of a slot: a face above a body."""
CARD_MM = (31.5, 44.0)
ROLLS_DICE = True


@dataclass(slots=True)
class Reader:
    """Remembers where each villager lies and whose voting card is whose."""

    slots: dict[str, Point] = field(default_factory=dict)
    votes: dict[int, tuple[Seat | None, str]] = field(default_factory=dict)
    """Voting card -> who laid it, on whom."""

    def begin(self, table: Table, given: Plain) -> Mapping[str, object]:
        self.slots = dict(_slots(table))
        members = given.get("members")
        if members or not self.slots:
            return {}
        faces = {name: self._face(table, name) for name in self.slots}
        return {"members": {m: {"owner": m[:-1], "face": face} for m, face in faces.items()}}

    def _face(self, table: Table, member: str) -> str:
        named = {c.name for c in table.cards if c.mm and self._slot_at(table, c.mm) == member}
        return next((str(n) for n in named if n in ("mayor", "police")), "plain")

    def standing(self, state: State, table: Table) -> tuple[Read, ...]:
        """In the morning and after the prayer only the die's place is taken from the picture."""
        if state.phase not in ("MORNING", "PRAYER_ROLL") or state.die_on is not None:
            return ()
        return (Read({"ev": "die_found", "where": self._die_place(state, table)}),)

    def _die_place(self, state: State, table: Table) -> str:
        places = [d.mm for d in table.dice if d.mm]
        if len(places) != 1:
            return "ambiguous" if places else "centre"
        member = self._slot_at(table, places[0])
        if member is None:
            x, y = places[0]
            return "centre" if (x * x + y * y) ** 0.5 < 2 * CENTRE_MM else "ambiguous"
        alive = state.members[member].alive if member in state.members else True
        return member if alive else f"grave:{member}"

    def read(self, state: State, batch: tuple[Happening, ...], table: Table) -> tuple[Read, ...]:
        if state.asleep:
            return ()
        return tuple(r for h in batch for r in self._one(state, h, table))

    def _one(self, state: State, happened: Happening, table: Table) -> Iterable[Read]:
        match happened:
            case DieSettled(at, die, rolled):
                return self._die(state, at, die.value if rolled else None, rolled, die.mm, table)
            case DieCocked(at):
                return [Read({"ev": "die_rolled", "value": None, "by": _roller(state)}, at)]
            case CardTurned(at, card):
                return self._turned(at, card, table)
            case CardPlaced(at, card) | CardMoved(at, card) if card.name == VOTE:
                return self._voted(at, card, table)
            case CardTaken(at, card) if card.name == VOTE:
                return self._lifted(at, card)
        return ()

    def _die(
        self, state: State, at: Moment, value: int | None, rolled: bool, mm: Point | None, table: Table
    ) -> list[Read]:
        if rolled:
            return [Read({"ev": "die_rolled", "value": value, "by": _roller(state)}, at)]
        member = self._slot_at(table, mm) if mm else None
        if state.phase == "ROLL" and member and member != state.die_on:
            return [Read({"ev": "mayor_redirect", "to": member}, at)]
        return []

    def _turned(self, at: Moment, card: Card, table: Table) -> list[Read]:
        member = self._slot_at(table, card.mm) if card.mm else None
        name = card.name or ""
        if member is None or not (name == BODY or name.startswith(BACK)):
            return []
        if name == BODY:
            return [Read({"ev": "member_turned", "member": member, "up": True}, at)]
        return [
            Read({"ev": "member_turned", "member": member, "body": name.removeprefix(BACK), "up": False}, at)
        ]

    def _voted(self, at: Moment, card: Card, table: Table) -> list[Read]:
        member = self._covered(table, card)
        before = self.votes.get(card.id)
        seat = before[0] if before else hand_seat(at, table) or table.seating.seat_looking(card.turn_deg)
        out = []
        if before and before[1] != member:
            out += self._lifted(at, card)
        if member and (before is None or before[1] != member):
            self.votes[card.id] = (seat, member)
            out.append(Read({"ev": "vote_set", "seat": seat, "member": member}, at))
        return out

    def _lifted(self, at: Moment, card: Card) -> list[Read]:
        seat, member = self.votes.pop(card.id, (None, None))
        return [Read({"ev": "vote_lifted", "seat": seat, "member": member}, at)] if member else []

    def _covered(self, table: Table, vote: Card) -> str | None:
        """The villager whose slot a voting card overlaps most."""
        if vote.mm is None:
            return None
        areas = {m: self._shared(table, m, vote.mm) for m in self.slots}
        best = max(areas, key=lambda m: areas[m], default=None)
        return best if best and areas[best] > 0.1 * 4 * CARD_MM[0] * CARD_MM[1] else None

    def _shared(self, table: Table, member: str, mm: Point) -> float:
        """Square millimetres that a card lying there shares with a slot, both taken as upright to the slot's owner."""
        right, towards = table.seating.from_seat(member[:-1], mm)
        r, t = table.seating.from_seat(member[:-1], self.slots[member])
        across = max(0.0, CARD_MM[0] + CARD_MM[0] - abs(right - r))
        along = max(0.0, CARD_MM[1] + SLOT_MM[1] - abs(towards - t))
        return across * min(along, 2 * CARD_MM[1])

    def _slot_at(self, table: Table, mm: Point) -> str | None:
        for member, middle in self.slots.items():
            right, towards = table.seating.from_seat(member[:-1], mm)
            r, t = table.seating.from_seat(member[:-1], middle)
            if abs(right - r) < SLOT_MM[0] and abs(towards - t) < SLOT_MM[1]:
                return member
        return None

    def secrets(self, state: State, table: Table) -> Secrets:  # noqa: ARG002
        """The other side of a body is known only while a grave is being made."""
        return Secrets() if state.phase in GRAVE_MADE else Secrets(unread=(BACK,))

    def declared(self, event: Plain) -> None:
        pass

    def outcome(self, event: Plain, before: State, after: State) -> Mapping[str, object]:  # noqa: ARG002
        return {}

    def zones(self, table: Table) -> tuple[Zone, ...]:
        slots = [_slot_zone(table, m, mm) for m, mm in self.slots.items()]
        return (circle("CENTRE", (0.0, 0.0), CENTRE_MM), *slots)


def _roller(state: State) -> Seat | None:
    """The owner of the victim rolls."""
    member = state.members.get(state.die_on or "")
    return member.owner if member else None


def _slots(table: Table) -> Iterable[tuple[str, Point]]:
    """Each family's slots from the owner's left to right: cards that stand one above the other are one villager."""
    for seat in table.seating.seats:
        cards = [c for c in table.cards if c.mm and table.seat_of(c) == seat and c.name != VOTE]
        places = sorted(table.seating.from_seat(seat, c.mm) for c in cards if c.mm)
        for number, column in enumerate(_columns(places)[:FAMILY], 1):
            right = sum(r for r, _ in column) / len(column)
            towards = (min(t for _, t in column) + max(t for _, t in column)) / 2
            yield f"{seat}{number}", table.seating.to_table(seat, right, towards)


def _columns(places: list[Point]) -> list[list[Point]]:
    columns: list[list[Point]] = []
    for place in places:
        if columns and place[0] - columns[-1][-1][0] < SLOT_MM[0]:
            columns[-1].append(place)
        else:
            columns.append([place])
    return columns


def _slot_zone(table: Table, member: str, middle: Point) -> Zone:
    seat = member[:-1]
    r, t = table.seating.from_seat(seat, middle)
    half, tall = SLOT_MM[0], SLOT_MM[1] * 0.9
    corners = [(r - half, t - tall), (r + half, t - tall), (r + half, t + tall), (r - half, t + tall)]
    return Zone(f"SLOT {member}", tuple(table.seating.to_table(seat, a, b) for a, b in corners), seat)
