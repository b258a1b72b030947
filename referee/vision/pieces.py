"""Pieces at rest in one picture: whatever lies on the board and is neither the board nor a shadow on it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image
from referee.vision.board import EmptyBoard, Field, Flags, Mask, log_of
from referee.vision.outline import Points, Traced, trace

SMALLEST_MM, LARGEST_MM = 6.0, 45.0
"""Width of things that are played with."""
TINT = 0.10
"""Least difference of colour, in logarithms, between a piece and a shadow on the board."""
BRIGHTER = 0.10
"""Least step above the board's own light: no shadow does that."""
DARKER = -0.75
"""Darker than shadows mostly are; a thing that is nothing but dark is a dark piece."""
CONTRAST = 0.10
"""Least step across the outline in the picture itself."""

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
class Spot:
    """Where a piece may lie, at half resolution: pixels that are surely of it, and its middle."""

    core: Mask
    centre: Points
    radius: float


def px_per_mm(profile: Profile) -> float:
    """Scale of the picture at the middle of the board."""
    pair = profile.to_pixels(np.array([[-10.0, 0.0], [10.0, 0.0]]))
    return float(np.hypot(*(pair[1] - pair[0]))) / 20


def find_blobs(image: Image | Field, board: EmptyBoard, profile: Profile) -> tuple[Blob, ...]:
    """Every piece on the board, with its silhouette; `image` may be the mean of many frames."""
    look = Look(image, board)
    scale = px_per_mm(profile)
    traced = [look.trace(spot) for spot in look.spots(SMALLEST_MM * scale / 2)]
    sound = [t for t in traced if t is not None and _is_piece(t, scale)]
    return tuple(look.blob(t) for t in _apart(sound))


class Look:
    """One picture held against the empty board."""

    def __init__(self, image: Image | Field, board: EmptyBoard) -> None:
        window = board.window
        part = image[window.y : window.y + window.height, window.x : window.x + window.width]
        self._corner = np.array([window.x, window.y], float)
        self._inside = board.inside
        self._log = log_of(part)
        self._ratio = _levelled(self._log - board.log, board)
        self._light = linear(part)

    def spots(self, smallest_px: float) -> list[Spot]:
        """Where pieces may lie, at half resolution."""
        half = cv2.resize(self._ratio, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        half = cv2.GaussianBlur(half, (0, 0), 0.8)
        inside = cv2.resize(self._inside, (half.shape[1], half.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
        tinted, dark = _masks(np.asarray(half, np.float32), inside)
        return _spots(tinted, dark, smallest_px / 2)

    def trace(self, spot: Spot) -> Traced | None:
        """The outline round a spot."""
        core = cv2.resize(spot.core, (self._inside.shape[1], self._inside.shape[0]))
        return trace(
            self._ratio,
            self._light,
            np.asarray(core, np.uint8),
            spot.centre * 2 + 0.5,
            2.6 * spot.radius * 2 + 8,
        )

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


def _levelled(ratio: Field, board: EmptyBoard) -> Field:
    """Exposure taken out, and where the board's shade was a guess the smooth part of the difference too."""
    sure = ((board.inside > 0) & (board.sure > 0))[::3, ::3]
    if sure.any():
        ratio = ratio - np.median(ratio[::3, ::3][sure], axis=0).astype(np.float32)
    size = (ratio.shape[1] // 8, ratio.shape[0] // 8)
    unsure = cv2.resize((board.sure == 0).astype(np.float32), size, interpolation=cv2.INTER_AREA)
    if not unsure.any():
        return ratio
    coarse = cv2.resize(ratio, size, interpolation=cv2.INTER_AREA)
    for _ in range(2):
        coarse = np.dstack([cv2.medianBlur(np.ascontiguousarray(c), 5) for c in cv2.split(coarse)])
    coarse = cv2.GaussianBlur(coarse, (0, 0), 1.0)
    coarse *= np.clip(cv2.GaussianBlur(unsure, (0, 0), 1.5) * 3, 0, 1)[..., None]
    return np.asarray(ratio - cv2.resize(coarse, (ratio.shape[1], ratio.shape[0])), np.float32)


def _masks(ratio: Field, inside: Flags) -> tuple[Mask, Mask]:
    """What is brighter or otherwise coloured than the board, and what is darker than shadows are."""
    shade = ratio.mean(axis=2)
    rest = ratio - shade[..., None]
    tint = np.sqrt((rest * rest).sum(axis=2))
    tint_least = max(TINT, 4 * float(np.median(tint[inside])))
    bright_least = max(BRIGHTER, 9 * float(np.median(np.abs(shade[inside]))))
    tinted = ((tint > tint_least) & (shade > DARKER - 0.15)) | (shade > bright_least)
    return _solid(tinted & inside), _solid((shade < DARKER) & inside)


def _solid(flags: Flags) -> Mask:
    """Specks dropped, holes filled."""
    mask = np.asarray(cv2.morphologyEx(flags.astype(np.uint8), cv2.MORPH_OPEN, OPEN), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(mask, contours, -1, 1, cv2.FILLED)
    return mask


def _spots(tinted: Mask, dark: Mask, smallest: float) -> list[Spot]:
    """One spot per piece: touching pieces are parted where the mask has a waist."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_or(tinted, dark))
    spots: list[Spot] = []
    for k in range(1, count):
        x, y, width, height, area = (int(v) for v in stats[k])
        if area < smallest * smallest:
            continue
        window = (slice(y, y + height), slice(x, x + width))
        mine = (labels[window] == k).astype(np.uint8)
        chosen = _dark_or_tinted(tinted[window] * mine, dark[window] * mine)
        spots += _parted(chosen, (x, y), tinted.shape, smallest)
    return spots


def _dark_or_tinted(tinted: Mask, dark: Mask) -> Mask:
    """A dark piece with its warm shadow, or a bright piece with its dark one: the rounder part is the piece."""
    if _depth(dark).max(initial=0) > 0.7 * _depth(tinted).max(initial=0):
        return dark
    return tinted


def _depth(mask: Mask) -> Field:
    """Distance of each pixel from the mask's edge."""
    deep = cv2.distanceTransform(np.pad(mask, 1), cv2.DIST_L2, 5)
    return np.asarray(deep[1:-1, 1:-1], np.float32)


def _parted(mask: Mask, corner: tuple[int, int], shape: tuple[int, ...], smallest: float) -> list[Spot]:
    """The round parts of a mask, deepest first."""
    depth = _depth(mask)
    rows, columns = np.mgrid[: mask.shape[0], : mask.shape[1]]
    spots = []
    deepest = float(depth.max(initial=0))
    while (radius := float(depth.max(initial=0))) > max(0.6 * smallest, 0.5 * deepest):
        row, column = np.unravel_index(int(depth.argmax()), depth.shape)
        away = (columns - column) ** 2 + (rows - row) ** 2
        core = np.zeros(shape[:2], np.uint8)
        part = core[corner[1] : corner[1] + mask.shape[0], corner[0] : corner[0] + mask.shape[1]]
        part[(away < (1.2 * radius) ** 2) & (depth > 1)] = 1
        spots.append(Spot(core, np.array([column + corner[0], row + corner[1]], float), radius))
        depth[away < (1.7 * radius) ** 2] = 0
    return spots


def _is_piece(traced: Traced, scale: float) -> bool:
    """A thing of a piece's size with an edge in the picture."""
    area = cv2.contourArea(traced.points.astype(np.float32))
    width = 2 * float(np.sqrt(area / np.pi)) / scale
    return SMALLEST_MM < width < LARGEST_MM and traced.contrast > CONTRAST


def _apart(traced: list[Traced]) -> list[Traced]:
    """Of outlines that cover one another the one with the stronger edge."""
    kept: list[Traced] = []
    for one in sorted(traced, key=lambda t: -t.contrast):
        if not any(_cover(one, other) for other in kept):
            kept.append(one)
    return kept


def _cover(one: Traced, other: Traced) -> bool:
    """True when the middle of either lies in the other."""
    return any(
        cv2.pointPolygonTest(b.points.astype(np.float32), (float(a.centre[0]), float(a.centre[1])), False) > 0
        for a, b in ((one, other), (other, one))
    )
