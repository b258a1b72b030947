"""How long the bench takes for one event."""

import time
from collections.abc import Callable, Iterator

import pytest

from referee.game import Game
from referee.games.monster_my_neighbour import GAME as NEIGHBOUR
from referee.games.rise_against_monsters import GAME as LANDS
from referee.games.rocca_monster import GAME as VILLAGE
from referee.games.shisogari import GAME as COMPANY
from tests.bench.figures import Figures
from tests.games.harness import Step
from tests.games.monster_my_neighbour.neighbours import any_neighbours
from tests.games.rise_against_monsters.lands import any_lands
from tests.games.rocca_monster.village import any_village
from tests.games.shisogari.company import Company

MOST_MS = 0.2


@pytest.mark.bench
@pytest.mark.parametrize(
    ("game", "steps"),
    [
        (VILLAGE, lambda seed: any_village(seed).steps()),
        (NEIGHBOUR, lambda seed: any_neighbours(seed).steps()),
        (COMPANY, lambda seed: Company(seed).steps()),
        (LANDS, lambda seed: any_lands(seed).steps()),
    ],
    ids=["rocca-monster", "monster-my-neighbour", "shisogari", "rise-against-monsters"],
)
def test_an_event_is_judged_in_a_fifth_of_a_millisecond(
    figure: Figures, game: Game[object, object], steps: Callable[[int], Iterator[Step]]
) -> None:
    played = [(step.before, step.event) for seed in range(20) for step in steps(seed)]
    begun = time.process_time()
    for state, event in played:
        game.judge(state, event)
    each_ms = (time.process_time() - begun) * 1000 / len(played)
    figure(
        f"the bench, {game.name}",
        f"{each_ms:.3f} ms an event, {len(played)} events",
        f"{MOST_MS} ms",
        "make bench",
    )
    assert each_ms < MOST_MS
