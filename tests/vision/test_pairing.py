"""Pairs of least total cost, against trying every way."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.pairing import Costs, cheapest_pairs
from referee.vision.pieces import Blob
from referee.vision.tracks import Names

tables = st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(0, 9999), st.booleans()).map(
    lambda t: _table(*t)
)


def _table(rows: int, columns: int, seed: int, ties: bool) -> Costs:
    rng = np.random.default_rng(seed)
    return (
        rng.integers(-1, 3, (rows, columns)).astype(np.float64) if ties else rng.normal(size=(rows, columns))
    )


def _least_by_trying(table: Costs) -> float:
    wide = table if table.shape[0] <= table.shape[1] else table.T
    rows = np.arange(wide.shape[0])
    return min(float(wide[rows, list(way)].sum()) for way in permutations(range(wide.shape[1]), len(rows)))


@given(tables)
def test_no_other_pairing_costs_less(table: Costs) -> None:
    pairs = cheapest_pairs(table)
    assert len(pairs) == len({r for r, _ in pairs}) == len({c for _, c in pairs}) == min(table.shape)
    assert sum(table[pair] for pair in pairs) == pytest.approx(_least_by_trying(table))


def test_nobody_is_paired_with_nobody() -> None:
    assert cheapest_pairs(np.zeros((0, 3))) == []


def blob(x: float, radius: float, colour: float = 3.0, y: float = 100.0) -> Blob:
    turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    outline = np.array([x, y]) + radius * np.column_stack([np.cos(turns), np.sin(turns)])
    return Blob(np.array([x, y]), outline, np.full(3, colour), 0.2)


def test_a_large_and_a_small_piece_of_one_colour_keep_their_names_when_both_have_moved() -> None:
    names = Names()
    before = names.name({}, (blob(100, 18), blob(160, 11)), 1280)
    large, small = sorted(before, key=lambda key: -np.ptp(before[key].silhouette_px[:, 0]))
    after = names.name(before, (blob(130, 11.6), blob(190, 17)), 1280)
    assert np.ptp(after[large].silhouette_px[:, 0]) > np.ptp(after[small].silhouette_px[:, 0])


def test_of_two_alike_the_one_that_was_struck_head_on_went_on() -> None:
    names = Names()
    before = names.name({}, (blob(100, 12), blob(200, 12)), 1280)
    shooter, struck = sorted(before, key=lambda key: float(before[key].centre_px[0]))
    after = names.name(before, (blob(230, 12), blob(210, 12)), 1280)
    assert after[shooter].centre_px[0] < after[struck].centre_px[0]


def test_a_piece_that_was_only_brushed_keeps_its_name() -> None:
    names = Names()
    before = names.name({}, (blob(100, 12), blob(200, 12, y=150)), 1280)
    brushed = next(key for key, one in before.items() if one.centre_px[1] == 150)
    after = names.name(before, (blob(330, 12), blob(205, 12, y=156)), 1280)
    assert after[brushed].centre_px[0] == 205


def test_a_piece_that_stops_where_another_of_other_colour_lay_keeps_its_own_name() -> None:
    names = Names()
    before = names.name({}, (blob(100, 12, colour=4.5), blob(160, 12)), 1280)
    light = next(key for key, one in before.items() if one.colour[0] > 4)
    after = names.name(before, (blob(159, 12, colour=4.5), blob(190, 12)), 1280)
    assert after[light].centre_px[0] == 159
