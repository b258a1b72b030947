"""Find the pieces of a still a little at a time, and after a passage of play only where the picture changed."""

from concurrent.futures import Future, wait
from typing import cast

import cv2
import numpy as np

from calibration.profile import Profile
from referee.types import Piece
from referee.vision.alignment import aligned
from referee.vision.board import EmptyBoard, Mask, Window, board_from_picture
from referee.vision.motion import finely_changed, half, mean_within, to_half
from referee.vision.outlining import Fellows
from referee.vision.pieces import Blob, search
from referee.vision.see import in_one_place, laid_down
from referee.vision.steps import Steps
from referee.watch.scenes import Still

DISTURBED = 0.1
"""Share of a piece's place that may change before it is looked at again."""
ROUND = np.ones((5, 5), np.uint8)
LEARNING_S = 0.005
"""How long one step waits for a board that is still being learned."""

Looking = Steps[tuple[Piece, ...]]
Learning = Future[EmptyBoard | None]
"""A board that is being learned in another thread."""


class Looker:
    """Remembers the last still's silhouettes."""

    def __init__(self, profile: Profile, board: EmptyBoard | Learning | None) -> None:
        self._profile, self._board = profile, board
        self._last: Still | None = None
        self._fellows = Fellows()
        self._blobs: tuple[Blob, ...] = ()

    def look(self, still: Still) -> Looking:
        """The pieces of the next still, numbered from 0; yields between steps of the search."""
        board = yield from self._empty_board(still)
        if self._last is None:
            self._blobs = yield from search(still.image, board, self._profile, None, self._fellows)
        else:
            yield from self._again(still, self._last, board)
        self._last = still
        return (yield from laid_down(dict(enumerate(self._blobs)), self._profile))

    def _empty_board(self, still: Still) -> Steps[EmptyBoard]:
        if isinstance(self._board, Future):
            while not self._board.done():
                wait([self._board], LEARNING_S)
                yield
            self._board = self._board.result()
        if self._board is None:
            self._board = board_from_picture(still.image, self._profile)
        elif self._last is None:
            self._board = aligned(self._board, still.image)
            yield
        return self._board

    def _again(self, still: Still, last: Still, board: EmptyBoard) -> Steps[None]:
        changed = _changed(last, still, board.window)
        if not changed.any():
            return  # But for a hand nothing came and went, and all lies as it lay.
        kept = tuple(b for b in self._blobs if _share(changed, b, board.window) < DISTURBED)
        yield
        found = yield from search(still.image, board, self._profile, changed, self._fellows)
        new = _beside(kept, found)
        if len(kept) + len(new) < len(self._blobs):
            # One of nearly the board's colour changes it so little that the search may pass it by.
            new = _beside(kept, (yield from search(still.image, board, self._profile, None, self._fellows)))
        self._blobs = (*kept, *new)


def _beside(kept: tuple[Blob, ...], found: tuple[Blob, ...]) -> tuple[Blob, ...]:
    """What was found elsewhere than those that lie as they lay."""
    return tuple(f for f in found if not any(in_one_place(f, k) for k in kept))


def _changed(last: Still, still: Still, window: Window) -> Mask:
    """255 where the window differs between two stills, at half resolution, with some room."""
    before, after = half(window.of(last.image)), half(window.of(still.image))
    return cast(Mask, cv2.dilate(finely_changed(before, after), ROUND))


def _share(changed: Mask, blob: Blob, window: Window) -> float:
    outline = to_half(blob.silhouette_px - np.array([window.x, window.y]))
    return mean_within(changed, outline) / 255
