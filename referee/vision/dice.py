"""Dice: a quick net says where dice may lie, a finer one where they do, and two readers what they show.

The table and the cards on it say how large a die can be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Card, Die
from referee.vision.cocked import LEANS
from referee.vision.die_reading import DIE_MM, Sighting, px_per_mm, read
from referee.vision.nets import MODELS, opened, run_by_fours
from referee.vision.upper_faces import larger_by, overlooked_px, up_by, upper_faces
from referee.vision.whole import shows, whole
from referee.vision.witnesses import both

Grid = NDArray[np.float32]
Array = NDArray[np.float64]
Mask = NDArray[np.uint8]

STRIDE = 4
EDGE_PX = 20.0
"""The edge the net was taught with; it knows from 13 to 31."""
CARD_MM, CARD_SURE = (63.0, 88.0), 0.9
"""A card, and how sure it must be to measure dice by it: a large die's face looks like a small card."""
BY_CARDS = (0.45, 1.8)
"""Beside cards dice are as large as this, by the usual ones: from 7 to 29 mm, near and far, and no die is as large as a
drawing."""
SMALL_PX, LARGER = 16.0, 1.5
"""Beside cards seen from aside dice may be smaller than they should be: then they are looked at this much larger."""
PLAINER = 1.4
"""So much larger than to the finer net dice beside cards are shown to that which knows upper faces."""
COARSE, SUSPECTED = 0.5, 0.17
"""The quick net looks at dice of half that size; from this chance on a place is looked at closely."""
WINDOW_PX, NEXT, MOST = 64, 2, 120
"""Side of the picture in which the finer net looks at such a place, cells round it that need none of their own, and
how many places are looked at: a printed cloth may be suspected all over."""
CELL_PX = round(STRIDE / COARSE)
"""For each cell of so many pixels of the picture the quick net says how likely a die lies there."""
LONGEST_PX = 1600
SHORTEST_PX = 50
"""So small is a picture made at last: dice that fill a third of it are then as small as the net knows them."""
STEP = 1.75
"""Between the sizes at which an unknown picture is looked at."""
FOUND = 0.5
ONE_SIZE = 1.7
DOUBTED, DOUBTED_ON_TABLE = 0.4, 0.7
"""So much of the trust in its value the odds take that a die leans."""
AT_MOST = 0.85
"""How sure the value of a die can be that is seen from far aside."""
WORTH, EVEN = 0.6, 0.5
"""How sure it must be to be told where nothing but the dice says how the picture was taken: from aside, from above."""
TWICE, BESIDE = 0.12, 0.75
"""Edges between two sightings that are the same, and between the middles of two dice."""


def find_dice(
    image: Image,
    profile: Profile | None = None,
    cards: Sequence[Card] = (),
    where: Mask | None = None,
) -> tuple[Die, ...]:
    """The dice in a picture: of the size that dice have on that table or beside those cards, or of any size.

    With a mask of any size only dice near to where it is set are looked for.
    """
    cards = [card for card in cards if card.face == "up" and card.confidence >= CARD_SURE]
    scales = _scales(image, profile, cards)
    up: Array | None = None
    if profile is not None or where is not None:
        dice = _apart(_worth(_seen(image, scales, profile, where), profile), BESIDE)
    else:
        # Taken by hand, from anywhere: two witnesses are heard.
        sides = [PLAINER * scale * max(image.shape[:2]) for scale in scales] if cards else ()
        faces = upper_faces(image, sides)
        if cards:
            usual_px = EDGE_PX / scales[0]
            faces = [face for face in faces if BY_CARDS[0] < face.edge_px / usual_px < BY_CARDS[1]]
        up = up_by(image, faces)
        readers = whole(_seen(image, scales, None, None, up))
        dice = both(_apart(readers, BESIDE), faces, overlooked_px(image), bool(cards))
    return tuple(_die(i, s, profile) for i, s in enumerate(_of_one_size(image, up, dice)))


def _seen(
    image: Image,
    scales: Sequence[float],
    profile: Profile | None,
    where: Mask | None,
    up: Array | None = None,
) -> list[Sighting]:
    """What the readers see, the surest first."""
    looked = [s for scale in scales for s in _look(image, scale, where)]
    if profile is None and len(scales) == 1 and any(s.edge_px * scales[0] < SMALL_PX for s in looked):
        looked += _look(image, scales[0] * LARGER, where)
    spots = _apart(sorted(looked, key=lambda s: -s.found), TWICE)
    return sorted(read(image, spots, profile, up), key=lambda s: -s.belief)


def _worth(seen: list[Sighting], profile: Profile | None) -> list[Sighting]:
    """Those that are told; where nothing but the dice says how the picture was taken, only sure ones."""
    if profile is not None:
        return seen
    return [s for s in whole(seen) if _sure(s, DOUBTED) > (WORTH if s.aside else EVEN)]


def _scales(image: Image, profile: Profile | None, cards: Sequence[Card]) -> list[float]:
    """How much to enlarge the picture so that a die is as large as the finer net knows it."""
    if profile is not None:
        return [EDGE_PX / (DIE_MM * px_per_mm(profile))]
    if cards:
        mm = float(np.median([_px_per_mm_on(card) for card in cards]))
        return [EDGE_PX / (DIE_MM * mm)]
    return list(_unknown_scales(image))


def _px_per_mm_on(card: Card) -> float:
    """On average over all directions, however the card is foreshortened."""
    return float(np.sqrt(cv2.contourArea(np.array(card.corners_px, np.float32)) / np.prod(CARD_MM)))


def _of_one_size(image: Image, up: Array | None, sightings: list[Sighting]) -> list[Sighting]:
    """The dice of one table are about as large as the surest, which comes first, would be where they lie."""
    return [s for s in sightings if 1 / ONE_SIZE < larger_by(image, up, s, sightings[0]) < ONE_SIZE]


def _unknown_scales(image: Image) -> Iterator[float]:
    longest = max(image.shape[:2])
    scale = min(1.0, LONGEST_PX / longest)
    while scale * longest >= SHORTEST_PX:
        yield scale
        scale /= STEP


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
    grids = run_by_fours(MODELS / "dice.onnx", np.asarray(cv2.dnn.blobFromImages(windows, 1 / 255)))
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
    net = opened("dice_coarse.onnx")
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


def _die(number: int, s: Sighting, profile: Profile | None) -> Die:
    mm = None
    if profile is not None:
        x, y = profile.to_board(np.array([s.px]), DIE_MM / 2)[0].tolist()
        mm = (x, y)
    if profile is not None and s.leans > LEANS:
        return Die(
            number, None, s.px, mm, settled=True, confidence=s.found * s.leans, cocked=True, edge_px=s.edge_px
        )
    sure = _sure(s, DOUBTED if profile is None else DOUBTED_ON_TABLE)
    return Die(number, shows(s), s.px, mm, settled=True, confidence=sure, edge_px=s.edge_px)


def _sure(s: Sighting, doubted: float) -> float:
    """How sure its value is."""
    return min(s.sure * (1 - doubted * s.leans), AT_MOST if s.aside else 1.0)
