"""The small networks that ship with the package, run by OpenCV."""

from functools import lru_cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

Tensor = NDArray[np.float32]


@lru_cache
def _load(name: str) -> cv2.dnn.Net:
    weights = (files("referee.vision.cards") / "models" / f"{name}.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))


def run(name: str, batch: Tensor) -> Tensor:
    """What network `name` says about a batch (n, 3, h, w) of pictures from 0 to 1."""
    net = _load(name)
    net.setInput(batch)
    return np.asarray(net.forward(), np.float32)


def batch_of(pictures: list[NDArray[np.uint8]]) -> Tensor:
    """Pictures of one size as a batch."""
    stack = np.stack(pictures).transpose(0, 3, 1, 2)
    return np.ascontiguousarray(stack, np.float32) / np.float32(255)


def softmax(logits: Tensor) -> Tensor:
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True), np.float32)
