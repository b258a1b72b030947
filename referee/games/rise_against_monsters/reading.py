"""Rise against Monsters from the table: all lies open but the deck; a card's turn and touch say what it does."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.card_happenings import CardMoved, CardPlaced, CardTapped, CardTurned, Happening, Moment
from referee.game import Plain
from referee.games.rise_against_monsters.cards import kind
from referee.games.rise_against_monsters.state import STEPS, State, Step, cards_in_play
from referee.reading import Read, Secrets, Table
from referee.types import Card, Seat
from referee.zones import Zone, circle, strip

LAND_FROM_MM = 45.0
"""Nearer to the middle lie deck, discards and roads."""
PREY = ("hero", "worker", "road")
FILED = {"monster": "monsters", "hero": "heroes", "worker": "workers"}


@dataclass(slots=True)
class Reader:
    def begin(self, table: Table, given: Plain) -> Mapping[str, object]:
        if "lands" in given:
            return {}
        roads = [_road(table, c) for c in _open(table) if kind(code(c)) == "road"]
        sideways = [code(c) for c in _open(table) if _land(table, c) and _sideways(table, c)]
        lands = {seat: _land_of(table, seat) for seat in table.seating.seats}
        discard = [code(c) for c in _open(table) if _land(table, c) is None and kind(code(c)) != "road"]
        return {"lands": lands, "roads": roads, "tapped": sideways, "discard": discard}

    def standing(self, state: State, table: Table) -> tuple[Read, ...]:  # noqa: ARG002
        return ()

    def read(self, state: State, batch: tuple[Happening, ...], table: Table) -> tuple[Read, ...]:
        turned = {h.card.id for h in batch if isinstance(h, CardTurned) and h.card.face == "up"}
        tapped = {h.card.id for h in batch if isinstance(h, CardTapped)}
        out: list[Read] = []
        for happened in batch:
            out += self._one(state, happened, table, turned, tapped)
        return tuple(out)

    def _one(
        self, state: State, happened: Happening, table: Table, turned: set[int], tapped: set[int]
    ) -> Iterable[Read]:
        match happened:
            case CardPlaced(at, card) if _named(card):
                return self._came(state, at, card, table, drawn=card.id in turned)
            case CardMoved(at, card, was) if _named(card) and was.face == "down":
                return self._came(state, at, card, table, drawn=True)
            case CardMoved(at, card, was) if _named(card) and card.id not in tapped:
                return self._moved(at, card, was, table)
            case CardTapped(at, card, _, True, touches) if _named(card):
                return self._sideways(at, card, [c for c in table.cards if c.id in touches])
            case CardTapped(at, card) if _named(card):
                return self._upright(state, at, card, table)
        return ()

    def _came(self, state: State, at: Moment, card: Card, table: Table, drawn: bool) -> list[Read]:
        seat = _land(table, card)
        if seat is None:
            return []
        told: dict[str, object] = {"ev": "drawn" if drawn else "play", "seat": seat, "card": code(card)}
        if not drawn and kind(code(card)) == "road":
            told["ends"] = _road(table, card)["ends"]
        before = _steps_until(state, "DRAW" if drawn else "PLAY", at)
        return [*before, Read(told, at, {"card": card.name})]

    def _moved(self, at: Moment, card: Card, was: Card, table: Table) -> list[Read]:
        left, came = _land(table, was), _land(table, card)
        if kind(code(card)) != "monster" or left is None or came is None or left == came:
            return []
        return [
            Read(
                {"ev": "monster_moved", "card": code(card), "from": left, "to": came}, at, {"card": card.name}
            )
        ]

    def _sideways(self, at: Moment, card: Card, touched: list[Card]) -> list[Read]:
        """Laid sideways against another card: a monster or hero attacks it, a worker supports it."""
        what = kind(code(card))
        if what in ("monster", "hero"):
            wanted = PREY if what == "monster" else ("monster",)
            prey = sorted((c for c in touched if _named(c) and kind(code(c)) in wanted), key=_by_kind)
            event = {"ev": "attack", "attacker": code(card)}
            return [
                Read({**event, "target": code(c)}, at, {"attacker": card.name, "target": c.name})
                for c in prey[:1]
            ]
        kept = [c for c in touched if _named(c) and kind(code(c)) in ("bonus", "castle")]
        if what == "worker" and kept:
            event = {"ev": "support_added", "target": code(kept[0])}
            return [Read({**event, "workers": [code(card)]}, at)]
        return []

    def _upright(self, state: State, at: Moment, card: Card, table: Table) -> list[Read]:
        seat = _land(table, card)
        if seat is None:
            return []
        left = [code(c) for c in _open(table) if _land(table, c) == seat and _sideways(table, c)]
        told = {"ev": "untap", "seat": seat, "left_tapped": [c for c in left if c in state.tapped]}
        return [Read(told, at, {"card": card.name})]

    def secrets(self, state: State, table: Table) -> Secrets:  # noqa: ARG002
        """All lies open; the deck shows its back."""
        return Secrets()

    def declared(self, event: Plain) -> None:
        pass

    def outcome(self, event: Plain, before: State, after: State) -> Mapping[str, object]:
        """Whether an attack destroyed its target."""
        stood, stands = (event.get("target") in set(cards_in_play(s)) for s in (before, after))
        struck = event["ev"] == "attack" and stood and not stands
        return {"destroyed": True} if struck else {}

    def zones(self, table: Table) -> tuple[Zone, ...]:
        lands = [strip(table.seating, s, f"LAND {s}", 0.2, 0.95) for s in table.seating.seats]
        piles = [c.mm for c in table.cards if c.face == "down" and c.mm]
        return (*lands, *(circle("DECK", mm, 60, False) for mm in piles))


def code(card: Card) -> str:
    """The card in the words of the rules: suit first."""
    name = card.name or ""
    return "JK" if name.upper().startswith("JOKER") else name[-1] + name[:-1]


def _named(card: Card) -> bool:
    return card.face == "up" and bool(card.name)


def _open(table: Table) -> list[Card]:
    return [c for c in table.cards if _named(c) and c.mm]


def _land(table: Table, card: Card) -> Seat | None:
    """In whose land a card lies; None in the middle of the table."""
    if card.mm is None:
        return None
    seat = table.seating.seat_at(card.mm)
    _, towards = table.seating.from_seat(seat, card.mm)
    return seat if towards > LAND_FROM_MM else None


def _land_of(table: Table, seat: Seat) -> dict[str, object]:
    mine = [code(c) for c in _open(table) if _land(table, c) == seat]
    land: dict[str, object] = {field: [c for c in mine if kind(c) == what] for what, field in FILED.items()}
    land["bonus"] = [{"card": c} for c in mine if kind(c) == "bonus"]
    land["castles"] = [{"card": c} for c in mine if kind(c) == "castle"]
    return land


def _road(table: Table, card: Card) -> dict[str, object]:
    """A road joins the two seats it lies nearest to."""
    mm = card.mm or (0.0, 0.0)
    near = sorted(table.seating.seats, key=lambda s: -table.seating.from_seat(s, mm)[1])
    return {"card": code(card), "ends": near[:2]}


def _sideways(table: Table, card: Card) -> bool:
    upright = table.seating.upright_deg(card.mm) if card.mm else 0.0
    return abs((card.turn_deg - upright + 90) % 180 - 90) > 45


def _by_kind(card: Card) -> int:
    what = kind(code(card))
    return PREY.index(what) if what in PREY else 0


def _steps_until(state: State, wanted: Step, at: Moment) -> list[Read]:
    """Whoever acts in a later step of the turn has finished the earlier ones."""
    if state.step not in STEPS or STEPS.index(state.step) >= STEPS.index(wanted):
        return []
    between = STEPS[STEPS.index(state.step) : STEPS.index(wanted)]
    return [Read({"ev": "step_done", "seat": state.turn, "step": step}, at) for step in between]
