"""Pieces at rest in one picture: whatever lies on the board and is neither the board nor a shadow on it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image
from referee.vision.board import EmptyBoard, Field, Flags, Mask, log_of
from referee.vision.outline import Oval, Points, Traced, outside_colours, settle_oval, trace

SMALLEST_MM, LARGEST_MM = 6.0, 45.0
"""Width of things that are played with."""
TINT, SHADE = 0.05, 0.06
"""Least difference of colour and of light, in logarithms, between the empty board and anything on it."""
NOISE = 6.0
"""The same in medians of the difference all over the board."""
LEAST_STRONG = 8
"""Half pixels that must differ clearly before a faint difference round them counts."""
TWO_TONES = 0.12
"""Steps of light nearer than this are one surface."""
EDGE = 0.2
"""Least mean strength of the edge all round."""
CONTRAST = 0.15
"""Least step across the outline in the picture itself."""

PULL_PX, LIT_PULL_PX = 7.0, 3.0
"""How far off a guess may be. Beside a light part lies its shadow, whose other edge is often the stronger one."""
LIT_EDGE = 0.4
"""A light part beside its shadow is the piece if its edge is as clear as this share of the clearest."""
ONE_PIECE = 2.2
"""Area over that of the largest circle within: more is several pieces that touch."""
CLEAN = 0.4
"""Share of the outline outside of which the bare board must lie."""
SLIVER = 0.5
"""The part of a shadow that shows is smaller than the piece, by this at least."""
TOUCHING_PX = 2.0
OVERLAP = 0.2
"""Two things on one board cannot cover each other more."""

OPEN = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Blob:
    """One piece as the camera sees it, in raw pixels."""

    centre_px: Points
    silhouette_px: Points
    colour: NDArray[np.float64]
    """Mean of the logarithm of the picture inside."""
    sigma_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """A rough outline of what may be a piece, in half pixels, and how far off the edge of it may be."""

    outline: Points
    pull_px: float
    lit: bool = False
    """True when it is the light part of a thing whose dark part is its shadow."""

    def moved(self, by: NDArray[np.int64]) -> "Guess":
        return replace(self, outline=self.outline + by)


def px_per_mm(profile: Profile) -> float:
    """Scale of the picture at the middle of the board."""
    pair = profile.to_pixels(np.array([[-10.0, 0.0], [10.0, 0.0]]))
    return float(np.hypot(*(pair[1] - pair[0]))) / 20


def find_blobs(image: Image | Field, board: EmptyBoard, profile: Profile) -> tuple[Blob, ...]:
    """Every piece on the board, with its silhouette; `image` may be the mean of many frames."""
    look = Look(image, board)
    scale = px_per_mm(profile)
    settled = [look.settle(guesses, scale) for guesses in look.guesses(SMALLEST_MM * scale / 2)]
    pieces = _without_shadows(_apart([oval for oval in settled if oval is not None]))
    outside = look.outside(pieces)
    traced = [look.trace(oval, outside) for oval in pieces]
    return tuple(look.blob(t) for t in traced if t.contrast > CONTRAST)


class Look:
    """One picture held against the empty board."""

    def __init__(self, image: Image | Field, board: EmptyBoard) -> None:
        window = board.window
        part = image[window.y : window.y + window.height, window.x : window.x + window.width]
        self._corner = np.array([window.x, window.y], float)
        self._inside = board.inside
        self._log = log_of(part)
        self._ratio = _levelled(self._log, board)
        self._light = linear(part)

    def guesses(self, smallest_px: float) -> list[tuple[Guess, ...]]:
        """For each thing on the board, rough outlines of what of it may be the piece."""
        half = cv2.resize(self._ratio, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        half = cv2.GaussianBlur(half, (0, 0), 0.8)
        inside = cv2.resize(self._inside, (half.shape[1], half.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
        return _guesses(np.asarray(half, np.float32), inside, smallest_px / 2)

    def settle(self, guesses: tuple[Guess, ...], scale: float) -> Oval | None:
        """The guess that fits the edges of the picture best; None when none is a piece."""
        ovals = [(g, settle_oval(self._ratio, g.outline * 2 + 0.5, g.pull_px)) for g in guesses]
        sound = [(g, o) for g, o in ovals if o is not None and _sized(o, scale) and o.clean > CLEAN]
        clear = [(g, o) for g, o in sound if o.edge > EDGE]
        if not clear:
            return None
        best = max(o.edge for _, o in clear)
        lit = [o for g, o in clear if g.lit and o.edge > LIT_EDGE * best]
        return lit[0] if lit else max((o for _, o in clear), key=lambda o: o.edge)

    def outside(self, pieces: list[Oval]) -> Field:
        """What is not a piece: the board, and the shadows round these pieces, which are all of one light."""
        return outside_colours(self._ratio, pieces)

    def trace(self, oval: Oval, outside: Field) -> Traced:
        """The outline near an oval."""
        return trace(self._ratio, self._light, oval, outside)

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
    sure = ((board.inside > 0) & (board.sure > 0))[::3, ::3]
    if sure.any():
        ratio = ratio - np.median(ratio[::3, ::3][sure], axis=0).astype(np.float32)
    if board.sure.all():
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


def _guesses(ratio: Field, inside: Flags, smallest: float) -> list[tuple[Guess, ...]]:
    """Guesses at each thing that differs from the empty board, in half pixels."""
    shade = ratio.mean(axis=2)
    rest = ratio - shade[..., None]
    tint = np.sqrt((rest * rest).sum(axis=2))
    tint_least = max(TINT, NOISE * float(np.median(tint[inside])))
    shade_least = max(SHADE, NOISE * float(np.median(np.abs(shade[inside]))))
    differs = _solid(((tint > tint_least) | (np.abs(shade) > shade_least)) & inside)
    strong = ((tint > 2 * tint_least) | (np.abs(shade) > 3 * shade_least)) & inside
    found: list[tuple[Guess, ...]] = []
    for (rows, columns), mine in _components(differs, strong):
        thing = Thing(mine, strong[rows, columns] & mine, shade[rows, columns])
        corner = np.array([columns.start, rows.start])
        found += [tuple(g.moved(corner) for g in guesses) for guesses in thing.guesses(smallest)]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """Something that differs from the empty board: pieces with their shadows."""

    whole: Flags
    strong: Flags
    shade: Field

    def guesses(self, smallest: float) -> list[tuple[Guess, ...]]:
        """One set of guesses per piece."""
        level = _split_level(self.shade[self.whole])
        light, dark = _solid(self.whole & (self.shade >= level)), _solid(self.whole & (self.shade < level))
        # A piece hides most of its shadow, so of light and dark the rounder part is the piece.
        lit = float(_depth(light).max(initial=0)) >= float(_depth(dark).max(initial=0))
        part, strong = light if lit else dark, _solid(self.strong)
        rough = (_solid(self.whole), strong)
        if lit and level > -np.inf:
            return [
                (Guess(hull, LIT_PULL_PX, True), *_around(hull, rough)) for hull in _parted(part, smallest)
            ]
        if _is_one(strong):
            return [tuple(Guess(hull, PULL_PX) for m in (*rough, part) if len(hull := _hull(m)) > 4)]
        return [(Guess(hull, PULL_PX), *_around(hull, rough)) for hull in _parted(part, smallest)]


def _around(hull: Points, masks: Sequence[Mask]) -> list[Guess]:
    """What else may be the piece at a hull, where that is a single one."""
    alone = [_hull(mask) for mask in masks if _is_one(mask)]
    return [Guess(other, PULL_PX) for other in alone if len(other) > 4 and _meet(hull, other)]


def _is_one(mask: Mask) -> bool:
    """True when a mask is too round for several pieces that touch."""
    return int(mask.sum()) < ONE_PIECE * np.pi * float(_depth(mask).max(initial=0)) ** 2


def _meet(one: Points, other: Points) -> bool:
    """True when the middle of one lies in the other."""
    x, y = one.mean(axis=0)
    return cv2.pointPolygonTest(other.astype(np.float32), (float(x), float(y)), False) > 0


def _components(mask: Mask, strong: Flags) -> list[tuple[tuple[slice, slice], Flags]]:
    """The parts of a mask that hold something strong: window and flags of each."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    found = []
    for k in range(1, count):
        x, y, width, height, _ = (int(v) for v in stats[k])
        window = (slice(y, y + height), slice(x, x + width))
        mine = labels[window] == k
        if np.count_nonzero(strong[window] & mine) >= LEAST_STRONG:
            found.append((window, mine))
    return found


def _split_level(shade: Field) -> float:
    """The step of light that best parts a thing into two (Otsu); below everything when there is but one."""
    level, parted = cv2.threshold(_grey(shade), 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    low, high = shade[parted.ravel() == 0], shade[parted.ravel() > 0]
    if not len(low) or not len(high) or high.mean() - low.mean() < TWO_TONES:
        return -np.inf
    return float(level) / 100 - 2


def _grey(shade: Field) -> Mask:
    return np.asarray(np.clip((shade + 2) * 100, 0, 255), np.uint8)


def _solid(flags: Flags) -> Mask:
    """Specks dropped, holes filled."""
    mask = np.asarray(cv2.morphologyEx(flags.astype(np.uint8), cv2.MORPH_OPEN, OPEN), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(mask, contours, -1, 1, cv2.FILLED)
    return mask


def _hull(mask: Mask) -> Points:
    points = cv2.findNonZero(mask)
    return np.zeros((0, 2)) if points is None else cv2.convexHull(points)[:, 0].astype(np.float64)


def _depth(mask: Mask) -> Field:
    """Distance of each pixel from the mask's edge."""
    deep = cv2.distanceTransform(np.pad(mask, 1), cv2.DIST_L2, 5)
    return np.asarray(deep[1:-1, 1:-1], np.float32)


def _parted(mask: Mask, smallest: float) -> list[Points]:
    """Hulls of the round parts of one thing, deepest first."""
    depth = _depth(mask)
    if _is_one(mask):
        return [hull] if len(hull := _hull(mask)) > 4 else []
    deepest = float(depth.max(initial=0))
    rows, columns = np.mgrid[: mask.shape[0], : mask.shape[1]]
    hulls = []
    while (radius := float(depth.max(initial=0))) > max(0.6 * smallest, 0.5 * deepest):
        row, column = np.unravel_index(int(depth.argmax()), depth.shape)
        away = (columns - column) ** 2 + (rows - row) ** 2
        hulls.append(_hull(((mask > 0) & (away < (1.8 * radius) ** 2)).astype(np.uint8)))
        depth[away < (1.7 * radius) ** 2] = 0
    return [hull for hull in hulls if len(hull) > 4]


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
