"""Small networks say the same of a picture whatever others are looked at with it."""

import numpy as np

from referee.vision import nets
from referee.vision.nets import MODELS, SHAPES, run_by_fours

COCKED = MODELS / "dice_cocked.onnx"


def pictures(count: int, side: int = 48) -> nets.Tensor:
    return np.random.default_rng(count).random((count, 4, side, side), np.float32)


def test_a_picture_among_many_is_judged_as_if_alone() -> None:
    batch = pictures(6)
    alone = np.concatenate([run_by_fours(COCKED, batch[k : k + 1]) for k in range(6)])
    assert np.allclose(run_by_fours(COCKED, batch), alone, atol=1e-4)


def test_no_more_networks_are_kept_ready_than_there_are_shapes_to_keep() -> None:
    finder = MODELS.parent / "cards" / "models" / "finder.onnx"
    sizes = [32 * k for k in range(1, SHAPES + 3)]
    first = [run_by_fours(finder, np.ones((1, 3, 32, side), np.float32)) for side in sizes]
    assert len(nets._KEPT[finder]) == SHAPES
    again = [run_by_fours(finder, np.ones((1, 3, 32, side), np.float32)) for side in sizes]
    assert all(np.allclose(one, other, atol=1e-4) for one, other in zip(first, again, strict=True))
