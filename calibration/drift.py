"""Has the camera been bumped, or the board moved? Asked a few times a second, at next to no cost.

Small patches of the first picture are looked for where they were: corners of anything that lies still tell of the
camera, patches on the rim of the board tell of the board. Correlation is blind to brightness, so light and exposure
may drift; a hand covers only some patches, and those count for nothing.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.charuco import Gray, gray_of
from calibration.profile import Profile
from hardware.frames import Image

Vector = NDArray[np.float64]

PERIOD_NS = 250_000_000
HALF = 12
REACH = 9
"""Patches are 25 pixels wide and are found up to this many pixels away."""
ALIKE = 0.75
MOVED_PX = 0.7
"""Less is noise, flicker and breathing of the focus."""
STILL_PX = 0.3
SETTLED_LOOKS = 5
"""Looks in a row without change until a new place is believed."""
RECENT, CALM_PX = 6, 0.2
"""Looks by which a camera that trembles is known, and the tremble of one that does not."""
MIDDLING, BUMPED = 1.67, 3.5
"""The usual way from one look to the next, and the farthest the first one may lie off, in standard errors of a look."""
MOST_CORNERS, RIM_PATCHES = 24, 16


class Standing(Enum):
    STEADY = "steady"
    MOVED = "moved"
    """Something is moving or has moved out of reach: geometry must not be judged."""
    REFOUND = "refound"
    """It moved, has settled, and `profile` is right again."""


@dataclass(frozen=True, slots=True)
class Drift:
    standing: Standing
    camera_mm: float
    """How far the picture of the table moved, on the table."""
    board_mm: float
    """How far the board moved on the table."""
    profile: Profile
    """The one to measure with from now on."""
    because: str


@dataclass(frozen=True, slots=True, eq=False)
class _Patch:
    at: NDArray[np.int64]
    look: Gray
    normal: Vector | None
    """On the rim of the board only the way across it can be told."""


class DriftWatch:
    """Compares frames with the first one it is shown."""

    def __init__(self, profile: Profile, period_ns: int = PERIOD_NS) -> None:
        self._period_ns = period_ns
        self._start(profile)

    def _start(self, profile: Profile) -> None:
        self._profile = profile
        self._patches: tuple[_Patch, ...] = ()
        self._next_ns = 0
        self._last = np.zeros(4)
        self._recent: deque[Vector] = deque(maxlen=RECENT)
        self._still = 0
        self._noticed = 0
        self._drift = Drift(Standing.STEADY, 0.0, 0.0, profile, "")

    def see(self, image: Image, t_ns: int) -> Drift:
        """How things stand after this frame; most frames are passed over."""
        if not self._patches:
            self._patches = _patches(gray_of(image), self._profile)
        elif t_ns >= self._next_ns:
            self._look(image)
        else:
            return self._drift
        self._next_ns = t_ns + self._period_ns
        return self._drift

    def _look(self, image: Image) -> None:
        moved = _motion(image, self._patches)
        if moved is None:
            self._lost()
            return
        self._recent.append(moved)
        tremble = self._tremble_px()
        if tremble > CALM_PX:
            moved = np.mean(self._recent, axis=0)
        far = max(float(np.hypot(*moved[:2])), float(np.hypot(*moved[2:])))
        self._still = self._still + 1 if np.abs(moved - self._last).max() < STILL_PX + tremble else 0
        self._last = moved
        self._noticed = self._noticed + 1 if far > MOVED_PX + BUMPED * tremble else 0
        if self._noticed == 0 and self._drift.standing is not Standing.MOVED:
            return
        if self._noticed == 0 and self._still >= 2:
            self._drift = Drift(Standing.STEADY, 0.0, 0.0, self._profile, "")
        elif self._noticed >= 2:
            self._say(image, moved)

    def _tremble_px(self) -> float:
        """Standard error of one look at a camera that trembles; a single bump does not count."""
        steps = [float(np.hypot(*(b - a)[:2])) for a, b in pairwise(self._recent)]
        return float(np.median(steps)) / MIDDLING if steps else 0.0

    def _lost(self) -> None:
        """Nearly no patch is where it was: a large bump, or somebody leans over the table."""
        self._noticed += 1
        self._still = 0
        if self._noticed >= 5:
            far = f"{REACH * self._mm_per_px():.0f} mm"
            why = f"something hides the table, or camera or board moved by more than {far}: calibrate again then"
            self._drift = Drift(Standing.MOVED, REACH * self._mm_per_px(), 0.0, self._profile, why)

    def _say(self, image: Image, moved: Vector) -> None:
        camera_mm = float(np.hypot(*moved[:2])) * self._mm_per_px()
        board_mm = float(np.hypot(*moved[2:])) * self._mm_per_px()
        what = f"the camera was bumped ({camera_mm:.1f} mm)" if camera_mm >= board_mm else ""
        what = what or f"the board moved ({board_mm:.1f} mm)"
        if self._still < SETTLED_LOOKS:
            self._drift = Drift(
                Standing.MOVED, camera_mm, board_mm, self._profile, f"{what}: wait until it lies still"
            )
            return
        again = shifted(self._profile, moved)
        self._start(again)
        self._patches = _patches(gray_of(image), again)
        self._drift = Drift(
            Standing.REFOUND, camera_mm, board_mm, again, f"{what}; its new place is taken over"
        )

    def _mm_per_px(self) -> float:
        return float(self._profile.camera_mm[2]) / self._profile.K[0][0]


def shifted(profile: Profile, moved: Vector) -> Profile:
    """The profile after the picture of the table moved by the first two and the board by the last two (pixels).

    A bump turns the camera far more than it carries it: the pose is the turn that moves the picture so.
    """
    focal = profile.K[0][0]
    turn, _ = cv2.Rodrigues(np.array([-moved[1] / focal, moved[0] / focal, 0.0]))
    R, t = turn @ np.array(profile.R), turn @ np.array(profile.t_mm)
    bumped = replace(profile, R=tuple(map(tuple, R.tolist())), t_mm=tuple(t.tolist()))
    if profile.board_outline_mm is None or not moved[2:].any():
        return bumped
    px = bumped.to_pixels(np.array(profile.board_outline_mm)) + moved[2:]
    return replace(bumped, board_outline_mm=tuple((float(x), float(y)) for x, y in bumped.to_board(px)))


def _patches(gray: Gray, profile: Profile) -> tuple[_Patch, ...]:
    board = _board_mask(gray, profile)
    corners = cv2.goodFeaturesToTrack(gray, MOST_CORNERS, 0.02, 40, mask=cv2.bitwise_not(board), blockSize=7)
    places = [] if corners is None else [np.rint(c.ravel()).astype(np.int64) for c in corners]
    found = [_cut(gray, at, None) for at in places]
    found += [_cut(gray, at, normal) for at, normal in _rim(profile)]
    return tuple(p for p in found if p is not None)


def _board_mask(gray: Gray, profile: Profile) -> Gray:
    """Where the board and a little around it lies: nothing on it tells of the camera."""
    mask = np.zeros(gray.shape, np.uint8)
    if profile.board_outline_mm is not None:
        px = profile.to_pixels(np.array(profile.board_outline_mm))
        cv2.fillPoly(mask, [np.rint(px).astype(np.int32)], 255)
        cv2.dilate(mask, np.ones((2 * HALF + 1, 2 * HALF + 1), np.uint8), dst=mask)
    return mask


def _rim(profile: Profile) -> Sequence[tuple[NDArray[np.int64], Vector]]:
    """Places on the outline with the way across it, evenly spread, away from corners."""
    if profile.board_outline_mm is None:
        return ()
    a = profile.to_pixels(np.array(profile.board_outline_mm))
    b = np.roll(a, -1, axis=0)
    ends = np.cumsum(np.linalg.norm(b - a, axis=1))
    rim = []
    for way in (np.arange(RIM_PATCHES) + 0.5) / RIM_PATCHES * ends[-1]:
        side = int(np.searchsorted(ends, way))
        along = (b[side] - a[side]) / np.linalg.norm(b[side] - a[side])
        at = b[side] - along * (ends[side] - way)
        rim.append((np.rint(at).astype(np.int64), np.array([along[1], -along[0]])))
    return rim


def _cut(gray: Gray, at: NDArray[np.int64], normal: Vector | None) -> _Patch | None:
    x, y = at
    room = HALF + REACH
    if not (room <= x < gray.shape[1] - room and room <= y < gray.shape[0] - room):
        return None
    look = gray[y - HALF : y + HALF + 1, x - HALF : x + HALF + 1].copy()
    return _Patch(at, look, normal) if look.std() > 3 else None


def _motion(image: Image, patches: Sequence[_Patch]) -> Vector | None:
    """Pixels by which the table moved in the picture, then those by which the board moved on it."""
    seen = [(p, _shift(image, p)) for p in patches]
    free = np.array([s for p, s in seen if p.normal is None and s is not None]).reshape(-1, 2)
    rim = [(p.normal, s) for p, s in seen if p.normal is not None and s is not None]
    if len(free) + len(rim) < max(4, 0.3 * len(patches)):
        return None
    board = _rim_motion(rim) if len(rim) >= 5 else None
    table = np.median(free, axis=0) if len(free) >= 4 else board
    if table is None:
        return None
    slid = board - table if board is not None and len(free) >= 4 else np.zeros(2)
    return np.concatenate([table, slid])


def _rim_motion(rim: Sequence[tuple[Vector, Vector]]) -> Vector:
    """The shift that explains what was seen across the rim, the worst third left out."""
    across = np.array([n for n, _ in rim])
    by = np.array([n @ s for n, s in rim])
    shift, *_ = np.linalg.lstsq(across, by, rcond=None)
    off = np.abs(across @ shift - by)
    kept = off <= max(float(np.quantile(off, 0.67)), 0.2)
    best, *_ = np.linalg.lstsq(across[kept], by[kept], rcond=None)
    return np.asarray(best, float)


def _shift(image: Image, patch: _Patch) -> Vector | None:
    """Where the patch is now, from where it was; None when it is not to be found."""
    x, y = patch.at
    room = HALF + REACH
    near = gray_of(image[y - room : y + room + 1, x - room : x + room + 1])
    alike = np.asarray(cv2.matchTemplate(near, patch.look, cv2.TM_CCOEFF_NORMED), np.float32)
    if patch.normal is not None:
        alike = _across_only(alike, patch.normal)
    _, best, _, (column, row) = cv2.minMaxLoc(alike)
    if best < ALIKE or not (0 < column < 2 * REACH and 0 < row < 2 * REACH):
        return None
    fine = _peak(alike[row, column - 1 : column + 2]), _peak(alike[row - 1 : row + 2, column])
    return np.array([column + fine[0] - REACH, row + fine[1] - REACH])


def _across_only(alike: NDArray[np.float32], normal: Vector) -> NDArray[np.float32]:
    """Along the rim everything looks alike: of equal matches the one straight across counts."""
    v, u = np.mgrid[-REACH : REACH + 1, -REACH : REACH + 1]
    slip = np.abs(u * -normal[1] + v * normal[0])
    return np.asarray(alike - 0.02 * slip, np.float32)


def _peak(three: NDArray[np.float32]) -> float:
    low, middle, high = (float(v) for v in three)
    bend = low - 2 * middle + high
    return 0.0 if bend >= 0 else float(np.clip((low - high) / (2 * bend), -0.5, 0.5))
