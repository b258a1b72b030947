"""Did the pieces of a drop come all at once, or in several goes?"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Piece
from referee.vision.motion import Mask, cut_out, to_half
from referee.vision.steps import Steps
from referee.watch.following import HalfFrame
from referee.watch.scenes import Scene

TOGETHER_NS = 700_000_000
"""Pieces of one handful bounce and roll for no longer than this after the first of them lies."""
LIKE = 8.0
"""Grey levels within which a place looks the same, on the mean."""
FRAMES_A_STEP = 16


@dataclass(slots=True)
class _Place:
    """Where a piece came to lie, empty and taken."""

    window: tuple[slice, slice]
    mask: Mask
    empty: Image
    taken: Image
    lay_from_ns: int | None = None
    """Since when it has looked as it does at the end."""
    bare_until_ns: int = 0
    """When it was last seen bare."""

    def note(self, frame: HalfFrame) -> None:
        (x, y), (rows, columns), t_ns = frame.corner, self.window, frame.t_ns
        part = frame.image[rows.start - y : rows.stop - y, columns.start - x : columns.stop - x]
        if _apart(part, self.taken, self.mask) > LIKE:
            self.lay_from_ns = None
        elif self.lay_from_ns is None:
            self.lay_from_ns = t_ns
        if _apart(part, self.empty, self.mask) < LIKE:
            self.bare_until_ns = t_ns


def came_at_once(scene: Scene, come: tuple[Piece, ...], profile: Profile) -> Steps[bool]:
    """False when some piece's place was seen bare long after another piece had come to lie for good."""
    places = [_place(scene, piece, profile) for piece in come]
    places = [p for p in places if p.mask.size and _apart(p.empty, p.taken, p.mask) > 2 * LIKE]
    for k, frame in enumerate(scene.frames):
        if k % FRAMES_A_STEP == FRAMES_A_STEP - 1:
            yield
        for place in places:
            place.note(frame)
    first = min((p.lay_from_ns for p in places if p.lay_from_ns is not None), default=None)
    return first is None or max(p.bare_until_ns for p in places) - first < TOGETHER_NS


def _place(scene: Scene, piece: Piece, profile: Profile) -> _Place:
    outline = to_half(profile.to_pixels(np.array(piece.outline_mm)))
    window, mask = cut_out(outline, scene.after.small.shape)
    return _Place(window, mask, scene.before.small[window], scene.after.small[window])


def _apart(one: Image, other: Image, mask: Mask) -> float:
    """Mean difference of two pictures of a place, in grey levels."""
    return float(np.mean(cv2.mean(cv2.absdiff(one, other), mask)[:3]))
