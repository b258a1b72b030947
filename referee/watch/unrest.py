"""Does the picture not come to rest? Then nothing can be told: scenes begin and end with a picture at rest.

A hand stirs the picture where it is, and reaches in from one side. What stirs it in three corners or in all is no
hand: a camera or a table that shakes, a lamp that flickers, a lens full of noise.
"""

from collections import deque
from dataclasses import dataclass
from itertools import product

import cv2

from hardware.frames import Frame, Image
from referee.happenings import SightLost
from referee.vision.motion import change, lit_like

LOOK_NS = 200_000_000
LASTS_NS = 6_000_000_000
"""Longer than any passage of play: what slides or tumbles stops within two seconds, and with the hand that comes and
goes it is five."""
AT_FIRST_NS = 2_000_000_000
"""Before the first rest of all, where no play is known of; what else may be wrong with a picture is told by then."""
BRIEF_NS = 1_000_000_000
"""So much is enough when it is over: nobody will see more of what happened meanwhile."""
STIRRED = 4
"""More pixels than this differ in a corner that is stirred."""
MOSTLY = 0.5
"""Share of the looks in which a restless corner is stirred: a camera swings to and fro, and passes where it was."""
CORNERS = 3
"""So many are restless: in one there may be nothing to see."""
RESTLESS = "the picture does not come to rest: is the camera or the table shaking, or the light flickering?"

Corners = tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    frame: int
    t_ns: int
    stirred: Corners


class Unrest:
    """Remembers the looks at a picture that does not rest."""

    def __init__(self) -> None:
        self._first = self._last = (0, 0)
        self._seen: tuple[int, Image] | None = None
        self._looks: deque[_Look] = deque()

    def rest(self) -> None:
        """The picture rests."""
        self._seen = None
        self._looks.clear()

    def stir(self, frame: Frame, tiny: Image) -> None:
        """Take a frame, as the camera gave it, that is not like those before it, or not for long enough yet."""
        self._last = frame.index, frame.t_ns
        self._first = self._last if self._seen is None else self._first
        if self._seen is not None and frame.t_ns - self._seen[0] < LOOK_NS:
            return
        if self._seen is not None:
            self._looks.append(_Look(frame.index, frame.t_ns, _stirred(tiny, self._seen[1])))
        self._seen = frame.t_ns, tiny
        while len(self._looks) > 1 and frame.t_ns - self._looks[1].t_ns >= LASTS_NS:
            self._looks.popleft()

    def lost(self, least_ns: int) -> SightLost | None:
        """The loss of sight, once nearly all corners have been restless for so long."""
        if not self._looks or self._looks[-1].t_ns - self._looks[0].t_ns < least_ns:
            return None
        each = zip(*(look.stirred for look in self._looks), strict=True)
        if sum(sum(corner) >= MOSTLY * len(self._looks) for corner in each) < CORNERS:
            return None
        last = self._looks[-1]
        return SightLost((self._looks[0].frame, last.frame), last.t_ns, RESTLESS)

    def lasting(self, why: str) -> SightLost | None:
        """The same at the end of the pictures, whatever stirs them, for the reason given."""
        if self._seen is None or self._last[1] - self._first[1] < BRIEF_NS:
            return None
        return SightLost((self._first[0], self._last[0]), self._last[1], why)


def _stirred(now: Image, before: Image) -> Corners:
    """Which of the four corners look otherwise than a moment ago."""
    changed = change(now, lit_like(before, now))
    height, width = (side // 3 for side in changed.shape)
    rows, columns = ((slice(size), slice(-size, None)) for size in (height, width))
    return tuple(cv2.countNonZero(changed[part]) > STIRRED for part in product(rows, columns))
