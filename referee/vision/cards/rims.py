"""Propose cards by their rims alone: a whole side and the beginnings of its neighbours, of the known size."""

import cv2
import numpy as np

from referee.vision.cards.refining import CLEAR, CLEARNESS
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image

LENGTH_PX = 56
"""Length of a card on the picture on which rims are looked for."""
STEP_DEG = 3.0
CLEAREST_TURNS = 7
"""Turns that are looked at, those along which the picture has most edges."""
NEIGHBOUR = 0.28
"""Share of a neighbouring side that must show beside the whole one."""
BOTH, LEAST = 0.72, 0.45
"""How clear the three must be together, and the least clear of them."""
BESIDE = 0.62
"""How far beside the open cells a card's side may reach, in card lengths."""
APART_PX = 3
ENDS = 0.8
"""How clear a rim is where the finder's cards end."""
MOST = 60


def proposals(image: Image, card: Floats, open_: Floats, length: float, width: float) -> Floats:
    """Corners (n, 4, 2) of cards that may lie where `open_` is; `card` is where any card is."""
    scale = LENGTH_PX / length
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    whole, mask = (np.asarray(cv2.resize(m, small.shape[1::-1]), np.float32) for m in (card, open_))
    found = [
        found
        for turn in _clear_turns(small, mask)
        for found in _at_turn(small, whole, mask, turn, LENGTH_PX, max(8, round(LENGTH_PX * width / length)))
    ]
    if not found:
        return np.empty((0, 4, 2))
    found.sort(key=lambda one: -one[0])
    return (_unlike([corners for _, corners in found]) + 0.5) / scale - 0.5


def _clear_turns(small: Image, mask: Floats) -> list[float]:
    """The turns (degrees, up to a quarter) along which most edges run."""
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    dx, dy = cv2.Scharr(grey, cv2.CV_32F, 1, 0) / 16, cv2.Scharr(grey, cv2.CV_32F, 0, 1) / 16
    power = dx * dx + dy * dy
    weight = power / (power + CLEAR**2) * (mask > 0.3)
    turn = np.degrees(np.arctan2(dy, dx)) % 90
    bins = round(90 / STEP_DEG)
    heap = np.bincount((turn / STEP_DEG).astype(int).ravel() % bins, weight.ravel(), bins)
    heap = heap + 0.6 * (np.roll(heap, 1) + np.roll(heap, -1))
    return [(k + 0.5) * STEP_DEG for k in np.argsort(-heap)[:CLEAREST_TURNS]]


def _at_turn(
    small: Image, card: Floats, mask: Floats, turn: float, long: int, short: int
) -> list[tuple[float, Floats]]:
    """Cards whose sides run along the axes once the picture is turned back."""
    turned, size = _window(mask, turn, long)
    edge = cv2.BORDER_REPLICATE
    look = np.asarray(cv2.warpAffine(small, turned, size, borderMode=edge), np.uint8)
    whole = np.asarray(cv2.warpAffine(card, turned, size, borderMode=edge), np.float32)
    inside = np.asarray(cv2.warpAffine(mask, turned, size), np.float32)
    across, down = (np.maximum(clear_edges(look, axis), _ends(whole, axis)) for axis in (1, 0))
    back = cv2.invertAffineTransform(turned)
    found: list[tuple[float, Floats]] = []
    d, a, i = (np.ascontiguousarray(field[::-1]) for field in (down, across, inside))
    for wide, tall in ((short, long), (long, short)):
        for upside_down in (False, True):
            fields = (d, a, i) if upside_down else (down, across, inside)
            score = _bottoms(fields[0], fields[1], fields[2], wide, tall)
            if not (score > BOTH).any():
                continue
            top = (score > BOTH) & (score >= cv2.dilate(score, _AROUND))
            for y, x in np.argwhere(top).tolist():
                foot = size[1] - 1 - y if upside_down else y
                box = _box(x + wide // 2, foot, wide, tall if upside_down else -tall)
                found.append((float(score[y, x]), box @ back[:, :2].T + back[:, 2]))
    return found


def _window(mask: Floats, turn: float, long: int) -> tuple[Floats, tuple[int, int]]:
    """How to turn the part of the picture where cards may be, and how large it is then."""
    turned = np.asarray(cv2.getRotationMatrix2D((0, 0), turn, 1.0), np.float64)
    at = cv2.findNonZero((mask > 0.3).astype(np.uint8))
    at = np.zeros((1, 2)) if at is None else at.reshape(-1, 2) @ turned[:, :2].T
    low, high = at.min(axis=0) - BESIDE * long, at.max(axis=0) + BESIDE * long
    turned[:, 2] = -low
    width, height = np.ceil(high - low).astype(int).tolist()
    return turned, (width, height)


def _box(x: float, foot: float, wide: float, rise: float) -> Floats:
    """A card standing on (x, foot), its corners clockwise from an end of its length."""
    left, right, top, bottom = x - wide / 2, x + wide / 2, min(foot, foot + rise), max(foot, foot + rise)
    box = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    return box if wide < abs(rise) else box[[3, 0, 1, 2]]


def clear_edges(look: Image, axis: int) -> Floats:
    """How clear an edge across `axis` is, 0 to 1; it may be a pixel off."""
    grown = cv2.copyMakeBorder(look, *((1, 1, 0, 0) if axis == 0 else (0, 0, 1, 1)), cv2.BORDER_REPLICATE)
    change = cv2.absdiff(grown[2:], grown[:-2]) if axis == 0 else cv2.absdiff(grown[:, 2:], grown[:, :-2])
    blue, green, red = cv2.split(change)
    most = cv2.dilate(cv2.max(cv2.max(blue, green), red), np.ones((3, 1) if axis == 0 else (1, 3), np.uint8))
    return np.asarray(cv2.LUT(most, CLEARNESS))


def _ends(card: Floats, axis: int) -> Floats:
    """Where cards end, as the finder says: not sharply, but whatever the colours are."""
    ends = np.zeros_like(card)
    inner = ends[2:-2] if axis == 0 else ends[:, 2:-2]
    change = card[4:] - card[:-4] if axis == 0 else card[:, 4:] - card[:, :-4]
    np.minimum(ENDS, np.abs(change) * (1.2 * ENDS), out=inner)
    return ends


def _bottoms(down: Floats, across: Floats, inside: Floats, wide: int, tall: int) -> Floats:
    """For every pixel, how clearly it is the middle of a card's lowest side; half a width is cut off on both sides."""
    near, half = max(3, round(tall * NEIGHBOUR)), wide // 2
    if down.shape[1] <= 2 * half:
        return np.zeros((1, 1), np.float32)
    foot = np.asarray(cv2.blur(down, (round(wide * 0.84) | 1, 1)), np.float32)[:, half:-half]
    rise = np.asarray(cv2.boxFilter(across, -1, (1, near), anchor=(0, near - 1)), np.float32)
    left, right = rise[:, : -2 * half], rise[:, 2 * half :]
    strip = cv2.boxFilter(inside, -1, (round(wide * 0.8) | 1, near), anchor=(-1, near - 1))[:, half:-half]
    clear = (np.minimum(np.minimum(left, right), foot) > LEAST) & (strip > 0.6)
    return np.asarray((foot + (left + right) / 2) * clear / 2, np.float32)


_AROUND = np.ones((5, 5), np.uint8)


def _unlike(found: list[Floats]) -> Floats:
    """The clearest of those that are almost the same."""
    corners = np.stack(found)
    kept = np.empty((0, 4, 2))
    for one in corners:
        if len(kept) == MOST:
            break
        either = (np.abs(kept - way).max(axis=(1, 2)) <= APART_PX for way in (one, np.roll(one, 2, axis=0)))
        if not np.logical_or(*either).any():
            kept = np.concatenate([kept, one[None]])
    return kept
