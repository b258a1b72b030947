"""What belongs to a piece by its colours, and what to the board or a shadow on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.board import Field, Flags, shade_of
from referee.vision.middles import median
from referee.vision.ovals import STEP_PX, Oval, Radii, rays

BEYOND = 6
"""Last steps of a ray, where no piece is."""
SURELY = 2.5
"""Most that one step tells by its colour, as the logarithm of odds."""
BINS, BIN, LOWEST = 20, 0.16, -2.1
"""Of the colour histograms, in logarithms of picture over board."""
TINT, TINT_MOST = 0.4, 1.2
"""Weight of the tint that no shadow changes, and the most that one step tells by it."""
UNLIKE = 9.0
"""From this square on, in standard errors, two tints are unlike, and no more."""
STRAY, DARKER = 0.03, 3.0
"""How far the tint of a shadow strays at least, in logarithms, and how much more of it for each logarithm of depth."""
SOME = 4
"""Every so manieth step of the middle of a piece tells its tint."""
BLUR, ALONE = np.array([0.25, 0.5, 0.25]), np.array([1.0])
SHADES = np.array([0.2, 0.4, 0.6, 0.8, 1.0], np.float32)[:, None, None]
"""Steps of light by which a piece is darker towards its rim."""
PLACES = np.array([BINS * BINS, BINS, 1], np.float32)
"""What a bin of each channel counts in the number of a colour."""


def _bins(colours: Field) -> NDArray[np.int64]:
    k = colours - LOWEST
    k *= 1 / BIN
    np.maximum(k, 0, out=k)
    np.minimum(k, BINS - 1, out=k)
    # Whole numbers as floats: these are multiplied and added at once.
    return np.asarray((np.floor(k, out=k) @ PLACES).astype(np.int64))


def _histogram(colours: Field) -> Field:
    """How often each colour occurs, blurred by a bin either way."""
    counts = np.bincount(_bins(colours).ravel(), minlength=BINS**3).astype(np.float32)
    cube = cv2.sepFilter2D(counts.reshape(BINS, BINS, BINS), -1, BLUR, BLUR, borderType=cv2.BORDER_REPLICATE)
    flat = cv2.sepFilter2D(cube.reshape(-1, BINS), -1, BLUR, ALONE, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(flat.ravel() / max(colours.size // 3, 1), np.float32)


def _colours(core: Field) -> Field:
    """The piece's colours, as lit in its middle and darker towards the rim that turns from the light."""
    shaded = core - SHADES
    return np.asarray(0.6 * _histogram(core) + 0.4 * _histogram(shaded), np.float32)


@cache
def _board_colours() -> Field:
    """The board's colours: itself, and every shadow on it, a little tinted by the other lamps."""
    chance = np.random.default_rng(1)
    shade = -1.9 * chance.random(40000) ** 2
    tint = chance.normal(size=(40000, 3))
    tint -= tint.mean(axis=1, keepdims=True)
    noise = chance.normal(0, 0.05, (2, 40000, 3))
    shadow = shade[:, None] + tint * 0.12 * np.abs(shade)[:, None] + noise[0]
    board = 0.5 * _histogram(shadow.astype(np.float32)) + 0.5 * _histogram(noise[1].astype(np.float32))
    return np.asarray(board, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Outside:
    """What is not a piece: the board in any shadow."""

    colours: Field
    """How often each colour occurs."""
    across: Field | None = None
    """Two ways of tint in which no shadow of this light changes the board, in units of how far they stray; None where
    no shadow was seen."""

    def tint(self, along: Field) -> Field | None:
        """The tint of some colours that no shadow changes: it is the same on the lit and on the averted side."""
        if self.across is None:
            return None
        deep = 1 + DARKER * np.maximum(-shade_of(along), 0)
        return np.asarray((along @ self.across) / deep[..., None], np.float32)


def outside_of(ratio: Field, pieces: Sequence[Oval]) -> Outside:
    """The board in any shadow, and as it is in the shadows seen round these pieces."""
    if not pieces:
        return Outside(_board_colours())
    radii = np.array([o.radii for o in pieces])
    along = rays(ratio, np.array([o.centre for o in pieces]), float(radii.max()) + 10)
    beyond = np.arange(along.shape[2]) * STEP_PX - radii[..., None]
    shadow = along[(beyond > 1.5) & (beyond < 9) & (shade_of(along) < -0.06)]
    if len(shadow) < 100:
        return Outside(_board_colours())
    colours = np.asarray(0.5 * _board_colours() + 0.5 * _histogram(shadow), np.float32)
    return Outside(colours, _across(shadow))


def _across(shadow: Field) -> Field:
    """Two directions square to the line from the lit board to full shadow, scaled by what shadows stray from it."""
    along = np.median(shadow / np.linalg.norm(shadow, axis=1, keepdims=True), axis=0)
    across = np.linalg.svd(along[None])[2][1:].T
    stray = np.maximum(1.48 * np.median(np.abs(shadow @ across), axis=0), STRAY)
    return np.asarray(across / stray, np.float32)


def belongs(along: Field, own: Field, expected: Radii, outside: Outside) -> tuple[Field, Radii]:
    """Evidence per step that it is the piece, by the colours in its middle, or the board, by what it remembers; and for
    each piece how far its colours are its own, 0 to 1."""
    inner = np.arange(along.shape[2]) * STEP_PX < 0.75 * expected[..., None]
    odds, distinct = np.empty(along.shape[:3], np.float32), np.empty(len(along))
    not_piece = np.log(outside.colours + 2e-4)
    tint = outside.tint(along) if own is along else None
    for k in range(len(along)):
        piece = np.log(_colours(own[k][inner[k]]) + 2e-4)
        board = _bins(along[k])
        mine = _within(piece[board if own is along else _bins(own[k])] - not_piece[board], SURELY)
        if tint is not None:
            mine += _by_tint(tint[k], inner[k])
            _within(mine, SURELY)
        # Where the rays end lies the bare board: what looks like it tells nothing.
        bare = float(median(mine[:, -BEYOND:].ravel()))
        odds[k] = mine - max(bare, 0.0)
        distinct[k] = max(-bare / SURELY, 0.0)
    return odds, distinct


def _within(values: Field, most: float) -> Field:
    """Values cut off, in place, at the most that one step tells."""
    return np.minimum(np.maximum(values, -most, out=values), most, out=values)


def _by_tint(tint: Field, inner: Flags) -> Field:
    """Evidence per step that its tint is that of the piece's middle, not that of the board in light or shadow."""
    core = tint[inner][::SOME]
    middle = median(core)
    stray = np.maximum(1.48 * median(np.abs(core - middle)), 1)
    off = (tint - middle) / stray
    piece = _unlike(off) / 2 + np.log(stray).sum()
    board = _unlike(tint) / 2
    return _within(TINT * (board - piece), TINT_MOST)


def _unlike(tint: Field) -> Field:
    """How far two standard errors, as squares, are from nothing."""
    square = np.minimum(tint * tint, UNLIKE)
    return np.asarray(square[..., 0] + square[..., 1], np.float32)
