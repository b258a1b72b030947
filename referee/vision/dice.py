"""Dice: a quick net says where dice may lie, a finer one where they do, and two readers what they show.

The table and the cards on it say how large a die can be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Card, Die
from referee.vision.nets import open_net
from referee.vision.pips import likeness

Grid = NDArray[np.float32]
Array = NDArray[np.float64]
Mask = NDArray[np.uint8]

MODELS = Path(__file__).parent / "models"
STRIDE = 4
EDGE_PX = 20.0
"""The edge the net was taught with; it knows from 13 to 31."""
DIE_MM, CARD_MM = 16.0, 88.0
COARSE, SUSPECTED = 0.5, 0.17
"""The quick net looks at dice of half that size; from this chance on a place is looked at closely."""
WINDOW_PX, NEXT, MOST = 64, 2, 120
"""Side of the picture in which the finer net looks at such a place, cells round it that need none of their own, and
how many places are looked at: a printed cloth may be suspected all over."""
CELL_PX = round(STRIDE / COARSE)
"""For each cell of so many pixels of the picture the quick net says how likely a die lies there."""
LONGEST_PX = 1600
SHORTEST_PX = 90
STEP = 1.75
"""Between the sizes at which an unknown picture is looked at."""
FOUND = 0.5
CLOSE_PX, CLOSE_EDGE = 36, 20
"""The close picture from which a value is read, and the die's edge in it."""
TRUST_NET, TRUST_PIPS, SELDOM = 1.0, 20.0, 0.02
"""How much the net and the pattern of pips count for the value; the net is never surer than SELDOM lets it."""
UNKNOWN_ROOM, UNKNOWN_FINE = 0.2, 0.06
"""Without a calibration the upper face may be anywhere near; such a match counts a little less."""
USUAL_LENS = 0.77
"""Focal length over the longer side of the picture."""
SUPPOSED = 0.5
"""What the nets must give a place before its pips are looked at."""
BELIEVED = -0.6
"""Belief from which a place is a die: the nets and the pattern of pips vouch for it together."""
WORDS = (0.6, 0.27, 0.35, 0.3)
"""How much the finder, both readers, and the readers' agreement on the value count for a die being one;"""
FACE, DISTINCT, DOUBT = 1.3, 8.0, 6.16
"""and how well the best pattern of pips explains the face, how much better than the next best, and doubt itself."""
ONE_SIZE = 1.7
TWICE, BESIDE = 0.12, 0.75
"""Edges between two sightings that are the same, and between the middles of two dice."""


@dataclass(frozen=True, slots=True)
class _Sighting:
    px: tuple[float, float]
    edge_px: float
    odds: tuple[float, ...]
    """Of the six values."""
    found: float
    belief: float = 0.0
    """The logarithm of the odds that it is a die."""


def find_dice(
    image: Image,
    profile: Profile | None = None,
    cards: Sequence[Card] = (),
    where: Mask | None = None,
) -> tuple[Die, ...]:
    """The dice in a picture: of the size that dice have on that table or beside those cards, or of any size.

    With a mask of any size only dice near to where it is set are looked for.
    """
    looked = [s for scale in _scales(image, profile, cards) for s in _look(image, scale, where)]
    spots = _apart(sorted(looked, key=lambda s: -s.found), TWICE)
    read = sorted(_read(image, spots, profile), key=lambda s: -s.belief)
    dice = _of_one_size(_apart([s for s in read if s.belief > BELIEVED], BESIDE))
    return tuple(_die(i, s, profile) for i, s in enumerate(dice))


def _scales(image: Image, profile: Profile | None, cards: Sequence[Card]) -> list[float]:
    """How much to enlarge the picture so that a die is as large as the finer net knows it."""
    if profile is not None:
        return [EDGE_PX / (DIE_MM * _px_per_mm(profile))]
    if cards:
        return [EDGE_PX * CARD_MM / (DIE_MM * float(np.median([_length_px(card) for card in cards])))]
    return list(_unknown_scales(image))


def _length_px(card: Card) -> float:
    a, b, c, d = np.array(card.corners_px)
    return float(np.hypot(*(a - d)) + np.hypot(*(b - c))) / 2


def _read(image: Image, spots: list[_Sighting], profile: Profile | None) -> Iterator[_Sighting]:
    """The same sightings with their values read from close by, as far as both readers see a die there."""
    if not spots:
        return
    close = cv2.dnn.blobFromImages([_close(image, spot) for spot in spots], 1 / 255)
    first = _told("dice_values.onnx", close)
    found = np.array([spot.found for spot in spots]) * (1 - first[:, 0])
    left = np.flatnonzero(found > SUPPOSED)
    if not len(left):
        return
    for k, other in zip(left.tolist(), _told("dice_doubts.onnx", close[left]), strict=True):
        if 1 - other[0] > SUPPOSED:
            spot = _read_one(image, spots[k], first[k], other, profile)
            yield replace(spot, found=float(min(found[k], 1 - other[0])))


def _told(name: str, close: Any) -> Array:
    """For each close picture the odds of no die and of the six values."""
    net = _net(name)
    net.setInput(close)
    scores = np.asarray(net.forward(), np.float64)
    odds = np.exp(scores[:, :7] - scores[:, :7].max(axis=1, keepdims=True))
    out: Array = odds / odds.sum(axis=1, keepdims=True)
    return out


def _of_one_size(sightings: list[_Sighting]) -> list[_Sighting]:
    """The dice of one table are about equally large: as large as the surest, which comes first."""
    return [s for s in sightings if 1 / ONE_SIZE < s.edge_px / sightings[0].edge_px < ONE_SIZE]


def _read_one(image: Image, spot: _Sighting, one: Array, other: Array, profile: Profile | None) -> _Sighting:
    odds = [told[1:7] / max(1e-9, float(told[1:7].sum())) for told in (one, other)]
    seen = np.log(np.maximum((odds[0] + odds[1]) / 2, SELDOM))
    pips = _pips(image, spot, profile)
    both = TRUST_NET * seen + TRUST_PIPS * pips
    values = np.exp(both - both.max())
    values /= values.sum()
    said = (spot.found, 1 - one[0], 1 - other[0], float(np.sqrt(np.prod([o[values.argmax()] for o in odds]))))
    return replace(spot, odds=tuple(values.tolist()), belief=_belief(said, pips))


def _belief(said: tuple[float, ...], pips: Array) -> float:
    words = np.clip(said, 0.001, 0.999)
    second, best = np.sort(pips)[-2:]
    nets = np.log(words / (1 - words)) @ WORDS
    return float(nets + FACE * best + DISTINCT * (best - second) - DOUBT)


def _pips(image: Image, spot: _Sighting, profile: Profile | None) -> NDArray[np.float64]:
    """How well each value explains the upper face, where it must be on this table, or where it may be."""
    if profile is not None:
        return likeness(image, _top(spot, profile), spot.edge_px)
    from_above = likeness(image, _top_from_above(spot, image), spot.edge_px)
    return np.maximum(from_above, likeness(image, spot.px, spot.edge_px, UNKNOWN_ROOM) - UNKNOWN_FINE)


def _top(spot: _Sighting, profile: Profile) -> tuple[float, float]:
    """The middle of the upper face of a die that lies flat."""
    edge_mm = spot.edge_px / _px_per_mm(profile)
    foot = profile.to_board(np.array([spot.px]), edge_mm / 2)
    x, y = profile.to_pixels(foot, edge_mm)[0].tolist()
    return x, y


def _top_from_above(spot: _Sighting, image: Image) -> tuple[float, float]:
    """The same for a camera that looks straight down with a common lens."""
    h, w = image.shape[:2]
    lean = 0.5 * spot.edge_px / (USUAL_LENS * max(h, w))
    return spot.px[0] + (spot.px[0] - w / 2) * lean, spot.px[1] + (spot.px[1] - h / 2) * lean


def _close(image: Image, spot: _Sighting) -> Image:
    """The die in the middle of a small square, always equally large."""
    scale = CLOSE_EDGE / spot.edge_px
    half = CLOSE_PX / 2 - 0.5
    move = np.array([[scale, 0, half - scale * spot.px[0]], [0, scale, half - scale * spot.px[1]]])
    if scale < 0.6:
        # Shrinking far without averaging would lose the pips' edges to chance.
        image = _shrunk_around(image, spot, scale)
        move = np.array(
            [[1.0, 0, half - (image.shape[1] - 1) / 2], [0, 1.0, half - (image.shape[0] - 1) / 2]]
        )
    return cast(
        Image,
        cv2.warpAffine(
            image, move, (CLOSE_PX, CLOSE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ),
    )


def _shrunk_around(image: Image, spot: _Sighting, scale: float) -> Image:
    radius = CLOSE_PX / scale
    side = round(2 * radius)
    cut = cv2.getRectSubPix(image, (side, side), spot.px)
    return cast(Image, cv2.resize(cut, (2 * CLOSE_PX, 2 * CLOSE_PX), interpolation=cv2.INTER_AREA))


def _px_per_mm(profile: Profile) -> float:
    """At the height of a die, in the middle of the picture."""
    at = profile.to_board(np.array([profile.image_size], float) / 2, DIE_MM)[0]
    span = profile.to_pixels(at + np.array([[-10, 0], [10, 0], [0, -10], [0, 10]]), DIE_MM)
    return float(np.hypot(*(span[1] - span[0])) + np.hypot(*(span[3] - span[2]))) / 40


def _unknown_scales(image: Image) -> Iterator[float]:
    longest = max(image.shape[:2])
    scale = min(1.0, LONGEST_PX / longest)
    while scale * longest >= SHORTEST_PX:
        yield scale
        scale /= STEP


@cache
def _net(name: str) -> cv2.dnn.Net:
    return open_net(MODELS / name)


def _look(image: Image, scale: float, where: Mask | None) -> list[_Sighting]:
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
    net = _net("dice.onnx")
    net.setInput(cv2.dnn.blobFromImages(windows, 1 / 255))
    return [
        _raw(replace(s, px=(s.px[0] + x, s.px[1] + y)), (stop - start) / small_size, start)
        for grid, (x, y) in zip(cast(Grid, net.forward()), corners, strict=True)
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
    net = _net("dice_coarse.onnx")
    net.setInput(cv2.dnn.blobFromImage(half, 1 / 255))
    sure = near / (1 + np.exp(-cast(Grid, net.forward())[0, 0]))
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


def _raw(s: _Sighting, ratio: Array, start: NDArray[np.intp]) -> _Sighting:
    """From the net's picture to raw pixels: both have their first pixel's centre at 0."""
    x, y = (start + (np.array(s.px) + 0.5) * ratio - 0.5).tolist()
    return replace(s, px=(x, y), edge_px=s.edge_px * float(ratio.mean()))


def _sightings(grid: Grid) -> list[_Sighting]:
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
) -> _Sighting:
    weight = sure / sure.sum()
    logits = weight @ votes[:, 1:7]
    odds = np.exp(logits - logits.max())
    odds /= odds.sum()
    x, y = (weight @ middles).tolist()
    # One lone cell is weaker than many that agree.
    crowd = min(1.0, len(sure) / 3)
    return _Sighting((x, y), float(weight @ edges), tuple(odds.tolist()), float(sure.max()) * crowd)


def _apart(sightings: list[_Sighting], edges: float) -> list[_Sighting]:
    """Without those that lie nearer than so many edges to one before them."""
    kept: list[_Sighting] = []
    for s in sightings:
        if all(np.hypot(s.px[0] - k.px[0], s.px[1] - k.px[1]) > edges * k.edge_px for k in kept):
            kept.append(s)
    return kept


def _die(number: int, s: _Sighting, profile: Profile | None) -> Die:
    mm = None
    if profile is not None:
        x, y = profile.to_board(np.array([s.px]), DIE_MM / 2)[0].tolist()
        mm = (x, y)
    value = int(np.argmax(s.odds)) + 1
    return Die(number, value, s.px, mm, settled=True, confidence=s.found * max(s.odds))
