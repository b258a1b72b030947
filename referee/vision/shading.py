"""Shadows taken out of a picture that several stills show: they lie elsewhere in each, and what is painted stays.

The step from one pixel to the next is the same in most stills, wherever a shadow's edge lies in a few of them. Put
together again, the middle steps give the picture without the shadows.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.middles import median

Field = NDArray[np.float32]
Flags = NDArray[np.bool_]

COARSE = 4
"""Shadows are soft: their shape is worked out at so small a part of the resolution."""


STEEP = 0.045
"""Step from one coarse pixel to the next, in logarithms, that only the edge of a piece or of a print makes."""
MUCH = 0.35
"""Difference from the board that no forgotten shade makes."""
AROUND = np.ones((3, 3), np.uint8)


def unshaded(board: Field, stills: Field, hidden: Flags) -> Field:
    """The board's logarithm without the shadows that differ from still to still; `hidden` is covered in each."""
    # Even, as the cosine transform wants it.
    size = (max(board.shape[1] // COARSE // 2 * 2, 2), max(board.shape[0] // COARSE // 2 * 2, 2))
    small = np.stack([cv2.resize(s, size, interpolation=cv2.INTER_AREA) for s in stills])
    covered = [cv2.resize(h.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0 for h in hidden]
    small[np.stack(covered)] = np.nan
    lit = _put_together(_middle(np.diff(small, axis=2)), _middle(np.diff(small, axis=1)))
    shadow = cv2.resize(board, size, interpolation=cv2.INTER_AREA) - lit
    shadow -= np.median(shadow, axis=(0, 1))
    return np.asarray(board - cv2.resize(shadow, (board.shape[1], board.shape[0])), np.float32)


def gentle(ratio: Field, known: Flags) -> Field:
    """The part of a picture over its board that changes too gently for a piece: light and shade remembered wrongly.

    Steep steps, and what differs much, are left out, so pieces keep what they differ by.
    """
    far = _largest(np.abs(ratio)) > MUCH
    open_ = cv2.dilate((far | ~known).astype(np.uint8), AROUND) == 0
    across = _gentle_steps(np.diff(ratio, axis=1), open_[:, 1:] & open_[:, :-1])
    down = _gentle_steps(np.diff(ratio, axis=0), open_[1:] & open_[:-1])
    light = _put_together(across, down)
    return light - median(light[open_]) if open_.any() else np.zeros_like(light)


def _gentle_steps(steps: Field, counted: Flags) -> Field:
    steep = _largest(np.abs(steps)) > STEEP
    return np.where((counted & ~steep)[..., None], steps, np.float32(0))


def _largest(field: Field) -> Field:
    """Per pixel the largest of the channels; `max` over three takes many times as long."""
    return np.maximum(np.maximum(field[..., 0], field[..., 1]), field[..., 2])


def _middle(steps: Field) -> Field:
    """The median over the stills that show a step; no step where none does."""
    count = np.count_nonzero(~np.isnan(steps[..., 0]), axis=0)
    # Not-a-numbers sort to the end.
    ordered = np.sort(steps, axis=0)
    low, high = np.maximum(count - 1, 0) // 2, count // 2
    pick = [
        np.take_along_axis(ordered, k[None, ..., None], axis=0)[0]
        for k in (low, np.minimum(high, len(steps) - 1))
    ]
    return np.asarray(np.where(count[..., None] > 0, (pick[0] + pick[1]) / 2, 0), np.float32)


def _put_together(across: Field, down: Field) -> Field:
    """The picture whose steps to the right and downwards are nearest to these, up to a constant."""
    height, width = across.shape[0], down.shape[1]
    bend = np.zeros((height, width, 3))
    bend[:, :-1] += across
    bend[:, 1:] -= across
    bend[:-1] += down
    bend[1:] -= down
    waves = [2 * np.cos(np.pi * np.arange(n) / n) - 2 for n in (height, width)]
    stiff = waves[0][:, None] + waves[1][None, :]
    stiff[0, 0] = 1.0
    channels = (np.ascontiguousarray(bend[..., k]) for k in range(3))
    return np.dstack([_unbent(channel, stiff) for channel in channels]).astype(np.float32)


def _unbent(bend: NDArray[np.float64], stiff: NDArray[np.float64]) -> NDArray[np.float64]:
    """What bends like this, wave by wave."""
    parts = cv2.dct(bend) / stiff
    parts[0, 0] = 0.0
    return np.asarray(cv2.idct(parts), np.float64)
