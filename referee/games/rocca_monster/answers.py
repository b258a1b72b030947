"""Pure questions about Rocca Monster."""

from collections.abc import Callable, Mapping

from referee.errors import BadEvent
from referee.game import Plain
from referee.games.rocca_monster.dice import ATTACK_TABLES, saving_rolls
from referee.games.rocca_monster.state import State, third, threshold


def answer(state: State, query: Plain) -> object:
    """The answer to `{"name": ..., ...}`."""
    args = query.get("args", {})
    asked = {**(args if isinstance(args, Mapping) else {}), **query}
    name = str(query.get("name"))
    if name not in QUERIES:
        raise BadEvent(f"no question called {name!r}; questions: {', '.join(QUERIES)}")
    return QUERIES[name](state, asked)


def _players(state: State, asked: Plain) -> int:
    n = asked.get("n", len(state.players))
    if type(n) is not int or not 3 <= n <= 6:
        raise BadEvent(f"n is {n!r}, not a number of players from 3 to 6")
    return n


def _survival_sets(state: State, asked: Plain) -> object:
    """Who is attacked -> rolls that save."""
    preset = asked.get("attack_table", state.sw.attack_table)
    if preset not in ATTACK_TABLES:
        raise BadEvent(f"attack_table is {preset!r}, not one of {', '.join(ATTACK_TABLES)}")
    return {who: sorted(rolls) for who, rolls in ATTACK_TABLES[str(preset)].items()}


def _survival_set(state: State, asked: Plain) -> object:
    member = asked.get("member")
    if member not in state.members:
        raise BadEvent(f"member is {member!r}, not one of {', '.join(state.members)}")
    return sorted(saving_rolls(state, str(member)))


QUERIES: Mapping[str, Callable[[State, Plain], object]] = {
    "threshold": lambda state, asked: threshold(_players(state, asked)),
    "third": lambda state, asked: third(_players(state, asked)),
    "survival_sets": _survival_sets,
    "survival_set": _survival_set,
}
