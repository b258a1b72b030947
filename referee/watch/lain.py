"""When did a piece last lie in its place? What is seen of the place beside the hand, lit or in its shadow, tells."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.frames import Image
from referee.happenings import Doubt
from referee.vision.glimpses import Glimpse
from referee.vision.motion import Mask, Spots, cut_out, no_shadow
from referee.vision.steps import Steps
from referee.watch.following import HalfFrame

INSIDE = np.ones((5, 5), np.uint8)
"""Half pixels off its rim in which a piece is not looked at: it is blurred."""
OPEN, LEAST = 0.4, 12
"""Share of the piece, and half pixels, that must be seen beside the hand."""
WHOLE = 0.8
"""The same share once something that may be the piece runs free elsewhere: part of a finger may look like it."""
BARE = 0.6
"""Share that must show the board alone, once the piece has left."""
SKIN = 0.25
"""Share of a hand that may look like the piece."""
EVERY = 4
"""Half pixels between those of a hand that are looked at."""
FRAMES = 24
"""Looked at in one go."""


@dataclass(frozen=True, slots=True, eq=False)
class Home:
    """The place of a piece, cut out at half resolution."""

    corner: Spots
    mask: Mask
    lain: Image
    """With the piece."""
    bare: Image
    """Without it."""

    def shows(self, frame: HalfFrame, share: float = OPEN) -> Doubt:
        """Whether such a share looks like the piece in any light, and not like the board; False for the board alone."""
        height, width = self.mask.shape
        x, y = (self.corner - frame.corner).astype(int)
        now = frame.image[max(y, 0) : y + height, max(x, 0) : x + width]
        if now.shape[:2] != self.mask.shape:
            return None
        other, not_bare = (no_shadow(now, was, self.mask) > 0 for was in (self.lain, self.bare))
        whole = cv2.countNonZero(self.mask)
        if np.count_nonzero(not_bare & (self.mask > 0) & ~other) > max(share * whole, LEAST):
            return True
        return False if np.count_nonzero(other & ~not_bare) > BARE * whole else None

    def like_skin(self, frame: HalfFrame, sight: Glimpse) -> bool:
        """Whether a hand has the colour of the piece."""
        if not sight.hands:
            return False
        under = np.zeros(frame.image.shape[:2], np.uint8)
        corner = np.array(frame.corner, np.int32)
        cv2.drawContours(under, [hand - corner for hand in sight.hands], -1, 255, cv2.FILLED)
        x, y = np.maximum((self.corner - frame.corner).astype(int), 0)
        under[y : y + self.mask.shape[0], x : x + self.mask.shape[1]] = 0
        skin = frame.image[::EVERY, ::EVERY][under[::EVERY, ::EVERY] > 0][None]
        colour = np.round(cv2.mean(self.lain, self.mask)[:3]).astype(np.uint8)
        like = (
            no_shadow(skin, np.broadcast_to(colour, skin.shape), np.full(skin.shape[:2], 255, np.uint8)) == 0
        )
        return bool(like.size and like.mean() > SKIN)


def home_of(outline: Spots, lain: Image, bare: Image) -> Home:
    """The place within an outline, on two pictures of half resolution."""
    part, mask = cut_out(outline, lain.shape)
    inner = np.asarray(cv2.erode(mask, INSIDE, borderValue=0), np.uint8)
    corner = np.array([part[1].start, part[0].start])
    return Home(corner, inner, *(np.ascontiguousarray(picture[part]) for picture in (lain, bare)))


def last_lain(
    frames: Sequence[HalfFrame], seen: Sequence[Glimpse], home: Home, free_ns: int = 2**62
) -> Steps[int | None]:
    """The last moment at which its place surely showed the piece, before it showed the board; None if there is none.

    Since `free_ns` something that may be the piece was seen to run free elsewhere.
    """
    last = None
    for k, frame in enumerate(frames):
        shown = home.shows(frame, OPEN if frame.t_ns < free_ns else WHOLE)
        if shown is False:
            break
        last = k if shown else last
        if k % FRAMES == FRAMES - 1:
            yield
    return None if last is None or home.like_skin(frames[last], seen[last]) else _until(frames, last)


def _until(frames: Sequence[HalfFrame], k: int) -> int:
    """The last moment at which the picture was as in frame k: those that looked the same were not kept."""
    if k + 1 == len(frames) or not frames[k + 1].since_ns:
        return frames[k].t_ns
    return max(frames[k].t_ns, frames[k + 1].t_ns - frames[k + 1].since_ns)
