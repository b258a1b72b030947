"""Who belongs to whom: the pairs of least total cost (the Hungarian method, by shortest augmenting paths)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Costs = NDArray[np.float64]


def cheapest_pairs(cost: Costs | Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Rows and columns in pairs, as many as the shorter side has, so that their costs add up to the least."""
    table = np.asarray(cost, np.float64)
    if not table.size:
        return []
    if table.shape[0] > table.shape[1]:
        return sorted((row, column) for column, row in cheapest_pairs(table.T))
    # One column more stands for the row that is looking for a partner.
    owner, price = np.full(table.shape[1] + 1, -1), np.zeros(table.shape[1] + 1)
    worth = np.zeros(table.shape[0])
    for row in range(table.shape[0]):
        _find_partner(row, table, owner, price, worth)
    return sorted((int(owner[c]), c) for c in range(table.shape[1]) if owner[c] >= 0)


def _find_partner(row: int, table: Costs, owner: NDArray[np.int_], price: Costs, worth: Costs) -> None:
    """Give `row` a column, moving the others' along the cheapest way; prices keep every pair cheapest."""
    here = count = table.shape[1]
    owner[here] = row
    least, came_from = np.full(count, np.inf), np.full(count, count)
    done = np.zeros(count + 1, bool)
    while owner[here] >= 0:
        done[here] = True
        way = table[owner[here]] - worth[owner[here]] - price[:count]
        nearer = ~done[:count] & (way < least)
        least[nearer], came_from[nearer] = way[nearer], here
        nearest = int(np.argmin(np.where(done[:count], np.inf, least)))
        step = float(least[nearest])
        worth[owner[done]] += step
        price[done] -= step
        least[~done[:count]] -= step
        here = nearest
    while here != count:
        owner[here], here = owner[came_from[here]], int(came_from[here])
    owner[count] = -1
