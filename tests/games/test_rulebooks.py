"""What people read about a game is what its bench does."""

from collections.abc import Callable, Iterator

import pytest

from referee.games import GAMES
from referee.rulebook import read_rulebook
from tests.games.harness import Step
from tests.games.monster_my_neighbour.neighbours import any_neighbours
from tests.games.rocca_monster.village import any_village


@pytest.mark.parametrize(
    ("game", "steps"),
    [
        ("rocca-monster", lambda seed: any_village(seed).steps()),
        ("monster-my-neighbour", lambda seed: any_neighbours(seed).steps()),
    ],
)
def test_every_clause_that_a_ruling_cites_can_be_read_up(
    game: str, steps: Callable[[int], Iterator[Step]]
) -> None:
    book = read_rulebook(GAMES[game])
    cited = {c for seed in range(15) for step in steps(seed) for r in step.rulings for c in r.clauses}
    assert len(cited) > 15
    assert not sorted(c for c in cited if not book.text(c))


@pytest.mark.parametrize(
    ("game", "prefix", "last"), [("rocca-monster", "RM", 58), ("monster-my-neighbour", "MH", 55)]
)
def test_the_rulebook_holds_every_clause(game: str, prefix: str, last: int) -> None:
    ids = [c.id for c in read_rulebook(GAMES[game]).clauses]
    assert ids[:last] == [f"{prefix}-{i:02d}" for i in range(1, last + 1)]
    assert len(set(ids)) == len(ids)
