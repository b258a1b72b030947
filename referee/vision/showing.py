"""Where the board's own print shows: no piece lies there, however dark the shadow on it.

A camera renders dark colours steeper than light ones, so a print in a shadow differs from the remembered one not only
by its light, and looks like a thing of its own. But its edges are still where they were, with the same colours on the
same sides, and a piece would hide them.
"""

from functools import lru_cache

import cv2
import numpy as np

from referee.vision.board import PRINTED, EmptyBoard, Field, Flags, Mask, edges_of, halved

AROUND = (5, 5)
"""Half pixels over which edges are compared."""
PRINT = 0.25 * PRINTED**2
"""Least mean square of the print's steps there."""
ALIKE = 0.75
"""Least correlation of the steps of picture and print."""
AS_STEEP = 0.5
"""Least size of the picture's steps, as a share of the print's."""
GAP = np.ones((5, 5), np.uint8)
"""Half pixels between two parts that show it, where no piece has room."""
REACH = 12
"""Half pixels beyond which nothing is compared."""
_ACROSS = np.array([[-1.0, 0.0, 1.0]], np.float32)

Window = tuple[slice, slice]
Steps = tuple[Field, Field]


def print_showing(half_log: Field, board: EmptyBoard, within: Window | None = None) -> Flags | None:
    """Where a picture of half resolution shows the print of the board; None where there is no print.

    `within` are the rows and columns that are asked for: all, if none are.
    """
    printed = _print(board)
    if printed is None:
        return None
    within = within or (slice(0, half_log.shape[0]), slice(0, half_log.shape[1]))
    rows, columns = (slice(max(part.start - REACH, 0), part.stop + REACH) for part in within)
    if not (printed[2][rows, columns] > PRINT).any():
        return None
    showing = _showing(half_log[rows, columns], *(part[rows, columns] for part in printed))
    top, left = within[0].start - rows.start, within[1].start - columns.start
    return showing[
        top : top + within[0].stop - within[0].start, left : left + within[1].stop - within[1].start
    ]


def _showing(half_log: Field, across: Field, down: Field, strength: Field) -> Flags:
    """Where the steps of a picture are those of the print."""
    seen = _steps(half_log)
    common = _mean(across * seen[0] + down * seen[1])
    own = _mean(seen[0] ** 2 + seen[1] ** 2)
    alike = (common > 0) & (common**2 > ALIKE**2 * strength * own)
    showing = (alike & (strength > PRINT) & (common > AS_STEEP * strength)).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(showing, cv2.MORPH_CLOSE, GAP), bool)


@lru_cache(maxsize=2)
def _print(board: EmptyBoard) -> tuple[Field, Field, Field] | None:
    """The steps of the print where it is known, and how strong they are; None where there is none."""
    small = halved(board)
    across, down = (np.where(small.sure[..., None] > 0, s, np.float32(0)) for s in _steps(small.log))
    strength = _mean(across**2 + down**2)
    inside = small.inside > 0
    return (across, down, strength) if (strength[inside] > PRINT).any() else None


def _steps(half_log: Field) -> Steps:
    """Steps to the right and downwards."""
    soft = cv2.GaussianBlur(half_log, (0, 0), 0.8)
    across, down = (cv2.filter2D(soft, -1, step) for step in (_ACROSS, _ACROSS.T))
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _mean(values: Field) -> Field:
    """Sum over the channels, mean over the neighbourhood."""
    return np.asarray(cv2.boxFilter(values.sum(axis=2), -1, AROUND), np.float32)


@lru_cache(maxsize=2)
def pattern(board: EmptyBoard) -> Mask:
    """255 at the edges of what is printed, inlaid or woven into the empty board, at half resolution."""
    return np.where(edges_of(halved(board).log) > PRINTED, 255, 0).astype(np.uint8)
