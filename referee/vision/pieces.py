"""Pieces at rest in one picture: whatever lies on the board and is neither the board nor a shadow on it."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image
from referee.vision.board import EmptyBoard, Field, Flags, Mask, exposure, log_of
from referee.vision.outline import Traced, outside_colours, trace
from referee.vision.ovals import Oval, Points, settle
from referee.vision.things import LARGEST_MM, SMALLEST_MM, Reading, find_things

ALMOST_ALL = 0.97
"""Share of the board that is known for sure when no more is to be guessed."""
EDGE = 0.2
"""Least mean strength of the edge all round."""
CONTRAST = 0.15
"""Least step across the outline in the picture itself."""

SHADOW_WORTH = 0.5
"""Where pieces throw deep shadows, what is as dark as they are is worth so much as a piece."""
CLEAN, CLEAN_TOUCHING = 0.4, 0.1
"""Share of the outline outside of which the bare board must lie, for a piece alone and for one that touches others."""
SLIVER = 0.5
"""The part of a shadow that shows is smaller than the piece, by this at least."""
TOUCHING_PX = 2.0
OVERLAP = 0.2
"""Two things on one board cannot cover each other more."""

OVALS_A_STEP, TRACES_A_STEP = 5, 3
"""As much as fits beside the other work on one frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Blob:
    """One piece as the camera sees it, in raw pixels."""

    centre_px: Points
    silhouette_px: Points
    colour: NDArray[np.float64]
    """Mean of the logarithm of the picture inside."""
    sigma_px: float


def px_per_mm(profile: Profile) -> float:
    """Scale of the picture at the middle of the board."""
    pair = profile.to_pixels(np.array([[-10.0, 0.0], [10.0, 0.0]]))
    return float(np.hypot(*(pair[1] - pair[0]))) / 20


def find_blobs(image: Image, board: EmptyBoard, profile: Profile) -> tuple[Blob, ...]:
    """Every piece on the board, with its silhouette."""
    search = Search(image, board, profile)
    while not search.step():
        pass
    return search.blobs


class Search:
    """The same in small steps, so that no single frame has to wait for all of it."""

    def __init__(
        self, image: Image | Field, board: EmptyBoard, profile: Profile, where: Mask | None = None
    ) -> None:
        """`image` is a whole picture, or its window of the board, also as a mean of many.

        Only things that touch `where`, a mask of the window at half resolution, are looked at.
        """
        self._scale, self._where = px_per_mm(profile), where
        self._look = Look(image, board)
        self._things: list[list[Reading]] | None = None
        self._ovals: list[Oval] = []
        self._pieces: list[Oval] | None = None
        self.blobs: tuple[Blob, ...] = ()

    def step(self) -> bool:
        """Do a little; True when the blobs are found."""
        if self._things is None:
            self._things = self._look.things(self._scale, self._where)
        elif self._things:
            self._ovals += self._look.settle(_some(self._things), self._scale)
        elif self._pieces is None:
            self._pieces = _without_shadows(_apart(self._ovals))
            self._look.learn_shadows(self._pieces)
        elif self._pieces:
            traced = self._look.trace(self._pieces[:TRACES_A_STEP])
            self.blobs += tuple(self._look.blob(t) for t in traced if t.contrast > CONTRAST)
            self._pieces = self._pieces[TRACES_A_STEP:]
        else:
            return True
        return False


def _some(things: list[list[Reading]]) -> list[list[Reading]]:
    """Take the next few things off the list: as many as one step can do."""
    taken: list[list[Reading]] = []
    while things and sum(len(r.hulls) for thing in taken for r in thing) < OVALS_A_STEP:
        taken.append(things.pop())
    return taken


class Look:
    """One picture held against the empty board."""

    def __init__(self, image: Image | Field, board: EmptyBoard) -> None:
        window = board.window
        part = image if image.shape[:2] == (window.height, window.width) else window.of(image)
        self._corner = np.array([window.x, window.y], float)
        self._inside, self._sure = board.inside, board.sure
        self._log = log_of(part)
        self._ratio = _levelled(self._log, board)
        self._part = part
        self._light: Field | None = None
        self._outside = outside_colours(self._ratio, [])

    def things(self, scale: float, where: Mask | None) -> list[list[Reading]]:
        """For each thing on the board the ways to read it."""
        half = cv2.resize(self._ratio, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        ratio = np.asarray(cv2.GaussianBlur(half, (0, 0), 0.8), np.float32)
        size = (ratio.shape[1], ratio.shape[0])
        inside = cv2.resize(self._inside, size, interpolation=cv2.INTER_NEAREST) > 0
        sure = cv2.resize(self._sure, size, interpolation=cv2.INTER_NEAREST) > 0
        return find_things(
            ratio, inside, sure, np.ones_like(inside) if where is None else where > 0, scale / 2
        )

    def settle(self, things: list[list[Reading]], scale: float) -> list[Oval]:
        """The pieces of each thing, by the reading that fits the edges of the picture best."""
        readings = [r for thing in things for r in thing]
        pulls = [r.pull_px for r in readings for _ in r.hulls]
        settled = iter(settle(self._ratio, [h * 2 + 0.5 for r in readings for h in r.hulls], pulls))
        fits = [[_fit(r, [next(settled) for _ in r.hulls], scale) for r in thing] for thing in things]
        return [oval for thing in fits for oval in max(thing, key=lambda fit: fit[0])[1]]

    def learn_shadows(self, pieces: list[Oval]) -> None:
        """Shadows are all of one light: what lies round one piece tells what lies round the next."""
        self._outside = outside_colours(self._ratio, pieces)

    def trace(self, pieces: list[Oval]) -> list[Traced]:
        """The outlines near the ovals of pieces."""
        if self._light is None:
            self._light = linear(self._part)
        return trace(self._ratio, self._light, pieces, self._outside)

    def blob(self, traced: Traced) -> Blob:
        """The traced outline in raw pixels, with the colour inside it."""
        mask = np.zeros(self._inside.shape, np.uint8)
        cv2.fillPoly(mask, [np.round(traced.points).astype(np.int32)], 255)
        colour = np.array(cv2.mean(self._log, mask)[:3])
        sigma = float(np.hypot(0.15, traced.wobble_px / 4))
        return Blob(traced.centre + self._corner, traced.points + self._corner, colour, sigma)


_LINEAR = ((np.arange(256) / 255) ** 2.2).astype(np.float32)


def linear(image: Image | Field) -> Field:
    """Linear light, in which an edge pixel is the mean of both sides."""
    if image.dtype == np.uint8:
        return np.asarray(cv2.LUT(image, _LINEAR), np.float32)
    return np.asarray((np.clip(np.asarray(image, np.float32), 0, 255) / 255) ** 2.2, np.float32)


def _levelled(log: Field, board: EmptyBoard) -> Field:
    """Picture over board without the exposure; where the board's shade was a guess, over the smooth picture itself."""
    ratio = log - board.log
    ratio = ratio - exposure(ratio, board)
    if cv2.countNonZero(board.sure) > ALMOST_ALL * board.sure.size:
        return ratio
    plain = log - _smooth_part(log)
    guess = (board.sure == 0)[..., None] & _nearer(plain, ratio)
    return np.asarray(np.where(guess, plain, ratio), np.float32)


def _smooth_part(log: Field) -> Field:
    """What is left of a picture when everything smaller than a few pieces is taken out."""
    size = (log.shape[1] // 4, log.shape[0] // 4)
    steps = np.clip(cv2.resize(log, size, interpolation=cv2.INTER_AREA) * 70 - 150, 0, 255).astype(np.uint8)
    median = cv2.medianBlur(steps, 31).astype(np.float32)
    return np.asarray(cv2.resize((median + 150) / 70, (log.shape[1], log.shape[0])), np.float32)


def _nearer(one: Field, other: Field) -> Flags:
    """Per pixel, whether one is smaller than the other."""
    return np.asarray(((one * one).sum(axis=2) < (other * other).sum(axis=2))[..., None])


def _fit(reading: Reading, settled: list[Oval | None], scale: float) -> tuple[float, list[Oval]]:
    """How well a reading fits the picture, and its pieces."""
    clean = CLEAN if len(settled) == 1 else CLEAN_TOUCHING
    ovals = [o for o in settled if o is not None and _sized(o, scale) and o.clean > clean and o.edge > EDGE]
    worth = sum(o.edge * (SHADOW_WORTH if o.shade < reading.shadow_below else 1) for o in ovals)
    return reading.credit * worth / len(settled), ovals


def _sized(oval: Oval, scale: float) -> bool:
    """True for the size of things that are played with."""
    width = 2 * float(np.sqrt((oval.radii**2).mean())) / scale
    return SMALLEST_MM < width < LARGEST_MM


def _apart(ovals: list[Oval]) -> list[Oval]:
    """Of ovals that cover one another the clearest."""
    kept: list[Oval] = []
    for oval in sorted(ovals, key=lambda o: -o.edge):
        if all(_overlap(oval, other) < OVERLAP * min(oval.area, other.area) for other in kept):
            kept.append(oval)
    return kept


def _without_shadows(ovals: list[Oval]) -> list[Oval]:
    """Drop what is small, dark and hangs on a larger thing."""
    return [
        o
        for o in ovals
        if not any(
            o.shade < 0 and o.area < SLIVER * big.area and _overlap(_grown(o), _grown(big)) > 0
            for big in ovals
            if big is not o
        )
    ]


def _grown(oval: Oval) -> Oval:
    return replace(oval, radii=oval.radii + TOUCHING_PX)


def _overlap(one: Oval, other: Oval) -> float:
    """Common area of two ovals."""
    a, b = one.points.astype(np.float32), other.points.astype(np.float32)
    return float(cv2.intersectConvexConvex(cv2.convexHull(a), cv2.convexHull(b))[0])
