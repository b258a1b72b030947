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

SMALLEST_MM, LARGEST_MM = 6.0, 45.0
"""Width of things that are played with."""
TINT, SHADE = 0.05, 0.06
"""Least difference of colour and of light, in logarithms, between the empty board and anything on it."""
NOISE = 6.0
"""The same in medians of the difference all over the board."""
ALMOST_ALL = 0.97
"""Share of the board that is known for sure when no more is to be guessed."""
LEAST_STRONG = 8
"""Half pixels that must differ clearly before a faint difference round them counts."""
TWO_TONES = 0.12
"""Steps of light nearer than this are one surface."""
EDGE = 0.2
"""Least mean strength of the edge all round."""
CONTRAST = 0.15
"""Least step across the outline in the picture itself."""

LIT_PULL_PX = 3.0
"""Beside a light part lies its shadow, whose other edge is often the stronger one: do not be drawn to it."""
LIT_CREDIT = 1.6
"""A light part beside its shadow is the piece although its edge is fainter by so much."""
LIT_SHARE = 0.35
"""Least share of a thing that is lit; less is a highlight."""
ONE_PIECE = (1.5, 2.2)
"""Area over that of the largest circle within: one piece below the first, several that touch above the second."""
NO_WAIST = 0.94
"""Area over that of the hull, for what lies between."""
CLEAN = 0.4
"""Share of the outline outside of which the bare board must lie."""
SLIVER = 0.5
"""The part of a shadow that shows is smaller than the piece, by this at least."""
TOUCHING_PX = 2.0
OVERLAP = 0.2
"""Two things on one board cannot cover each other more."""

OVALS_A_STEP, TRACES_A_STEP = 5, 3
"""As much as fits beside the other work on one frame."""

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
class Reading:
    """One way to read a thing: rough outlines of its pieces, in half pixels."""

    hulls: tuple[Points, ...]
    pull_px: float = 7.0
    """How far off the outlines may be."""
    credit: float = 1.0

    @property
    def widest(self) -> float:
        """Width of the largest piece."""
        return max(2 * float(np.sqrt(cv2.contourArea(h.astype(np.float32)) / np.pi)) for h in self.hulls)

    def moved(self, by: NDArray[np.int64]) -> "Reading":
        return replace(self, hulls=tuple(hull + by for hull in self.hulls))


def px_per_mm(profile: Profile) -> float:
    """Scale of the picture at the middle of the board."""
    pair = profile.to_pixels(np.array([[-10.0, 0.0], [10.0, 0.0]]))
    return float(np.hypot(*(pair[1] - pair[0]))) / 20


def find_blobs(image: Image | Field, board: EmptyBoard, profile: Profile) -> tuple[Blob, ...]:
    """Every piece on the board, with its silhouette; `image` may be the mean of many frames."""
    search = Search(image, board, profile)
    while not search.step():
        pass
    return search.blobs


class Search:
    """The same in small steps, so that no single frame has to wait for all of it."""

    def __init__(
        self, image: Image | Field, board: EmptyBoard, profile: Profile, where: Mask | None = None
    ) -> None:
        """Only things that touch `where`, a mask of the window at half resolution, are looked at."""
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
        part = image[window.y : window.y + window.height, window.x : window.x + window.width]
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
        return _things(ratio, inside, sure, np.ones_like(inside) if where is None else where > 0, scale / 2)

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


def _things(ratio: Field, inside: Flags, sure: Flags, where: Flags, scale: float) -> list[list[Reading]]:
    """Ways to read each thing that differs from the empty board and touches `where`, in half pixels."""
    shade = ratio.mean(axis=2)
    rest = ratio - shade[..., None]
    tint = np.sqrt((rest * rest).sum(axis=2))
    sample = inside[::3, ::3]
    tint_least = max(TINT, NOISE * float(np.median(tint[::3, ::3][sample])))
    shade_least = max(SHADE, NOISE * float(np.median(np.abs(shade[::3, ::3][sample]))))
    strong = ((tint > 2 * tint_least) | (np.abs(shade) > np.where(sure, 3, 5) * shade_least)) & inside
    faint = ((tint > tint_least) | (np.abs(shade) > shade_least)) & inside & sure
    things = []
    for (rows, columns), mine in _components(_solid(faint | strong), strong):
        if not (where[rows, columns] & mine).any():
            continue
        readings = _readings(
            mine, strong[rows, columns] & mine, shade[rows, columns], SMALLEST_MM * scale / 2
        )
        corner = np.array([columns.start, rows.start])
        things.append([r.moved(corner) for r in readings if r.widest < 1.3 * LARGEST_MM * scale])
    return [readings for readings in things if readings]


def _readings(whole: Flags, strong: Flags, shade: Field, smallest: float) -> list[Reading]:
    """One piece, or several that touch; all of the thing, or the part of it that is not shadow."""
    level = _split_level(shade[whole])
    light, dark = _solid(whole & (shade >= level)), _solid(whole & (shade < level))
    # A piece hides most of its shadow, so of light and dark the rounder part is the piece.
    lit = float(_depth(light).max(initial=0)) >= float(_depth(dark).max(initial=0))
    lit_share = int(light.sum()) / max(int(strong.sum()), 1)
    beside_shadow = lit and level > -np.inf and lit_share > LIT_SHARE
    part, all_strong = light if lit else dark, _solid(strong)
    one = [Reading((hull,)) for mask in (_solid(whole), all_strong, part) if len(hull := _hull(mask)) > 4]
    parts = tuple(_parted(part, smallest))
    strong_parts = tuple(_parted(all_strong, smallest))
    many = [Reading(hulls) for hulls in (strong_parts, parts) if len(hulls) > 1]
    lit_ones = [Reading(parts, LIT_PULL_PX, LIT_CREDIT)] if beside_shadow and parts else []
    return [*_different(one), *many, *lit_ones]


def _different(readings: list[Reading]) -> list[Reading]:
    """Readings of one piece without those that hardly differ."""
    kept: list[Reading] = []
    for reading in readings:
        low, high = reading.hulls[0].min(axis=0), reading.hulls[0].max(axis=0)
        if all(np.abs([low - k.hulls[0].min(axis=0), high - k.hulls[0].max(axis=0)]).max() > 2 for k in kept):
            kept.append(reading)
    return kept


def _fit(reading: Reading, settled: list[Oval | None], scale: float) -> tuple[float, list[Oval]]:
    """How well a reading fits the picture, and its pieces."""
    ovals = [o for o in settled if o is not None and _sized(o, scale) and o.clean > CLEAN and o.edge > EDGE]
    return reading.credit * sum(o.edge for o in ovals) / len(settled), ovals


def _is_one(mask: Mask) -> bool:
    """True when a mask is too round for several pieces that touch, and has no waist."""
    area = int(mask.sum())
    roundness = area / (np.pi * max(float(_depth(mask).max(initial=0)), 0.5) ** 2)
    if roundness < ONE_PIECE[0]:
        return True
    return roundness < ONE_PIECE[1] and area > NO_WAIST * cv2.contourArea(_hull(mask).astype(np.float32))


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
