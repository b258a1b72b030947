"""Drawing cards one by one, what comes into play by itself, and who lies under a castle."""

from dataclasses import replace

from referee.games.rise_against_monsters.cards import CASTLE_ROOM, HAND_SIZE, kind, spoken
from referee.games.rise_against_monsters.changes import (
    bound,
    let_in,
    put,
    tap,
    with_hand,
    with_land,
)
from referee.games.rise_against_monsters.combat import victims, wrath
from referee.games.rise_against_monsters.events import CastleSet, Drawn, DrawStop, Event, Reshuffled
from referee.games.rise_against_monsters.orders import next_orders, planned
from referee.games.rise_against_monsters.ratings import kept_card, land_of
from referee.games.rise_against_monsters.state import Castle, State, cards_in_play
from referee.games.rise_against_monsters.words import (
    correct,
    illegal,
    listed,
    ok,
    order_words,
    orders_ruling,
)
from referee.types import Code, Judged, Ruling, Seat

# --- May a card be drawn? ----------------------------------------------------------------------------


def have_monsters_acted(state: State, _event: Event) -> Ruling | None:
    """Nothing goes on before a monster that must act."""
    orders = next_orders(state)
    if not orders:
        return None
    first = "RA-40" if state.step == "DRAW" else "RA-23"
    because = f"First {' or '.join(map(order_words, orders))}."
    return correct((first, *orders[0].clauses), because, state.turn)


def is_drawer(state: State, event: Drawn | DrawStop) -> Ruling | None:
    if event.seat == state.turn:
        return None
    return illegal(("RA-35", "RA-10"), f"It is the turn of {state.turn}, not of {event.seat}.", event.seat)


def is_draw_step(state: State, event: Drawn | DrawStop) -> Ruling | None:
    """The first draw after the monsters begins the step."""
    if state.step == "DRAW" or (state.step == "MONSTERS" and isinstance(event, Drawn)):
        return None
    return illegal(("RA-35", "RA-19"), "Cards are drawn only in the Draw step.", event.seat)


def may_draw_more(state: State, event: Drawn) -> Ruling | None:
    if in_draw(state).drawn < in_draw(state).draw_max:
        return None
    most = in_draw(state).draw_max
    return illegal(("RA-35",), f"{event.seat} may draw {most} this turn and has.", event.seat)


def is_deck_left(state: State, event: Drawn) -> Ruling | None:
    if state.deck_n:
        return None
    if state.discard:
        return correct(("RA-38",), "The deck is used up: shuffle the discard pile first.", event.seat)
    return illegal(("G-28",), "Deck and discard pile are empty: drawing ends.", event.seat)


def is_new_card(state: State, event: Drawn) -> Ruling | None:
    held = [card for cards in state.hand.values() for card in cards]
    if event.card not in (*held, *cards_in_play(state), *state.discard):
        return None
    return correct(("RA-37",), f"{spoken(event.card)} lies elsewhere already: which card is it?", event.seat)


def in_draw(state: State) -> State:
    """The state as the Draw step begins."""
    if state.step == "DRAW":
        return state
    most = max(0, HAND_SIZE - len(state.hand[state.turn]))
    return replace(state, step="DRAW", draw_max=most, drawn=0, orders=(), pending=())


# --- A card is drawn ---------------------------------------------------------------------------------


def draw(state: State, event: Drawn) -> Judged[State]:
    state = in_draw(state)
    state = replace(state, deck_n=state.deck_n - 1, drawn=state.drawn + 1, orders=(), arrived=())
    shown, rulings = _shown(state, event.seat, event.card)
    if not shown.deck_n and shown.discard and shown.drawn < shown.draw_max:
        shuffle = "The deck is used up: shuffle the discard pile to draw on."
        rulings = (*rulings, Ruling(Code.PROMPT, ("RA-38",), shuffle, seat=event.seat))
    return Judged(shown, rulings)


def _shown(state: State, seat: Seat, card: str) -> tuple[State, tuple[Ruling, ...]]:
    match kind(card):
        case "monster":
            return _monster_drawn(state, seat, card)
        case "hero":
            because = f"{spoken(card).capitalize()} enters play and may attack at once."
            return put(state, seat, card), (ok(("RA-39", "RA-42"), because, seat),)
        case "joker":
            return joker_shown(state, seat, card)
    held = with_hand(state, seat, (*state.hand[seat], card))
    return held, (ok(("RA-49",), f"{spoken(card).capitalize()} goes to {seat}'s hand.", seat),)


def _monster_drawn(state: State, seat: Seat, card: str) -> tuple[State, tuple[Ruling, ...]]:
    entered = let_in(state, seat, card, tapped=False)
    arrived = (card,) if state.lands[seat].castles else ()
    entered = replace(entered, pending=(card,), arrived=arrived, arrived_tapped=False)
    entered = planned(entered)
    if land_of(entered, card) is None:
        return entered, (ok(("RA-82",), f"{spoken(card).capitalize()} is bound by a castle.", seat),)
    if not entered.orders:
        because = f"{spoken(card).capitalize()} finds nothing to attack and stays."
        return entered, (ok(("RA-39", "RA-41"), because, seat),)
    said = ok(("RA-39", "RA-40"), f"{order_words(entered.orders[0])}.".capitalize(), seat)
    return entered, (said,)


def joker_shown(state: State, seat: Seat, card: str) -> tuple[State, tuple[Ruling, ...]]:
    """A joker strikes at once, or waits in the hand when there is nobody to strike."""
    if victims(state, seat):
        struck, said = wrath(state, seat, card)
        return struck, (said,)
    held = with_hand(state, seat, (*state.hand[seat], card))
    return held, (ok(("RA-46",), f"The joker goes to {seat}'s hand.", seat),)


# --- Enough drawn, and the deck made new -------------------------------------------------------------


def has_drawn_one(state: State, event: DrawStop) -> Ruling | None:
    if state.drawn or not state.draw_max or not (state.deck_n or state.discard):
        return None
    return illegal(("RA-36",), f"{event.seat} must draw at least one card.", event.seat)


def stop_drawing(state: State, event: DrawStop) -> Judged[State]:
    said = ok(("RA-35", "RA-36"), f"{event.seat} has drawn {state.drawn}: play cards.", event.seat)
    return Judged(replace(state, step="PLAY", orders=(), pending=()), (said,))


def is_deck_empty(state: State, _event: Reshuffled) -> Ruling | None:
    if not state.deck_n:
        return None
    return illegal(("RA-38",), f"{state.deck_n} cards are left to draw before the pile is shuffled.")


def is_whole_pile(state: State, event: Reshuffled) -> Ruling | None:
    if event.deck_n == len(state.discard):
        return None
    because = f"The discard pile has {len(state.discard)} cards, not {event.deck_n}: shuffle all of it."
    return correct(("RA-38",), because)


def reshuffle(state: State, event: Reshuffled) -> Judged[State]:
    said = ok(("RA-38",), f"The discard pile is the new deck: {event.deck_n} cards.")
    return Judged(replace(state, deck_n=event.deck_n, discard=()), (said,))


# --- Who lies under the castle -----------------------------------------------------------------------


def is_castle(state: State, event: CastleSet) -> Ruling | None:
    found = kept_card(state, event.castle)
    if found and isinstance(found[1], Castle):
        return None
    return illegal(("RA-84",), f"{spoken(event.castle)} is no castle in play.")


def has_somebody_arrived(state: State, event: CastleSet) -> Ruling | None:
    seat, _ = _castle(state, event.castle)
    here = (*state.lands[seat].monsters, *(m for c in state.lands[seat].castles for m in c.under))
    if any(monster in here for monster in state.arrived):
        return None
    return illegal(("RA-84", "G-18"), "Monsters are regrouped only when one arrives there.", seat)


def are_monsters_there(state: State, event: CastleSet) -> Ruling | None:
    seat, castle = _castle(state, event.castle)
    pool = {*castle.under, *(m for m in state.arrived if m in state.lands[seat].monsters)}
    left = set(castle.under) - set(event.under)
    if set(event.under) <= pool and len(set(event.under)) == len(event.under) and left == set(event.out):
        return None
    return illegal(("RA-84",), f"The castle chooses among {listed(tuple(sorted(pool)))}.", seat)


def is_room(state: State, event: CastleSet) -> Ruling | None:
    if bound(event.under) <= CASTLE_ROOM:
        return None
    because = f"{bound(event.under)} is more than the {CASTLE_ROOM} a castle binds."
    return illegal(("RA-84", "RA-82"), because, _castle(state, event.castle)[0])


def _castle(state: State, card: str) -> tuple[Seat, Castle]:
    found = kept_card(state, card)
    assert found is not None and isinstance(found[1], Castle)
    return found[0], found[1]


def set_castle(state: State, event: CastleSet) -> Judged[State]:
    """A released monster takes the newcomer's state: it attacks now, or lies sideways."""
    seat, castle = _castle(state, event.castle)
    land = state.lands[seat]
    castles = tuple(replace(c, under=event.under) if c is castle else c for c in land.castles)
    roaming = tuple(m for m in land.monsters if m not in event.under) + event.out
    regrouped = with_land(state, seat, replace(land, castles=castles, monsters=roaming))
    regrouped = replace(
        regrouped,
        tapped=tuple(c for c in regrouped.tapped if c not in event.under),
        arrived=tuple(dict.fromkeys((*state.arrived, *event.out))),
    )
    because = f"Bound: {listed(event.under)}; released: {listed(event.out)}."
    regrouped = _released(regrouped, event.out)
    said = ok(("RA-84", "G-18"), because, seat)
    return Judged(planned(regrouped), (*orders_ruling(state, planned(regrouped).orders), said))


def _released(state: State, out: tuple[str, ...]) -> State:
    if state.arrived_tapped:
        return tap(state, *out)
    here = state.lands[state.turn].monsters
    return replace(state, pending=tuple(m for m in (*state.pending, *out) if m in here))
