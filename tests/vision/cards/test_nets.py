"""The small networks as they ship."""

import numpy as np
import pytest

from referee.vision.cards import nets
from referee.vision.cards.nets import Tensor

SAID = {
    "face": (4, 96, 64, [-1.762, -0.858, -5.253, -3.810, -4.839, -4.245, -5.279, -4.223, -2.788, -2.917]),
    "index": (3, 48, 32, [-5.210, -4.223, -5.545, -11.755, -7.943, -12.070, -14.030, -8.541, -12.608, -11.072]),
}  # fmt: skip
"""Channels, rows and columns; and what they said of waves before their narrow layers were made wide."""


def waves(*shape: int) -> Tensor:
    return np.asarray((np.sin(np.arange(np.prod(shape)) * 0.37) + 1) / 2, np.float32).reshape(shape)


@pytest.mark.parametrize("name", SAID)
def test_layers_that_were_made_wide_to_be_quick_say_the_same(name: str) -> None:
    channels, rows, columns, said = SAID[name]
    assert nets.run(name, waves(2, channels, rows, columns))[1, :10] == pytest.approx(said, abs=0.005)
