"""What differs from the empty board: by its colour, by its light, or by being uneven where the board is even."""

import cv2
import numpy as np

from referee.vision.board import Field, Flags, Mask
from referee.vision.middles import median, percentile
from referee.vision.ovals import Points
from referee.vision.shadows import deepest, solid
from referee.vision.uneven import tinted, uneven

TINT, SHADE = 0.05, 0.06
"""Least difference of colour and of light, in logarithms, between the empty board and anything on it."""
FAINT = 0.6
"""A share of these for things that nowhere differ by more than BOLD."""
BOLD = 0.4
NOISE = 6.0
"""The same in medians of the difference all over the board."""
UNEVEN_DEPTH = 5.0
"""Least depth, in half pixels, of an uneven part that may be a piece."""
LEAST_STRONG = 8
"""Half pixels that must differ clearly before a faint difference round them counts."""
ONE_PIECE = (1.4, 1.75)
"""Area over that of the largest circle within: one piece below the first, several that touch above the second."""
NO_WAIST = 0.94
"""Area over that of the hull, for what lies between."""
SLIVER = 1.8
"""So much thinner than the whole is a clear part that is but its shadow."""

Noise = tuple[float, float]
"""Of tint and of shade."""
Window = tuple[slice, slice]
Part = tuple[Window, Flags]
"""Rows and columns, and what of them belongs to it."""
Differing = tuple[Window, Flags, Flags]
"""The same, and what differs strongly on all of the board."""


def differing(ratio: Field, inside: Flags, sure: Flags, noise: Noise) -> list[Differing]:
    """Every part of the board that something lies on, or whose shadow does."""
    shade, tint = shade_and_tint(ratio)
    own = noise_of(ratio, inside)
    noise = max(noise[0], own[0]), max(noise[1], own[1])
    step = np.abs(shade)
    clear, faint = (_differing(step, tint, inside, sure, (least, noise)) for least in (1.0, FAINT))
    found = _by_contrast(clear, faint, np.maximum(step, tint))
    return found + _of_its_colour(shade, tint, inside & sure, found)


def noise_of(ratio: Field, inside: Flags) -> Noise:
    """How much of tint and of shade the bare board shows: the medians of all of it."""
    sample = inside[::3, ::3]
    shade, tint = shade_and_tint(np.ascontiguousarray(ratio[::3, ::3]))
    if not sample.any():
        return float("nan"), float("nan")
    return float(median(tint[sample])), float(median(np.abs(shade[sample])))


def shade_and_tint(ratio: Field) -> tuple[Field, Field]:
    planes = [np.asarray(plane, np.float32) for plane in cv2.split(ratio)]
    shade = planes[0] + planes[1]
    shade += planes[2]
    shade /= 3
    # In place: new memory for every step would cost more than the step.
    for plane in planes:
        plane -= shade
        plane *= plane
    tint = planes[0]
    tint += planes[1]
    tint += planes[2]
    return shade, np.sqrt(tint, out=tint)


def _differing(
    step: Field, tint: Field, inside: Flags, sure: Flags, least: tuple[float, Noise]
) -> tuple[list[Part], Flags]:
    """Parts of the board that differ by a share of what is clear, and the flags of what differs strongly.

    `step` is the difference of light, whether darker or lighter.
    """
    share, noise = least
    tint_least, shade_least = max(share * TINT, NOISE * noise[0]), max(share * SHADE, NOISE * noise[1])
    strong = (tint > 2 * tint_least) | (step > 5 * shade_least) | ((step > 3 * shade_least) & sure)
    strong &= inside
    faint = (tint > tint_least) | (step > shade_least)
    faint &= inside
    faint &= sure
    return _components(solid(faint | strong), strong), strong


def _by_contrast(
    clear: tuple[list[Part], Flags], faint: tuple[list[Part], Flags], strongest: Field
) -> list[Differing]:
    """Each thing as far as it differs clearly; one that nowhere differs much, as far as it differs at all.

    So is one whose clear part is only a sliver of it: of a piece of the board's colour the shadow is clearest.
    """
    bold = [part for part in clear[0] if percentile(strongest[part[0]][part[1]], 90) > BOLD]
    deep = np.zeros(strongest.shape, np.float32)
    for window, mine in faint[0] if bold else ():
        if is_one(mine.view(np.uint8)):
            deep[window][mine] = deepest(mine.view(np.uint8))
    bold = [(w, mine) for w, mine in bold if deep[w][mine].max() <= SLIVER * deepest(mine.view(np.uint8))]
    taken = _covered(bold, strongest.shape)
    weak = [part for part in faint[0] if not (taken[part[0]] & part[1]).any()]
    return [(*part, clear[1]) for part in bold] + [(*part, faint[1]) for part in weak]


def _of_its_colour(shade: Field, tint: Field, known: Flags, found: list[Differing]) -> list[Differing]:
    """Round things of about the board's colour: uneven where it is even, or a little paler all over."""
    things = _covered([(window, mine) for window, mine, _ in found], shade.shape)
    strong = (uneven(shade, known, things) | tinted(tint, known, things)) > 0
    parts = ((part, part[1].view(np.uint8)) for part in _components(strong.view(np.uint8), strong))
    return [(*part, strong) for part, mine in parts if is_one(mine) and deepest(mine) > UNEVEN_DEPTH]


def _covered(parts: list[Part], shape: tuple[int, ...]) -> Flags:
    """Where any of some parts lies."""
    covered = np.zeros(shape, bool)
    for window, mine in parts:
        covered[window] |= mine
    return covered


def is_one(mask: Mask) -> bool:
    """True when a mask is too round for several pieces that touch, and has no waist."""
    area, circle = cv2.countNonZero(mask), _circle_in(mask)
    if area < ONE_PIECE[0] * circle:
        return True
    return area < ONE_PIECE[1] * circle and area > NO_WAIST * cv2.contourArea(
        hull_of(mask).astype(np.float32)
    )


def is_round(mask: Mask) -> bool:
    """Whether a mask is hardly more than the largest circle within it."""
    return cv2.countNonZero(mask) < ONE_PIECE[0] * _circle_in(mask)


def _circle_in(mask: Mask) -> float:
    """Area of the largest circle within a mask."""
    return float(np.pi * max(deepest(mask), 0.5) ** 2)


def _components(mask: Mask, strong: Flags) -> list[Part]:
    """The parts of a mask that hold something strong: window and flags of each."""
    if not mask.any():
        return []
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, ltype=cv2.CV_16U)
    found = []
    for k in range(1, count):
        x, y, width, height, _ = (int(v) for v in stats[k])
        window = (slice(y, y + height), slice(x, x + width))
        mine = labels[window] == k
        if np.count_nonzero(strong[window] & mine) >= LEAST_STRONG:
            found.append((window, mine))
    return found


def hull_of(mask: Mask) -> Points:
    points = cv2.findNonZero(mask)
    return np.zeros((0, 2)) if points is None else cv2.convexHull(points)[:, 0].astype(np.float64)
