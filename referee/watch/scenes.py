"""Cut the stream of frames into passages of play: a still picture, what moved, the next still picture.

One pass, bounded memory: the same code runs live and on footage.
"""

from collections import deque
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Frame, Image
from referee.types import Outline
from referee.vision.board import Window
from referee.vision.glimpses import sketch
from referee.vision.grain import Grain
from referee.vision.hands import HAND_SHARE
from referee.vision.motion import CHANGED, Mask, change, half, large_contours, lit_like, solid
from referee.vision.steady import UNMOVED, Shift, Steady, held, scaled
from referee.watch.following import HalfFrame
from referee.watch.unrest import Unrest

STILL_NS = 170_000_000
"""A picture that has not changed for so long is a still."""
STALE_NS = 8_000_000_000
"""After so long whatever lies still in the picture belongs to it."""
CREEP_NS = 90_000_000
MEAN_OF = 12
"""Most frames averaged for a still: noise falls to a third."""
READY = 6
"""Frames of a still that is believed as soon as it is old enough: players wait for the ruling."""
FEWEST = 3
"""Frames a still is made of when the next movement comes early."""
THIN = np.ones((2, 2), np.uint8)
FEW = 4
"""Quarter pixels that may differ between two frames of a still."""
KEPT_FRAMES = 300
KEPT_NS = 5_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """The mean of some frames in which nothing moved."""

    frames: tuple[int, int]
    t_ns: int
    image: Image
    small: Image
    """At half resolution."""
    trembled: bool = False
    """The camera moved meanwhile."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What happened between two stills."""

    before: Still
    after: Still
    frames: tuple[HalfFrame, ...]
    """Those in which something moved; repeated pictures are left out."""
    cut: bool = False
    """Frames at the beginning were too many to keep."""
    over: tuple[Outline, ...] = ()
    """What lies in the picture, as large as a hand, since it came so long ago that it belongs there; in raw pixels."""
    unfinished: bool = False
    """The pictures end in the middle of it: nothing rests in the one it ends with."""


class _Candidate:
    """Frames that may become a still."""

    def __init__(self, frame: Frame, tiny: Image, whole: Image | None, shift: Shift) -> None:
        self.tiny, self.whole, self.t_ns = tiny, whole, frame.t_ns
        self.first = self.last = frame.index
        self.last_ns = frame.t_ns
        self.count = 0
        self.taken = self.trembled = False
        self.rows: Image | None = None
        """Some of the window's rows at a glance, once the still is taken."""
        self._sum: NDArray[np.float32] | None = None
        self.add(frame, shift)

    @property
    def age_ns(self) -> int:
        return self.last_ns - self.t_ns

    def add(self, frame: Frame, shift: Shift) -> None:
        self.last, self.last_ns = frame.index, frame.t_ns
        self.trembled |= shift != UNMOVED
        # Most candidates die young, and a piece may still creep: the sum starts late.
        if self.age_ns >= CREEP_NS and self.count < MEAN_OF and not self.taken:
            self.average(frame, shift)

    def average(self, frame: Frame, shift: Shift) -> None:
        picture = held(frame.image, scaled(shift, 2))
        if self._sum is None:
            self._sum = picture.astype(np.float32)
        else:
            # Whole numbers are as exact in floats, and OpenCV adds up these in a third of the time.
            cv2.accumulate(picture, self._sum)
        self.count += 1

    def rests(self, whole: Image | None, trembling: bool) -> bool:
        """Whether the rest of the table rests as well, where that is asked."""
        if whole is None or self.whole is None:
            self.whole = self.whole if whole is None else whole
            return True
        return alike(whole, self.whole, trembling=trembling)

    def still(self, grain: Grain) -> Still:
        assert self._sum is not None
        image = cast(Image, cv2.convertScaleAbs(self._sum, alpha=1 / self.count))
        small = grain.soft(half(image))
        return Still((self.first, self.last), self.t_ns, image, small, self.trembled)


class SceneCutter:
    """Feed frames; a scene comes out when the picture has come to rest again.

    Play is looked for in a window of the picture. Hands beside it begin no scene, but a scene ends only when all rests.
    """

    def __init__(self, window: Window) -> None:
        self.last: Still | None = None
        self.unrest = Unrest()
        self._window = window
        self._steady, self._grain = Steady(), Grain()
        self._last_tiny: Image | None = None
        self._last_whole: Image | None = None
        self._candidate: _Candidate | None = None
        self._frames: deque[HalfFrame] = deque(maxlen=KEPT_FRAMES)
        self._previous: Image | None = None
        self._cut = False
        self._fed: Frame | None = None

    def feed(self, frame: Frame) -> Scene | None:
        """Take the next frame."""
        if self._rests_at_a_glance(frame):
            return None
        waiting = self._candidate
        small = self._grain.softened(half(self._window.of(frame.image)))
        tiny = unheld = _tiny(small)
        shift = UNMOVED
        trembles = self._steady.trembles(frame.t_ns)
        same = not trembles and waiting is not None and alike(tiny, waiting.tiny)
        if not same and (shift := self._steady.shift(small, frame.t_ns)) != UNMOVED:
            small = held(small, shift)
            tiny, trembles = _tiny(small), True
        if trembles:
            same = waiting is not None and alike(tiny, waiting.tiny, trembling=True)
        whole = self._whole(frame.image, tiny, shift) if same and self._frames else None
        rests = same and (waiting is None or waiting.rests(whole, trembles))
        if waiting is not None and rests:
            waiting.add(frame, shift)
            scene = self._settle(waiting, READY)
            if waiting.taken and waiting.rows is None and not self._grain.grainy:
                waiting.rows = _glance(self._window.of(frame.image))
        else:
            scene = self._settle(waiting, FEWEST) if waiting is not None else None
            self._candidate = _Candidate(frame, tiny, whole, shift)
        self._note_unrest(frame, unheld)
        # What differs from the frame before need not be held against it again.
        new = not same and waiting is not None and waiting.tiny is self._previous
        self._keep(frame, small, tiny, new, trembles)
        self._fed = frame
        return scene

    @property
    def stirred(self) -> bool:
        """Something has moved since the last still."""
        return bool(self._frames)

    def _note_unrest(self, frame: Frame, unheld: Image) -> None:
        if self._candidate is not None and self._candidate.age_ns >= STILL_NS and self.last is not None:
            self.unrest.rest()
        else:
            self.unrest.stir(frame, unheld)

    def forget(self) -> None:
        """Begin anew with the next picture at rest; how the camera stood when it stood still is kept."""
        self.last = self._last_tiny = self._last_whole = self._candidate = self._previous = None
        self._frames.clear()
        self._cut = False
        self.unrest.rest()

    def _rests_at_a_glance(self, frame: Frame) -> bool:
        """Whether nothing begins after a still: most frames are of a table at rest, and cost next to nothing."""
        waiting = self._candidate
        if waiting is None or waiting.rows is None or self._frames or self._steady.trembles(frame.t_ns):
            return False
        if not _unchanged(_glance(self._window.of(frame.image)), waiting.rows):
            return False
        waiting.add(frame, UNMOVED)
        self._fed = frame
        return True

    def _whole(self, image: Image, tiny: Image, shift: Shift) -> Image:
        """All of the table at a quarter of its resolution; of the window that is known already."""
        if shift != UNMOVED or self._grain.grainy:
            return _tiny(held(self._grain.soft(half(image)), shift))
        whole = np.empty((image.shape[0] // 4, image.shape[1] // 4, 3), np.uint8)
        left, top = self._window.x // 4, self._window.y // 4
        right, bottom = left + tiny.shape[1], top + tiny.shape[0]
        whole[top:bottom, left:right] = tiny
        for x0, y0, x1, y1 in (
            (0, 0, whole.shape[1], top),
            (0, bottom, whole.shape[1], whole.shape[0]),
            (0, top, left, bottom),
            (right, top, whole.shape[1], bottom),
        ):
            if x1 > x0 and y1 > y0:
                whole[y0:y1, x0:x1] = _tiny(half(image[4 * y0 : 4 * y1, 4 * x0 : 4 * x1]))
        return whole

    def finish(self) -> Scene | None:
        """The footage is over: take what stillness there was, or else its last picture for one."""
        waiting = self._candidate
        if waiting is None or self._fed is None or (self.last is not None and not self._frames):
            return None
        unfinished = waiting.count == 0
        if unfinished and self.last is None:
            return None
        if unfinished:
            waiting.average(self._fed, UNMOVED)
        unfinished |= bool(self._came_to_lie(waiting))
        scene = self._conclude(waiting)
        return replace(scene, unfinished=unfinished) if scene is not None else None

    def _keep(self, frame: Frame, small: Image, tiny: Image, new: bool, trembles: bool) -> None:
        if self.last is None or self._last_tiny is None:
            return
        if not self._frames and (self._resting or alike(tiny, self._last_tiny, trembling=trembles)):
            return
        if (
            not new
            and self._previous is not None
            and self._frames
            and alike(tiny, self._previous, 0, trembles)
        ):
            return
        self._previous = tiny
        self._cut |= len(self._frames) == KEPT_FRAMES
        corner = self._window.x // 2, self._window.y // 2
        drawn = sketch(small, self._last_small, corner)
        since_ns = 0 if self._fed is None else frame.t_ns - self._fed.t_ns
        self._frames.append(HalfFrame(frame.index, frame.t_ns, small, corner, drawn, since_ns))
        while frame.t_ns - self._frames[0].t_ns > KEPT_NS:
            self._frames.popleft()
            self._cut = True

    @property
    def _last_small(self) -> Image:
        """The window of the last still, at half resolution."""
        assert self.last is not None
        halved = (v // 2 for v in (self._window.x, self._window.y, self._window.width, self._window.height))
        return Window(*halved).of(self.last.small)

    @property
    def _resting(self) -> bool:
        """The picture has not changed since the last still was taken from it."""
        return self._candidate is not None and self._candidate.taken

    def _settle(self, candidate: _Candidate, least: int) -> Scene | None:
        enough = candidate.age_ns >= STILL_NS and candidate.count >= least
        if not enough or (self.last is not None and not self._frames):
            return None
        over = self._came_to_lie(candidate)
        return None if over and candidate.age_ns < STALE_NS else self._conclude(candidate, over)

    def _came_to_lie(self, candidate: _Candidate) -> tuple[Outline, ...]:
        """What lies in the picture, as large as a hand, that was not there before; in raw pixels."""
        if candidate.whole is None or self._last_whole is None:
            return ()
        plate = lit_like(self._last_whole, candidate.whole)
        things = solid(candidate.whole, plate, change(candidate.whole, plate))
        large = large_contours(things, HAND_SHARE * things.size)
        return tuple(
            tuple((4.0 * x, 4.0 * y) for x, y in contour.reshape(-1, 2).tolist()) for contour in large
        )

    def take_back(self, scene: Scene) -> None:
        """What lay in the picture at the end of this scene does not belong there: the still before it holds."""
        if self.last is scene.after:
            self.last, self._last_whole = scene.before, _tiny(scene.before.small)
            self._last_tiny = _tiny(self._last_small)

    def _conclude(self, candidate: _Candidate, over: tuple[Outline, ...] = ()) -> Scene | None:
        still = candidate.still(self._grain)
        candidate.taken = True
        before, frames, cut = self.last, tuple(self._frames), self._cut
        self.last, self._last_whole = still, _tiny(still.small)
        self._last_tiny = _tiny(self._last_small)
        self._frames.clear()
        self._previous, self._cut = None, False
        self.unrest.rest()
        return None if before is None else Scene(before, still, frames, cut, over)


def alike(a: Image, b: Image, few: int = FEW, trembling: bool = False) -> bool:
    """Whether two small pictures show the same, whatever the lamp does.

    Of a camera that trembles some edges always differ, in lines as thin as a pixel.
    """
    if _unchanged(a, b):
        return True
    changed = change(a, lit_like(b, a))
    if trembling:
        changed = cast(Mask, cv2.erode(changed, THIN))
    return cv2.countNonZero(changed) <= few


def _unchanged(a: Image, b: Image) -> bool:
    """The quick look: nowhere anything beyond noise."""
    return cv2.norm(a, b, cv2.NORM_INF) <= CHANGED


def _glance(part: Image) -> Image:
    """A quarter of a picture's rows, two and two together: no piece is so small that it shows in none."""
    return half(part[1::4])


def _tiny(small: Image) -> Image:
    size = (small.shape[1] // 2, small.shape[0] // 2)
    return cast(Image, cv2.resize(small, size, interpolation=cv2.INTER_AREA))
