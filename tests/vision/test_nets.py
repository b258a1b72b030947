"""Small networks say the same of a picture whatever others are looked at with it."""

import numpy as np

from referee.vision import nets
from referee.vision.nets import MODELS, said

COCKED = MODELS / "dice_cocked.onnx"


def pictures(count: int, side: int = 48) -> nets.Tensor:
    return np.random.default_rng(count).random((count, 4, side, side), np.float32)


def test_a_picture_among_many_is_judged_as_if_alone() -> None:
    batch = pictures(6)
    alone = np.concatenate([said(COCKED, batch[k : k + 1]) for k in range(6)])
    assert np.allclose(said(COCKED, batch), alone, atol=1e-4)
