"""The printed sheet in a picture: which of its corners are seen, and where, to a fraction of a pixel."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image

COLUMNS, ROWS = 7, 5
SQUARE_MM, MARKER_MM = 35.0, 26.0
PAPER_MM = (297.0, 210.0)
PAPER_THICKNESS_MM = 0.15
"""Office paper is 0.1 mm thick and never lies perfectly flat: the print floats this much above the table."""
FEWEST_CORNERS = 8
"""A sheet of which less is seen says nothing reliable about its pose."""

Gray = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class SheetSeen:
    """Corners of the chess pattern in one picture."""

    ids: NDArray[np.int64]
    px: NDArray[np.float64]
    """Shape (n, 2), raw pixels, pixel centres at whole numbers."""

    @property
    def mm(self) -> NDArray[np.float64]:
        """The same corners on the paper: origin at its middle, x right, y up, z out of the page."""
        return sheet_corners_mm()[self.ids]

    def only(self, keep: NDArray[np.bool_]) -> "SheetSeen":
        return SheetSeen(self.ids[keep], self.px[keep])


@cache
def pattern() -> Any:
    """OpenCV's description of the sheet (current, not legacy, pattern)."""
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, words)


@cache
def sheet_corners_mm() -> NDArray[np.float64]:
    """The inner corners by OpenCV's number, then those along the pattern's rim; y up, z out of the page."""
    columns, rows = np.meshgrid(np.arange(COLUMNS + 1), np.arange(ROWS + 1))
    rim = (columns % COLUMNS == 0) | (rows % ROWS == 0)
    inner_first = np.concatenate([np.c_[columns[~rim], rows[~rim]], np.c_[columns[rim], rows[rim]]])
    across = (inner_first - [COLUMNS / 2, ROWS / 2]) * [SQUARE_MM, -SQUARE_MM]
    return np.array([(x, y, 0.0) for x, y in across])


def find_sheet(image: Image | Gray) -> SheetSeen | None:
    """The sheet's corners, or None when too little of it is seen."""
    gray = gray_of(image)
    px, ids, _, _ = _detector().detectBoard(gray)
    if ids is None or len(ids) < FEWEST_CORNERS:
        return None
    rough = SheetSeen(np.asarray(ids).ravel().astype(np.int64), np.asarray(px, float).reshape(-1, 2))
    seen = _refined(gray, rough)
    return seen if len(seen.ids) >= FEWEST_CORNERS else None


def gray_of(image: Image | Gray) -> Gray:
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


@cache
def _detector() -> Any:
    return cv2.aruco.CharucoDetector(pattern())


def _refined(gray: Gray, rough: SheetSeen) -> SheetSeen:
    """Corners read from the picture itself.

    Releases of OpenCV differ by half a pixel in what their detector reports; the saddle point does not.
    """
    reach = _window_px(rough)
    start = rough.px.astype(np.float32).reshape(-1, 1, 2)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 60, 1e-4)
    found = cv2.cornerSubPix(gray, start.copy(), (reach, reach), (-1, -1), stop)
    px = np.asarray(found, float).reshape(-1, 2)
    strayed = np.linalg.norm(px - rough.px, axis=1) > max(1.5, reach / 2)
    return SheetSeen(rough.ids, px).only(~strayed)


def _window_px(seen: SheetSeen) -> int:
    """Half the search window: as large as it may be without touching the markers beside a corner."""
    clear_mm = (SQUARE_MM - MARKER_MM) / 2
    return int(np.clip(clear_mm * px_per_mm(seen) * 0.75, 2, 12))


def px_per_mm(seen: SheetSeen) -> float:
    """How large the sheet appears, from the area its corners span."""
    spread_px = np.linalg.det(np.cov(seen.px.T))
    spread_mm = np.linalg.det(np.cov(seen.mm[:, :2].T))
    return float((max(spread_px, 1e-9) / max(spread_mm, 1e-9)) ** 0.25)


def union_box(seen: Sequence[SheetSeen]) -> tuple[float, float, float, float]:
    """The part of the picture that sheets have covered: left, top, right, bottom."""
    px = np.concatenate([s.px for s in seen])
    (left, top), (right, bottom) = px.min(0), px.max(0)
    return float(left), float(top), float(right), float(bottom)
