"""Whether a die on a known table leans: an eye of its own, taught where the referee supposes dice on such tables."""

from collections.abc import Sequence

import numpy as np

from hardware.frames import Image
from referee.types import Point
from referee.vision.leaning import Array, View, scores, straight
from referee.vision.nets import MODELS, odds_of

MODEL = MODELS / "dice_cocked.onnx"
LEANS = 0.75
"""From these odds on a die leans."""
SIZES = (0.9, 1.0, 1.1)
"""Each die is judged in several sizes: an edge is not known to the pixel."""


def cocked(image: Image, dice: Sequence[tuple[Point, View]]) -> tuple[Array, Array]:
    """For each place where a die may be the odds that it leans, and that it is a die at all."""
    if not dice:
        return np.zeros(0), np.zeros(0)
    seen = [straight(image, px, view * size) for px, view in dice for size in SIZES]
    pictures, slopes = zip(*seen, strict=True)
    said = scores(MODEL, np.stack(pictures), np.array(slopes)).reshape(len(dice), len(SIZES), -1).mean(axis=1)
    return 1 / (1 + np.exp(-said[:, 0])), 1 - odds_of(said[:, 1:8])[:, 0]
