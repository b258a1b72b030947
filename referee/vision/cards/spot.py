"""A place on the picture where a card lies, before anybody knows which."""

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Quad = NDArray[np.float64]
"""Four corners in pixels, shape (4, 2): top left, top right, bottom right, bottom left of the card."""
Box = tuple[float, float, float, float]
Seen = NDArray[np.bool_]
"""Which parts of a card are open to the camera, on a grid of GRID cells over the card."""

GRID = (16, 22)
"""Columns and rows of `Seen`."""
ALIASES, HALF = 0.625, 0.56
"""Sampled more coarsely than this, a picture would show what is not there; half of it is near enough to this."""


@dataclass(frozen=True)
class Spot:
    """Corners and what of it can be seen; which end is up is not known yet."""

    corners: Quad
    seen: Seen
    sure: float
    """How sure the finder is that a card lies here, 0 to 1."""

    @cached_property
    def visible(self) -> float:
        return float(self.seen.mean())

    def turned(self) -> "Spot":
        """The same card held the other way up."""
        return Spot(self.corners[[2, 3, 0, 1]], self.seen[::-1, ::-1], self.sure)


def grids_px(corners: NDArray[np.floating]) -> NDArray[np.float64]:
    """Where the middles of the GRID cells of cards (n, 4, 2) lie on the picture, row by row: (n, cells, 2)."""
    maps = _maps(corners) @ _MIDDLES
    return np.asarray((maps[:, :2] / maps[:, 2:]).transpose(0, 2, 1))


def grid_px(corners: Quad) -> NDArray[np.float64]:
    """Where the middles of the GRID cells of a card lie on the picture, row by row."""
    return np.asarray(grids_px(corners[None])[0])


def on_picture(places: NDArray[np.floating], corners: Quad) -> NDArray[np.float64]:
    """Where places (n, 2) of a card, in its widths and heights, lie on the picture."""
    at = np.column_stack([places, np.ones(len(places))]) @ _maps(corners[None])[0].T
    return np.asarray(at[:, :2] / at[:, 2:])


def on_card(points: NDArray[np.floating], corners: Quad) -> NDArray[np.float64]:
    """Where pixels (n, 2) lie on a card, in its widths and heights: between 0 and 1 they are on it."""
    return np.asarray(on_cards(points[None], corners[None])[0])


def on_cards(points: NDArray[np.floating], corners: NDArray[np.floating]) -> NDArray[np.float64]:
    """The same for each card (n, 4, 2) and its own pixels (n, m, 2)."""
    return np.stack(_across_and_down(points, corners), axis=-1)


def within(points: NDArray[np.floating], corners: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Whether they are on it: (n, m)."""
    x, y = _across_and_down(points, corners)
    return np.asarray((x > 0) & (x < 1) & (y > 0) & (y < 1))


def _across_and_down(
    points: NDArray[np.floating], corners: NDArray[np.floating]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x, y = points[..., 0], points[..., 1]
    back = np.linalg.inv(_maps(corners))[..., None]
    across, down, far = (back[:, i, 0] * x + back[:, i, 1] * y + back[:, i, 2] for i in range(3))
    return across / far, down / far


_MIDDLES = np.stack(
    [
        np.tile((np.arange(GRID[0]) + 0.5) / GRID[0], GRID[1]),
        np.repeat((np.arange(GRID[1]) + 0.5) / GRID[1], GRID[0]),
        np.ones(GRID[0] * GRID[1]),
    ]
)


def _maps(corners: NDArray[np.floating]) -> NDArray[np.float64]:
    """For every card (n, 4, 2) the projection (3, 3) of the unit square onto it."""
    a, b, c, d = corners.astype(np.float64).transpose(1, 2, 0)
    (rx, ry), (dx, dy), (x, y) = b - c, d - c, a - b + c - d
    size = rx * dy - dx * ry
    size[np.abs(size) < 1e-9] = 1e-9
    g, h = (x * dy - dx * y) / size, (rx * y - x * ry) / size
    maps = np.ones((3, 3, len(corners)))
    maps[:2, 0], maps[:2, 1], maps[:2, 2] = b - a + g * b, d - a + h * d, a
    maps[2, 0], maps[2, 1] = g, h
    return maps.transpose(2, 0, 1)


def cut(image: Image, corners: Quad, box: Box, size: tuple[int, int]) -> Image:
    """The part `box` (x0, y0, x1, y1 in card widths and heights) of a card as a picture of `size`."""
    return np.asarray(cuts(image, corners[None], box, size)[0])


def cuts(image: Image, corners: NDArray[np.floating], box: Box, size: tuple[int, int]) -> NDArray[np.uint8]:
    """The same part of every card (n, 4, 2)."""
    x0, y0, x1, y1 = box
    part = np.array([[x0, x1, x1, x0], [y0, y0, y1, y1], [1, 1, 1, 1]])
    maps = _maps(corners)
    at = maps @ part
    sources = (at[:, :2] / at[:, 2:]).transpose(0, 2, 1)
    last = np.array(image.shape[1::-1])
    low = np.clip(np.floor(sources.min(axis=1)).astype(int) - 2, 0, last - 2)
    high = np.clip(np.ceil(sources.max(axis=1)).astype(int) + 3, low + 2, last)
    w, h = size
    ratios = h / np.maximum(1.0, np.linalg.norm(sources[:, 3] - sources[:, 0], axis=1))
    out = np.empty((len(corners), h, w, image.shape[2]), np.uint8)
    places = zip(low.tolist(), high.tolist(), ratios.tolist(), strict=True)
    shrunk = [_shrunk(image[y0:y1, x0:x1], ratio) for (x0, y0), (x1, y1), ratio in places]
    warps = _onto_windows(low, [scale for _, scale in shrunk]) @ maps @ _onto_box(box, size)
    for picture, (window, _), warp in zip(out, shrunk, warps, strict=True):
        cv2.warpPerspective(window, warp, size, dst=picture, flags=_BACK, borderMode=cv2.BORDER_REPLICATE)
    return out


_BACK = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


def _onto_box(box: Box, size: tuple[int, int]) -> NDArray[np.float64]:
    """From pixels of a picture of `size` to the box that it shows."""
    (x0, y0, x1, y1), (w, h) = box, size
    across, down = (x1 - x0) / w, (y1 - y0) / h
    return np.array([[across, 0, x0 + across / 2], [0, down, y0 + down / 2], [0, 0, 1]])


def _onto_windows(low: NDArray[np.intp], scales: Sequence[float]) -> NDArray[np.float64]:
    """For windows that begin there, each at its own scale, from pixels of the whole picture to theirs."""
    scale, onto = np.array(scales), np.zeros((len(low), 3, 3))
    onto[:, 0, 0] = onto[:, 1, 1] = scale
    onto[:, :2, 2] = (0.5 - low) * scale[:, None] - 0.5
    onto[:, 2, 2] = 1
    return onto


def _shrunk(window: Image, ratio: float) -> tuple[Image, float]:
    """A window made smaller where sampling it at `ratio` would alias and something would be left, and its scale."""
    scale = 1.0
    while ratio < HALF and min(window.shape[:2]) >= 4:
        window, scale, ratio = halved(window), scale / 2, 2 * ratio
    if ratio >= ALIASES or ratio * min(window.shape[:2]) < 1:
        return window, scale
    small = cv2.resize(window, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale * ratio


def halved(image: Image) -> Image:
    """Half as wide and high; a last odd row or column is left out."""
    h, w = (n // 2 for n in image.shape[:2])
    return np.asarray(cv2.resize(image[: 2 * h, : 2 * w], (w, h), interpolation=cv2.INTER_AREA), np.uint8)


def half_of(image: Image) -> Image:
    """The same, made once for a picture on which nobody can write, and kept as long as that is."""
    if image.flags.writeable:
        return halved(image)
    key = id(image)
    if key not in _HALVES:
        half = halved(image)
        half.flags.writeable = False
        _HALVES[key] = weakref.ref(image, lambda _: _HALVES.pop(key, None)), half
    return _HALVES[key][1]


_HALVES: dict[int, tuple[weakref.ref[Image], Image]] = {}


def read_only(image: Image) -> Image:
    """A picture as it is now, on which nobody can write."""
    view = image.view()
    view.flags.writeable = False
    return view
