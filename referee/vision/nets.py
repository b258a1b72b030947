"""Small networks, run by OpenCV."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

MODELS = Path(__file__).parent / "models"
ENGINE = {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
"""OpenCV 5 has two engines; the older one runs these networks in two thirds of the time."""


def open_net(path: Path) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(path), **ENGINE)


@cache
def opened(name: str) -> cv2.dnn.Net:
    """The network of that name among ours for dice, read once."""
    return open_net(MODELS / name)


def odds_of(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row of scores as odds that add up to one."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
