"""Monster My Neighbour from the table: only cards laid open before a player are read, everything else is counted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.card_happenings import CardMoved, CardPlaced, CardTurned, Happening, Moment
from referee.game import Plain
from referee.games.monster_my_neighbour.state import State
from referee.reading import Read, Secrets, Table
from referee.types import Card, Seat
from referee.zones import Zone, circle, open_table, strip

MONSTERS = ("vampire", "werewolf", "goomiho", "mermaid", "mandrake")
OPEN_QUESTIONS = ("TARGET", "ANSWER", "EXCHANGE")
HAND_FROM = 0.96
PLAYED_FROM = 0.45
"""Share of the way from the middle to a player's edge from which cards lie before that player."""


@dataclass(slots=True)
class Reader:
    def begin(self, table: Table, given: Plain) -> Mapping[str, object]:  # noqa: ARG002
        """Hands are hidden and piles are counted by the players: nothing is taken from the first picture."""
        return {}

    def standing(self, state: State, table: Table) -> tuple[Read, ...]:  # noqa: ARG002
        return ()

    def read(self, state: State, batch: tuple[Happening, ...], table: Table) -> tuple[Read, ...]:
        return tuple(r for h in batch for r in self._one(state, h, table))

    def _one(self, state: State, happened: Happening, table: Table) -> Iterable[Read]:
        match happened:
            case CardPlaced(at, card) if card.face == "up" and card.name:
                return self._laid_open(state, at, card, table)
            case CardPlaced(at, card) if card.face == "down":
                return self._laid_down(state, at, card, table)
            case CardTurned(at, card, was) if was is not None and card.face == "up" and card.name:
                return self._laid_open(state, at, card, table)
            case CardMoved(at, card, was):
                return self._given(state, at, card, was, table)
        return ()

    def _laid_open(self, state: State, at: Moment, card: Card, table: Table) -> list[Read]:
        seat = _owner(table, card)
        if seat is None:
            return []
        name = _title(card)
        pending = state.pending
        if pending and state.phase == "ANSWER" and seat == pending.target and name.startswith("monster:"):
            answer = "dog_discard" if pending.card == "dog" else "hunter_answer"
            return [Read({"ev": answer, "seat": seat, "monster": True, "card": name}, at)]
        played = Read({"ev": "card_played", "seat": seat, "card": name}, at)
        return [*_gone_on(state, seat, at), played]

    def _laid_down(self, state: State, at: Moment, card: Card, table: Table) -> list[Read]:
        seat = _owner(table, card)
        pending = state.pending
        if seat is None:
            return []
        if pending and state.phase == "ANSWER" and pending.card == "dog" and seat == pending.by:
            return [Read({"ev": "dog_discard", "seat": pending.target, "monster": False}, at)]
        if state.phase == "TURN" and seat == state.turn and state.turns.get(seat) == 0:
            return [Read({"ev": "facedown_discard", "seat": seat}, at)]
        return []

    def _given(self, state: State, at: Moment, card: Card, was: Card, table: Table) -> list[Read]:
        """The Dog goes over to the player it is aimed at."""
        giver, taker = table.seat_of(was), table.seat_of(card)
        pending = state.pending
        if not (pending and state.phase == "TARGET" and card.name == pending.card == "dog") or giver == taker:
            return []
        return [Read({"ev": "target", "seat": pending.by, "target": taker}, at)]

    def secrets(self, state: State, table: Table) -> Secrets:  # noqa: ARG002
        seating = table.seating
        shown = open_table(seating, {s: HAND_FROM * seating.reach_mm(s) for s in seating.seats})
        return Secrets(tuple(z for z in self.zones(table) if not z.read), shown=shown)

    def declared(self, event: Plain) -> None:
        pass

    def outcome(self, event: Plain, before: State, after: State) -> Mapping[str, object]:  # noqa: ARG002
        return {}

    def zones(self, table: Table) -> tuple[Zone, ...]:
        seats = table.seating.seats
        played = [strip(table.seating, s, f"PLAYED {s}", PLAYED_FROM, HAND_FROM) for s in seats]
        edges = [strip(table.seating, s, f"HAND {s}", HAND_FROM, 1.1, read=False) for s in seats]
        decks = (
            circle("GENERAL DECK", (-110.0, 0.0), 60, False),
            circle("MONSTER DECK", (110.0, 0.0), 60, False),
        )
        return (*played, *edges, *decks)


def _owner(table: Table, card: Card) -> Seat | None:
    """Before whom a card lies; None in the middle of the table."""
    if card.mm is None:
        return None
    seat = table.seating.seat_at(card.mm)
    _, towards = table.seating.from_seat(seat, card.mm)
    return seat if towards > PLAYED_FROM * table.seating.reach_mm(seat) else None


def _title(card: Card) -> str:
    name = card.name or ""
    return f"monster:{name}" if name in MONSTERS else name


def _gone_on(state: State, seat: Seat, at: Moment) -> list[Read]:
    """The next player lays a card: what the last one asked for is over, whatever the referee was told of it."""
    pending = state.pending
    if pending is None or state.phase not in OPEN_QUESTIONS or seat == pending.by:
        return []
    return [Read({"ev": "went_on", "seat": seat}, at)]
