"""Everything on the table but the order of the deck, which nobody knows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from referee.types import Seat

Step = Literal["DEAL", "UNTAP", "MONSTERS", "DRAW", "PLAY", "DISCARD", "GAME_OVER"]
STEPS: tuple[Step, ...] = ("UNTAP", "MONSTERS", "DRAW", "PLAY", "DISCARD")
"""A turn, in order."""
Outcome = Literal["players_win", "monsters_win"]
Stage = Literal["clearing", "building"]
Contact = tuple[str, str]
"""Attacker and target."""
FRESH_SEATS = ("A", "B")
FEWEST, MOST = 2, 7


@dataclass(frozen=True, slots=True)
class Switches:
    jokers_per_deck: int = 2
    extra_deck: bool = False
    dealt_joker: Literal["hand", "play"] = "hand"
    untap_scope: Literal["own_land", "all"] = "own_land"
    first_turn: Literal["each_player", "first_player"] = "each_player"
    move_without_targets: bool = True
    count_targets: Literal["attackable", "heroes"] = "attackable"
    road_bonus_scope: Literal["touching", "builder"] = "touching"
    road_limit: Literal["current", "printed"] = "current"
    split_worker: bool = False
    own_duplicates: bool = True
    joker_hits_bound: bool = True
    attack_bound: bool = False
    loss_needs_monster_everywhere: bool = False
    hero_interrupt: bool = False


@dataclass(frozen=True, slots=True)
class Bonus:
    card: str
    by: tuple[str, ...] = ()
    """The workers that support it."""


@dataclass(frozen=True, slots=True)
class Castle:
    card: str
    by: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    """The monsters bound by it."""


@dataclass(frozen=True, slots=True)
class Land:
    heroes: tuple[str, ...] = ()
    workers: tuple[str, ...] = ()
    monsters: tuple[str, ...] = ()
    """The roaming ones."""
    bonus: tuple[Bonus, ...] = ()
    castles: tuple[Castle, ...] = ()

    @property
    def kept(self) -> tuple[Bonus | Castle, ...]:
        """What workers must pay for."""
        kept: tuple[Bonus | Castle, ...] = self.bonus
        return kept + self.castles


@dataclass(frozen=True, slots=True)
class Road:
    card: str
    ends: tuple[Seat, Seat]
    used_by: str | None = None
    builder: Seat | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """What a monster must do now."""

    card: str
    do: Literal["attack", "move", "stay"]
    target: str | None = None
    to: Seat | None = None
    total: int | None = None
    needed: int | None = None
    destroyed: bool | None = None
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Seat, ...] = FRESH_SEATS
    dealer: Seat = "B"
    turn: Seat = "A"
    turn_no: int = 1
    first_round: bool = True
    step: Step = "DEAL"
    phase: Mapping[Seat, Stage] = field(default_factory=dict)
    ever_building: bool = False
    lands: Mapping[Seat, Land] = field(default_factory=dict)
    roads: tuple[Road, ...] = ()
    hand: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    deck_n: int = 0
    discard: tuple[str, ...] = ()
    tapped: tuple[str, ...] = ()
    contacts: tuple[Contact, ...] = ()
    loose: tuple[Contact, ...] = ()
    """Contacts whose target stood upright when it was attacked: they pin nothing."""
    moved_pairs: tuple[tuple[Seat, Seat], ...] = ()
    draw_max: int = 0
    drawn: int = 0
    untapped: bool = False
    """The untap of this turn has been done."""
    pending: tuple[str, ...] = ()
    """Monsters that came in by a draw and attack at once."""
    arrived: tuple[str, ...] = ()
    """Monsters that a castle's owner may regroup now."""
    arrived_tapped: bool = False
    orders: tuple[Order, ...] = ()
    """The plan as it was made last."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Ties the turn player has settled: monster -> target or land; `first` -> monster."""
    outcome: Outcome | None = None
    sw: Switches = field(default_factory=Switches)


def cards_in_play(state: State) -> Iterator[str]:
    """Every card on the table but hands, deck and discard pile."""
    for land in state.lands.values():
        yield from land.heroes
        yield from land.workers
        yield from land.monsters
        for kept in land.kept:
            yield kept.card
        for castle in land.castles:
            yield from castle.under
    for road in state.roads:
        yield road.card
