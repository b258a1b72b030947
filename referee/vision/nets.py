"""Small networks, run by OpenCV."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Tensor = NDArray[np.float32]

MODELS = Path(__file__).parent / "models"
ENGINE = {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
"""OpenCV 5 has two engines; the older one runs these networks in two thirds of the time."""
AT_ONCE = 4
"""Pictures that are looked at together, and those that are left over one by one: more do not fit into the cache."""

SHAPES = 4
"""Shapes of batches for which a network is kept ready."""


def open_net(path: Path) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(path), **ENGINE)


@cache
def opened(name: str) -> cv2.dnn.Net:
    """The network of that name among ours for dice, read once."""
    return open_net(MODELS / name)


def _ready(path: Path, batch: tuple[int, ...]) -> cv2.dnn.Net:
    """The network, as it is made ready for batches of one shape or else the one that was used longest ago: making it
    ready for another costs half a run, and reading it more."""
    kept = _KEPT.setdefault(path, {})
    ready = batch if batch in kept else next(iter(kept)) if len(kept) == SHAPES else None
    kept[batch] = open_net(path) if ready is None else kept.pop(ready)
    return kept[batch]


_KEPT: dict[Path, dict[tuple[int, ...], cv2.dnn.Net]] = {}
"""The last is the one used last."""


def run_by_fours(path: Path, batch: Tensor) -> Tensor:
    """What the network kept at `path` says about a batch (n, channels, h, w) of pictures."""
    full = len(batch) // AT_ONCE * AT_ONCE
    starts = [*range(0, full, AT_ONCE), *range(full, len(batch) + 1)]
    return np.concatenate([said(path, batch[a:b]) for a, b in pairwise(starts)])


def said(path: Path, batch: Tensor) -> Tensor:
    """What the network kept at `path` says about a batch as a whole."""
    net = _ready(path, batch.shape)
    net.setInput(batch)
    return np.asarray(net.forward(), np.float32)


def odds_of(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row of scores as odds that add up to one."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
