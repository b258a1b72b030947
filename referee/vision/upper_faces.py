"""Dice seen from any slant: a net finds their upper faces and reads them, and looks at each again from close by.

It knows the upper face by what stands round it, so nobody must say from where the picture was taken.
"""

from collections.abc import Sequence
from typing import Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.types import Point
from referee.vision.close_faces import averaged, closely
from referee.vision.nets import MODELS, odds_of, said
from referee.vision.upper import Upper, apart, is_near, whole

Grid = NDArray[np.float32]
Array = NDArray[np.float64]

MODEL = MODELS / "dice_upper.onnx"
USUAL_LENS = 0.77
"""Focal length over the longer side of the picture."""
STRIDE, WHOLE = 4, 16
"""Pixels from one answer to the next, and what the sides of the net's picture must be whole times."""
UNIT_PX = 32.0
"""The edge whose size the net calls 0."""
SIDES_PX = (144, 288, 576)
"""The longer side of the picture when dice of any size are looked for,"""
FINE_PX, SMALL_PX = 1152, 20.0
"""and when none is found or those found are this small in the last look."""
KNOWN_PX = (9.0, 90.0)
"""Edges that the net knows."""
LARGEST = 0.8
"""Of the picture's shorter side: what is larger is no die but the table, or a card."""
SUSPECTED = 0.12
"""From this chance on a place is looked at again."""
MOST = 40
CLOSE_PX, CLOSE_EDGE = 96, 30.0
"""The picture in which a place is looked at again, and the edge that the die then has."""
ONE_SIZE = 1.8
"""By how much dice of one table may differ in size, as far as their places do not say it."""
NEARNESS = (0.4, 2.5)
"""How much farther and nearer than the middle of the picture dice can be."""
STEEPEST = 0.2
"""The cosine of the steepest view."""
SURE = 0.5
"""How surely a die must be found to say how large dice are here, or which way is up."""
WITNESSES, ELSEWHERE_DEG = 3, 40.0
"""So many must say it together before one is no die that says it is so far from there: upper faces are seldom misjudged
by half of that,"""
NO_SIDES = 0.9
"""and from less than 25 degrees aside no side is."""


def upper_faces(image: Image, sides: Sequence[float] = ()) -> list[Upper]:
    """The dice of a picture, the surest first; its longer side is looked at in these lengths, or in all that may be."""
    looked = [face for side in sides or SIDES_PX for face in _look(image, side)]
    if not sides and max(image.shape[:2]) > 1.3 * SIDES_PX[-1] and _small(image, looked):
        looked += _look(image, FINE_PX)
    places = apart(sorted(looked, key=lambda face: -face.found))[:MOST]
    read = closely(image, _again(image, places))
    again = apart(sorted(whole(read), key=lambda face: -face.found))
    return _of_one_size(image, on_one_table(image, again))


def up_by(image: Image, faces: Sequence[Upper]) -> Array | None:
    """The table's upward direction in the camera's axes (x right, y down, z forward), as the dice that are sure say."""
    sure = [face for face in faces if face.sure > SURE]
    if not sure:
        return None
    up = np.median([_up(image, face) for face in sure], axis=0)
    return np.asarray(up / np.linalg.norm(up))


def nearness(image: Image, up: Array | None, px: Point) -> float:
    """How much larger a thing on the table is there than in the middle of the picture."""
    if up is None:
        return 1.0
    return float(np.clip(up @ [*_ray(image, px), 1.0] / up[2], *NEARNESS))


class Lying(Protocol):
    """Something on the table that has an edge."""

    @property
    def px(self) -> Point: ...

    @property
    def edge_px(self) -> float: ...


def larger_by(image: Image, up: Array | None, one: Lying, other: Lying) -> float:
    """How many times larger one is than the other would be in its place.

    Nobody knows the lens: seen from far away through a long one they would be equally large in all places.
    """
    ratio = one.edge_px / other.edge_px
    expected = nearness(image, up, one.px) / nearness(image, up, other.px)
    return ratio / float(np.clip(ratio, min(1.0, expected), max(1.0, expected)))


def _ray(image: Image, px: Point) -> Array:
    """Where a camera of the usual lens looks at a pixel: right and down, for each step forward."""
    h, w = image.shape[:2]
    return np.asarray((np.array(px) - (w / 2, h / 2)) / (USUAL_LENS * max(h, w)))


def _up(image: Image, face: Upper) -> Array:
    """Of one die: its upright edge is seen as the camera's place and the die's in the picture say."""
    at = _ray(image, face.px)
    along = -np.array(face.upright) / face.edge_px
    # The direction has length 1 and points to the camera: a quadratic equation for its share along the view.
    a, b, c = 1 + float(at @ at), float(at @ along), float(along @ along) - 1
    z = -(b + np.sqrt(max(0.0, b * b - a * c))) / a
    return np.array([*(along + at * z), min(z, -STEEPEST)])


def on_one_table(image: Image, faces: list[Upper]) -> list[Upper]:
    """Without those that say up is quite elsewhere than the others say: they are sides, taken for upper faces."""
    sure = [face for face in faces if face.sure > SURE]
    up = up_by(image, sure) if len(sure) >= WITNESSES else None
    if up is None or -up[2] > NO_SIDES:
        return faces
    ups = [_up(image, face) for face in faces]
    least = np.cos(np.radians(ELSEWHERE_DEG))
    return [face for face, its in zip(faces, ups, strict=True) if up @ its > least * np.linalg.norm(its)]


def _of_one_size(image: Image, faces: list[Upper]) -> list[Upper]:
    """Without those that are far larger or smaller than the surest would be there."""
    if not faces:
        return []
    up = up_by(image, faces)
    sure = sorted(
        (face for face in faces if face.found > min(SURE, faces[0].found - 0.01)),
        key=lambda face: face.edge_px,
    )
    usual = sure[len(sure) // 2]
    return [face for face in faces if 1 / ONE_SIZE < larger_by(image, up, face, usual) < ONE_SIZE]


def _small(image: Image, looked: Sequence[Upper]) -> bool:
    sure = [face.edge_px for face in looked if face.found > SURE]
    return not sure or float(np.median(sure)) < SMALL_PX * max(image.shape[:2]) / SIDES_PX[-1]


def _look(image: Image, side: float) -> list[Upper]:
    h, w = image.shape[:2]
    scale = side / max(h, w)
    size = [max(2 * WHOLE, round(length * scale / WHOLE) * WHOLE) for length in (w, h)]
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(image, size, interpolation=how)
    (grid,) = said(MODEL, np.asarray(cv2.dnn.blobFromImage(small, 1 / 255)))
    ratio = np.array([w / size[0], h / size[1]])
    seen = [_moved(face, ratio, ratio / 2 - 0.5) for face in _peaks(grid)]
    return [face for face in seen if face.edge_px < LARGEST * min(h, w)]


def _peaks(grid: Grid) -> list[Upper]:
    """The places where the net sees the middle of an upper face rather than beside it."""
    heat = 1 / (1 + np.exp(-grid[0]))
    highest = cast(Grid, cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    rows, columns = np.nonzero((heat > SUSPECTED) & (heat >= highest))
    return [
        face
        for y, x in zip(rows.tolist(), columns.tolist(), strict=True)
        if (face := _told(grid, heat, x, y))
    ]


def _told(grid: Grid, heat: Grid, x: int, y: int) -> Upper | None:
    """What the net says at one place, with its neighbours."""
    h, w = heat.shape
    part = np.s_[max(0, y - 1) : min(h, y + 2), max(0, x - 1) : min(w, x + 2)]
    weight = heat[part] / heat[part].sum()
    dx, dy, fx, fy, size = ((grid[k][part] * weight).sum() for k in range(1, 6))
    edge = UNIT_PX * 2 ** float(size)
    if not KNOWN_PX[0] < edge < KNOWN_PX[1]:
        return None
    ys, xs = np.mgrid[part]
    at_x, at_y = (float((weight * g).sum()) * STRIDE + (STRIDE - 1) / 2 for g in (xs, ys))
    scores = (grid[6:, *part] * weight).sum(axis=(1, 2), dtype=np.float64)
    odds = tuple(odds_of(scores[None])[0].tolist())
    face = (at_x + float(dx) * edge, at_y + float(dy) * edge)
    return Upper(face, (float(fx) * edge, float(fy) * edge), edge, float(heat[y, x]), odds)


def _moved(face: Upper, ratio: Array, start: Array) -> Upper:
    """From the net's picture to that which it was cut from."""
    x, y = (np.array(face.face) * ratio + start).tolist()
    fx, fy = (np.array(face.upright) * ratio).tolist()
    return Upper((x, y), (fx, fy), face.edge_px * float(ratio.mean()), face.found, face.odds)


def _again(image: Image, places: Sequence[Upper]) -> list[Upper]:
    """The same places, looked at from close by with the die always equally large."""
    if not places:
        return []
    close = [_close(image, face) for face in places]
    grids = said(MODEL, np.asarray(cv2.dnn.blobFromImages(close, 1 / 255)))
    return [both for face, grid in zip(places, grids, strict=True) if (both := _both(face, grid))]


def _close(image: Image, face: Upper) -> Image:
    scale = CLOSE_EDGE / face.edge_px
    if scale < 0.6:
        return averaged(image, face.px, round(CLOSE_PX / scale), CLOSE_PX)
    half = (CLOSE_PX - 1) / 2
    move = np.array([[scale, 0, half - scale * face.px[0]], [0, scale, half - scale * face.px[1]]])
    size = (CLOSE_PX, CLOSE_PX)
    return cast(
        Image, cv2.warpAffine(image, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


def _both(first: Upper, grid: Grid) -> Upper | None:
    """What both looks say together of the die in the middle."""
    ratio = np.full(2, first.edge_px / CLOSE_EDGE)
    start = np.array(first.px) - ratio * (CLOSE_PX - 1) / 2
    seen = [_moved(face, ratio, start) for face in _peaks(grid)]
    near = [face for face in seen if is_near(face, first, first.edge_px)]
    if not near:
        return None
    best = max(near, key=lambda face: face.found)
    odds = np.sqrt(np.array(first.odds) * np.array(best.odds))
    found = float(np.sqrt(first.found * best.found))
    return Upper(best.face, best.upright, best.edge_px, found, tuple((odds / odds.sum()).tolist()))
