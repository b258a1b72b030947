"""The small networks that ship with the package, run by OpenCV."""

from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.nets import open_net

Tensor = NDArray[np.float32]

MODELS = Path(__file__).parent / "models"


AT_ONCE = 4
"""Pictures that are looked at together, and those that are left over one by one."""


@lru_cache(maxsize=16)
def _load(name: str, batch: tuple[int, ...]) -> cv2.dnn.Net:
    """The network made ready for batches of one shape: making it ready for another costs half a run."""
    net = open_net(MODELS / f"{name}.onnx")
    net.setInput(np.zeros(batch, np.float32))
    return net


def run(name: str, batch: Tensor) -> Tensor:
    """What network `name` says about a batch (n, 3, h, w) of pictures from 0 to 1."""
    full = len(batch) // AT_ONCE * AT_ONCE
    starts = [*range(0, full, AT_ONCE), *range(full, len(batch) + 1)]
    return np.concatenate([_said(name, batch[a:b]) for a, b in pairwise(starts)])


def _said(name: str, batch: Tensor) -> Tensor:
    net = _load(name, batch.shape)
    net.setInput(batch)
    return np.asarray(net.forward(), np.float32)


def batch_of(pictures: NDArray[np.uint8], *layers: NDArray[np.uint8]) -> Tensor:
    """Pictures (n, h, w, channels), and layers (n, h, w) that are channels besides, as a batch."""
    many, tall, wide, channels = pictures.shape
    batch = np.empty((many, channels + len(layers), tall, wide), np.float32)
    batch[:, :channels] = pictures.transpose(0, 3, 1, 2)
    for k, layer in enumerate(layers, channels):
        batch[:, k] = layer
    batch /= np.float32(255)
    return batch
