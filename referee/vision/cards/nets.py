"""The small networks that find and read cards."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.vision.nets import Tensor as Tensor
from referee.vision.nets import said

MODELS = Path(__file__).parent / "models"


def run(name: str, batch: Tensor) -> Tensor:
    """What network `name` says about a batch (n, 3, h, w) of pictures from 0 to 1."""
    return said(MODELS / f"{name}.onnx", batch)


def batch_of(pictures: NDArray[np.uint8], *layers: NDArray[np.uint8]) -> Tensor:
    """Pictures (n, h, w, channels), and layers (n, h, w) that are channels besides, as a batch."""
    many, tall, wide, channels = pictures.shape
    batch = np.empty((many, channels + len(layers), tall, wide), np.float32)
    batch[:, :channels] = pictures.transpose(0, 3, 1, 2)
    for k, layer in enumerate(layers, channels):
        batch[:, k] = layer
    batch /= np.float32(255)
    return batch
