"""Dice on a calibrated table: a quick net says where dice may lie, a finer one where they do, and two readers what
they show."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Die
from referee.vision.cocked import LEANS
from referee.vision.die_reading import DIE_MM, Sighting, px_per_mm, read
from referee.vision.nets import MODELS, said

Grid = NDArray[np.float32]
Array = NDArray[np.float64]
Mask = NDArray[np.uint8]

STRIDE = 4
EDGE_PX = 20.0
"""The edge the net was taught with; it knows from 13 to 31."""
COARSE, SUSPECTED = 0.5, 0.17
"""The quick net looks at dice of half that size; from this chance on a place is looked at closely."""
WINDOW_PX, NEXT, MOST = 64, 2, 120
"""Side of the picture in which the finer net looks at such a place, cells round it that need none of their own, and
how many places are looked at: a printed cloth may be suspected all over."""
CELL_PX = round(STRIDE / COARSE)
"""For each cell of so many pixels of the picture the quick net says how likely a die lies there."""
FOUND = 0.5
ONE_SIZE = 1.7
"""By how much the dice of one table may differ in size."""
DOUBTED = 0.7
"""So much of the trust in its value the odds take that a die leans."""
AT_MOST = 0.85
"""How sure the value of a die can be that is seen from far aside."""
TWICE, BESIDE = 0.12, 0.75
"""Edges between two sightings that are the same, and between the middles of two dice."""


def dice_on_table(image: Image, profile: Profile, where: Mask | None = None) -> tuple[Die, ...]:
    """The dice of that table, the surest first; with a mask of any size only those near to where it is set."""
    spots = _apart(sorted(_look(image, scale_on(profile), where), key=lambda s: -s.found), TWICE)
    dice = _apart(sorted(read(image, spots, profile), key=lambda s: -s.belief), BESIDE)
    alike = [s for s in dice if 1 / ONE_SIZE < s.edge_px / dice[0].edge_px < ONE_SIZE]
    return tuple(_die(i, s, profile) for i, s in enumerate(alike))


def scale_on(profile: Profile) -> float:
    """How much to enlarge the picture so that a die is as large as the finer net knows it."""
    return EDGE_PX / (DIE_MM * px_per_mm(profile))


def _look(image: Image, scale: float, where: Mask | None) -> list[Sighting]:
    """Sightings in the picture at one scale: where the quick net suspects a die, the finer one looks."""
    size = [max(WINDOW_PX, round(side * scale / 16) * 16) for side in image.shape[1::-1]]
    near = _near(where, size)
    if not near.any():
        return []
    ratio = np.array(image.shape[1::-1], float) / size
    columns, rows = (
        _with_room(np.flatnonzero(near.any(axis=axis)) * CELL_PX, end) for axis, end in enumerate(size)
    )
    start, stop = ((np.array(ends) * ratio).round().astype(int) for ends in zip(columns, rows, strict=True))
    part = image[start[1] : stop[1], start[0] : stop[0]]
    shrink = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small_size = (columns[1] - columns[0], rows[1] - rows[0])
    small = cast(Image, cv2.resize(part, small_size, interpolation=shrink))
    (left, right), (top, bottom) = (np.array(ends) // CELL_PX for ends in (columns, rows))
    corners = _suspected(small, near[top:bottom, left:right])
    if not corners:
        return []
    windows = [small[y : y + WINDOW_PX, x : x + WINDOW_PX] for x, y in corners]
    grids = said(MODELS / "dice.onnx", np.asarray(cv2.dnn.blobFromImages(windows, 1 / 255)))
    return [
        _raw(replace(s, px=(s.px[0] + x, s.px[1] + y)), (stop - start) / small_size, start)
        for grid, (x, y) in zip(grids, corners, strict=True)
        for s in _sightings(grid)
    ]


def _near(where: Mask | None, size: Sequence[int]) -> Mask:
    """Which cells of the picture of this width and height are near to where the mask is set."""
    columns, rows = (side // CELL_PX for side in size)
    if where is None:
        return np.ones((rows, columns), np.uint8)
    cells = cv2.resize(where.astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA)
    return cast(Mask, cv2.dilate((cells > 0).astype(np.uint8), np.ones((5, 5), np.uint8)))


def _with_room(at: NDArray[np.intp], end: int) -> tuple[int, int]:
    """From the first to the last of these pixels with half a window beside them, in whole steps of the nets."""
    start = max(0, min(int(at[0]) - WINDOW_PX // 2, end - WINDOW_PX)) // 16 * 16
    return start, min(end, max(start + WINDOW_PX, -(-(int(at[-1]) + WINDOW_PX) // 16) * 16))


def _suspected(picture: Image, near: Mask) -> list[tuple[int, int]]:
    """The upper left corners of windows round the places where a die may lie."""
    h, w = picture.shape[:2]
    half = cv2.resize(picture, None, fx=COARSE, fy=COARSE, interpolation=cv2.INTER_AREA)
    said_of = said(MODELS / "dice_coarse.onnx", np.asarray(cv2.dnn.blobFromImage(half, 1 / 255)))
    sure = near / (1 + np.exp(-said_of[0, 0]))
    corners: list[tuple[int, int]] = []
    while sure.max() > SUSPECTED and len(corners) < MOST:
        row, column = divmod(int(sure.argmax()), sure.shape[1])
        x, y = ((np.array([column, row]) + 0.5) * CELL_PX - WINDOW_PX / 2).astype(int).tolist()
        corners.append((x, y))
        sure[max(0, row - NEXT) : row + NEXT + 1, max(0, column - NEXT) : column + NEXT + 1] = 0
    # Whole cells, so that the finer net sees what it would see in the whole picture.
    return [
        (min(max(0, x), w - WINDOW_PX) // 4 * 4, min(max(0, y), h - WINDOW_PX) // 4 * 4) for x, y in corners
    ]


def _raw(s: Sighting, ratio: Array, start: NDArray[np.intp]) -> Sighting:
    """From the net's picture to raw pixels: both have their first pixel's centre at 0."""
    x, y = (start + (np.array(s.px) + 0.5) * ratio - 0.5).tolist()
    return replace(s, px=(x, y), edge_px=s.edge_px * float(ratio.mean()))


def _sightings(grid: Grid) -> list[Sighting]:
    """Cells that vote for the same middle, put together, the surest first."""
    found = 1 / (1 + np.exp(-grid[0]))
    rows, columns = np.nonzero(found > FOUND)
    if not len(rows):
        return []
    votes = grid[:, rows, columns].T
    sure = found[rows, columns]
    edges = EDGE_PX * 2 ** votes[:, 9]
    cells = np.stack([columns, rows], 1) * float(STRIDE) + (STRIDE - 1) / 2
    middles = cells + votes[:, 7:9] * edges[:, None]
    free = np.ones(len(sure), bool)
    out = []
    for best in np.argsort(-sure):
        if not free[best]:
            continue
        away = np.hypot(*(middles - middles[best]).T)
        mine = free & (away < 0.45 * edges[best])
        free &= away > 0.8 * edges[best]
        out.append(_joined(middles[mine], edges[mine], votes[mine], sure[mine]))
    return out


def _joined(
    middles: NDArray[np.float64], edges: NDArray[np.float32], votes: Grid, sure: NDArray[np.float32]
) -> Sighting:
    weight = sure / sure.sum()
    logits = weight @ votes[:, 1:7]
    odds = np.exp(logits - logits.max())
    odds /= odds.sum()
    x, y = (weight @ middles).tolist()
    # One lone cell is weaker than many that agree.
    crowd = min(1.0, len(sure) / 3)
    return Sighting((x, y), float(weight @ edges), tuple(odds.tolist()), float(sure.max()) * crowd)


def _apart(sightings: list[Sighting], edges: float) -> list[Sighting]:
    """Without those that lie nearer than so many edges to one before them."""
    kept: list[Sighting] = []
    for s in sightings:
        if all(np.hypot(s.px[0] - k.px[0], s.px[1] - k.px[1]) > edges * k.edge_px for k in kept):
            kept.append(s)
    return kept


def _die(number: int, s: Sighting, profile: Profile) -> Die:
    x, y = profile.to_board(np.array([s.px]), DIE_MM / 2)[0].tolist()
    if s.leans > LEANS:
        sure = s.found * s.leans
        return Die(number, None, s.px, (x, y), settled=True, confidence=sure, cocked=True, edge_px=s.edge_px)
    value, sure = int(np.argmax(s.odds)) + 1, s.sure * (1 - DOUBTED * s.leans)
    sure = min(sure, AT_MOST) if s.aside else sure
    return Die(number, value, s.px, (x, y), settled=True, confidence=sure, edge_px=s.edge_px)
