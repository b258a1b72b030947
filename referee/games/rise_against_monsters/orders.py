"""What the monsters must do: who acts now, whom it attacks, where it goes, and the ties the turn player settles."""

from dataclasses import replace

from referee.games.rise_against_monsters.cards import kind, number
from referee.games.rise_against_monsters.changes import move_monster, strike
from referee.games.rise_against_monsters.ratings import (
    attackers_on,
    count_targets,
    home_rating,
    left_of,
    target_rating,
    targets,
    weakest,
)
from referee.games.rise_against_monsters.state import Order, State
from referee.types import Seat

CATEGORY = {"hero": 0, "worker": 1, "road": 2}


def plan(state: State) -> tuple[Order, ...]:
    """All that the monsters will do now if nobody interferes."""
    orders: list[Order] = []
    for monster in waiting(state):
        order = order_for(state, monster)
        if order is None:
            continue
        orders.append(order)
        state = follow_order(state, order)
    return tuple(orders)


def planned(state: State) -> State:
    """The state with its plan made anew; a drawn monster that finds nothing to attack waits no longer."""
    orders = plan(state)
    acting = {order.card for order in orders}
    if not orders and not state.orders and not state.pending:
        return state
    return replace(state, orders=orders, pending=tuple(m for m in state.pending if m in acting))


def waiting(state: State) -> tuple[str, ...]:
    """Upright roaming monsters whose time has come, largest first; equal ones as the turn player chose."""
    if state.step not in ("MONSTERS", "DRAW"):
        return ()
    here = state.lands[state.turn].monsters
    if state.step == "DRAW":
        here = tuple(m for m in here if m in state.pending)
    upright = [m for m in here if m not in state.tapped]
    first = state.chosen.get("first")
    return tuple(sorted(upright, key=lambda m: (-number(m), m != first)))


def next_orders(state: State) -> tuple[Order, ...]:
    """What must happen next: one order, or several when monsters of one rating may go in any order."""
    found: list[Order] = []
    for monster in waiting(state):
        if found and number(monster) != number(found[0].card):
            break
        order = order_for(state, monster)
        if order is not None and order.do != "stay":
            found.append(order)
    return tuple(found)


def follow_order(state: State, order: Order) -> State:
    if order.do == "attack" and order.target is not None:
        return strike(state, order.card, order.target, state.turn)[0]
    return state if order.to is None else move_monster(state, order.card, order.to)


def order_for(state: State, monster: str) -> Order | None:
    """What this monster does now; None when nothing is asked of it."""
    prey = prey_of(state, monster)
    if prey:
        return _attack(state, monster, _picked(state, monster, prey))
    if state.step != "MONSTERS" or state.first_round:
        return None
    lands = destinations(state)
    if lands:
        clauses = ("RA-26", "RA-29") if targets(state, lands[0]) else ("RA-26", "G-05")
        return Order(monster, "move", to=_picked(state, monster, lands), clauses=clauses)
    return Order(monster, "stay", clauses=("RA-31",) if state.sw.move_without_targets else ("G-05",))


def prey_of(state: State, monster: str) -> tuple[str, ...]:
    """Whom it attacks: the weakest card that lies on it, else the weakest of the first kind in the land."""
    on_it = attackers_on(state, monster)
    cards = on_it or targets(state, state.turn)
    return weakest(state, state.turn, cards) if cards else ()


def attack_clauses(state: State, monster: str) -> tuple[str, ...]:
    """Why it attacks what it attacks."""
    if attackers_on(state, monster):
        return ("RA-91",)
    prey = prey_of(state, monster)
    return ("RA-24",) if prey and kind(prey[0]) == "hero" else ("RA-25",)


def destinations(state: State) -> tuple[Seat, ...]:
    """The lands it may go to, all equally good, nearest to the left first."""
    free = tuple(s for s in left_of(state, state.turn) if (state.turn, s) not in state.moved_pairs)
    ranked = [(_appeal(state, seat), seat) for seat in free if targets(state, seat)]
    if ranked:
        best = min(appeal for appeal, _ in ranked)
        return tuple(seat for appeal, seat in ranked if appeal == best)
    return free if state.sw.move_without_targets else ()


def weakness(state: State, seat: Seat) -> tuple[int, int]:
    """Kind and rating of the weakest target there; the smallest draws a monster most."""
    prey = weakest(state, seat, targets(state, seat))[0]
    return CATEGORY[kind(prey)], target_rating(state, prey, seat)


def _appeal(state: State, seat: Seat) -> tuple[int, int, int]:
    return (*weakness(state, seat), -count_targets(state, seat))


def _attack(state: State, monster: str, target: str) -> Order:
    total = number(monster) + sum(home_rating(state, a) for a in attackers_on(state, target))
    needed = target_rating(state, target, state.turn)
    clauses = attack_clauses(state, monster)
    return Order(monster, "attack", target, None, total, needed, total >= needed, clauses)


def _picked(state: State, monster: str, tied: tuple[str, ...]) -> str:
    """The turn player's choice among equals, else the first."""
    choice = state.chosen.get(monster)
    return choice if choice in tied else tied[0]
