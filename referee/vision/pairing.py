"""Who belongs to whom: the pairs of least total cost."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Costs = NDArray[np.float64]


def prepare() -> None:
    """Load what pairs are found with, before the first are needed."""
    from scipy.optimize import linear_sum_assignment  # noqa: F401


def cheapest_pairs(cost: Costs | Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Rows and columns in pairs, as many as the shorter side has, so that their costs add up to the least."""
    table = np.asarray(cost, np.float64)
    if not table.size:
        return []
    # Loaded when first needed: the first picture does not wait for it.
    from scipy.optimize import linear_sum_assignment

    return [(int(row), int(column)) for row, column in zip(*linear_sum_assignment(table), strict=True)]
