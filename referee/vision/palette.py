"""The colours of a printed board: what was never seen empty of it is guessed to be printed in the same."""

from functools import lru_cache

import cv2
import numpy as np

from referee.vision.board import PATTERNED, RIM, EmptyBoard, Field, Mask, edges_of, halved

BIN = 0.12
"""Logarithms by which two colours of one palette differ at least, in some channel."""
RARE = 0.002
"""Share of the board that a colour of its print takes at least."""
FAINT_PRINT = 0.15
"""Step of an edge of a print, in logarithms over three channels; the grain of most wood is less."""
AROUND = 61
"""Half pixels round what is unknown from which the colours are taken: there the light is the same."""


@lru_cache(maxsize=2)
def palette(board: EmptyBoard) -> Field | None:
    """The colours of a printed board round what is unknown of it, in logarithms; None for a plain or known one."""
    small = halved(board)
    seen = (small.inside > 0) & (small.sure > 0)
    inner = seen & (cv2.erode(small.inside, RIM, borderValue=0) > 0)
    if seen.all() or not inner.any() or float((edges_of(small.log)[inner] > FAINT_PRINT).mean()) < PATTERNED:
        return None
    near = seen & (cv2.dilate(_unknown(small), np.ones((AROUND, AROUND), np.uint8)) > 0)
    colours = small.log[near if near.any() else seen]
    _, which, counts = np.unique(
        np.floor(colours / BIN).astype(np.int64), axis=0, return_inverse=True, return_counts=True
    )
    sums = np.stack([np.bincount(which.ravel(), colours[:, c]) for c in range(3)], axis=1)
    common = counts > RARE * len(colours)
    return np.asarray(sums[common] / counts[common, None], np.float32)


def _unknown(small: EmptyBoard) -> Mask:
    return np.where((small.sure == 0) & (small.inside > 0), 255, 0).astype(np.uint8)


def unprinted(log: Field, where: Mask, colours: Field) -> Field:
    """At some places the step from the nearest of the colours to the picture; 0 elsewhere."""
    out = np.zeros_like(log)
    mine = log[where > 0]
    if len(mine):
        # |a - b|^2 without what is the same for every colour.
        far = (colours * colours).sum(axis=1) - 2 * mine @ colours.T
        out[where > 0] = mine - colours[far.argmin(axis=1)]
    return out
