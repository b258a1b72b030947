"""Pictures in logarithms: made linear, softened, without what is small, and cut or chosen from one another."""

import cv2
import numpy as np

from hardware.frames import Image
from referee.vision.board import Field, Flags

_LINEAR = ((np.arange(256) / 255) ** 2.2).astype(np.float32)


def linear(image: Image | Field) -> Field:
    """Linear light, in which an edge pixel is the mean of both sides."""
    if image.dtype == np.uint8:
        return np.asarray(cv2.LUT(image, _LINEAR), np.float32)
    return np.asarray((np.clip(np.asarray(image, np.float32), 0, 255) / 255) ** 2.2, np.float32)


def softened(half: Field) -> Field:
    return np.asarray(cv2.GaussianBlur(half, (0, 0), 0.8), np.float32)


def smooth_part(half_log: Field) -> Field:
    """What is left of a picture when everything smaller than a few pieces is taken out, at a quarter of its size."""
    size = (half_log.shape[1] // 2, half_log.shape[0] // 2)
    small = cv2.resize(half_log, size, interpolation=cv2.INTER_AREA)
    steps = np.clip(small * 70 + 127.5, 0, 255).astype(np.uint8)
    return np.asarray((cv2.medianBlur(steps, 31).astype(np.float32) - 127) / 70, np.float32)


def enlarged(quarter: Field, x: int, y: int, shape: tuple[int, ...]) -> Field:
    """The part of a quarter picture that belongs to a crop in full resolution."""
    warp = np.array([[0.25, 0, (x + 0.5) / 4 - 0.5], [0, 0.25, (y + 0.5) / 4 - 0.5]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (shape[1], shape[0])
    return np.asarray(
        cv2.warpAffine(quarter, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def nearer_where(guess: Flags, one: Field, other: Field) -> Field:
    """The other, but where the board is a guess whichever is nearer to it."""
    better = guess & (_square(one) < _square(other))
    return np.asarray(np.where(better[..., None], one, other), np.float32)


def _square(field: Field) -> Field:
    """Per pixel the sum of the squares of the channels."""
    return np.asarray(np.einsum("ijc,ijc->ij", field, field), np.float32)
