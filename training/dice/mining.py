"""What the finder of dice takes for dice on pictures without any: the hardest lessons for the reader."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scenes import EDGE, GROUND_EDGE, STRIDE, close, sensor

SUSPECTED = 0.15


def false_alarms(finder: Path, pictures: list[Path], rounds: int, seed: int) -> list[NDArray[np.uint8]]:
    """Close pictures of every alarm, each picture looked at in several sizes and lights."""
    rng, net = np.random.default_rng(seed), cv2.dnn.readNetFromONNX(str(finder))
    found: list[NDArray[np.uint8]] = []
    for picture in (p for p in (cv2.imread(str(f)) for f in pictures) if p is not None):
        for _ in range(rounds):
            seen = sensor(picture.astype(np.float32) / 255, rng)
            found += _alarms(net, np.rot90(seen, rng.integers(4)).copy(), 2 ** rng.uniform(-0.7, 0.7))
    return found


def _alarms(net: cv2.dnn.Net, picture: NDArray[np.uint8], size: float) -> list[NDArray[np.uint8]]:
    scale = EDGE / GROUND_EDGE * size
    side = round(picture.shape[0] * scale / 16) * 16
    scale = side / picture.shape[0]
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    net.setInput(cv2.dnn.blobFromImage(small, 1 / 255))
    grid = net.forward()[0]
    sure = 1 / (1 + np.exp(-grid[0]))
    peaks = (sure > SUSPECTED) & (sure >= cv2.dilate(sure, np.ones((3, 3), np.uint8)))
    out = []
    for row, column in zip(*np.nonzero(peaks), strict=True):
        dx, dy, octaves = grid[1:, row, column]
        edge = EDGE * 2**octaves
        at = (np.array([column, row]) + 0.5) * STRIDE + np.array([dx, dy]) * edge
        out.append(close(picture, at / scale, float(edge / scale)))
    return out
