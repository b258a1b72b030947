"""Medians and the like of short lists: numpy's own spend more time on asking what they were given than on sorting."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def median(values: NDArray[Any]) -> Any:
    """The median over the first axis."""
    half = len(values) // 2
    if len(values) % 2:
        return np.partition(values, half, axis=0)[half]
    ordered = np.partition(values, (half - 1, half), axis=0)
    return (ordered[half - 1] + ordered[half]) / 2


def percentile(values: NDArray[Any], share: float) -> float:
    """What so many in a hundred of some values stay below, between two of them if need be."""
    at = (len(values) - 1) * share / 100
    low = int(at)
    high = min(low + 1, len(values) - 1)
    ordered = np.partition(values, (low, high))
    return float(ordered[low] + (ordered[high] - ordered[low]) * (at - low))
