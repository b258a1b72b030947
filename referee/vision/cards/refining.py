"""Lay the found outlines onto the cards' rims: all cards of a picture are of one size, and a rim is an edge."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.ownership import Numbers, Ownership
from referee.vision.cards.sides import ALONG, SAMPLES, Floats, Sides, sides_of
from referee.vision.cards.spot import Image

INSIDE = (0.07, 0.18, 0.3)
"""A bit of side counts when the card is open at one of these depths inside of it, in card lengths."""
CLEAR = 16.0
"""A change of brightness or colour that is half of a clear edge."""
CLEARNESS = (np.arange(256.0) ** 2 / (np.arange(256.0) ** 2 + CLEAR**2)).astype(np.float32)
"""For every change how clear an edge it is, 0 to 1."""
_DEPTHS = np.array(INSIDE)[:, None, None, None, None]
STANDS_OUT = 0.2, 0.5
"""Round a card among few, a change of the first share of the clearest is no edge, one of the second a whole one."""
MIXED = 0.85
"""How much these count where the card is brighter than the table on one side and darker on another."""
EMPTY = 0.5
"""How much a bit of side counts against the card when the finder saw no card inside of it."""
SWINGS_DEG = (0, -20, 20, -40, 40, -60, 60, -80, 80, 90)
"""Turns that are tried for a card whose turn is in doubt."""

Changes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Search:
    """How far an outline may move, and how loath it is to."""

    step: float
    """Distance between the places looked at across a side, in card lengths."""
    reach: int
    """Steps a side may move outwards or inwards."""
    turns_deg: tuple[float, ...]
    size_steps: float
    """Change of size that costs as much as a third of the rim's clearness."""
    place_steps: float
    turn_deg: float


WIDE = Search(0.0125, 11, tuple(np.arange(-10, 10.1, 2.5)), 16.0, 14.0, 20.0)
NEAR = Search(0.0125, 6, tuple(np.arange(-4.5, 4.6, 0.9)), 2.0, 8.0, 8.0)
FINE = Search(0.006, 4, tuple(np.arange(-1.2, 1.3, 0.3)), 4.0, 8.0, 4.0)
COST = 0.33
"""Of the moves named in a search."""
OUTWARD = 0.004
"""Of two edges, the outer is the rim and the inner a drawn frame."""
FEW_COST = COST / 2, 0.005
"""Both, where edges stand out."""


def fit(
    image: Image, corners: Floats, ids: Numbers, cells: Ownership, search: Search, few: bool = False
) -> tuple[Floats, Floats]:
    """Corners moved onto the clearest rim as stiff cards, and how clear each rim is, 0 to 1.

    Few cards go by the edges that stand out, and that are the card's own: a table has grain, and a neighbour's rim is
    dark where this one's is bright.
    """
    sides = sides_of(corners)
    return _fit(image, corners, sides, *_open(sides, ids, cells), search, few)


def fit_open(image: Image, corners: Floats, weights: Floats, search: Search) -> tuple[Floats, Floats]:
    """The same for cards of which `weights` (cards, sides, samples) tell where their rims are open."""
    return _fit(image, corners, sides_of(corners), weights, weights.sum(axis=(1, 2)), search)


def _fit(
    image: Image,
    corners: Floats,
    sides: Sides,
    weights: Floats,
    of: Floats,
    search: Search,
    few: bool = False,
) -> tuple[Floats, Floats]:
    span = search.reach + int(np.ceil(_swing_steps(search)))
    look = _across(image, sides, span, search.step)
    change, share = _changes(look), of.astype(np.float32)[:, None, None, None]
    edges = _clear(change)
    edges *= weights[..., None]
    lines = _line_scores(edges, sides, search, span)
    lines /= share
    if not few:
        return _best_pose(corners, lines, lines, sides, search, COST, OUTWARD)[:2]
    darker = _darker(look)
    outstanding = _outstanding(change) * weights[..., None] / share
    tries = [
        _best_pose(corners, lines, _line_scores(edges, sides, search, span), sides, search, *FEW_COST)
        for edges in (MIXED * outstanding, outstanding * darker, outstanding * ~darker)
    ]
    poses, clear, worth = (np.stack(parts) for parts in zip(*tries, strict=True))
    best, everyone = worth.argmax(axis=0), np.arange(len(corners))
    return poses[best, everyone], clear[best, everyone]


def _open(sides: Sides, ids: Numbers, cells: Ownership) -> tuple[Floats, Floats]:
    """1 for every sample whose card is open there; and for every card how many could have been."""
    owner = cells.at(sides.rim - sides.outwards * _DEPTHS)
    mine = (owner == ids[:, None, None]).any(axis=0)
    empty = (owner[0] == -1) & ~mine
    return mine.astype(np.float32), np.maximum(8.0, mine.sum(axis=(1, 2)) + EMPTY * empty.sum(axis=(1, 2)))


def open_round(image: Image, corners: Floats) -> NDArray[np.bool_]:
    """Whether a rim shows along every side, so that nothing can lie on the card's rim."""
    return np.asarray((edges_along(image, sides_of(corners)) > 0.3).mean(axis=2).min(axis=1) > 0.8)


def rim_support(image: Image, corners: Floats, whose: Ownership) -> Floats:
    """How much of the rim round cells that are left (0) shows: where cards end for certain, else as an edge."""
    sides = sides_of(corners)
    rim, out = sides.rim, sides.outwards * BESIDE
    within, beyond = whose.at(rim - out), whose.at(rim + out)
    edge = edges_along(image, sides)
    shown = np.where(beyond == -1, np.maximum(edge, 0.9), np.where(beyond == 0, INNER * edge, edge))
    mine, empty = (within == 0) & (beyond != -2), within == -1
    count = np.maximum(8.0, mine.sum(axis=(1, 2)) + EMPTY * empty.sum(axis=(1, 2)))
    return np.asarray((shown * mine).sum(axis=(1, 2)) / count)


def edges_along(image: Image, sides: Sides) -> Floats:
    """(cards, sides, samples): how clear an edge runs along every side, 0 to 1."""
    return np.asarray(_edges(image, sides, 1, FINE.step).max(axis=-1))


BESIDE = 0.075
"""How far inside and outside of a rim is looked for whose the cells are, in card lengths."""
INNER = 0.85
"""An edge among cards may be a drawn line."""


def _edges(image: Image, sides: Sides, span: int, step: float) -> Floats:
    """How clear an edge runs along the side, `span` steps in to `span` steps out of every sample."""
    return _clear(_changes(_across(image, sides, span, step)))


def _clear(change: Changes) -> Floats:
    flat = cv2.LUT(change.reshape(len(change), -1), CLEARNESS)
    return np.asarray(flat, np.float32).reshape(change.shape)


def _outstanding(change: Changes) -> Floats:
    """How clear each edge is beside the clearest round its card: a table's grain has edges, too."""
    clearest = np.median(change.max(axis=-1).reshape(len(change), -1), axis=1).astype(np.float32)
    part = change / np.maximum(2 * CLEAR, clearest)[:, None, None, None]
    least, most = STANDS_OUT
    return np.asarray(np.clip((part - least) / (most - least), 0, 1), np.float32)


def _across(image: Image, sides: Sides, span: int, step: float) -> Image:
    """(cards, sides, samples, steps, colours): what lies `span` steps in to `span` steps out, and one more each."""
    reach = np.arange(-span - 1, span + 2, dtype=np.float32) * np.float32(step)
    rim, out = sides.rim.astype(np.float32), sides.outwards.astype(np.float32)
    # One row a side: OpenCV refuses pictures of more than 32767 rows, and many cards may be supposed.
    rows = rim.shape[0] * rim.shape[1]
    x, y = ((rim[..., i, None] + out[..., i, None] * reach).reshape(rows, -1) for i in (0, 1))
    look = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(look, np.uint8).reshape(*rim.shape[:3], len(reach), 3)


def _changes(look: Image) -> Changes:
    """How much the picture changes at each step."""
    flat = look.reshape(-1, *look.shape[3:])
    blue, green, red = cv2.split(cv2.absdiff(flat[:, 2:], flat[:, :-2]))
    change = cv2.max(cv2.max(blue, green), red)
    return np.asarray(change, np.uint8).reshape(*look.shape[:3], -1)


def _darker(look: Image) -> NDArray[np.bool_]:
    """Where the picture gets darker outwards."""
    light = look.sum(axis=-1, dtype=np.int16)
    return np.asarray(light[..., 2:] < light[..., :-2])


def _swing_steps(search: Search) -> float:
    """How many steps the end of a side moves at the greatest turn."""
    return 0.42 * float(np.sin(np.radians(max(search.turns_deg)))) / search.step


def _line_scores(edges: Floats, sides: Sides, search: Search, span: int) -> Floats:
    """(cards, sides, turns, shifts): what lies under each side if it is turned and moved outwards."""
    wide = float(np.median(np.linalg.norm(sides.along[:, 0], axis=-1) / sides.length))
    scores = np.empty((*edges.shape[:2], len(search.turns_deg), 2 * search.reach + 1), np.float32)
    for first, side_length in ((0, round(wide, 2)), (1, 1.0)):
        part = edges[:, first::2].reshape(2 * len(edges), -1)
        under = part @ _lines(search, span, side_length)
        scores[:, first::2] = under.reshape(len(edges), 2, *scores.shape[2:])
    return scores


@lru_cache(maxsize=64)
def _lines(search: Search, span: int, side_length: float) -> Floats:
    """Which places along and across a side lie under it (1) at every turn and shift."""
    turns, shifts = np.sin(np.radians(search.turns_deg)), np.arange(-search.reach, search.reach + 1)
    swing = -turns[:, None, None] * ALONG * side_length / search.step
    step = np.clip(np.rint(shifts[:, None] + swing).astype(int) + span, 0, 2 * span)
    under = np.arange(2 * span + 1)[:, None, None, None] == step
    return np.ascontiguousarray(under.transpose(3, 0, 1, 2).reshape(SAMPLES * (2 * span + 1), -1), np.float32)


def _best_pose(
    corners: Floats, lines: Floats, leading: Floats, sides: Sides, search: Search, cost: float, outward: float
) -> tuple[Floats, Floats, Floats]:
    """Where the leading lines are best, how clear the rim is there, and what it is worth.

    Opposite sides move together or apart; all four turn together.
    """
    upright, wide = (_pairs(leading[:, k], leading[:, k + 2], search, cost, outward) for k in (0, 1))
    loath = cost * (np.array(search.turns_deg) / search.turn_deg) ** 2
    total = upright.max(axis=2) + wide.max(axis=2) - loath
    turn, everyone = total.argmax(axis=1), np.arange(len(corners))
    n = lines.shape[-1]
    moves = np.empty((len(corners), 4))
    for first, pairs in ((0, upright), (1, wide)):
        best = pairs[everyone, turn].argmax(axis=1)
        moves[:, first], moves[:, first + 2] = best // n - search.reach, best % n - search.reach
    clear = lines[everyone[:, None], np.arange(4), turn[:, None], moves.astype(int) + search.reach].sum(
        axis=1
    )
    shifted = _shifted(corners, sides, moves * search.step * sides.length[:, None])
    return _turned(shifted, np.radians(np.array(search.turns_deg)[turn])), clear, total.max(axis=1)


def _pairs(one: Floats, other: Floats, search: Search, cost: float, outward: float) -> Floats:
    """(cards, turns, shifts of both): clearness less the cost of growing and of moving."""
    both = other[..., None, :] - _costs(search, cost, outward)
    both += one[..., :, None]
    return both.reshape(*both.shape[:2], -1)


@lru_cache
def _costs(search: Search, cost: float, outward: float) -> Floats:
    shift = np.arange(-search.reach, search.reach + 1)
    grown, moved = shift[:, None] + shift, (shift[:, None] - shift) / 2
    dear = cost * ((grown / search.size_steps) ** 2 + (moved / search.place_steps) ** 2) - outward * grown
    return np.asarray(dear, np.float32)


def _shifted(corners: Floats, sides: Sides, outward: Floats) -> Floats:
    """Every side moved outwards by pixels, along its neighbours."""
    top, right, bottom, left = (sides.out[:, i] * outward[:, i : i + 1] for i in range(4))
    return corners + np.stack([top + left, top + right, bottom + right, bottom + left], axis=1)


def _turned(corners: Floats, turn_rad: Floats) -> Floats:
    middle = corners.mean(axis=1, keepdims=True)
    x, y = np.moveaxis(corners - middle, -1, 0)
    c, s = np.cos(turn_rad)[:, None], np.sin(turn_rad)[:, None]
    return np.asarray(middle + np.stack([c * x - s * y, s * x + c * y], axis=-1))


def swung(image: Image, corners: Floats, ids: Numbers, cells: Ownership) -> Floats:
    """Of many turns of cards whose turn is in doubt, the one whose rim is clearest."""
    if not len(ids):
        return corners
    tries = [_turned(corners, np.full(len(ids), np.radians(s))) for s in SWINGS_DEG]
    fitted, clear = fit(image, np.concatenate(tries), np.tile(ids, len(tries)), cells, WIDE)
    clear = clear.reshape(len(tries), -1) - 0.001 * np.abs(SWINGS_DEG)[:, None]
    fitted = fitted.reshape(len(tries), *corners.shape)
    return np.asarray(fitted[clear.argmax(axis=0), np.arange(len(ids))])


def with_size(corners: Floats, long: Floats, short: Floats) -> Floats:
    """The same cards with other half lengths and half widths."""
    middle = corners.mean(axis=1)
    up, right = (corners[:, 0] + corners[:, 1]) / 2 - middle, (corners[:, 1] + corners[:, 2]) / 2 - middle
    up = up / np.maximum(np.linalg.norm(up, axis=1), 1e-9)[:, None] * long[:, None]
    right = right / np.maximum(np.linalg.norm(right, axis=1), 1e-9)[:, None] * short[:, None]
    return np.stack(
        [middle + up - right, middle + up + right, middle - up + right, middle - up - right], axis=1
    )


def half_sizes(corners: Floats) -> tuple[Floats, Floats]:
    """Half length and half width of every card."""
    up = (corners[:, 0] + corners[:, 1] - corners[:, 2] - corners[:, 3]) / 4
    right = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 4
    return np.linalg.norm(up, axis=1), np.linalg.norm(right, axis=1)


def relaxed(image: Image, corners: Floats, ids: Numbers, cells: Ownership) -> Floats:
    """The last touch: each side for itself, because a slanted look makes no rectangles."""
    sides = sides_of(corners)
    weights, _ = _open(sides, ids, cells)
    edges = _edges(image, sides, ENDS, FINE.step) * weights[..., None]
    score = edges[..., np.arange(SAMPLES), _LINES].sum(axis=-1) * _LOYALTY
    best = score.argmax(axis=-1)
    enough = (weights.sum(axis=2) >= SAMPLES // 3)[..., None]
    moved = (
        np.where(enough, np.stack([_FIRST[best], _LAST[best]], axis=-1), 0)
        * FINE.step
        * sides.length[:, None, None]
    )
    start, end = corners + sides.out * moved[..., :1], corners + sides.along + sides.out * moved[..., 1:]
    return _crossings(start, end, corners, sides.length)


ENDS = 3
"""Steps an end of a side may move for itself."""
_GRID = np.arange(-ENDS, ENDS + 1)
_FIRST, _LAST = (m.ravel() for m in np.meshgrid(_GRID, _GRID))
_LINES = np.rint(_FIRST[:, None] * (0.5 - ALONG) + _LAST[:, None] * (0.5 + ALONG)).astype(int) + ENDS
"""For every pair of end shifts, which step each sample of that line falls on."""
_LOYALTY = (1 - 0.015 * (np.abs(_FIRST) + np.abs(_LAST)) - 0.015 * np.abs(_FIRST - _LAST)).astype(np.float32)


def _crossings(a: Floats, b: Floats, old: Floats, length: Floats) -> Floats:
    """Corners where neighbouring sides meet; where that would be absurd, the old corners."""
    p, r = np.roll(a, 1, axis=1), np.roll(b - a, 1, axis=1)
    d, s = a - p, b - a
    cross = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    cross = np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    t = (d[..., 0] * s[..., 1] - d[..., 1] * s[..., 0]) / cross
    new = p + t[..., None] * r
    far = np.linalg.norm(new - old, axis=-1).max(axis=1) > 0.06 * length
    return np.where(far[:, None, None], old, new)
