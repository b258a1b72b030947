"""Questions that change nothing."""

from referee.codec import to_plain
from referee.errors import BadEvent
from referee.game import Plain
from referee.games.rise_against_monsters.cards import SUITS, check_card, kind, set_up
from referee.games.rise_against_monsters.orders import plan
from referee.games.rise_against_monsters.ratings import (
    bonus,
    kept_card,
    land_of,
    rating,
    road_called,
    road_rating,
    support_sum,
    targets,
)
from referee.games.rise_against_monsters.state import FEWEST, MOST, State
from referee.types import Seat

NAMES = ("setup", "bonus", "rating", "road_rating", "targets", "support_sum", "orders")


def answer(state: State, plain: Plain) -> object:
    """One of NAMES, its fields beside the name or under `args`."""
    args = plain.get("args")
    told: Plain = {**plain, **args} if isinstance(args, dict) else plain
    match told.get("name"):
        case "setup":
            return _set_up(state, told)
        case "bonus":
            return bonus(state, _seat(state, told), _suit(told))
        case "rating":
            card = _fighter(told)
            return rating(state, _seat(state, told, land_of(state, card)), card)
        case "road_rating":
            return _road_rating(state, told)
        case "targets":
            return list(targets(state, _seat(state, told)))
        case "support_sum":
            return _support_sum(state, _card(told, "card"))
        case "orders":
            return to_plain(plan(state))
    raise BadEvent(f"no question called {told.get('name')!r}; questions: {', '.join(NAMES)}")


def _set_up(state: State, told: Plain) -> dict[str, object]:
    players = told.get("n", len(state.players))
    if not isinstance(players, int) or not FEWEST <= players <= MOST:
        raise BadEvent(f"n is {players!r}; Rise against Monsters takes {FEWEST} to {MOST} players")
    easier = bool(told.get("easier", state.sw.extra_deck))
    return set_up(players, easier, state.sw.jokers_per_deck)


def _road_rating(state: State, told: Plain) -> int:
    road = road_called(state, _card(told, "road"))
    if road is None:
        raise BadEvent(f"no road {told.get('road')!r} in play")
    return road_rating(state, road, _seat(state, told))


def _support_sum(state: State, card: str) -> int:
    found = kept_card(state, card)
    if found is None:
        raise BadEvent(f"no bonus card or castle {card!r} in play")
    return support_sum(state, found[1].by)


def _seat(state: State, told: Plain, otherwise: Seat | None = None) -> Seat:
    seat = told.get("seat", otherwise)
    if seat not in state.players:
        raise BadEvent(f"nobody sits at {seat!r}; seats: {', '.join(state.players)}")
    return str(seat)


def _suit(told: Plain) -> str:
    letter = str(told.get("suit", ""))[:1].upper()
    if letter not in tuple(SUITS):
        raise BadEvent(f"suit is {told.get('suit')!r}, not one of {', '.join(SUITS)}")
    return letter


def _fighter(told: Plain) -> str:
    card = _card(told, "card")
    if kind(card) not in ("monster", "hero", "worker"):
        raise BadEvent(f"{card} is a {kind(card)}, which has no rating of its own")
    return card


def _card(told: Plain, name: str) -> str:
    card = told.get(name)
    if not isinstance(card, str):
        raise BadEvent(f"{name} is {card!r}, not a card")
    check_card(card)
    return card
