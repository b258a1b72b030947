"""Painted and rendered pictures of dice, shown anew in other sizes, turns, colours and qualities, with the answers."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from upper_net import STRIDE

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
SIDE_PX = 192
CELLS = SIDE_PX // STRIDE
KNOWN_PX = (9.0, 96.0)
"""Edges of dice that must be found; others are not asked for."""
USUAL_PX = (12.0, 64.0)
"""The edge that the dice of a picture are given, about."""
UNIT_PX = 32.0
SEEN = 0.55
"""So much of an upper face must be seen."""
SHARPENED = 0.2
"""How often a picture was sharpened by the camera."""
FLAT_DEG = 18.0
"""Up to this slant a picture may be turned anyhow."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    picture: Picture
    dice: Array
    """Rows: value, x and y of the upper face's middle, the way from there to the foot's, edge, how much is seen."""
    slant_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    heat: NDArray[np.float32]
    """1 at an upper face's middle, falling off round it; -1 where nothing is asked."""
    shape: NDArray[np.float32]
    """To the middle, and from it to the foot, in edges; log2 of the edge over UNIT_PX."""
    value: NDArray[np.int64]
    """0 to 5 on the middle of an upper face, -1 elsewhere."""


def painted(path: Path) -> list[Lesson]:
    kept = np.load(path)
    dice = kept["dice"].astype(float)
    return [
        Lesson(picture, dice[dice[:, 0] == k, 1:], float(slant))
        for k, (picture, slant) in enumerate(zip(kept["pictures"], kept["slants"], strict=True))
    ]


def rendered(path: Path) -> Lesson:
    """What render.py left: a picture, and its truth beside it."""
    truth = json.loads(path.with_suffix(".json").read_text())
    rows = []
    for die in truth["dice"]:
        corners = np.array(die["corners_px"])
        upper, foot = corners[:4].mean(axis=0), corners[4:].mean(axis=0)
        sides = [corners[1] - corners[0], corners[3] - corners[0], foot - upper]
        # Of three equal edges at right angles two squares' worth is seen.
        edge = np.sqrt(sum(float(s @ s) for s in sides) / 2)
        rows.append([die["value"], *upper, *(foot - upper), edge, die["upper_seen"]])
    return Lesson(
        np.asarray(cv2.imread(str(path)), np.uint8), np.array(rows).reshape(-1, 7), truth["slant_deg"]
    )


def shown(lesson: Lesson, rng: np.random.Generator) -> tuple[Picture, Answer]:
    """One lesson in another size, turn and quality, with the answers."""
    picture, dice = anew(lesson, rng)
    return picture, answer(dice)


def anew(lesson: Lesson, rng: np.random.Generator) -> tuple[Picture, Array]:
    """One lesson in another size, turn and quality, and its dice there."""
    move = _move(lesson, rng)
    scale = float(np.sqrt(abs(np.linalg.det(move[:, :2]))))
    picture = lesson.picture
    if scale < 0.75:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.35 / scale), np.uint8)
    out = cv2.warpAffine(
        picture, move, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    dice = lesson.dice.copy()
    dice[:, 1:3] = dice[:, 1:3] @ move[:, :2].T + move[:, 2]
    dice[:, 3:5] = dice[:, 3:5] @ move[:, :2].T
    dice[:, 5] *= scale
    edge = float(np.median(dice[:, 5])) if len(dice) else 20.0
    return developed(np.asarray(out, np.uint8), edge, rng), dice


def _move(lesson: Lesson, rng: np.random.Generator) -> Array:
    """To a square of SIDE_PX: a chosen die near its middle, or any place."""
    h, w = lesson.picture.shape[:2]
    scale = 2 ** rng.uniform(-0.7, 0.7)
    at = rng.uniform(0.1, 0.9, 2) * (w, h)
    if len(lesson.dice) and rng.random() < 0.9:
        die = lesson.dice[rng.integers(len(lesson.dice))]
        scale = 2 ** rng.uniform(*np.log2(USUAL_PX)) / die[5]
        scale = float(np.clip(scale, 0.25, 2.5))
        at = die[1:3] + rng.uniform(-0.4, 0.4, 2) * SIDE_PX / scale
    # Mostly within the picture: nothing is to be learned beside it.
    room = np.minimum(0.45 * SIDE_PX / scale, (0.5 * w, 0.5 * h))
    at = np.clip(at, room, (w, h) - room)
    free = lesson.slant_deg < FLAT_DEG
    angle = rng.uniform(0, 360) if free else rng.normal(0, 8)
    a = np.radians(angle)
    turn = scale * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    if rng.random() < 0.5:
        turn = turn * (-1, 1)
    if rng.random() < 0.3:
        turn = np.diag(rng.uniform(0.9, 1.1, 2)) @ turn
    return np.c_[turn, SIDE_PX / 2 - turn @ at]


def developed(picture: Picture, edge_px: float, rng: np.random.Generator) -> Picture:
    """Other colours and light; blur, noise and JPEG as of a camera held by hand."""
    seen = picture
    if rng.random() < 0.25:
        seen = np.ascontiguousarray(seen[..., rng.permutation(3)])
    if rng.random() < 0.12:
        seen = cv2.cvtColor(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    seen = cv2.LUT(seen, light(rng))
    if rng.random() < 0.12:
        seen = _cut_out(seen, edge_px, rng)
    if rng.random() < 0.5:
        seen = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.3, 0.4 + 0.035 * max(12.0, edge_px)))
    if rng.random() < 0.1:
        seen = cv2.filter2D(seen, -1, _smear(int(rng.uniform(2, 3 + 0.08 * edge_px)), rng))
    if rng.random() < 0.8:
        x, y = rng.integers(0, len(_NOISE) - SIDE_PX, 2)
        noise = _NOISE[y : y + SIDE_PX, x : x + SIDE_PX]
        seen = cv2.addWeighted(seen, 1.0, noise, rng.uniform(0.5, 8), 0, dtype=cv2.CV_8U)
    if rng.random() < SHARPENED:
        # Phones smooth the noise away and sharpen what is left, with light seams along dark edges.
        soft = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.7, 2.0))
        much = rng.uniform(0.3, 1.5)
        seen = cv2.addWeighted(seen, 1 + much, soft, -much, 0)
    if rng.random() < 0.4:
        coded = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])[1]
        seen = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return np.asarray(seen, np.uint8)


_NOISE = np.random.default_rng(9).standard_normal((512, 512, 3)).astype(np.float32)


def light(rng: np.random.Generator) -> Picture:
    """Another exposure, white balance and contrast, as a table for all 256 levels."""
    levels = np.linspace(0, 1, 256)[:, None] ** (rng.uniform(0.6, 1.6) if rng.random() < 0.5 else 1.0)
    gains = rng.uniform(0.55, 1.35) * rng.uniform(0.88, 1.12, 3)
    return np.clip(255 * levels * gains, 0, 255).astype(np.uint8)[:, None]


def _smear(length: int, rng: np.random.Generator) -> NDArray[np.float32]:
    bar = np.zeros((length, length), np.float32)
    bar[length // 2] = 1
    turn = cv2.getRotationMatrix2D((length / 2 - 0.5,) * 2, rng.uniform(0, 180), 1)
    bar = cv2.warpAffine(bar, turn, (length, length))
    return np.asarray(bar / max(1e-3, float(bar.sum())), np.float32)


def _cut_out(seen: Picture, edge_px: float, rng: np.random.Generator) -> Picture:
    """A small thing lies somewhere, on dice too."""
    side = max(2, int(rng.uniform(0.2, 0.6) * edge_px))
    x, y = rng.integers(0, SIDE_PX - 2, 2)
    out = seen.copy()
    out[y : y + side, x : x + side] = rng.uniform(0, 255, 3)
    return out


def answer(dice: Array) -> Answer:
    heat = np.zeros((CELLS, CELLS), np.float32)
    shape = np.zeros((5, CELLS, CELLS), np.float32)
    value = np.full((CELLS, CELLS), -1, np.int64)
    unasked = np.zeros((CELLS, CELLS), bool)
    for shows, ux, uy, fx, fy, edge, seen in dice.tolist():
        here, x, y = _round(ux, uy, edge)
        if not x.size:
            continue
        dx, dy = (ux - x) / edge, (uy - y) / edge
        away = np.hypot(dx, dy)
        cut = min(ux, uy, SIDE_PX - ux, SIDE_PX - uy) < 0.2 * edge
        if cut or seen < SEEN or not KNOWN_PX[0] < edge < KNOWN_PX[1]:
            unasked[here] |= away < 0.6
            continue
        bell = np.exp(-0.5 * (away * edge / max(0.12 * edge, 0.55 * STRIDE)) ** 2)
        bell[np.unravel_index(int(away.argmin()), away.shape)] = 1.0
        heat[here] = np.maximum(heat[here], bell)
        core = (away < max(0.25, 0.75 * STRIDE / edge)) & (value[here] < 0)
        value[here][core] = int(shows) - 1
        log = float(np.log2(edge / UNIT_PX))
        for layer, said in zip(shape, (dx, dy, fx / edge, fy / edge, log), strict=True):
            layer[here][core] = np.broadcast_to(said, core.shape)[core]
    heat = np.where(unasked & (heat < 0.3), -1, heat).astype(np.float32)
    return Answer(heat, shape, value)


def _round(x: float, y: float, edge: float) -> tuple[tuple[slice, slice], Array, Array]:
    """The cells round a place, and where they are."""
    reach = 0.7 * edge + 2 * STRIDE
    spans = [
        np.arange(max(0, int((at - reach) / STRIDE)), min(CELLS, int((at + reach) / STRIDE) + 1))
        for at in (x, y)
    ]
    columns, rows = (slice(int(s[0]), int(s[-1]) + 1) if len(s) else slice(0, 0) for s in spans)
    across, down = np.meshgrid(*(s * float(STRIDE) + (STRIDE - 1) / 2 for s in spans))
    return (rows, columns), across, down
