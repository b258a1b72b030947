"""States with something wrong in them, as a careless script might send."""

import random
from collections.abc import Iterator
from typing import Any

from referee.errors import TableError
from referee.game import Game
from tests.games.harness import audiences, through_json

ODD: tuple[object, ...] = (
    None,
    -1,
    0,
    7,
    10**9,
    "",
    "Z",
    "Z9",
    True,
    [],
    {},
    ["Z"],
    {"Z": 1},
    [["A"]],
    {"A": "B2"},
)


def mutants(
    plain: dict[str, Any], others: list[dict[str, Any]], rng: random.Random
) -> Iterator[dict[str, Any]]:
    """The same state with one to three fields missing, odd, or taken from another game."""
    for _ in range(10):
        changed = through_json(plain)
        for name in rng.sample(sorted(changed), rng.randint(1, 3)):
            way = rng.randrange(4)
            if way == 0:
                del changed[name]
            elif way == 1:
                changed[name] = rng.choice(ODD)
            elif way == 2 and isinstance(changed[name], dict) and changed[name]:
                changed[name][rng.choice(sorted(changed[name]))] = rng.choice(ODD)
            else:
                changed[name] = rng.choice(others)[name]
        yield changed


def check_mutants(game: Game[Any, Any], states: list[Any], events: list[Any], seed: int) -> int:
    """Every mutant is refused in one sentence, or judged without an exception; how many were taken."""
    rng, taken = random.Random(seed), 0
    plains = [game.dump(state) for state in states]
    for plain in rng.sample(plains, 60):
        for mutant in mutants(plain, plains, rng):
            try:
                state = game.load(mutant)
            except TableError as error:
                assert "\n" not in str(error)
                continue
            taken += 1
            for event in rng.sample(events, 12):
                game.judge(state, event)
            for audience in audiences(("A",)):
                game.view(state, audience)
    return taken
