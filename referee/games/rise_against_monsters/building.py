"""Playing cards from the hand, support at once, cards sent for good, and the discard."""

from collections.abc import Mapping
from dataclasses import replace

from referee.games.rise_against_monsters.cards import kind, spoken
from referee.games.rise_against_monsters.changes import (
    put,
    send_over,
    tap,
    throw,
    use_road,
    with_hand,
    with_land,
    without,
)
from referee.games.rise_against_monsters.events import Discarded, Play, SupportAdded, Transfer
from referee.games.rise_against_monsters.orders import planned
from referee.games.rise_against_monsters.ratings import (
    cost,
    far_end,
    fits_road,
    kept_card,
    land_of,
    rating,
    road_called,
    road_rating,
    support_sum,
)
from referee.games.rise_against_monsters.state import Bonus, Castle, Road, State
from referee.games.rise_against_monsters.support import claims_of, may_help, unpaid
from referee.games.rise_against_monsters.words import illegal, listed, ok
from referee.types import Judged, Ruling, Seat

# --- May it be played? -------------------------------------------------------------------------------


def is_player(state: State, event: Play | Discarded) -> Ruling | None:
    if event.seat == state.turn:
        return None
    return illegal(("RA-10", "RA-19"), f"It is the turn of {state.turn}, not of {event.seat}.", event.seat)


def is_play_step(state: State, event: Play) -> Ruling | None:
    if state.step == "PLAY":
        return None
    return illegal(("RA-58", "RA-19", "RA-51"), "Cards are played only in the Play step.", event.seat)


def is_in_hand(state: State, event: Play) -> Ruling | None:
    if event.card in state.hand[event.seat]:
        return None
    return illegal(("RA-19",), f"{spoken(event.card)} is not in {event.seat}'s hand.", event.seat)


def is_playable(_state: State, event: Play) -> Ruling | None:
    if kind(event.card) not in ("joker", "monster"):
        return None
    return illegal(("RA-47",), f"{spoken(event.card)} is not built; a joker is used.", event.seat)


def is_land_clear(state: State, event: Play) -> Ruling | None:
    roaming = state.lands[event.seat].monsters
    if kind(event.card) == "hero" or not roaming:
        return None
    because = f"{listed(roaming)} in {event.seat}'s land: only heroes may be played."
    return illegal(("RA-58", "RA-50"), because.capitalize(), event.seat)


def are_ends_clear(state: State, event: Play) -> Ruling | None:
    if kind(event.card) != "road":
        return None
    ends = event.ends or ()
    if len(ends) == 2 and ends[0] != ends[1] and event.seat in ends and set(ends) <= set(state.players):
        return None
    return illegal(("RA-63",), f"Say which land the road joins to {event.seat}'s.", event.seat)


def is_support_fit(state: State, event: Play) -> Ruling | None:
    if kind(event.card) not in ("bonus", "castle"):
        return None
    return may_help(state, event.seat, event.support, event.via)


def is_support_enough(state: State, event: Play) -> Ruling | None:
    if kind(event.card) not in ("bonus", "castle"):
        return None
    short = unpaid(state, {**claims_of(state, event.seat), event.card: event.support})
    paid = support_sum(state, event.support)
    if paid >= cost(event.card) and (not state.sw.split_worker or short is None):
        return None
    because = f"{spoken(event.card)} needs workers of {cost(event.card)}, not {paid}."
    return illegal(("RA-59", "RA-60"), because, event.seat)


# --- It is played ------------------------------------------------------------------------------------


def play(state: State, event: Play) -> Judged[State]:
    seat, card = event.seat, event.card
    state = with_hand(state, seat, without(state.hand[seat], card))
    match kind(card):
        case "hero":
            because = f"{spoken(card).capitalize()} enters play and may attack at once."
            return Judged(put(state, seat, card), (ok(("RA-51",), because, seat),))
        case "worker":
            return _building(state, put(state, seat, card), seat, card, "RA-14")
        case "road":
            return _building(state, _laid_road(state, event), seat, card, "RA-63")
    return _founded(state, event)


def _laid_road(state: State, event: Play) -> State:
    ends = event.ends or ()
    road = Road(event.card, (ends[0], ends[1]), builder=event.seat)
    return replace(state, roads=(*state.roads, road))


def _building(before: State, after: State, seat: Seat, card: str, clause: str) -> Judged[State]:
    said = ok((clause, "RA-58"), f"{seat} plays {spoken(card)}.", seat)
    if before.phase[seat] == "building":
        return Judged(after, (said,))
    after = replace(after, phase={**after.phase, seat: "building"}, ever_building=True)
    return Judged(after, (said, ok(("RA-54",), f"{seat} enters Building.", seat)))


def _founded(state: State, event: Play) -> Judged[State]:
    """A bonus card or castle comes in; the workers that pay for it lie sideways."""
    seat, card = event.seat, event.card
    land = state.lands[seat]
    if kind(card) == "castle":
        land = replace(land, castles=(*land.castles, Castle(card, event.support)))
    else:
        land = replace(land, bonus=(*land.bonus, Bonus(card, event.support)))
    founded = _helped(with_land(state, seat, land), seat, event.support, event.via)
    several = ("RA-60",) if len(event.support) > 1 else ()
    remote = ("RA-64", "RA-66") if any(land_of(state, w) != seat for w in event.support) else ()
    because = f"{seat} brings in the {spoken(card)}.{_castle_count(founded, card)}"
    return Judged(founded, (ok(("RA-59", "RA-58", *several, *remote), because, seat),))


def _castle_count(state: State, card: str) -> str:
    if kind(card) != "castle":
        return ""
    return f" Castle {castles(state)} of {len(state.players)}."


def castles(state: State) -> int:
    return sum(len(land.castles) for land in state.lands.values())


def _helped(state: State, seat: Seat, workers: tuple[str, ...], via: Mapping[str, str]) -> State:
    """The workers are tapped, the remote ones on their roads."""
    for worker in workers:
        if worker in via and land_of(state, worker) != seat:
            state = use_road(state, via[worker], worker)
    return tap(state, *workers)


# --- Support at once ---------------------------------------------------------------------------------


def is_supportable(state: State, event: SupportAdded) -> Ruling | None:
    if kept_card(state, event.target):
        return None
    return illegal(("RA-80",), f"{spoken(event.target)} is no bonus card or castle in play.")


def are_workers_free(state: State, event: SupportAdded) -> Ruling | None:
    found = kept_card(state, event.target)
    return may_help(state, found[0], event.workers, event.via) if found else None


def add_support(state: State, event: SupportAdded) -> Judged[State]:
    found = kept_card(state, event.target)
    assert found is not None
    seat, land = found[0], state.lands[found[0]]
    more = event.workers
    land = replace(
        land,
        bonus=tuple(replace(b, by=b.by + more) if b.card == event.target else b for b in land.bonus),
        castles=tuple(replace(c, by=c.by + more) if c.card == event.target else c for c in land.castles),
    )
    helped = _helped(with_land(state, seat, land), seat, more, event.via)
    because = f"{listed(more).capitalize()} supports the {spoken(event.target)}."
    return Judged(helped, (ok(("RA-80", "RA-43"), because, seat),))


# --- Sent for good -----------------------------------------------------------------------------------


def may_be_sent(state: State, event: Transfer) -> Ruling | None:
    if kind(event.card) not in ("hero", "worker") or land_of(state, event.card) is None:
        return illegal(("RA-70",), f"{spoken(event.card)} is no hero or worker in play.")
    if event.card in state.tapped:
        return illegal(("RA-20", "RA-71"), f"{spoken(event.card)} lies sideways and cannot be sent.")
    return None


def is_road_open(state: State, event: Transfer) -> Ruling | None:
    road, home = road_called(state, event.road), land_of(state, event.card)
    if road is None or home is None or home not in road.ends:
        return illegal(("RA-64", "RA-70"), f"No such road begins where {spoken(event.card)} lies.")
    if road.used_by is not None:
        return illegal(("RA-67",), f"The {spoken(road.card)} is in use by {spoken(road.used_by)}.", home)
    if fits_road(state, event.card, home, road, for_good=True):
        return None
    size, limit = rating(state, home, event.card), road_rating(state, road, home) // 2
    because = f"{spoken(event.card)} ({size}) is more than half the road: at most {limit} may go for good."
    return illegal(("RA-70", "G-13"), because, home)


def transfer(state: State, event: Transfer) -> Judged[State]:
    home, road = land_of(state, event.card), road_called(state, event.road)
    assert home is not None and road is not None
    to = far_end(road, home)
    because = f"{spoken(event.card)} goes to {to} for good and lies sideways."
    said = ok(("RA-70", "RA-71", "G-13"), because.capitalize(), home)
    return Judged(planned(send_over(state, event.card, event.road)), (said,))


# --- Discard -----------------------------------------------------------------------------------------


def is_discard_step(state: State, event: Discarded) -> Ruling | None:
    """Throwing the first card away ends the playing."""
    if state.step in ("PLAY", "DISCARD"):
        return None
    return illegal(("RA-52", "RA-19"), "Cards are discarded at the end of the turn.", event.seat)


def are_cards_in_hand(state: State, event: Discarded) -> Ruling | None:
    held = state.hand[event.seat]
    if set(event.cards) <= set(held) and len(set(event.cards)) == len(event.cards):
        return None
    return illegal(("RA-52",), f"Only cards from {event.seat}'s hand may be discarded.", event.seat)


def discard(state: State, event: Discarded) -> Judged[State]:
    left = tuple(card for card in state.hand[event.seat] if card not in event.cards)
    thrown = throw(with_hand(state, event.seat, left), *event.cards)
    said = ok(("RA-52",), f"{event.seat} discards {listed(event.cards)}.", event.seat)
    return Judged(replace(thrown, step="DISCARD"), (said,))
