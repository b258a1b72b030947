"""Whole games of Monster My Neighbour by random players with real, hidden hands."""

import pytest

from referee.games.monster_my_neighbour import GAME
from referee.games.monster_my_neighbour.state import State
from referee.types import Code
from tests.games.harness import RandomPlayers, check_promises, check_refusal
from tests.games.monster_my_neighbour.neighbours import Neighbours, any_neighbours
from tests.games.mutants import check_mutants


def _check_cards(players: Neighbours, state: State) -> None:
    """38 cards, whatever happens, and the referee's counts are the true ones."""
    laid = sum(len(pile) for pile in state.played.values())
    if state.phase in ("WANTED", "TURN", "TARGET", "ANSWER", "EXCHANGE"):
        assert state.general_n + sum(state.hand_n.values()) + laid == 34
        assert state.monster_deck_n + state.monsters_used + 1 == 5
        assert {s: len(hand) for s, hand in players.hands.items()} == dict(state.hand_n)
        assert len(players.general) == state.general_n
        assert len(players.pile) == laid
    if state.phase == "ROUND_END":
        assert state.general_n + sum(state.hand_n.values()) + laid == 34
        assert state.round_result != "nobody"


@pytest.mark.parametrize("seed", range(50))
def test_a_random_game_comes_to_an_end_and_keeps_every_promise(seed: int) -> None:
    players = any_neighbours(seed)
    for step in players.steps():
        assert not [r for r in step.rulings if r.code in (Code.ILLEGAL, Code.CORRECT)], step
        check_promises(GAME, players.seats, step)
        _check_cards(players, step.after)
    most = max(players.state.vp.values())
    assert set(players.state.winners) == {s for s, n in players.state.vp.items() if n == most}


@pytest.mark.soak
def test_two_thousand_random_games_come_to_an_end() -> None:
    for seed in range(2000):
        players = any_neighbours(10_000 + seed)
        for step in players.steps():
            check_refusal(step)
            _check_cards(players, step.after)


@pytest.mark.parametrize("seed", range(20))
def test_players_who_answer_anything_come_to_an_end_too(seed: int) -> None:
    """The referee does not know the hands: any answer that is possible is taken."""
    players = RandomPlayers(GAME, ("A", "B", "C", "D"), {"has_investigate": True}, seed)
    for step in players.steps():
        check_promises(GAME, players.seats, step)


def test_an_event_out_of_place_changes_nothing_and_breaks_nothing() -> None:
    told = [step.event for seed in range(8) for step in any_neighbours(seed).steps()]
    players = any_neighbours(99)
    for step in players.steps():
        for event in players.rng.sample(told, 15):
            judged = GAME.judge(step.after, event)
            if any(r.code in (Code.ILLEGAL, Code.CORRECT) for r in judged.rulings):
                assert judged.state is step.after
            elif judged.state is not step.after:
                assert GAME.load(GAME.dump(judged.state)) == judged.state


def test_a_state_that_contradicts_itself_is_refused_and_breaks_nothing() -> None:
    steps = [step for seed in range(6) for step in any_neighbours(seed).steps()]
    taken = check_mutants(GAME, [step.after for step in steps], [step.event for step in steps], seed=1)
    assert taken > 50
