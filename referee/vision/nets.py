"""Small networks, run by ONNX Runtime: it takes less than half of the time that OpenCV's own networks take."""

from functools import cache
from pathlib import Path
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions

Tensor = NDArray[np.float32]

MODELS = Path(__file__).parent / "models"
ERRORS = 3
"""Of what it has to say at opening only errors are heard."""


@cache
def _opened(path: Path) -> InferenceSession:
    """The network kept at `path`, read once; it has as many threads as OpenCV, which do not spin while they wait."""
    options = SessionOptions()
    options.log_severity_level = ERRORS
    options.intra_op_num_threads = cv2.getNumThreads()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return InferenceSession(path, options, providers=["CPUExecutionProvider"])


def said(path: Path, batch: Tensor) -> Tensor:
    """What the network kept at `path` says about a batch (n, channels, h, w) of pictures."""
    net = _opened(path)
    (answer,) = net.run(None, {net.get_inputs()[0].name: batch})
    return cast(Tensor, answer)


def odds_of(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row of scores as odds that add up to one."""
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
