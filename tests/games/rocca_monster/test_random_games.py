"""Whole games of Rocca Monster by random players."""

import pytest

from referee.games.rocca_monster import GAME
from referee.games.rocca_monster.state import State
from referee.types import Code, Ruling
from tests.games.harness import check_promises, check_refusal
from tests.games.mutants import check_mutants
from tests.games.rocca_monster.village import any_village


def _check_village(state: State) -> None:
    graves = sum(1 for m in state.members.values() if not m.alive)
    assert state.graves == graves <= state.deaths
    assert sum(state.votes.values()) <= len(state.players)
    assert all(state.members[m].alive for m in state.votes) or state.phase == "GAME_OVER"
    if state.members:
        assert len(state.members) == 3 * len(state.players)
    if state.phase != "GAME_OVER":
        assert all(m.alive for m in state.members.values() if m.revealed is None)
        assert all(not m.alive for m in state.members.values() if m.revealed is not None)


@pytest.mark.parametrize("seed", range(50))
def test_a_random_game_comes_to_an_end_and_keeps_every_promise(seed: int) -> None:
    players = any_village(seed)
    for step in players.steps():
        check_promises(GAME, players.seats, step)
        _check_village(step.after)
    assert players.state.winner is not None


@pytest.mark.soak
def test_two_thousand_random_games_come_to_an_end() -> None:
    for seed in range(2000):
        players = any_village(10_000 + seed)
        for step in players.steps():
            check_refusal(step)
            _check_village(step.after)
        assert players.state.winner is not None


@pytest.mark.parametrize("seed", range(20))
def test_turning_all_bodies_after_an_honest_game_finds_no_breach(seed: int) -> None:
    players = any_village(seed)
    for _ in players.steps():
        pass
    said: list[Ruling] = []
    while GAME.choices(players.state):
        said += players.step().rulings
    assert all(m.revealed is not None for m in players.state.members.values())
    assert not [r for r in said if r.code == Code.AUDIT]


def test_an_event_out_of_place_changes_nothing_and_breaks_nothing() -> None:
    told = [step.event for seed in range(12) for step in any_village(seed).steps()]
    players = any_village(99)
    for step in players.steps():
        for event in players.rng.sample(told, 15):
            judged = GAME.judge(step.after, event)
            if any(r.code == Code.ILLEGAL for r in judged.rulings):
                assert judged.state is step.after
            elif judged.state is not step.after:
                assert GAME.load(GAME.dump(judged.state)) == judged.state


def test_a_state_that_contradicts_itself_is_refused_and_breaks_nothing() -> None:
    steps = [step for seed in range(6) for step in any_village(seed).steps()]
    taken = check_mutants(GAME, [step.after for step in steps], [step.event for step in steps], seed=1)
    assert taken > 50
