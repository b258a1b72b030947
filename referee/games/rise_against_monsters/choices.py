"""What may be declared now: the forced moves first, then what the players may do."""

from collections.abc import Iterator
from itertools import combinations

from referee.games.rise_against_monsters.building import castles, is_land_clear, is_road_open, may_be_sent
from referee.games.rise_against_monsters.cards import CASTLE_ROOM, kind, spoken
from referee.games.rise_against_monsters.changes import bound
from referee.games.rise_against_monsters.combat import can_attack, joker_in_hand, tied
from referee.games.rise_against_monsters.drawing import has_drawn_one
from referee.games.rise_against_monsters.events import Attack, DrawStop, Play, StepDone, Transfer
from referee.games.rise_against_monsters.orders import next_orders
from referee.games.rise_against_monsters.ratings import (
    cost,
    far_end,
    fits_road,
    home_rating,
    pinned_heroes,
    pins,
    roads_at,
    support_sum,
)
from referee.games.rise_against_monsters.state import Castle, Order, State
from referee.games.rise_against_monsters.support import claims_of, reaches
from referee.games.rise_against_monsters.turn import has_cards, in_scope, is_step_over, needs_untap
from referee.games.rise_against_monsters.words import STEP_WORDS, listed, order_words
from referee.types import Ask, Choice, Seat


def choices(state: State) -> tuple[Choice, ...]:
    """Everything that may be declared now, by anybody."""
    match state.step:
        case "GAME_OVER":
            return ()
        case "DEAL":
            return tuple(_deal(seat) for seat in state.players if not has_cards(state, seat))
        case "UNTAP":
            return (*_untaps(state), *_jokers(state), *_step_done(state))
    return (
        *_forced(state),
        *_castle_sets(state),
        *_jokers(state),
        *_draws(state),
        *_plays(state),
        *_discards(state),
        *_attacks(state),
        *_helps(state),
        *_transfers(state),
        *_step_done(state),
    )


def _deal(seat: Seat) -> Choice:
    return Choice("dealt", f"{seat}'s seven cards", {"seat": seat}, (Ask("cards", "pieces"),))


# --- What must happen --------------------------------------------------------------------------------


def _forced(state: State) -> Iterator[Choice]:
    for order in next_orders(state):
        yield _followed(state, order)
        others = [value for value in tied(state, order.card) if value not in (order.target, order.to)]
        for value in others:
            yield Choice(
                "choice", f"{spoken(order.card)}: {value} instead", {"what": order.card, "value": value}
            )


def _followed(state: State, order: Order) -> Choice:
    label = f"{order_words(order)}."
    if order.do == "attack":
        return Choice("attack", label, {"attacker": order.card, "target": order.target})
    return Choice("monster_moved", label, {"card": order.card, "from": state.turn, "to": order.to})


def _step_done(state: State) -> Iterator[Choice]:
    done = StepDone(state.turn, state.step)
    if state.step == "DRAW" or is_step_over(state, done):
        return
    yield Choice("step_done", f"{STEP_WORDS[state.step]} is done", {"seat": state.turn, "step": state.step})


# --- Untap -------------------------------------------------------------------------------------------


def _untaps(state: State) -> Iterator[Choice]:
    """Keep all that is paid, let one go, or turn everything upright."""
    if state.untapped or not needs_untap(state):
        return
    must = tuple(hero for hero in pinned_heroes(state) if hero in in_scope(state))
    heroes = tuple(hero for hero in _pinning(state) if hero not in must)
    claims = _topped_up(state, _still_reaching(state, claims_of(state, state.turn)))
    abroad = _helping_abroad(state)
    yield _untap(state, "Untap; keep what is supported and pinned", (*must, *heroes, *abroad), claims)
    if heroes or claims or abroad:
        yield _untap(state, "Untap everything", must, {})
    for card in claims:
        kept = {c: by for c, by in claims.items() if c != card}
        yield _untap(state, f"Untap; give up the {spoken(card)}", (*must, *heroes, *abroad), kept)
    for hero in heroes:
        left = (*must, *(h for h in heroes if h != hero), *abroad)
        yield _untap(state, f"Untap; take {spoken(hero)} back", left, claims)


def _untap(state: State, label: str, left: tuple[str, ...], claims: dict[str, tuple[str, ...]]) -> Choice:
    own = {card: by for card, by in claims.items() if by}
    workers = tuple(w for by in own.values() for w in by if w in in_scope(state))
    fields = {"seat": state.turn, "left_tapped": tuple(dict.fromkeys((*left, *workers))), "support": own}
    return Choice("untap", label, fields)


def _still_reaching(state: State, claims: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {card: tuple(w for w in by if reaches(state, state.turn, w)) for card, by in claims.items()}


def _topped_up(state: State, claims: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Idle workers of the land take the places of lost ones, the strongest first."""
    busy = {worker for by in claims.values() for worker in by} | set(_helping_abroad(state))
    idle = [worker for worker in state.lands[state.turn].workers if worker not in busy]
    idle.sort(key=lambda worker: home_rating(state, worker))
    full: dict[str, tuple[str, ...]] = {}
    for card, by in claims.items():
        while idle and support_sum(state, by) < cost(card):
            by = (*by, idle.pop())
        full[card] = by
    return full


def _pinning(state: State) -> tuple[str, ...]:
    scope = in_scope(state)
    return tuple(
        dict.fromkeys(a for a, t in state.contacts if kind(a) == "hero" and a in scope and pins(state, a, t))
    )


def _helping_abroad(state: State) -> tuple[str, ...]:
    """The turn player's workers that support a card in another land."""
    own = state.lands[state.turn].workers
    abroad = [w for seat in state.players if seat != state.turn for k in state.lands[seat].kept for w in k.by]
    return tuple(worker for worker in own if worker in abroad)


# --- Castles, jokers ---------------------------------------------------------------------------------


def _castle_sets(state: State) -> Iterator[Choice]:
    for seat, land in state.lands.items():
        for castle in land.castles:
            for under in _groupings(state, seat, castle):
                out = tuple(m for m in castle.under if m not in under)
                label = f"{spoken(castle.card)} binds {listed(under)}; released: {listed(out)}"
                yield Choice("castle_set", label, {"castle": castle.card, "under": under, "out": out})


def _groupings(state: State, seat: Seat, castle: Castle) -> Iterator[tuple[str, ...]]:
    """Every full set of monsters the castle may bind instead of those it binds."""
    here = (*state.lands[seat].monsters, *castle.under)
    if not any(monster in here for monster in state.arrived):
        return
    pool = (*castle.under, *(m for m in state.arrived if m in state.lands[seat].monsters))
    for size in range(1, len(pool) + 1):
        for under in combinations(pool, size):
            if set(under) != set(castle.under) and _is_full(under, pool):
                yield under


def _is_full(under: tuple[str, ...], pool: tuple[str, ...]) -> bool:
    room = CASTLE_ROOM - bound(under)
    return room >= 0 and not any(bound((m,)) <= room for m in pool if m not in under)


def _jokers(state: State) -> Iterator[Choice]:
    for seat in state.players:
        if joker_in_hand(state, seat) and state.lands[seat].monsters:
            yield Choice("joker_used", f"{seat} uses the joker", {"seat": seat})


# --- Draw, play, discard -----------------------------------------------------------------------------


def _draws(state: State) -> Iterator[Choice]:
    if state.step != "DRAW" or next_orders(state):
        return
    sure = {"seat": state.turn}
    if state.drawn < state.draw_max and state.deck_n:
        yield Choice("drawn", f"{state.turn} draws", sure, (Ask("card", "text"),))
    if not state.deck_n and state.discard:
        label = "The discard pile is shuffled as new deck"
        yield Choice("reshuffled", label, {"deck_n": len(state.discard)})
    if has_drawn_one(state, DrawStop(state.turn)) is None:
        yield Choice("draw_stop", "Enough drawn", sure)


def _plays(state: State) -> Iterator[Choice]:
    if state.step != "PLAY":
        return
    for card in state.hand[state.turn]:
        if kind(card) == "joker" or is_land_clear(state, Play(state.turn, card)):
            continue
        yield from _plays_of(state, card)


def _plays_of(state: State, card: str) -> Iterator[Choice]:
    sure: dict[str, object] = {"seat": state.turn, "card": card}
    match kind(card):
        case "road":
            for seat in state.players:
                if seat != state.turn:
                    label = f"Play {spoken(card)} to {seat}"
                    yield Choice("play", label, {**sure, "ends": (state.turn, seat)})
        case "bonus" | "castle":
            found = enough_support(state, state.turn, cost(card))
            if found is not None:
                label = (
                    f"Bring in the {spoken(card)}{_castle_number(state, card)} with {listed(tuple(found))}"
                )
                via = {worker: road for worker, road in found.items() if road}
                yield Choice("play", label, {**sure, "support": tuple(found), "via": via})
        case _:
            yield Choice("play", f"Play {spoken(card)}", sure)


def _castle_number(state: State, card: str) -> str:
    return f" (castle {castles(state) + 1} of {len(state.players)})" if kind(card) == "castle" else ""


def enough_support(state: State, seat: Seat, needed: int) -> dict[str, str | None] | None:
    """Workers that together reach the sum, each with its road; none of them could be left out."""
    free = _helpers(state, seat)
    used: list[str] = []
    for worker in sorted(free, key=lambda w: -home_rating(state, w)):
        if support_sum(state, tuple(used)) < needed:
            used.append(worker)
    if support_sum(state, tuple(used)) < needed:
        return None
    for worker in list(used):
        rest = tuple(w for w in used if w != worker)
        if support_sum(state, rest) >= needed:
            used.remove(worker)
    return {worker: free[worker] for worker in used}


def _helpers(state: State, seat: Seat) -> dict[str, str | None]:
    """Upright workers of the land, and one over each free road that is wide enough."""
    found: dict[str, str | None] = {
        worker: None for worker in state.lands[seat].workers if worker not in state.tapped
    }
    for road in roads_at(state, seat):
        home = far_end(road, seat)
        able = [w for w in state.lands[home].workers if w not in state.tapped and w not in found]
        able = [w for w in able if fits_road(state, w, home, road)]
        if road.used_by is None and able:
            found[max(able, key=lambda w: home_rating(state, w))] = road.card
    return found


def _discards(state: State) -> Iterator[Choice]:
    if state.step != "DISCARD":
        return
    for card in state.hand[state.turn]:
        yield Choice("discarded", f"Discard {spoken(card)}", {"seat": state.turn, "cards": (card,)})


# --- At any time -------------------------------------------------------------------------------------


def _attacks(state: State) -> Iterator[Choice]:
    for seat, land in state.lands.items():
        for hero in land.heroes:
            if hero not in state.tapped:
                yield from _attacks_of(state, seat, hero)


def _attacks_of(state: State, seat: Seat, hero: str) -> Iterator[Choice]:
    ways: list[tuple[Seat, str | None]] = [(seat, None)]
    ways += [(far_end(road, seat), road.card) for road in roads_at(state, seat)]
    for there, road in ways:
        for monster in state.lands[there].monsters:
            if can_attack(state, Attack(hero, monster, road)) is None:
                over = f" over {spoken(road)}" if road else ""
                label = f"{seat}: {spoken(hero)} attacks {spoken(monster)}{over}"
                yield Choice("attack", label, {"attacker": hero, "target": monster, "via": road})


def _helps(state: State) -> Iterator[Choice]:
    """A card that has lost support may get another worker at once."""
    for seat in state.players:
        for kept in state.lands[seat].kept:
            if support_sum(state, kept.by) < cost(kept.card):
                for worker, road in _helpers(state, seat).items():
                    via = {worker: road} if road else {}
                    label = f"{spoken(worker)} supports the {spoken(kept.card)}"
                    fields = {"target": kept.card, "workers": (worker,), "via": via}
                    yield Choice("support_added", label, fields)


def _transfers(state: State) -> Iterator[Choice]:
    if state.step != "PLAY":
        return
    for road in state.roads:
        for seat in road.ends:
            land = state.lands[seat]
            for card in (*land.heroes, *land.workers):
                event = Transfer(card, road.card)
                if may_be_sent(state, event) or is_road_open(state, event):
                    continue
                label = f"{spoken(card)} goes to {far_end(road, seat)} for good"
                yield Choice("transfer", label, {"card": card, "road": road.card})
