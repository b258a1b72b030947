"""Pull the found corners onto the cards' real edges, at the picture's full resolution."""

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.spot import Image, Quad

SAMPLES = 16
"""Places looked at along a side."""
REACH = 0.055
"""How far from the expected side an edge is looked for, in card lengths."""
STEPS = 11
"""Places looked at across a side."""
ALONG = np.linspace(0.08, 0.92, SAMPLES)
SWINGS_DEG = (0, -9, 9, -18, 18, -27, 27, -40, 40, -55, 55, -72, 72, 90)
INSIDE = 0.07
"""A bit of side counts when the card is open this far inside of it, in card lengths."""

Floats = NDArray[np.floating]


def refine(
    image: Image, quads: list[Quad], doubtful: list[bool], owner: NDArray[np.intp], cell_px: float
) -> list[Quad]:
    """Better corners for every quad; `owner` says whose every cell of `cell_px` pixels is."""
    if not quads:
        return []
    corners: Floats = np.stack(quads)
    everyone, unsure = np.arange(len(quads)), np.flatnonzero(doubtful)
    if len(unsure):
        corners[unsure] = _swung(image, corners[unsure], unsure, owner, cell_px)
    for reach in (2 * REACH, 2 * REACH, REACH, REACH / 2):
        corners, _ = _pulled(image, corners, everyone, owner, cell_px, reach)
    return list(corners.astype(np.float64))


def _swung(
    image: Image, corners: Floats, ids: NDArray[np.intp], owner: NDArray[np.intp], cell_px: float
) -> Floats:
    """Of many turns of cards whose turn is in doubt, the one whose sides lie best on edges."""
    turns = [_turned(corners, np.radians(swing)) for swing in SWINGS_DEG]
    scores = [
        _pulled(image, turned, ids, owner, cell_px, 2 * REACH)[1] * (1 - abs(swing) / 450)
        for swing, turned in zip(SWINGS_DEG, turns, strict=True)
    ]
    best = np.argmax(scores, axis=0)
    return np.asarray(np.stack(turns)[best, np.arange(len(corners))])


def _turned(corners: Floats, turn_rad: float) -> Floats:
    middle = corners.mean(axis=1, keepdims=True)
    x, y = np.moveaxis(corners - middle, -1, 0)
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    return np.asarray(middle + np.stack([c * x - s * y, s * x + c * y], axis=-1))


def _pulled(
    image: Image,
    corners: Floats,
    ids: NDArray[np.intp],
    owner: NDArray[np.intp],
    cell_px: float,
    reach: float,
) -> tuple[Floats, Floats]:
    start, end = corners, np.roll(corners, -1, axis=1)
    along = end - start
    out = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    out /= np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-9)
    length = np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)
    base = start[:, :, None] + along[:, :, None] * ALONG[:, None]
    open_ = _open(base - out[:, :, None] * (length * INSIDE)[:, None, None, None], ids, owner, cell_px)
    shift, score = _best_shift(_edges(image, base, out, length * reach), open_)
    moved = (
        np.where(open_.sum(axis=2)[..., None] >= SAMPLES // 4, shift, 0.0) * (length * reach)[:, None, None]
    )
    a = start + out * moved[..., :1]
    b = end + out * moved[..., 1:]
    return _crossings(a, b, corners, length), score


def _open(
    points: Floats, ids: NDArray[np.intp], owner: NDArray[np.intp], cell_px: float
) -> NDArray[np.bool_]:
    """Whether each point lies on a cell of its own card."""
    cell = np.floor((points + 0.5) / cell_px).astype(int)
    rows, columns = owner.shape
    x, y = np.clip(cell[..., 0], 0, columns - 1), np.clip(cell[..., 1], 0, rows - 1)
    return np.asarray(owner[y, x] == ids[:, None, None])


def _edges(image: Image, base: Floats, out: Floats, reach_px: Floats) -> Floats:
    """How strongly the picture changes across the side, at STEPS places for every sample."""
    across = np.linspace(-1, 1, STEPS + 2)
    at = base[..., None, :] + out[:, :, None, None] * (reach_px[:, None] * across)[:, None, None, :, None]
    n = len(base) * 4
    xy = at.reshape(n, -1, 2).astype(np.float32)
    look = np.asarray(
        cv2.remap(image, xy[..., 0], xy[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )
    look = look.reshape(len(base), 4, SAMPLES, STEPS + 2, 3).astype(np.float32)
    change = np.abs(look[..., 2:, :] - look[..., :-2, :]).max(axis=-1)
    return np.asarray(np.minimum(change, 60.0))


_GRID = np.linspace(-1, 1, STEPS)
_FIRST, _LAST = (m.ravel() for m in np.meshgrid(_GRID, _GRID))
_LINES = np.rint((_FIRST[:, None] * (1 - ALONG) + _LAST[:, None] * ALONG + 1) / 2 * (STEPS - 1)).astype(int)
"""For every pair of end shifts, which step each sample of that line falls on."""
_LOYALTY = (
    1 - 0.35 * (_FIRST**2 + _LAST**2) / 2 - 0.25 * np.abs(_FIRST - _LAST) + 0.1 * (_FIRST + _LAST)
).astype(np.float32)
"""A line far from where it was expected must be clearer; of two, the outer is the rim and the inner a drawn frame."""


def _best_shift(change: Floats, open_: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """For every side the shifts of its two ends (in reaches) onto the clearest line; for every card how clear."""
    weighed = change * open_[..., None]
    score = weighed[..., np.arange(SAMPLES), _LINES].sum(axis=-1) * _LOYALTY
    best = score.argmax(axis=-1)
    clear = score.max(axis=-1).sum(axis=-1)
    return np.stack([_FIRST[best], _LAST[best]], axis=-1), clear


def _crossings(a: Floats, b: Floats, old: Floats, length: Floats) -> Floats:
    """Corners where neighbouring sides meet; where that would be absurd, the old corners."""
    p, r = np.roll(a, 1, axis=1), np.roll(b - a, 1, axis=1)
    q, s = a, b - a
    cross = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    cross = np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    d = q - p
    t = (d[..., 0] * s[..., 1] - d[..., 1] * s[..., 0]) / cross
    new = p + t[..., None] * r
    far = np.linalg.norm(new - old, axis=-1).max(axis=1) > 0.15 * length
    return np.where(far[:, None, None], old, new)
