"""The deal, the five steps of a turn, and Untap."""

from dataclasses import replace

from referee.games.rise_against_monsters import changes
from referee.games.rise_against_monsters.cards import HAND_SIZE, JOKER, kind, spoken
from referee.games.rise_against_monsters.drawing import (
    have_monsters_acted,
    in_draw,
    joker_shown,
)
from referee.games.rise_against_monsters.events import Dealt, StepBegin, StepDone, Untap
from referee.games.rise_against_monsters.orders import planned
from referee.games.rise_against_monsters.ratings import (
    kept_card,
    left_of,
    pinned_heroes,
    pinned_monsters,
)
from referee.games.rise_against_monsters.state import STEPS, State, Step
from referee.games.rise_against_monsters.support import claims_of, reaches, unpaid
from referee.games.rise_against_monsters.words import (
    STEP_WORDS,
    correct,
    illegal,
    info,
    listed,
    ok,
    orders_ruling,
)
from referee.types import Code, Judged, Ruling, Seat

# --- The deal ----------------------------------------------------------------------------------------


def is_deal(state: State, _event: Dealt) -> Ruling | None:
    return None if state.step == "DEAL" else illegal(("RA-07",), "The cards are dealt already.")


def are_seven_each(state: State, event: Dealt) -> Ruling | None:
    for seat, cards in event.hands.items():
        if seat not in state.players:
            return correct(("RA-07",), f"Nobody sits at {seat}.")
        if len(cards) != HAND_SIZE:
            return correct(("RA-07",), f"{seat} has {len(cards)} cards, not {HAND_SIZE}.", seat)
        if has_cards(state, seat):
            return correct(("RA-07",), f"{seat} has cards already.", seat)
    return None


def are_all_different(state: State, event: Dealt) -> Ruling | None:
    dealt = [card for cards in event.hands.values() for card in cards]
    held = [card for cards in state.hand.values() for card in cards]
    roaming = [m for land in state.lands.values() for m in land.monsters]
    double = [c for c in dealt if dealt.count(c) > 1 or c in held or c in roaming or c in state.discard]
    if not double:
        return None
    return correct(("RA-07",), f"{spoken(double[0]).capitalize()} was seen twice: which card is it?")


def has_cards(state: State, seat: Seat) -> bool:
    return bool(state.hand[seat] or state.lands[seat].monsters)


def deal(state: State, event: Dealt) -> Judged[State]:
    """Clubs but the ace go into play at once; when all have their cards the first turn begins."""
    rulings: list[Ruling] = []
    for seat, cards in event.hands.items():
        state, said = _dealt_to(state, seat, cards)
        rulings += said
    if all(has_cards(state, seat) for seat in state.players):
        state = replace(state, step="UNTAP")
        rulings.append(ok(("RA-10", "RA-11"), f"Turn of {state.turn}.", state.turn))
    return Judged(state, tuple(rulings))


def _dealt_to(state: State, seat: Seat, cards: tuple[str, ...]) -> tuple[State, list[Ruling]]:
    monsters = tuple(card for card in cards if kind(card) == "monster")
    jokers = tuple(c for c in cards if c.startswith(JOKER) and state.sw.dealt_joker == "play")
    held = tuple(card for card in cards if card not in (*monsters, *jokers))
    state = changes.with_hand(replace(state, deck_n=state.deck_n - len(cards)), seat, held)
    for monster in monsters:
        state = changes.put(state, seat, monster)
    rulings = [ok(("RA-07", "RA-08"), f"{seat} has in play: {listed(monsters)}.", seat)]
    for joker in jokers:
        state, said = joker_shown(state, seat, joker)
        rulings += said
    return state, rulings


# --- The steps ---------------------------------------------------------------------------------------


def is_done_by_player(state: State, event: StepDone) -> Ruling | None:
    if event.seat != state.turn:
        because = f"It is the turn of {state.turn}, not of {event.seat}."
        return illegal(("RA-19", "RA-10"), because, event.seat)
    if event.step in (None, state.step):
        return None
    return illegal(("RA-19",), f"This is {STEP_WORDS[state.step]}, not {STEP_WORDS[event.step]}.", event.seat)


def is_next_step(state: State, event: StepBegin) -> Ruling | None:
    if (event.seat, event.step) in ((state.turn, state.step), following(state)):
        return None
    seat, step = following(state)
    return illegal(("RA-19",), f"Next comes {STEP_WORDS[step]} of {seat}.", event.seat)


def following(state: State) -> tuple[Seat, Step]:
    """Whose step comes after this one."""
    at = STEPS.index(state.step)
    return (state.turn, STEPS[at + 1]) if at + 1 < len(STEPS) else (left_of(state, state.turn)[0], STEPS[0])


def is_step_over(state: State, event: StepBegin | StepDone) -> Ruling | None:
    """May this step be left now?"""
    if isinstance(event, StepBegin) and (event.seat, event.step) == (state.turn, state.step):
        return None
    if state.step == "UNTAP" and not state.untapped and needs_untap(state):
        because = "First turn the cards upright and pay for bonus cards and castles."
        return illegal(("RA-57", "RA-21", "RA-19"), because, state.turn)
    return have_monsters_acted(state, event) or _is_one_drawn(state)


def _is_one_drawn(state: State) -> Ruling | None:
    must = state.step == "DRAW" and not state.drawn and state.draw_max > 0
    if not must or not (state.deck_n or state.discard):
        return None
    return illegal(("RA-36",), f"{state.turn} must draw at least one card.", state.turn)


def needs_untap(state: State) -> bool:
    """Is anything sideways that could be turned, or to be paid?"""
    return bool(claims_of(state, state.turn)) or any(card in state.tapped for card in in_scope(state))


def begin_step(state: State, event: StepBegin) -> Judged[State]:
    if (event.seat, event.step) != (state.turn, state.step):
        return enter(state, event.seat, event.step)
    if state.step == "MONSTERS":
        return _monsters(state)
    return Judged(state, (info(("RA-19",), f"{STEP_WORDS[state.step]} of {state.turn}.", state.turn),))


def finish_step(state: State, _event: StepDone) -> Judged[State]:
    return enter(state, *following(state))


def enter(state: State, seat: Seat, step: Step) -> Judged[State]:
    if step == "UNTAP":
        return _next_turn(state, seat)
    if step == "MONSTERS":
        return _monsters(replace(state, step=step, untapped=True))
    entered = in_draw(state) if step == "DRAW" else replace(state, step=step, orders=(), pending=())
    return Judged(entered, (_step_words(entered),))


def _step_words(state: State) -> Ruling:
    if state.step != "DRAW":
        return ok(("RA-19",), f"{STEP_WORDS[state.step]} step of {state.turn}.", state.turn)
    least = "at least one" if state.draw_max else "none"
    return ok(("RA-34", "RA-35"), f"{state.turn} draws {least}, at most {state.draw_max}.", state.turn)


def _monsters(state: State) -> Judged[State]:
    state = planned(state)
    said = orders_ruling(state, state.orders)
    if any(order.do == "move" and "G-05" in order.clauses for order in state.orders):
        because = "No land has anything to attack: the monsters move all the same, by house rule."
        said = (Ruling(Code.ASSUME, ("G-05",), because, seat=state.turn), *said)
    quiet = (ok(("RA-23",), f"No monster of {state.turn}'s land acts.", state.turn),)
    return Judged(state, said or quiet)


def _next_turn(state: State, seat: Seat) -> Judged[State]:
    number = state.turn_no + 1
    first = 1 if state.sw.first_turn == "first_player" else len(state.players)
    state = replace(
        state,
        step="UNTAP",
        turn=seat,
        turn_no=number,
        first_round=state.first_round and number <= first,
        untapped=False,
        moved_pairs=(),
        draw_max=0,
        drawn=0,
        orders=(),
        pending=(),
        chosen={},
    )
    return Judged(state, (ok(("RA-10", "RA-19"), f"Turn of {seat}.", seat),))


# --- Untap -------------------------------------------------------------------------------------------


def in_scope(state: State) -> frozenset[str]:
    """The cards that may be turned upright now: the turn player's, also when sent over roads."""
    seats = state.players if state.sw.untap_scope == "all" else (state.turn,)
    lands = [state.lands[seat] for seat in seats]
    fighters = frozenset(card for land in lands for card in (*land.heroes, *land.monsters))
    return fighters | frozenset(state.lands[state.turn].workers)


def is_untap_time(state: State, event: Untap) -> Ruling | None:
    if event.seat != state.turn:
        because = f"It is the turn of {state.turn}, not of {event.seat}."
        return illegal(("RA-21", "RA-10"), because, event.seat)
    if state.step == "UNTAP" and not state.untapped:
        return None
    return illegal(("RA-21", "RA-19"), "Cards are turned upright once, at the start of the turn.", event.seat)


def is_support_lawful(state: State, event: Untap) -> Ruling | None:
    """Workers of the land, or remote ones still on their road; each for one card."""
    for card, workers in event.support.items():
        found = kept_card(state, card)
        if found is None:
            return illegal(("RA-57",), f"{spoken(card)} is no bonus card or castle in play.", event.seat)
        new = [w for w in workers if w not in found[1].by]
        if found[0] != event.seat and new:
            return illegal(("RA-57", "RA-43"), f"{spoken(card)} is not {event.seat}'s.", event.seat)
        helping = {w for kept in state.lands[found[0]].kept for w in kept.by}
        far = [w for w in workers if w not in helping and w not in state.lands[event.seat].workers]
        far += [w for w in workers if not reaches(state, found[0], w)]
        if far:
            return illegal(("RA-57", "RA-64"), f"{spoken(far[0])} cannot help there.", event.seat)
    return _is_each_once(state, event)


def _is_each_once(state: State, event: Untap) -> Ruling | None:
    named = [worker for workers in event.support.values() for worker in workers]
    double = [worker for worker in named if named.count(worker) > 1]
    if not double or state.sw.split_worker:
        return None
    return illegal(("G-14", "RA-59"), f"{spoken(double[0])} can support one card only.", event.seat)


def is_sideways_right(state: State, event: Untap) -> Ruling | None:
    """What is left sideways must have lain so, and a free monster is not left so."""
    helping = {worker for workers in event.support.values() for worker in workers}
    upright = [c for c in event.left_tapped if c not in state.tapped and c not in helping]
    if upright:
        return correct(
            ("RA-21",), f"{spoken(upright[0]).capitalize()} stood upright: turn it back.", event.seat
        )
    staying = _staying(state, event)
    free = [
        c for c in event.left_tapped if kind(c) == "monster" and c in in_scope(state) and c not in staying
    ]
    if free:
        return correct(("RA-21",), f"Nothing pins {spoken(free[0])}: turn it upright.", event.seat)
    return None


def are_pinned_left(state: State, event: Untap) -> Ruling | None:
    pinned = [h for h in pinned_heroes(state) if h in in_scope(state) and h not in event.left_tapped]
    if not pinned:
        return None
    because = f"{spoken(pinned[0]).capitalize()} is pinned and stays sideways."
    return correct(("RA-22", "RA-92", "RA-94"), because, event.seat)


def _staying(state: State, event: Untap) -> frozenset[str]:
    """All that stays sideways: left so, tapped for support, out of scope, pinned."""
    scope = in_scope(state)
    helping = {worker for workers in event.support.values() for worker in workers}
    left = {c for c in event.left_tapped if kind(c) != "monster"} | helping
    heroes = frozenset(c for c in state.tapped if c not in scope) | left
    return heroes | frozenset(pinned_monsters(state, heroes))


def untap(state: State, event: Untap) -> Judged[State]:
    staying = _staying(state, event)
    pinned = tuple(c for c in staying if kind(c) == "monster" and c in in_scope(state))
    claims = _claims(state, event, staying)
    freed = frozenset(c for c in state.tapped if c in in_scope(state) and c not in staying)
    turned = changes.untap(state, freed)
    turned = changes.tap(turned, *(w for workers in claims.values() for w in workers))
    turned = replace(_regrouped(turned, event.seat, claims), untapped=True)
    turned, lost = _pay(turned, event.seat)
    held = (ok(("RA-92", "RA-93", "RA-22"), f"Pinned: {listed(tuple(sorted(pinned)))}.", event.seat),)
    done = ok(("RA-21", "RA-57"), f"{event.seat}'s cards are upright.", event.seat)
    return Judged(turned, (*lost, *(held if pinned else ()), done))


def _claims(state: State, event: Untap, staying: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """Who supports what from now on: as told, else whoever was left sideways at the card."""
    told = {worker for workers in event.support.values() for worker in workers}
    claims: dict[str, tuple[str, ...]] = {}
    for card, by in claims_of(state, event.seat).items():
        keep = (w for w in by if w in staying and (w not in told or state.sw.split_worker))
        workers = event.support[card] if card in event.support else tuple(keep)
        claims[card] = tuple(w for w in workers if reaches(state, event.seat, w))
    return claims


def _regrouped(state: State, seat: Seat, claims: dict[str, tuple[str, ...]]) -> State:
    land = state.lands[seat]
    bonus = tuple(replace(b, by=claims[b.card]) for b in land.bonus)
    castles = tuple(replace(c, by=claims[c.card]) for c in land.castles)
    return changes.with_land(state, seat, replace(land, bonus=bonus, castles=castles))


def _pay(state: State, seat: Seat) -> tuple[State, tuple[Ruling, ...]]:
    """What is not paid for goes; a bonus card counts for its own workers while it is kept."""
    lost: list[Ruling] = []
    while card := unpaid(state, claims_of(state, seat)):
        under = tuple(m for c in state.lands[seat].castles if c.card == card for m in c.under)
        state = changes.lose(state, seat, card)
        roam = f"; {listed(under)} roam" if under else ""
        clauses = ("RA-62", "RA-83") if kind(card) == "castle" else ("RA-62", "RA-79")
        lost.append(ok(clauses, f"{spoken(card)} not paid: discarded{roam}.", seat))
    return state, tuple(lost)
