"""A state from JSON and back; what is missing is filled in, what cannot be is refused."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from referee.codec import from_plain, to_plain
from referee.errors import TableError
from referee.game import Plain
from referee.games.rise_against_monsters.cards import HAND_SIZE, Kind, check_card, decks_for, kind
from referee.games.rise_against_monsters.ratings import all_ratings
from referee.games.rise_against_monsters.state import FEWEST, MOST, Land, State, cards_in_play
from referee.types import Seat

DERIVED = ("ratings", "via")
"""Told with the state; `via` may also be given instead of the roads' `used_by`."""


def begin(seats: tuple[Seat, ...], switches: Plain) -> State:
    """A fresh game: the last seat deals, the first begins."""
    return load({"players": list(seats), "sw": switches})


def load(plain: Plain) -> State:
    """A state from JSON; what is missing is as in a fresh game."""
    told = {k: v for k, v in plain.items() if k not in DERIVED}
    state = from_plain(State, told, "state")
    _check_players(state)
    state = _with_via(_filled(state, told), plain.get("via"))
    _check(state)
    return state


def _filled(state: State, told: Plain) -> State:
    players = state.players
    turn = state.turn if "turn" in told else players[0]
    dealer = (
        state.dealer if "dealer" in told else players[players.index(turn) - 1] if turn in players else turn
    )
    lands = {seat: state.lands.get(seat, Land()) for seat in players} | dict(state.lands)
    hand = {seat: state.hand.get(seat, ()) for seat in players} | dict(state.hand)
    phase = {seat: state.phase.get(seat, "clearing") for seat in players} | dict(state.phase)
    state = replace(state, turn=turn, dealer=dealer, lands=lands, hand=hand, phase=phase)
    step = state.step if "step" in told else "PLAY" if any(cards_in_play(state)) else "DEAL"
    state = replace(state, step=step)
    return replace(
        state,
        ever_building=state.ever_building if "ever_building" in told else "building" in phase.values(),
        deck_n=state.deck_n if "deck_n" in told else _deck_left(state),
        untapped=state.untapped if "untapped" in told else step not in ("DEAL", "UNTAP"),
        draw_max=state.draw_max if "draw_max" in told else _draw_max(state),
    )


def _deck_left(state: State) -> int:
    """All cards but those that lie elsewhere."""
    decks = decks_for(len(state.players), state.sw.extra_deck)
    elsewhere = sum(1 for _ in cards_in_play(state)) + len(state.discard)
    elsewhere += sum(len(cards) for cards in state.hand.values())
    return max(0, decks * (52 + state.sw.jokers_per_deck) - elsewhere)


def _draw_max(state: State) -> int:
    if state.step != "DRAW" or state.turn not in state.hand:
        return 0
    return max(0, HAND_SIZE - len(state.hand[state.turn]))


def _with_via(state: State, via: object) -> State:
    if not isinstance(via, Mapping):
        return state
    users = {road: card for card, road in via.items()}
    roads = tuple(replace(r, used_by=r.used_by or users.get(r.card)) for r in state.roads)
    return replace(state, roads=roads)


def _check_players(state: State) -> None:
    if not FEWEST <= len(state.players) <= MOST:
        raise TableError(f"Rise against Monsters takes {FEWEST} to {MOST} players, not {len(state.players)}")
    if len(set(state.players)) != len(state.players):
        raise TableError(f"every seat needs a name of its own, not {', '.join(state.players)}")


def _check(state: State) -> None:
    ends = {seat for road in state.roads for seat in road.ends}
    seats = {state.turn, state.dealer, *state.lands, *state.hand, *state.phase, *ends}
    strangers = sorted(seats - set(state.players))
    if strangers:
        raise TableError(f"nobody sits at {strangers[0]!r}; seats: {', '.join(state.players)}")
    if state.sw.jokers_per_deck < 0 or state.deck_n < 0:
        raise TableError("a deck cannot hold fewer than no cards")
    for card in _all_named(state):
        check_card(card)
    for card, row in _rows(state):
        if kind(card) != row:
            raise TableError(f"{card} lies among the {row} cards, but it is a {kind(card)}")


def _all_named(state: State) -> Iterator[str]:
    yield from cards_in_play(state)
    yield from (card for cards in state.hand.values() for card in cards)
    yield from (*state.discard, *state.tapped, *state.pending, *state.arrived)
    yield from (card for contact in (*state.contacts, *state.loose) for card in contact)
    yield from (worker for land in state.lands.values() for kept in land.kept for worker in kept.by)
    yield from (road.used_by for road in state.roads if road.used_by is not None)


def _rows(state: State) -> Iterator[tuple[str, Kind]]:
    """Every card in play with the kind of card that may lie there."""
    for land in state.lands.values():
        yield from ((card, "hero") for card in land.heroes)
        yield from ((card, "worker") for card in land.workers)
        yield from ((card, "monster") for card in land.monsters)
        yield from ((bonus.card, "bonus") for bonus in land.bonus)
        yield from ((castle.card, "castle") for castle in land.castles)
        yield from ((card, "monster") for castle in land.castles for card in castle.under)
        yield from ((card, "worker") for kept in land.kept for card in kept.by)
    yield from ((road.card, "road") for road in state.roads)


def dump(state: State) -> dict[str, object]:
    plain: dict[str, object] = to_plain(state)
    via = {road.used_by: road.card for road in state.roads if road.used_by}
    return {**plain, "via": via, "ratings": all_ratings(state)}
