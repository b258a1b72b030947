"""Random events for any game: mostly what may be declared now, sometimes what was declared before."""

from typing import Any

from hypothesis import strategies as st

from referee.game import Game
from referee.types import Ask, Choice

Plain = dict[str, object]


def seats_of(game: Game[Any, Any]) -> st.SearchStrategy[tuple[str, ...]]:
    fewest, most = game.seats
    return st.integers(fewest, most).map(lambda n: tuple("ABCDEFGH"[:n]))


def next_event(game: Game[Any, Any], state: Any, told: list[Plain]) -> st.SearchStrategy[Plain]:
    """An event for this state: a choice with its questions answered, or one told before, out of place."""
    choices = game.choices(state)
    ways = [_from_choice(choice, _players(game, state)) for choice in choices]
    if told:
        ways.append(st.sampled_from(told))
    return st.one_of(ways) if ways else st.nothing()


def can_go_on(game: Game[Any, Any], state: Any, told: list[Plain]) -> bool:
    return bool(game.choices(state)) or bool(told)


def _players(game: Game[Any, Any], state: Any) -> list[str]:
    players = game.dump(state)["players"]
    assert isinstance(players, list | tuple)
    return list(players)


def _from_choice(choice: Choice, players: list[str]) -> st.SearchStrategy[Plain]:
    answers = {ask.name: _answer(ask, players) for ask in choice.asks}
    return st.fixed_dictionaries(answers).map(lambda said: {"ev": choice.event, **choice.fields, **said})


def _answer(ask: Ask, players: list[str]) -> st.SearchStrategy[object]:
    if ask.options and set(ask.options) <= {"yes", "no"}:
        return st.booleans()
    if ask.kind == "number":
        return st.integers(0, 20)
    if ask.kind == "pieces":
        return st.lists(st.sampled_from(ask.options or ("p1", "p2", "p3")), max_size=3, unique=True)
    return st.sampled_from(ask.options or (tuple(players) if ask.kind == "seat" else ("p1", "p2", "p3")))
