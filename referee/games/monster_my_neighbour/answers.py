"""Pure questions about Monster My Neighbour."""

from collections.abc import Callable, Mapping

from referee.codec import from_plain
from referee.errors import BadEvent
from referee.game import Plain
from referee.games.monster_my_neighbour.cards import HAND, general_left, random_cards
from referee.games.monster_my_neighbour.events import ScoreRound
from referee.games.monster_my_neighbour.rules import playable
from referee.games.monster_my_neighbour.scoring import points
from referee.games.monster_my_neighbour.state import State


def answer(state: State, query: Plain) -> object:
    """The answer to `{"name": ..., ...}`."""
    args = query.get("args", {})
    asked = {**(args if isinstance(args, Mapping) else {}), **query}
    name = str(query.get("name"))
    if name not in QUERIES:
        raise BadEvent(f"no question called {name!r}; questions: {', '.join(QUERIES)}")
    return QUERIES[name](state, asked)


def score_round(query: Plain) -> ScoreRound | None:
    """The round that a `score_round` question enters."""
    if query.get("name") != "score_round":
        return None
    args = query.get("args", {})
    asked = {**(args if isinstance(args, Mapping) else {}), **query}
    known = ScoreRound.__dataclass_fields__
    return from_plain(ScoreRound, {k: v for k, v in asked.items() if k in known}, "score_round")


def _setup(state: State, asked: Plain) -> object:
    n = asked.get("n", len(state.players))
    if type(n) is not int or not 3 <= n <= 8:
        raise BadEvent(f"n is {n!r}, not a number of players from 3 to 8")
    return {
        "random_cards": random_cards(n),
        "dealt": HAND * n,
        "general_left": general_left(n),
        "hand": HAND,
    }


def _score_round(state: State, asked: Plain) -> object:
    entered = score_round(asked)
    if entered is None:
        return {}
    return points(state.part, entered.res, entered.monster, entered.friends, entered.catcher, entered.vamp)


def _mermaid_protected(state: State, asked: Plain) -> bool:
    """Is the Mermaid's holder safe from the Hunter played next?"""
    if state.sw.mermaid == "on_holder":
        return not asked.get("hunters_on_holder_before", asked.get("on_holder_before", 0))
    return not asked.get("hunters_played_before", state.hunters_played)


def _playable(state: State, asked: Plain) -> object:
    seat = asked.get("seat", state.turn)
    if seat not in state.part:
        raise BadEvent(f"seat is {seat!r}, not one of {', '.join(state.part)}")
    return playable(state, str(seat))


QUERIES: Mapping[str, Callable[[State, Plain], object]] = {
    "setup": _setup,
    "score_round": _score_round,
    "mermaid_protected": _mermaid_protected,
    "playable": _playable,
}
