"""Attacks of heroes and monsters, monsters on the move, ties, and the Bringer of Wrath."""

from collections.abc import Callable
from dataclasses import replace

from referee.games.rise_against_monsters.cards import JOKER, kind, number, spoken
from referee.games.rise_against_monsters.changes import (
    destroy,
    move_monster,
    strike,
    throw,
    use_road,
    with_hand,
    without,
)
from referee.games.rise_against_monsters.events import Attack, Choice, Event, JokerUsed, MonsterMoved
from referee.games.rise_against_monsters.orders import (
    attack_clauses,
    destinations,
    next_orders,
    planned,
    prey_of,
    waiting,
    weakness,
)
from referee.games.rise_against_monsters.ratings import (
    attackers_on,
    castle_over,
    far_end,
    fits_road,
    land_of,
    rating,
    road_called,
    road_rating,
    targets,
)
from referee.games.rise_against_monsters.state import Order, State
from referee.games.rise_against_monsters.words import correct, illegal, ok, order_words, orders_ruling
from referee.types import Judged, Ruling, Seat

# --- Does the game allow it now? ---------------------------------------------------------------------


def is_running(state: State, _event: Event) -> Ruling | None:
    if state.step == "GAME_OVER":
        clause = "RA-86" if state.outcome == "players_win" else "RA-03"
        return illegal((clause,), "The game is over.")
    return None


def is_dealt(state: State, event: Event) -> Ruling | None:
    if state.step == "DEAL":
        return illegal(("RA-07",), "The cards are dealt first.")
    return is_running(state, event)


def is_after_untap(state: State, event: Event) -> Ruling | None:
    if state.step == "UNTAP":
        return illegal(("RA-43",), "Nothing is used during Untap.")
    return is_dealt(state, event)


# --- Attack ------------------------------------------------------------------------------------------


def can_attack(state: State, event: Attack) -> Ruling | None:
    """The attacker's own questions, by what it is."""
    asked = _MONSTER_QUESTIONS if kind(event.attacker) == "monster" else _HERO_QUESTIONS
    return next((no for question in asked if (no := question(state, event))), None)


def _is_hero(_state: State, event: Attack) -> Ruling | None:
    if kind(event.attacker) == "hero":
        return None
    return illegal(("RA-95",), f"A {spoken(event.attacker)} cannot attack.")


def _is_in_play(state: State, event: Attack) -> Ruling | None:
    if land_of(state, event.attacker):
        return None
    return correct(("RA-87",), f"{spoken(event.attacker)} roams in no land.")


def _is_upright(state: State, event: Attack) -> Ruling | None:
    if event.attacker not in state.tapped:
        return None
    return illegal(("RA-20",), f"{spoken(event.attacker)} lies sideways and cannot be used again.")


def _is_monster_there(state: State, event: Attack) -> Ruling | None:
    roams = kind(event.target) == "monster" and land_of(state, event.target) is not None
    if roams:
        return None
    if castle_over(state, event.target):
        if state.sw.attack_bound:
            return None
        return illegal(("G-19", "RA-85"), f"{spoken(event.target)} is bound by a castle.")
    return illegal(("RA-87",), f"Heroes attack monsters in play, not {spoken(event.target)}.")


def _did_drawn_monster_attack(state: State, event: Attack) -> Ruling | None:
    if event.target not in state.pending or state.sw.hero_interrupt:
        return None
    because = f"{spoken(event.target)} was just drawn and attacks first; only a joker comes before it."
    return illegal(("G-22", "RA-40", "RA-47"), because)


def _is_within_reach(state: State, event: Attack) -> Ruling | None:
    home, there = _home(state, event.attacker), _place(state, event.target)
    if home == there:
        return None
    return can_cross(state, event.attacker, home, event.via, there)


def can_cross(state: State, card: str, home: Seat, via: str | None, there: Seat) -> Ruling | None:
    """May the card help in the other land over this road?"""
    road = road_called(state, via)
    if road is None or home not in road.ends or far_end(road, home) != there:
        return illegal(("RA-64",), f"{spoken(card)} needs a road from {home} to {there}.", home)
    if road.used_by is not None:
        because = f"The {spoken(road.card)} is in use by {spoken(road.used_by)} until that is turned upright."
        return illegal(("RA-67",), because, home)
    if not fits_road(state, card, home, road):
        size, limit = rating(state, home, card), road_rating(state, road, home)
        return illegal(("RA-65",), f"{spoken(card)} ({size}) is too big for a road of {limit}.", home)
    return None


def _home(state: State, card: str) -> Seat:
    seat = land_of(state, card)
    assert seat is not None
    return seat


def _place(state: State, monster: str) -> Seat:
    over = castle_over(state, monster)
    return over[0] if over else _home(state, monster)


def _is_monsters_time(state: State, event: Attack) -> Ruling | None:
    if event.attacker in waiting(state):
        return None
    if event.attacker in state.tapped:
        return correct(("RA-20",), f"{spoken(event.attacker)} has acted or is pinned: put it back.")
    if castle_over(state, event.attacker):
        return correct(("RA-85", "RA-82"), f"{spoken(event.attacker)} is bound by a castle.")
    return correct(("RA-23",), f"{spoken(event.attacker)} does not attack now.{_expected(state)}")


def _is_its_turn(state: State, event: Attack | MonsterMoved) -> Ruling | None:
    monster = event.attacker if isinstance(event, Attack) else event.card
    orders = next_orders(state)
    if not orders or monster in {order.card for order in orders}:
        return None
    if number(monster) > number(orders[0].card):
        return None
    return correct(("RA-23",), f"The largest monster goes first.{_expected(state)}", state.turn)


def _is_right_prey(state: State, event: Attack) -> Ruling | None:
    prey = prey_of(state, event.attacker)
    if event.target in prey:
        return None
    if prey:
        clauses = attack_clauses(state, event.attacker)
        because = f"{spoken(event.attacker)} must attack {' or '.join(map(spoken, prey))}."
        return correct(clauses, because, state.turn)
    clauses = ("RA-27",) if state.first_round else ("RA-26",)
    return correct(clauses, f"{spoken(event.attacker)} has nothing to attack.{_expected(state)}", state.turn)


def _expected(state: State) -> str:
    orders = next_orders(state)
    return f" Expected: {' or '.join(map(order_words, orders))}." if orders else ""


_HERO_QUESTIONS: tuple[Callable[[State, Attack], Ruling | None], ...] = (
    _is_hero,
    _is_in_play,
    _is_upright,
    _is_monster_there,
    _did_drawn_monster_attack,
    _is_within_reach,
)
_MONSTER_QUESTIONS: tuple[Callable[[State, Attack], Ruling | None], ...] = (
    _is_in_play,
    _is_monsters_time,
    _is_its_turn,
    _is_right_prey,
)


def attack(state: State, event: Attack) -> Judged[State]:
    """Somebody strikes; a hero's blow changes the monsters' plan."""
    seat = _home(state, event.attacker)
    if kind(event.attacker) == "monster":
        struck, order = strike(state, event.attacker, event.target, seat)
        if event.attacker in struck.pending:
            struck = replace(struck, pending=without(struck.pending, event.attacker))
        return Judged(_kept_plan(state, struck, order), (_blow(state, order, seat),))
    over = event.via if _place(state, event.target) != seat else None
    struck, order = strike(state, event.attacker, event.target, seat)
    struck = use_road(struck, over, event.attacker) if over else struck
    clauses = ("RA-64", "RA-96") if over else ()
    return Judged(planned(struck), (_blow(state, order, seat, clauses),))


def _kept_plan(before: State, after: State, done: Order) -> State:
    """The plan stands while the table follows it, and is made anew when a tie was settled another way."""
    foreseen = {(o.card, o.target, o.to) for o in before.orders}
    return after if (done.card, done.target, done.to) in foreseen else planned(after)


def _blow(before: State, order: Order, seat: Seat, more: tuple[str, ...] = ()) -> Ruling:
    assert order.target is not None
    several = ("RA-90",) if attackers_on(before, order.target) else ()
    clauses = ("RA-88", "RA-87") if order.destroyed else ("RA-89", "RA-87")
    return ok((*clauses, *several, *more), f"{order_words(order)}.".capitalize(), seat)


# --- Monsters on the move ----------------------------------------------------------------------------


def is_move_time(state: State, event: MonsterMoved) -> Ruling | None:
    if state.step == "MONSTERS":
        return None
    clause = "RA-41" if state.step == "DRAW" else "RA-26"
    return correct((clause,), f"{spoken(event.card)} does not move now: put it back.", event.from_)


def is_roaming_here(state: State, event: MonsterMoved) -> Ruling | None:
    if castle_over(state, event.card):
        return correct(("RA-82", "RA-85"), f"{spoken(event.card)} is bound by a castle.", event.from_)
    if event.from_ == state.turn and event.card in state.lands[state.turn].monsters:
        return None
    return correct(("RA-26",), f"Only monsters of {state.turn}'s land move now.", event.from_)


def is_past_first_turn(state: State, event: MonsterMoved) -> Ruling | None:
    if not state.first_round:
        return None
    return correct(("RA-27", "G-04"), "No monster moves in the first turn: put it back.", event.from_)


def may_monster_leave(state: State, event: MonsterMoved) -> Ruling | None:
    if event.card in state.tapped:
        return correct(("RA-28", "RA-20"), f"{spoken(event.card)} lies sideways and stays.", event.from_)
    prey = prey_of(state, event.card)
    if not prey:
        return None
    clauses = (*attack_clauses(state, event.card), "RA-26")
    because = f"{spoken(event.card)} must attack {' or '.join(map(spoken, prey))}."
    return correct(clauses, because, event.from_)


def is_in_order(state: State, event: MonsterMoved) -> Ruling | None:
    return _is_its_turn(state, event)


def is_right_land(state: State, event: MonsterMoved) -> Ruling | None:
    lands = destinations(state)
    if event.to in lands:
        return None
    because = (
        f"{spoken(event.card)} goes to {' or '.join(lands)}." if lands else f"{spoken(event.card)} stays."
    )
    return correct(_wrong_land(state, event.to, lands), because, event.from_)


def _wrong_land(state: State, to: Seat, lands: tuple[Seat, ...]) -> tuple[str, ...]:
    """Which preference the chosen land breaks."""
    if to not in state.players or to == state.turn:
        return ("RA-26",)
    if (state.turn, to) in state.moved_pairs:
        return ("RA-31",)
    if not lands:
        return ("G-05", "RA-29")
    equally_weak = targets(state, to) and weakness(state, to) == weakness(state, lands[0])
    return ("RA-30",) if equally_weak else ("RA-29",)


def move(state: State, event: MonsterMoved) -> Judged[State]:
    moved = move_monster(state, event.card, event.to)
    castles = bool(state.lands[event.to].castles)
    moved = replace(moved, arrived=(event.card,) if castles else (), arrived_tapped=True)
    done = Order(event.card, "move", to=event.to)
    home = land_of(moved, event.card)
    end = "and may be attacked there" if home else "under the castle"
    because = f"{spoken(event.card)} moves to {event.to}, {end}.".capitalize()
    clauses = ("RA-26", "RA-28", "RA-33") if home else ("RA-26", "RA-82")
    return Judged(_kept_plan(state, moved, done), (ok(clauses, because, event.to),))


# --- Ties --------------------------------------------------------------------------------------------


def is_tie(state: State, event: Choice) -> Ruling | None:
    if event.value in tied(state, event.what):
        return None
    return illegal(("G-06",), f"There is no choice of {event.value} for {event.what} now.", state.turn)


def tied(state: State, what: str) -> tuple[str, ...]:
    """Between what the turn player may choose for the monster, or which monster goes first."""
    if what == "first":
        return tuple(order.card for order in next_orders(state))
    if what not in waiting(state):
        return ()
    prey = prey_of(state, what)
    if prey or state.step != "MONSTERS" or state.first_round:
        return prey
    return destinations(state)


def settle_tie(state: State, event: Choice) -> Judged[State]:
    settled = planned(replace(state, chosen={**state.chosen, event.what: event.value}))
    said = ok(("G-06", "RA-23"), f"{state.turn} chooses {event.value} for {event.what}.", state.turn)
    return Judged(settled, (said, *orders_ruling(settled, settled.orders)))


# --- The Bringer of Wrath ----------------------------------------------------------------------------


def holds_joker(state: State, event: JokerUsed) -> Ruling | None:
    if joker_in_hand(state, event.seat):
        return None
    return illegal(("RA-47",), f"{event.seat} has no joker in the hand.", event.seat)


def is_own_land(_state: State, event: JokerUsed) -> Ruling | None:
    if event.land in (None, event.seat):
        return None
    return illegal(("RA-48",), f"{event.seat} may use the joker only in the own land.", event.seat)


def has_victims(state: State, event: JokerUsed) -> Ruling | None:
    if victims(state, event.seat):
        return None
    return illegal(("RA-46",), f"{event.seat} has neither monsters nor heroes in play.", event.seat)


def joker_in_hand(state: State, seat: Seat) -> str | None:
    return next((card for card in state.hand.get(seat, ()) if card.startswith(JOKER)), None)


def victims(state: State, seat: Seat) -> tuple[str, ...]:
    """All monsters of the land, bound ones too unless the house says otherwise; without any, all heroes."""
    land = state.lands[seat]
    under = tuple(m for castle in land.castles for m in castle.under)
    return land.monsters + (under if state.sw.joker_hits_bound else ()) or land.heroes


def wrath(state: State, seat: Seat, joker: str) -> tuple[State, Ruling]:
    """The joker and its victims go to the discard pile."""
    struck = victims(state, seat)
    state = throw(state, joker)
    for card in struck:
        state = destroy(state, card)
    what = "monsters" if kind(struck[0]) == "monster" else "heroes"
    clause = "RA-44" if what == "monsters" else "RA-45"
    return state, ok((clause,), f"Joker: all {what} of {seat} gone.", seat)


def use_joker(state: State, event: JokerUsed) -> Judged[State]:
    joker = joker_in_hand(state, event.seat)
    assert joker is not None
    held = with_hand(state, event.seat, without(state.hand[event.seat], joker))
    struck, said = wrath(held, event.seat, joker)
    return Judged(planned(struck), (replace(said, clauses=(*said.clauses, "RA-47")),))
