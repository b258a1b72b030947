"""The small changes everything else is made of: tap, untap, take away, let in. Each gives a new state."""

from dataclasses import replace

from referee.games.rise_against_monsters.cards import CASTLE_ROOM, kind, number
from referee.games.rise_against_monsters.ratings import (
    attackers_on,
    far_end,
    home_rating,
    land_of,
    target_rating,
)
from referee.games.rise_against_monsters.state import Bonus, Castle, Land, Order, Road, State
from referee.types import Seat


def with_land(state: State, seat: Seat, land: Land) -> State:
    return replace(state, lands={**state.lands, seat: land})


def put(state: State, seat: Seat, card: str) -> State:
    """Lay a hero, a worker or a roaming monster into the land."""
    land = state.lands[seat]
    match kind(card):
        case "hero":
            return with_land(state, seat, replace(land, heroes=(*land.heroes, card)))
        case "worker":
            return with_land(state, seat, replace(land, workers=(*land.workers, card)))
    return with_land(state, seat, replace(land, monsters=(*land.monsters, card)))


def lift(state: State, seat: Seat, card: str) -> State:
    """Take a hero, a worker or a roaming monster out of the land."""
    land = state.lands[seat]
    return with_land(
        state,
        seat,
        replace(
            land,
            heroes=without(land.heroes, card),
            workers=without(land.workers, card),
            monsters=without(land.monsters, card),
        ),
    )


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    return tuple(c for c in cards if c != card) if card in cards else cards


def with_hand(state: State, seat: Seat, cards: tuple[str, ...]) -> State:
    return replace(state, hand={**state.hand, seat: cards})


def throw(state: State, *cards: str) -> State:
    """Onto the discard pile."""
    return replace(state, discard=state.discard + cards)


# --- Sideways and upright ----------------------------------------------------------------------------


def tap(state: State, *cards: str) -> State:
    fresh = tuple(card for card in dict.fromkeys(cards) if card not in state.tapped)
    return replace(state, tapped=state.tapped + fresh) if fresh else state


def untap(state: State, cards: frozenset[str]) -> State:
    """Turn upright: whatever the cards held, carried or supported ends."""
    return replace(
        state,
        tapped=tuple(card for card in state.tapped if card not in cards),
        contacts=tuple(c for c in state.contacts if c[0] not in cards),
        loose=tuple(c for c in state.loose if c[0] not in cards),
        roads=_freed(state.roads, cards),
        lands={seat: _unsupported(land, cards) for seat, land in state.lands.items()},
    )


def let_go(state: State, attackers: frozenset[str]) -> State:
    """The attackers' contacts end."""
    return replace(
        state,
        contacts=tuple(c for c in state.contacts if c[0] not in attackers),
        loose=tuple(c for c in state.loose if c[0] not in attackers),
    )


def part(state: State, card: str) -> State:
    """Every contact of the card ends, on either side."""
    if not any(card in c for c in state.contacts):
        return state
    return replace(
        state,
        contacts=tuple(c for c in state.contacts if card not in c),
        loose=tuple(c for c in state.loose if card not in c),
    )


def _freed(roads: tuple[Road, ...], cards: frozenset[str]) -> tuple[Road, ...]:
    if not any(road.used_by in cards for road in roads):
        return roads
    return tuple(replace(road, used_by=None) if road.used_by in cards else road for road in roads)


def use_road(state: State, road: str, card: str) -> State:
    roads = (replace(r, used_by=card) if r.card == road else r for r in state.roads)
    return replace(state, roads=tuple(roads))


def _unsupported(land: Land, workers: frozenset[str]) -> Land:
    if not any(workers & set(kept.by) for kept in land.kept):
        return land
    return replace(
        land,
        bonus=tuple(replace(b, by=_left(b, workers)) for b in land.bonus),
        castles=tuple(replace(c, by=_left(c, workers)) for c in land.castles),
    )


def _left(kept: Bonus | Castle, workers: frozenset[str]) -> tuple[str, ...]:
    return tuple(worker for worker in kept.by if worker not in workers)


# --- Out of play -------------------------------------------------------------------------------------


def destroy(state: State, card: str) -> State:
    """Whatever it is, it goes to the discard pile, and what hung on it ends."""
    gone = frozenset((card,))
    state = untap(part(state, card), gone)
    if card in state.pending or card in state.arrived:
        state = replace(state, pending=without(state.pending, card), arrived=without(state.arrived, card))
    if kind(card) == "road":
        return throw(_destroy_road(state, card), card)
    seat = land_of(state, card)
    return throw(_unbind(state, card) if seat is None else lift(state, seat, card), card)


def _destroy_road(state: State, card: str) -> State:
    """A hero on it comes home, still sideways, and holds nothing any more."""
    users = frozenset(r.used_by for r in state.roads if r.card == card and r.used_by)
    return replace(let_go(state, users), roads=tuple(r for r in state.roads if r.card != card))


def _unbind(state: State, monster: str) -> State:
    for seat, land in state.lands.items():
        if any(monster in castle.under for castle in land.castles):
            castles = tuple(replace(c, under=without(c.under, monster)) for c in land.castles)
            return with_land(state, seat, replace(land, castles=castles))
    return state


def lose(state: State, seat: Seat, card: str) -> State:
    """A bonus card or castle without support goes; the monsters of a lost castle roam, upright."""
    land = state.lands[seat]
    freed = tuple(m for castle in land.castles if castle.card == card for m in castle.under)
    land = replace(
        land,
        monsters=land.monsters + freed,
        bonus=tuple(b for b in land.bonus if b.card != card),
        castles=tuple(c for c in land.castles if c.card != card),
    )
    return throw(with_land(state, seat, land), card)


# --- Monsters come in --------------------------------------------------------------------------------


def let_in(state: State, seat: Seat, monster: str, *, tapped: bool) -> State:
    """A monster comes into the land: under a castle that has room, else it roams."""
    land = state.lands[seat]
    for castle in land.castles:
        if bound(castle.under) + number(monster) <= CASTLE_ROOM:
            return _bind(state, seat, castle, monster)
    state = put(state, seat, monster)
    return tap(state, monster) if tapped else state


def bound(monsters: tuple[str, ...]) -> int:
    return sum(map(number, monsters))


def _bind(state: State, seat: Seat, castle: Castle, monster: str) -> State:
    land = state.lands[seat]
    fuller = replace(castle, under=(*castle.under, monster))
    castles = tuple(fuller if c is castle else c for c in land.castles)
    return with_land(state, seat, replace(land, castles=castles))


def move_monster(state: State, monster: str, to: Seat) -> State:
    """The monster of the turn player's land goes to another, sideways."""
    state = lift(part(state, monster), state.turn, monster)
    state = replace(state, moved_pairs=(*state.moved_pairs, (state.turn, to)))
    return let_in(state, to, monster, tapped=True)


# --- Combat ------------------------------------------------------------------------------------------


def strike(state: State, attacker: str, target: str, seat: Seat) -> tuple[State, Order]:
    """Tap the attacker, lay it on the target, and see whether all on it suffice; `seat` is the attacker's land."""
    state = _touch(tap(state, attacker), attacker, target)
    total = sum(home_rating(state, a) for a in attackers_on(state, target))
    needed = target_rating(state, target, seat)
    done = total >= needed
    order = Order(attacker, "attack", target, None, total, needed, done)
    return (destroy(state, target) if done else state), order


def _touch(state: State, attacker: str, target: str) -> State:
    contact = (attacker, target)
    loose = state.loose if target in state.tapped else (*state.loose, contact)
    return replace(state, contacts=(*state.contacts, contact), loose=loose)


def send_over(state: State, card: str, road: str) -> State:
    """The card changes land for good and lies sideways; the road is busy until it is turned upright."""
    seat = land_of(state, card)
    way = next(r for r in state.roads if r.card == road)
    assert seat is not None
    moved = put(lift(part(state, card), seat, card), far_end(way, seat), card)
    return use_road(tap(moved, card), road, card)
