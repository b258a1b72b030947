"""The empty board laid under a picture: a camera that trembles, or was nudged, is a pixel off its calibration stills.

Every edge of a print would then show as a thing. Where picture and board differ along the edges of the board, by as
much as the edges are steep, the picture has moved. Light that changes from place to place is no matter: it is gentle.
"""

from dataclasses import replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.vision.board import EmptyBoard, Field, Flags, halved, log_of
from referee.vision.steady import Shift, scaled

LEAST_PX, MOST_PX = 0.1, 4.0
"""Less is not worth while; more is no trembling."""
STEEP = 0.06
"""Step from one half pixel to the next, in logarithms, of an edge that tells."""
FEWEST = 200
GENTLE = (25, 25)
"""Half pixels over which light changes."""
FLAT = 0.1
"""How much less than across the steepest direction the edges may tell along the other."""
BETTER = 0.95
"""What is left of the difference at the edges when the shift is right, at most."""
ROUNDS, ENOUGH = 8, 0.02
"""A step smaller than this, in half pixels, is the last."""
_ACROSS = np.array([[-0.5, 0.0, 0.5]], np.float32)


def aligned(board: EmptyBoard, image: Image | Field) -> EmptyBoard:
    """The board as this picture shows it, moved by a fraction of a pixel if the camera has."""
    window = board.window
    part = image if image.shape[:2] == (window.height, window.width) else window.of(image)
    small = halved(board)
    green = cv2.resize(cv2.extractChannel(part, 1), small.size, interpolation=cv2.INTER_AREA)
    shift = _shift(
        log_of(cast(Image | Field, green)), np.ascontiguousarray(small.log[..., 1]), small.sure > 0
    )
    if shift is None or not LEAST_PX <= max(abs(s) for s in scaled(shift, 2)) <= MOST_PX:
        return board
    return replace(board, log=_moved(board.log, scaled(shift, -2)))


def _shift(seen: Field, board: Field, known: Flags) -> Shift | None:
    """How far the picture lies right of and below the board, in half pixels; None where that cannot be told."""
    soft = _softened(board)
    across, down = cv2.filter2D(soft, -1, _ACROSS), cv2.filter2D(soft, -1, _ACROSS.T)
    tells = known & (across**2 + down**2 > STEEP**2)
    if np.count_nonzero(tells) < FEWEST:
        return None
    slopes = np.column_stack([across[tells], down[tells]]).astype(np.float32)
    found, first, last = np.zeros(2), 0.0, 0.0
    for _ in range(ROUNDS):
        off = _softened(_moved(seen, (float(found[0]), float(found[1]))) - board)
        off = (off - cv2.blur(off, GENTLE))[tells]
        last = float(np.median(np.abs(off)))
        first = first or last
        step = _voted(off, slopes, 2 * last + 1e-3)
        if step is None:
            return None
        found = found - step
        if np.abs(step).max() < ENOUGH:
            break
    return (float(found[0]), float(found[1])) if last < BETTER * first else None


def _voted(off: Field, slopes: Field, scale: float) -> NDArray[np.float64] | None:
    """The step that explains most of what differs; pieces and hands are outvoted. None where edges run one way only."""
    weight = 1 / (1 + (off / scale) ** 2) ** 2
    square = (slopes * weight[:, None]).T @ slopes
    weak, strong = np.linalg.eigvalsh(square)
    if weak < FLAT * strong:
        return None
    return np.asarray(np.linalg.solve(square, slopes.T @ (weight * off)), np.float64)


def _moved(picture: Field, by: Shift) -> Field:
    """What lies to the right and below comes into its place."""
    warp = np.array([[1, 0, by[0]], [0, 1, by[1]]], np.float32)
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(
        cv2.warpAffine(picture, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def _softened(picture: Field) -> Field:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.float32)
