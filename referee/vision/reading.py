"""One way to read a thing on the board, and how far its outlines agree with what is known of shadow and print."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.board import Mask
from referee.vision.ovals import Points, radius_of
from referee.vision.shadows import deepest, framed

ROOM = 8
"""Half pixels that an outline may reach beyond its thing."""
SWALLOWED = 0.9
"""Share of its shadow that the outline of a lit piece does not hold."""
SHOWN, SHOWN_WORTH = 0.1, 2.5
"""Share of an outline in which the print beside it may seem to show, and how fast it loses its worth with more."""
WHOLE = 0.4
"""What is left out is a piece of its own if it is so wide, as a share of those that are not."""
WIDE_SHADOW = 0.6
"""The same for what may be shadow: a piece hides most of its own, and the part that shows is narrower."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One way to read a thing: rough outlines of its pieces, in half pixels."""

    hulls: tuple[Points, ...]
    pull_px: float = 7.0
    """How far off the outlines may be."""
    credit: float = 1.0
    shadow_below: float = -np.inf
    """Step of light below which it is as dark as the shadows of the others."""
    body: Mask | None = None
    """The part of the thing that is no shadow, where that is known; cut out like the thing."""
    cast: Mask | None = None
    """The part it takes for shadow; cut out alike."""
    printed: Mask | None = None
    """Where the board's own print shows, if it does; cut out alike."""
    bright: Mask | None = None
    """Where it is lighter than the board; cut out alike."""
    tinted: Mask | None = None
    """Where it is no darker than the board and differs all the same; cut out alike."""
    clear: Mask | None = None
    """Where it differs from a board that was seen; cut out alike."""
    wide_shadow: float = WIDE_SHADOW
    """How wide what shows of a shadow may be on this board, as a share of its piece."""
    usual: float = 0.0
    """Radius of most pieces on this board, roughly."""
    corner: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2, np.int64))

    def likeness(self, outlines: list[Points]) -> float:
        """How much of the body and of these outlines, in half pixels, is common to both; 1 where no body is known."""
        if self.body is None:
            return 1.0
        body, covered = self._beside(self.body, outlines)
        either = int(np.count_nonzero(body | covered))
        return int(np.count_nonzero(body & covered)) / max(either, 1)

    def trusted(self, outlines: list[Points]) -> float:
        """Its credit, which it loses if these outlines hold what it takes for shadow, or that is none."""
        if self.cast is None:
            return self.credit
        cast, covered = self._beside(self.cast, outlines)
        held = np.count_nonzero(cast & covered) > SWALLOWED * np.count_nonzero(cast)
        wide = deepest(cast & ~covered) > self.wide_shadow * deepest(covered)
        return min(self.credit, 1.0) if held or wide else self.credit

    def hiding(self, outlines: list[Points]) -> float:
        """How far these outlines hide the print of the board, as pieces do: 1 where it shows nowhere within."""
        if self.printed is None:
            return 1.0
        printed, covered = self._beside(self.printed, outlines)
        share = int(np.count_nonzero(printed & covered)) / max(int(np.count_nonzero(covered)), 1)
        return float(np.clip(1 - SHOWN_WORTH * (share - SHOWN), 0.1, 1))

    def explaining(self, outlines: list[Points]) -> float:
        """Without the share that they leave out although it is no shadow: lighter than the board, or a whole piece."""
        left, covered = 0, 0
        if self.bright is not None:
            bright, hidden = self._beside(self.bright, outlines)
            left, covered = (int(np.count_nonzero(part)) for part in (bright & ~hidden, hidden))
        if self.tinted is not None:
            rest, covered = self._rest(self.tinted, outlines, WHOLE)
            left = max(left, rest)
        return 1 - left / max(left + covered, 1)

    def covering(self, outlines: list[Points]) -> float:
        """Without the share that they leave out although it is too wide for a shadow."""
        if self.clear is None:
            return 1.0
        left, covered = self._rest(self.clear, outlines, self.wide_shadow)
        return 1 - left / max(left + covered, 1)

    def _rest(self, mask: Mask, outlines: list[Points], wide: float) -> tuple[int, int]:
        """How much of a mask some outlines leave out, if that is so wide as a share of them; and how much they hold."""
        whole, hidden = self._beside(mask, outlines)
        rest = whole & ~hidden
        left = int(np.count_nonzero(rest)) if deepest(rest) > wide * deepest(hidden) else 0
        return left, int(np.count_nonzero(hidden))

    def _beside(self, mask: Mask, outlines: list[Points]) -> tuple[Mask, Mask]:
        """A mask of the thing, and that of some outlines."""
        wider = framed(mask, ROOM)
        covered = np.zeros(wider.shape, np.uint8)
        for outline in outlines:
            cv2.fillPoly(covered, [np.round(outline - self.corner + ROOM).astype(np.int32)], 1)
        return wider, covered

    @property
    def widest(self) -> float:
        """Width of the largest piece."""
        return max(2 * radius_of(hull) for hull in self.hulls)

    def moved(self, by: NDArray[np.int64]) -> "Reading":
        return replace(self, hulls=tuple(hull + by for hull in self.hulls))
