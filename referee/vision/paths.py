"""The cheapest paths across rays, one step on each ray, for many pieces at a time: one more hardly costs more."""

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from referee.vision.board import Field

Path = NDArray[np.int64]
"""The step at which each ray is crossed."""
FAR = np.float32(1e6)
"""What no path can afford."""
JUMP = 2
"""Steps by which neighbouring rays may be apart."""
TOLL = (0.15 * np.abs(np.arange(-JUMP, JUMP + 1))).astype(np.float32)


def cheapest_rings(costs: Sequence[Field]) -> list[Path]:
    """One step per ray, neighbours at most a few steps apart, of least total cost; for each piece.

    The costs of each are one row a ray; rays may be longer for one piece than for another.
    """
    if not costs:
        return []
    cost = _side_by_side(costs)
    # Begun a quarter turn early and ended a quarter turn late, the ring closes by itself.
    early = cost.shape[1] // 4
    return list(_cheapest(np.concatenate([cost[:, -early:], cost, cost[:, :early]], axis=1))[:, early:-early])


def _side_by_side(costs: Sequence[Field]) -> Field:
    """Piece, ray, step; where the rays of a piece have ended no path goes on."""
    whole = np.full((len(costs), len(costs[0]), max(c.shape[1] for c in costs)), FAR)
    for mine, cost in zip(whole, costs, strict=True):
        mine[:, : cost.shape[1]] = cost
    return whole


def _cheapest(cost: Field) -> NDArray[np.int64]:
    count, rays, steps = cost.shape
    turn = cost.swapaxes(0, 1)
    total = np.full((rays, count, steps + 2 * JUMP), FAR)
    reached, choices = total[:, :, JUMP:-JUMP], sliding_window_view(total, 2 * JUMP + 1, axis=2)
    reached[0] = turn[0]
    from_each, toll = choices.transpose(0, 3, 1, 2), TOLL[:, None, None]
    each = np.empty(from_each.shape[1:], np.float32)
    for before, own, so_far in zip(from_each[:-1], turn[1:], reached[1:], strict=True):
        np.add(before, toll, out=each)
        np.add(np.minimum.reduce(each), own, out=so_far)
    return _walk_back(choices, reached[-1].argmin(axis=1))


def _walk_back(choices: Field, last: NDArray[np.int64]) -> NDArray[np.int64]:
    """The path that led to the last place of each piece, by what each place cost so far, and those beside it."""
    path = np.empty((len(choices), len(last)), np.int64)
    path[-1] = at = last
    every = np.arange(len(last))
    for k in range(len(choices) - 2, -1, -1):
        at = (choices[k, every, at] + TOLL).argmin(axis=1) + at - JUMP
        path[k] = at
    return path.T
