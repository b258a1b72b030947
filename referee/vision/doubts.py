"""Where the light of the empty board is remembered with doubt; worked out once, for a board stays the same."""

from functools import lru_cache
from typing import cast

import cv2
import numpy as np

from referee.vision.board import EmptyBoard, Field, Flags, Mask, halved

NEAR = np.ones((3, 3), np.uint8)
"""Eighth pixels round a doubtful part of the board in which as much may be wrong."""


@lru_cache(maxsize=2)
def doubts(board: EmptyBoard) -> tuple[Flags, Field]:
    """At an eighth of the resolution where the board was seen, and how far it is doubtful there, 0 to 1."""
    small = halved(board)
    # A multiple of eight halves three times; even, as the cosine transform wants it.
    width, height = (max(n // 8 * 2, 2) for n in small.size)
    seen, near = (
        cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA)
        for part in (small.sure & small.inside, cast(Mask, board.doubtful))
    )
    doubt = cv2.blur(np.where(cv2.dilate(near, NEAR) > 0, 1, 0).astype(np.float32), (3, 3))
    return seen == 255, np.asarray(doubt, np.float32)[..., None]
