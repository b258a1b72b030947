"""The small networks that ship with the package, run by OpenCV."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.nets import open_net

Tensor = NDArray[np.float32]

MODELS = Path(__file__).parent / "models"


@lru_cache(maxsize=12)
def _load(name: str, picture: tuple[int, ...]) -> cv2.dnn.Net:
    """The network made ready for pictures of one shape: making it ready for another costs half a run."""
    net = open_net(MODELS / f"{name}.onnx")
    net.setInput(np.zeros((1, *picture), np.float32))
    return net


def run(name: str, batch: Tensor) -> Tensor:
    """What network `name` says about a batch (n, 3, h, w) of pictures from 0 to 1."""
    net = _load(name, batch.shape[1:])
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
