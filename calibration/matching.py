"""Corners read from all the print around them, not from the crossing alone.

A crossing is a dozen pixels; the squares and marker edges around it are a thousand, and their places on the
paper are known exactly. The picture is laid out flat with the present guess of lens and pose, and every
corner's neighbourhood is moved over the ideal print until it fits. Noise falls by about four.
"""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.charuco import (
    COLUMNS,
    FEWEST_CORNERS,
    ROWS,
    SQUARE_MM,
    Gray,
    SheetSeen,
    pattern,
    px_per_mm,
    sheet_corners_mm,
)
from calibration.flat import pixel_maps
from calibration.lens import Array, Lens, LensFit, fit_lens

FINE = 2
"""Samples per millimetre of the flattened sheet."""
REACH = 34
"""Half the side of a corner's neighbourhood in samples: half a square, so that neighbours hardly overlap."""
EDGE_BLUR_PX = 0.8
OUTSIDE = -10_000.0
"""Light where the sheet reaches out of the picture."""
ROUNDS = 2
LEAST_LIKENESS = 0.8
"""Correlation with the print below which something covers it."""

Flat = NDArray[np.float32]


def sharpen(fit: LensFit, grays: Sequence[Gray]) -> LensFit:
    """The same views again with all their print used, and the lens that follows."""
    for _ in range(ROUNDS):
        found = zip(grays, fit.views, fit.poses, strict=True)
        fit = fit_lens([matched(gray, seen, fit.lens, pose) for gray, seen, pose in found], fit.lens.size)
    return fit


def matched(gray: Gray, seen: SheetSeen, lens: Lens, pose: tuple[Array, Array]) -> SheetSeen:
    """The same corners, each moved to where the print around it fits best."""
    flat = _flattened(gray, lens, pose)
    terms = _terms(round(EDGE_BLUR_PX * FINE / px_per_mm(seen), 1))
    shifts = ((i, _shift_mm(flat, term, i)) for i, term in enumerate(terms))
    found = [(i, shift) for i, shift in shifts if shift is not None]
    if len(found) < FEWEST_CORNERS:
        return seen
    ids = np.array([i for i, _ in found], np.int64)
    moved = sheet_corners_mm()[ids] + [[*shift, 0.0] for _, shift in found]
    return SheetSeen(ids, _project(moved, lens, pose))


def _project(mm: Array, lens: Lens, pose: tuple[Array, Array]) -> Array:
    px, _ = cv2.projectPoints(mm, cv2.Rodrigues(pose[0])[0], pose[1], lens.K, lens.dist)
    return np.asarray(px, float).reshape(-1, 2)


def _flattened(gray: Gray, lens: Lens, pose: tuple[Array, Array]) -> Flat:
    """The sheet seen from straight above, row 0 at its upper edge."""
    across, down = _sample_px(lens, pose)
    flat = np.asarray(cv2.remap(gray, across, down, cv2.INTER_CUBIC), np.float32)
    height, width = gray.shape
    flat[(across < 0) | (down < 0) | (across > width - 1) | (down > height - 1)] = OUTSIDE
    return flat


def _sample_px(lens: Lens, pose: tuple[Array, Array]) -> tuple[Flat, Flat]:
    rows, columns = _shape()
    left_top = (0.5 - columns / 2) / FINE, (rows / 2 - 0.5) / FINE
    return pixel_maps(
        lambda mm: _project(np.c_[mm, np.zeros(len(mm))], lens, pose), left_top, (rows, columns), 1 / FINE
    )


def _shape() -> tuple[int, int]:
    """Rows and columns of samples: the pattern and half a square of white around it."""
    return round((ROWS + 1) * SQUARE_MM * FINE), round((COLUMNS + 1) * SQUARE_MM * FINE)


@cache
def _ideal_print(blur: float) -> Flat:
    """The printed pattern, sampled like the flattened one and as soft as the camera sees it."""
    rows, columns = _shape()
    margin = round(SQUARE_MM * FINE / 2) * 5
    sharp = pattern().generateImage((columns * 5, rows * 5), marginSize=margin)
    small = cv2.resize(sharp, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small.astype(np.float32) / 255, (0, 0), max(blur, 0.5)), np.float32)


@cache
def _terms(blur: float) -> NDArray[np.float32]:
    """What the neighbourhood of every corner is made of: the print, uneven light, slopes, and gray."""
    ideal = _ideal_print(blur)
    down, right = np.asarray(np.gradient(ideal))
    v, u = np.mgrid[-1 : 1 : 2j * REACH, -1 : 1 : 2j * REACH]
    around = [(ideal[w], right[w], down[w]) for w in map(_window, range(len(sheet_corners_mm())))]
    parts = [(p, p * u, p * v, dx, dy, np.ones_like(p)) for p, dx, dy in around]
    return np.array(parts, np.float32).reshape(len(parts), 6, -1)


def _shift_mm(flat: Flat, terms: NDArray[np.float32], corner: int) -> tuple[float, float] | None:
    """How far the print lies from where it should: one Gauss-Newton step for place and light."""
    here = flat[_window(corner)].ravel()
    if here.min() < 0 or np.corrcoef(here, terms[0])[0, 1] < LEAST_LIKENESS:
        return None
    best = np.linalg.solve((terms @ terms.T).astype(float), (terms @ here).astype(float))
    return float(-best[3] / best[0] / FINE), float(best[4] / best[0] / FINE)


def _window(corner: int) -> tuple[slice, slice]:
    x, y, _ = sheet_corners_mm()[corner]
    rows, columns = _shape()
    column, row = columns // 2 + round(x * FINE), rows // 2 - round(y * FINE)
    return slice(row - REACH, row + REACH), slice(column - REACH, column + REACH)
