"""Shisogari from the table: backs in hands are counted by colour; a face is read only when it is laid open."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.card_happenings import CardMoved, CardPlaced, CardTaken, CardTurned, Happening, Moment
from referee.game import Plain
from referee.games.shisogari.cards import Colour
from referee.games.shisogari.state import Doing, State
from referee.reading import Read, Secrets, Table
from referee.types import Card, Point, Seat
from referee.zones import Zone, open_table

BACKS: dict[str, Colour] = {"back_white": "white", "back_black": "black"}
ROLE = "role_"
NEVER_OPEN = ("blank_", "bloodsucking_")
"""Cards that lie face up only when all is turned up."""
ROOM_MM = (75.0, 32.0)
"""A hand may grow by a card to each side, and need not lie in a perfect row."""
MIDDLE_MM = 70.0
EDGE_MM = 15.0
"""A card reaches further than its middle may lie."""
HAND_FROM = 0.5
"""Of the way from the middle to the edge: a hand that was never found begins no nearer to the middle."""

Box = tuple[float, float, float, float]
"""As the owner sees it: left, right, nearest the middle, farthest."""


AT_FIRST = Secrets(unread=NEVER_OPEN)
"""What is not read in the first picture."""


@dataclass(slots=True)
class Reader:
    """Remembers where hands lie; never which card is which."""

    hands: dict[Seat, Box] = field(default_factory=dict)
    picked: Colour | None = None
    laid: dict[Seat, list[str]] = field(default_factory=dict)
    """Whether each pair was laid face up or down, in order."""
    revealing: bool = False
    """Somebody has said that all cards will be turned up."""
    claimed: bool = False
    told_all: bool = False

    def begin(self, table: Table, given: Plain) -> Mapping[str, object]:
        self.hands = {s: box for s in table.seating.seats if (box := _hand_box(table, s))}
        if "hand" in given or not self.hands:
            return {}
        return {"hand": {s: self._counted(table, s) for s in table.seating.seats}}

    def _counted(self, table: Table, seat: Seat) -> dict[str, int]:
        backs = [c.name for c in table.cards if self._in_hand(table, seat, c)]
        return {colour: backs.count(name) for name, colour in BACKS.items()}

    def standing(self, state: State, table: Table) -> tuple[Read, ...]:
        if state.phase != "SETUP" or len(self.hands) != len(table.seating.seats):
            return ()
        return (
            Read({"ev": "setup_seen", "hand": {s: self._counted(table, s) for s in table.seating.seats}}),
        )

    def read(self, state: State, batch: tuple[Happening, ...], table: Table) -> tuple[Read, ...]:
        if not batch:
            return ()
        at = batch[-1].at
        if state.phase == "TABLE_PICK":
            return tuple(self._from_table(batch, at, table))
        return (*self._picked_and_resolved(state, batch, at, table), *self._revealed(state, batch, at, table))

    # --- A card from the middle ------------------------------------------------------------------------

    def _from_table(self, batch: Sequence[Happening], at: Moment, table: Table) -> Iterable[Read]:
        for h in batch:
            if isinstance(h, CardMoved) and h.was.name in BACKS and _in_the_middle(h.was):
                seat = table.seat_of(h.card)
                yield Read({"ev": "table_card_taken", "seat": seat, "colour": BACKS[h.was.name]}, at)

    # --- Picking and pairing ---------------------------------------------------------------------------

    def _picked_and_resolved(
        self, state: State, batch: Sequence[Happening], at: Moment, table: Table
    ) -> Iterable[Read]:
        """A card leaves one hand for another player, who pairs or keeps it."""
        came = [seat for c in _came(batch) if (seat := table.seat_of(c))]
        picker, giver = _partners(state.action) if state.action else (came[0] if came else None, None)
        lost = [
            (s, c) for c in _left(batch) if c.name in BACKS for s in self.hands if self._in_hand(table, s, c)
        ]
        picked = [(s, c) for s, c in lost if s != picker and giver in (None, s)]
        if picker is None or not came:
            return
        if picked and state.phase != "RESOLVE":
            giver, card = picked[0]
            self.picked = BACKS[str(card.name)]
            yield Read({"ev": "card_picked", "picker": picker, "from": giver, "colour": self.picked}, at)
        elif state.phase != "RESOLVE":
            return
        yield from self._resolved(picker, batch, at, table)

    def _resolved(self, picker: Seat, batch: Sequence[Happening], at: Moment, table: Table) -> Iterable[Read]:
        came = [c for c in _came(batch) if table.seat_of(c) == picker]
        laid = [c for c in came if not self._in_hand(table, picker, c)]
        told = {"ev": "resolved", "seat": picker, "colour": self.picked or "white"}
        if len(laid) >= 2:
            names = {c.name for c in laid}
            is_open = all(c.face == "up" for c in laid) and len(names) == 1
            self.laid.setdefault(picker, []).append("up" if is_open else "down")
            if is_open:
                yield Read({**told, "outcome": "pair_up", "item": _rule_name(laid[0])}, at)
            else:
                yield Read({**told, "outcome": "pair_down"}, at)
        elif came and not laid:
            yield Read({**told, "outcome": "added"}, at)

    # --- The end ---------------------------------------------------------------------------------------

    def _revealed(self, state: State, batch: Sequence[Happening], at: Moment, table: Table) -> Iterable[Read]:
        """The first role turned up is the claim; then all is turned up."""
        for h in batch:
            if isinstance(h, CardTurned) and (h.card.name or "").startswith(ROLE) and not self.claimed:
                self.claimed = True
                role = str(h.card.name).removeprefix(ROLE)
                yield Read({"ev": "role_shown", "seat": table.seat_of(h.card), "role": role}, h.at)
        if self.claimed and not self.told_all and (shown := self._all_shown(state, table)):
            self.told_all = True
            yield Read(shown, at)

    def _all_shown(self, state: State, table: Table) -> dict[str, object] | None:
        """Once every role and every pair lies open."""
        roles = {
            str(table.seat_of(c)): str(c.name).removeprefix(ROLE)
            for c in table.cards
            if (c.name or "").startswith(ROLE)
        }
        if set(roles) != set(table.seating.seats):
            return None
        pairs = self._pairs(state, table)
        if pairs is None:
            return None
        hands = {s: self._open_hand(table, s) for s in table.seating.seats}
        open_hands = {s: names for s, names in hands.items() if names}
        told: dict[str, object] = {"ev": "all_shown", "roles": roles, "pairs": pairs}
        return {**told, "hands": open_hands} if open_hands else told

    def _pairs(self, state: State, table: Table) -> list[dict[str, object]] | None:
        """Each seat's pairs in the order in which they were laid; None while one lies face down."""
        out: list[dict[str, object]] = []
        for seat in table.seating.seats:
            laid = sorted((c for c in table.cards if self._is_paired(table, seat, c)), key=lambda c: c.id)
            if any(c.face != "up" for c in laid):
                return None
            known = [p for p in state.pairs if p.owner == seat]
            for k, (a, b) in enumerate(zip(laid[::2], laid[1::2], strict=False)):
                pair: dict[str, object] = {"owner": seat, "cards": [_rule_name(a), _rule_name(b)]}
                pair["face"] = dict(enumerate(self.laid.get(seat, []))).get(k, "down")
                pair |= {"named": known[k].named} if k < len(known) and known[k].named else {}
                out.append(pair)
        return out

    def _is_paired(self, table: Table, seat: Seat, card: Card) -> bool:
        other = card.name is None or card.name.startswith((ROLE, "back_role"))
        return not other and table.seat_of(card) == seat and not self._in_hand(table, seat, card)

    def _open_hand(self, table: Table, seat: Seat) -> list[str]:
        return [
            _rule_name(c) for c in table.cards if c.face == "up" and self._in_hand(table, seat, c) and c.name
        ]

    # --- Places ----------------------------------------------------------------------------------------

    def _in_hand(self, table: Table, seat: Seat, card: Card) -> bool:
        box = self.hands.get(seat)
        if box is None or card.mm is None or (card.name or "").startswith((ROLE, "back_role")):
            return False
        right, towards = table.seating.from_seat(seat, card.mm)
        return box[0] <= right <= box[1] and box[2] <= towards <= box[3]

    def secrets(self, state: State, table: Table) -> Secrets:
        """Hands and roles, until somebody determines the Vampire."""
        if self.revealing or state.phase in ("REVEAL", "GAME_OVER"):
            return Secrets()
        seating = table.seating
        near = {
            s: self.hands[s][2] - EDGE_MM if s in self.hands else HAND_FROM * seating.reach_mm(s)
            for s in seating.seats
        }
        return Secrets(self.zones(table), (ROLE, *NEVER_OPEN), open_table(seating, near))

    def declared(self, event: Plain) -> None:
        self.revealing = self.revealing or event.get("kind") == "determine"

    def outcome(self, event: Plain, before: State, after: State) -> Mapping[str, object]:  # noqa: ARG002
        return {}

    def zones(self, table: Table) -> tuple[Zone, ...]:
        return tuple(_box_zone(table, seat, box) for seat, box in self.hands.items())


def _hand_box(table: Table, seat: Seat) -> Box | None:
    places = [
        table.seating.from_seat(seat, c.mm)
        for c in table.cards
        if c.mm and c.name in BACKS and table.seat_of(c) == seat and not _in_the_middle(c)
    ]
    if not places:
        return None
    rights, towards = zip(*places, strict=True)
    return (
        min(rights) - ROOM_MM[0],
        max(rights) + ROOM_MM[0],
        min(towards) - ROOM_MM[1],
        max(towards) + ROOM_MM[1],
    )


def _partners(action: Doing) -> tuple[Seat, Seat]:
    """Who picks, and from whose hand."""
    if action.kind == "give":
        return action.picker or action.target, action.from_ or action.by
    return action.picker or action.by, action.from_ or action.target


def _in_the_middle(card: Card) -> bool:
    return math.hypot(*(card.mm or (0.0, 0.0))) < MIDDLE_MM


def _left(batch: Sequence[Happening]) -> list[Card]:
    """Cards as they lay before they went."""
    moved = [h.was for h in batch if isinstance(h, CardMoved)]
    return moved + [h.card for h in batch if isinstance(h, CardTaken)]


def _came(batch: Sequence[Happening]) -> list[Card]:
    return [h.card for h in batch if isinstance(h, CardMoved | CardPlaced)]


def _rule_name(card: Card) -> str:
    return (card.name or "").replace("bloodsucking_", "blood_")


def _box_zone(table: Table, seat: Seat, box: Box) -> Zone:
    left, right, near, far = box
    corners: list[Point] = [(left, near), (right, near), (right, far), (left, far)]
    return Zone(
        f"HAND {seat}", tuple(table.seating.to_table(seat, r, t) for r, t in corners), seat, read=False
    )
