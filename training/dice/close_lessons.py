"""Upper faces of dice cut out of lessons and pulled straight as the referee does it, misjudged in every way."""

import cv2
import numpy as np
from close_net import SIDE_PX
from lessons import KNOWN_PX, SEEN, Array, Lesson, Picture, anew, light

NONE = 6
"""The answer where there is no upper face."""
EDGE_PX, AT_PX = 34.0, (31.5, 25.5)
"""The edge of a die, and where the middle of its upper face is; below it one sees its sides."""
FLATTEST = 0.42
"""The cosine of the steepest view that is pulled straight."""
MOST = 6
"""Dice of one picture."""
Crop = tuple[Picture, int]


def straight(picture: Picture, face: Array, upright: Array, edge: float) -> Picture:
    """The face as it would be seen from above, its foot downwards."""
    long = float(np.hypot(*upright))
    down = upright / long if long > 1e-6 else np.array([0.0, 1.0])
    flat = max(FLATTEST, float(np.sqrt(max(0.0, 1 - (long / edge) ** 2))))
    turn = np.array([[down[1], -down[0]], [down[0] / flat, down[1] / flat]]) * EDGE_PX / edge
    move = np.c_[turn, np.array(AT_PX) - turn @ face]
    if edge > 1.7 * EDGE_PX:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.35 * edge / EDGE_PX), np.uint8)
    out = cv2.warpAffine(
        picture, move, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(out, np.uint8)


def crops(lesson: Lesson, rng: np.random.Generator) -> list[Crop]:
    """The dice of a lesson shown anew, and places that are none."""
    picture, dice = anew(lesson, rng)
    side = picture.shape[0]
    inside = (dice[:, 1:3] > 0.3 * dice[:, 5:6]).all(axis=1) & (dice[:, 1:3] < side - 0.3 * dice[:, 5:6]).all(
        axis=1
    )
    asked = dice[inside & (dice[:, 6] >= SEEN) & (dice[:, 5] > KNOWN_PX[0]) & (dice[:, 5] < KNOWN_PX[1])]
    out = []
    for value, ux, uy, fx, fy, edge, _ in rng.permutation(asked)[:MOST].tolist():
        out.append((_cut(picture, np.array([ux, uy]), np.array([fx, fy]), edge, rng), int(value) - 1))
        if rng.random() < 0.5:
            out.append((_beside(picture, np.array([ux, uy]), np.array([fx, fy]), edge, dice, rng), NONE))
    if not len(asked) or rng.random() < 0.3:
        at, edge = rng.uniform(0.1, 0.9, 2) * side, float(2 ** rng.uniform(3.3, 6))
        if _free(at, edge, dice):
            up = _any_upright(rng) * edge
            out.append((_cut(picture, at, up, edge, rng), NONE))
    return [(turned(crop, rng), answer) for crop, answer in out]


def _cut(picture: Picture, face: Array, upright: Array, edge: float, rng: np.random.Generator) -> Picture:
    """Misjudged a little, as the finder does it."""
    face = face + rng.normal(0, 0.05, 2) * edge
    upright = upright + rng.normal(0, 0.07, 2) * edge
    return straight(picture, face, upright, edge * float(2 ** rng.normal(0, 0.12)))


def _beside(
    picture: Picture, face: Array, upright: Array, edge: float, dice: Array, rng: np.random.Generator
) -> Picture:
    """A side, a few pips, or the edge of a die, taken for an upper face."""
    for _ in range(20):
        at = face + rng.uniform(0.2, 1.1) * upright + rng.uniform(-0.7, 0.7, 2) * edge
        size = edge * float(2 ** rng.uniform(-1.6, 0.5))
        if _free(at, size, dice):
            its = upright / edge if rng.random() < 0.7 else _any_upright(rng)
            return _cut(picture, at, its * size, size, rng)
    return _cut(picture, face + 1.2 * upright + 0.6 * edge, upright, edge / 2, rng)


def _free(at: Array, edge: float, dice: Array) -> bool:
    """Whether no upper face of about that size is there."""
    away = np.hypot(*(dice[:, 1:3] - at).T) / np.maximum(dice[:, 5], 1e-6)
    like = np.abs(np.log2(np.maximum(dice[:, 5], 1e-6) / edge)) < 0.8
    return bool(not (((away < 0.45) & like) | (away < 0.2)).any())


def _any_upright(rng: np.random.Generator) -> Array:
    way, long = rng.normal(np.pi / 2, 0.4), rng.uniform(0, 0.9)
    return long * np.array([np.cos(way), np.sin(way)])


def relit(crop: Picture, rng: np.random.Generator) -> Picture:
    """In other light, and mirrored or not."""
    return turned(np.asarray(cv2.LUT(crop, light(rng)), np.uint8), rng)


def turned(crop: Picture, rng: np.random.Generator) -> Picture:
    return np.ascontiguousarray(crop[:, ::-1]) if rng.random() < 0.5 else crop
