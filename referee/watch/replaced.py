"""A piece may come to rest where one like it lay, which it struck: the place was seen without either in between."""

import cv2
import numpy as np

from calibration.profile import Profile
from referee.vision.glimpses import THING, Glimpse, taken_apart
from referee.vision.motion import Spots, cut_out, to_half
from referee.vision.ovals import radius_of
from referee.vision.steps import Steps
from referee.watch.changes import Changes, Kept
from referee.watch.following import HalfFrame
from referee.watch.scenes import Scene

ASIDE_MM = 0.3
"""Nobody stops nearer than this to where another lay."""
BARE = 0.65
"""Share of the place that is neither the piece that lay there nor a shadow on it."""
CLEAR = 1.6
"""Radii from the middle of the place to any hand."""
SLICE = 6
"""Frames looked at in one step."""


def without_replaced(scene: Scene, changes: Changes, hand_area: float, profile: Profile) -> Steps[Changes]:
    """The changes with pieces that seem to lie as they lay, but left their places, among those that went and came."""
    doubted = [k for k in changes.kept if k.shift_mm > ASIDE_MM]
    if not changes.gone or not changes.come or not doubted:
        return changes
    places = [to_half(profile.to_pixels(np.array(k.before.outline_mm))) for k in doubted]
    left: list[Kept] = []
    for n, frame in enumerate(scene.frames):
        if n % SLICE == 0:
            yield
        sight = taken_apart(frame.sketch, hand_area)
        left += [
            k
            for k, place in zip(doubted, places, strict=True)
            if k not in left and _bare(place, frame, sight)
        ]
    return Changes(
        tuple(k for k in changes.kept if k not in left),
        (*changes.gone, *(k.before for k in left)),
        (*changes.come, *(k.after for k in left)),
        changes.fallen_px,
    )


def _bare(place: Spots, frame: HalfFrame, sight: Glimpse) -> bool:
    """Whether no hand is near a place, and most of it shows something else than lay there."""
    (left, top, right, bottom), marks = frame.sketch.box, frame.sketch.marks
    aside = (place.max(axis=0) <= (left, top)) | (place.min(axis=0) >= (right, bottom))
    if aside.any() or sight.reach(place.mean(axis=0)) < CLEAR * radius_of(place):
        return False
    window, mask = cut_out(place - np.array([left, top]), marks.shape)
    other = np.count_nonzero((marks[window] == THING) & (mask > 0))
    return bool(other > BARE * cv2.contourArea(place.astype(np.float32)))
