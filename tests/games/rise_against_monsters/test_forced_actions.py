"""The monsters' plan agrees with a second, naive implementation."""

import random

import pytest

from referee.codec import to_plain
from referee.games.rise_against_monsters import GAME
from referee.games.rise_against_monsters.orders import next_orders, plan
from referee.games.rise_against_monsters.state import Order, State
from tests.games.rise_against_monsters import naive
from tests.games.rise_against_monsters.positions import random_position


@pytest.mark.parametrize("positions", [2_000, pytest.param(10_000, marks=pytest.mark.soak)])
def test_the_plan_agrees_with_the_naive_one_on_thousands_of_positions(positions: int) -> None:
    rng = random.Random(4)
    kinds = {"attack": 0, "move": 0, "stay": 0}
    for _ in range(positions):
        given = random_position(rng)
        state = GAME.load(given)
        ours = [{k: v for k, v in to_plain(o).items() if k != "clauses"} for o in plan(state)]
        assert ours == naive.orders({**given, "moved_pairs": list(given["moved_pairs"])}), given
        for order in ours:
            kinds[order["do"]] += 1
    assert min(kinds.values()) > positions / 10, f"too one-sided to mean much: {kinds}"


def test_the_table_that_follows_the_plan_is_never_corrected() -> None:
    rng = random.Random(5)
    for _ in range(500):
        state = GAME.load(random_position(rng))
        state = GAME.judge(
            state, GAME.event({"ev": "step_begin", "seat": state.turn, "step": "MONSTERS"})
        ).state
        followed = 0
        while state.step == "MONSTERS" and (orders := next_orders(state)):
            state, followed = _follow(state, orders[0]), followed + 1
            assert followed < 60


def _follow(state: State, order: Order) -> State:
    event = {"ev": "attack", "attacker": order.card, "target": order.target}
    if order.do == "move":
        event = {"ev": "monster_moved", "card": order.card, "from": state.turn, "to": order.to}
    judged = GAME.judge(state, GAME.event(event))
    assert judged.state is not state, judged.rulings
    return judged.state
