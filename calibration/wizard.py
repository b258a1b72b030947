"""Guidance while the sheet is shown to a camera: what is still missing, in one sentence."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.charuco import SheetSeen
from calibration.lens import Array

GRID = 3
TILT_DEG = 14.0
"""A view tilted by less says little about the lens."""
NOVEL_SHARE = 0.12
"""A new view lies this share of the picture's width from all others, or is tilted another way."""
WANTED_TILTED = 6
STILL_PX = 0.8
STILL_NS = 300_000_000
FLAT_NS = 3_000_000_000
"""No hand holds a sheet so still for so long: it lies."""
FLAT_WANTED = "lay the sheet flat on the middle of the board and take your hands away"
PLACES = (
    ("upper left", "top", "upper right"),
    ("left", "middle", "right"),
    ("lower left", "bottom", "lower right"),
)


@dataclass(frozen=True, slots=True)
class Advice:
    say: str
    coverage: float
    """Share of the picture the sheet has been in."""
    views: int
    take: bool
    """Whether this picture is worth keeping."""
    done: bool


class Wizard:
    """Shown every frame's sheet, keeps count and says what to do next."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        self._views: list[SheetSeen] = []
        self._leans: list[Array] = []
        self._covered = np.zeros((GRID, GRID), bool)
        self._before: SheetSeen | None = None
        self._still_since_ns = 0
        self._longest_ns = 0

    def show(self, seen: SheetSeen | None, t_ns: int) -> Advice:
        """What to do after this frame."""
        if seen is None:
            self._before = None
            return self._advice("hold the sheet into the picture")
        if not self._still(seen):
            self._still_since_ns = t_ns
        self._before = seen
        rest_ns = t_ns - self._still_since_ns
        if rest_ns < STILL_NS:
            return self._advice("hold it still")
        if self._enough():
            return self._flat(rest_ns)
        lean = _lean(seen, self._size)
        if self._novel(seen, lean):
            self._keep(seen, lean)
            return self._advice(self._next(), take=True)
        return self._advice(self._next())

    def missing(self) -> str:
        """What the sheet was not yet shown doing."""
        return FLAT_WANTED if self._enough() else self._next()

    def _flat(self, rest_ns: int) -> Advice:
        longest = rest_ns >= FLAT_NS and rest_ns > self._longest_ns
        self._longest_ns = max(rest_ns, self._longest_ns)
        if longest:
            return self._advice("done", take=True, done=True)
        return self._advice(FLAT_WANTED)

    def _advice(self, say: str, *, take: bool = False, done: bool = False) -> Advice:
        return Advice(say, float(self._covered.mean()), len(self._views), take, done)

    def _still(self, seen: SheetSeen) -> bool:
        if self._before is None:
            return False
        both, mine, theirs = np.intersect1d(seen.ids, self._before.ids, return_indices=True)
        if len(both) < 6:
            return False
        return float(np.abs(seen.px[mine] - self._before.px[theirs]).max()) < STILL_PX

    def _novel(self, seen: SheetSeen, lean: Array) -> bool:
        if np.degrees(np.hypot(*lean)) < TILT_DEG and len(self._views) >= 2:
            return False
        near = NOVEL_SHARE * self._size[0]
        middle = seen.px.mean(0)
        return not any(
            np.hypot(*(v.px.mean(0) - middle)) < near and np.hypot(*(other - lean)) < np.radians(12)
            for v, other in zip(self._views, self._leans, strict=True)
        )

    def _keep(self, seen: SheetSeen, lean: Array) -> None:
        self._views.append(seen)
        self._leans.append(lean)
        cells = np.clip((seen.px / self._size * GRID).astype(int), 0, GRID - 1)
        self._covered[cells[:, 1], cells[:, 0]] = True

    def _enough(self) -> bool:
        tilted = sum(np.degrees(np.hypot(*lean)) >= TILT_DEG for lean in self._leans)
        return bool(tilted >= WANTED_TILTED and self._covered.mean() >= 0.75)

    def _next(self) -> str:
        missing = np.argwhere(~self._covered)
        corners = [m for m in missing if abs(m[0] - 1) + abs(m[1] - 1) == 2]
        place = (corners or list(missing))[0] if len(missing) else None
        if place is not None and len(self._views) >= 2:
            return f"move it to the {PLACES[place[0]][place[1]]} of the picture and tilt it"
        return "tilt the sheet another way" if self._views else "hold it still"


def _lean(seen: SheetSeen, size: tuple[int, int]) -> Array:
    """How the sheet is tilted, as a turn about x and y in radians, with a guessed lens."""
    K = np.array([[size[0], 0, size[0] / 2], [0, size[0], size[1] / 2], [0, 0, 1]], float)
    ok, turn, _ = cv2.solvePnP(seen.mm, seen.px, K, np.zeros(5), flags=cv2.SOLVEPNP_IPPE)
    facing = cv2.Rodrigues(turn)[0][:, 2] if ok else np.array([0, 0, -1.0])
    return np.array([np.arcsin(np.clip(facing[1], -1, 1)), np.arcsin(np.clip(facing[0], -1, 1))])
