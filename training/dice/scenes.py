"""Patches of tables with dice on them, each with the grid of answers the net should give."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from paint import PIPS, painted, set_down, up_normal, values
from solid import EDGE_PX, Floats, random_solid

PATCH_PX = 96
STRIDE = 4
CELLS = PATCH_PX // STRIDE
CLOSE_PX, CLOSE_EDGE = 36, 20
"""Of the pictures from which the value is read."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the net should say in each cell of the grid."""

    die: Floats
    """1 a die's middle, 0 none, -1 do not ask."""
    value: NDArray[np.int64]
    """0..5, or -1 do not ask."""
    shape: Floats
    """dx, dy to the middle in edges; log2 of edge over 20 px; x, y of the upper face's normal."""


@dataclass(frozen=True, slots=True)
class Placed:
    at: tuple[float, float]
    value: int
    sure: float
    normal: tuple[float, float]


class Scenes:
    def __init__(self, pictures: list[Path], seed: int, solids: int = 3000) -> None:
        self.rng = np.random.default_rng(seed)
        self.solids = [random_solid(self.rng) for _ in range(solids)]
        self.pictures = [p for p in (cv2.imread(str(f)) for f in pictures) if p is not None]

    def patch(self) -> tuple[NDArray[np.uint8], Answer]:
        picture, placed, edge = self.scene()
        return picture, _answer(placed, edge)

    def scene(self, crowded: bool = False) -> tuple[NDArray[np.uint8], list[Placed], float]:
        """A picture, the dice on it, and their edge."""
        rng = self.rng
        picture = self._ground()
        if rng.random() < 0.25:
            _false_dice(picture, rng)
        light = np.array([*rng.normal(0, 0.5, 2), 1], np.float32)
        light /= np.linalg.norm(light)
        dark = rng.uniform(0.1, 0.75)
        placed = []
        edge = 20 * 2 ** rng.uniform(-0.65, 0.65)
        for at in self._places(edge, crowded):
            shape, face, sure = self.solids[rng.integers(len(self.solids))]
            faces = values(rng)
            colour, opacity = painted(shape, faces, light, rng)
            set_down(picture, colour, opacity, at, edge / EDGE_PX, light, dark)
            placed.append(Placed(at, faces[face], sure, up_normal(shape, face)))
        if rng.random() < 0.12:
            _cover(picture, rng)
        return _sensor(picture, rng), placed, edge

    def crops(self) -> list[tuple[NDArray[np.uint8], int, tuple[float, float]]]:
        """Close pictures of dice (value 1 to 6) and of things that are none (0), each with the upper face's normal."""
        rng = self.rng
        picture, placed, edge = self.scene(crowded=rng.random() < 0.8)
        out = []
        for die in placed:
            off = rng.normal(0, 0.07, 2) * edge
            inside = 0.3 * edge < min(die.at) and max(die.at) < PATCH_PX - 0.3 * edge
            if inside and die.sure > 0.5:
                out.append(
                    (
                        close(picture, np.array(die.at) + off, edge * 2 ** rng.normal(0, 0.12)),
                        die.value,
                        die.normal,
                    )
                )
        for _ in range(1 if placed else 3):
            at = rng.uniform(8, PATCH_PX - 8, 2)
            if all(np.hypot(*(at - die.at)) > 0.95 * edge for die in placed):
                out.append((close(picture, at, edge), 0, (0.0, 0.0)))
        return out

    def _places(self, edge: float, crowded: bool) -> list[tuple[float, float]]:
        rng = self.rng
        count = 6 if crowded else rng.choice([0, 1, 2, 3, 4], p=[0.22, 0.43, 0.2, 0.1, 0.05])
        places: list[tuple[float, float]] = []
        for _ in range(count * 4):
            at = rng.uniform(-4, PATCH_PX + 4, 2)
            if all(np.hypot(*(at - p)) > 1.25 * edge for p in np.array(places).reshape(-1, 2)):
                places.append((float(at[0]), float(at[1])))
            if len(places) == count:
                break
        return places

    def _ground(self) -> Floats:
        rng = self.rng
        if self.pictures and rng.random() < 0.75:
            return self._crop()
        return _cloth(rng)

    def _crop(self) -> Floats:
        rng = self.rng
        picture = self.pictures[rng.integers(len(self.pictures))]
        h, w = picture.shape[:2]
        # A flat picture of a card is about 10 px a millimetre; a table about 1.3: show both at many sizes.
        scale = (
            (rng.uniform(0.08, 0.4) if h > w else 2 ** rng.uniform(-0.8, 1.0)) if rng.random() < 0.9 else 1.5
        )
        turn = cv2.getRotationMatrix2D((0, 0), rng.uniform(0, 360), scale)
        if scale < 0.5:
            picture = cv2.resize(picture, None, fx=scale * 1.5, fy=scale * 1.5, interpolation=cv2.INTER_AREA)
            turn /= scale * 1.5
        middle = rng.uniform(0, 1, 2) * (picture.shape[1], picture.shape[0])
        turn[:, 2] = PATCH_PX / 2 - turn[:, :2] @ middle
        back = tuple(rng.uniform(20, 230, 3).tolist())
        patch = cv2.warpAffine(
            picture,
            turn,
            (PATCH_PX, PATCH_PX),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=back,
        )
        return patch.astype(np.float32) / 255


def _cloth(rng: np.random.Generator) -> Floats:
    """A plain, striped, checked or grained ground."""
    base = np.tile(rng.uniform(0, 1, 3), (PATCH_PX, PATCH_PX, 1)).astype(np.float32)
    kind = rng.integers(4)
    g = np.arange(PATCH_PX) / rng.uniform(2, 30) + rng.uniform(0, 9)
    stripes = (np.sin(g) > 0).astype(np.float32)
    if kind == 1:
        base *= 1 - rng.uniform(0, 0.6) * stripes[:, None, None]
    elif kind == 2:
        base *= 1 - rng.uniform(0, 0.6) * (stripes[:, None, None] + stripes[None, :, None]) / 2
    elif kind == 3:
        rough = rng.standard_normal((rng.integers(6, 60), rng.integers(2, 8))).astype(np.float32)
        base *= 1 + rng.uniform(0, 0.2) * cv2.resize(rough, (PATCH_PX, PATCH_PX))[..., None]
    base *= 1 + rng.uniform(0, 0.08) * rng.standard_normal((PATCH_PX, PATCH_PX, 1)).astype(np.float32)
    return np.clip(base, 0, 1)


def _false_dice(picture: Floats, rng: np.random.Generator) -> None:
    """Patterns of pips that are on no die: printed on the ground itself, or spots strewn about."""
    ink = rng.uniform(0, 1, 3).tolist()
    pitch = rng.uniform(4, 14)
    centre = rng.uniform(10, PATCH_PX - 10, 2)
    spots = np.array(PIPS[int(rng.integers(1, 7))], float) * pitch
    if rng.random() < 0.4:
        spots = rng.uniform(-30, 30, (rng.integers(1, 9), 2))
    angle = rng.uniform(0, 6.3)
    spots = spots @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    radius = max(1.0, pitch * rng.uniform(0.2, 0.45))
    for x, y in spots + centre:
        cv2.circle(picture, (int(x * 8), int(y * 8)), int(radius * 8), ink, -1, cv2.LINE_AA, 3)


def _cover(picture: Floats, rng: np.random.Generator) -> None:
    """Something lies over a corner of the picture (a hand, a sleeve)."""
    y, x = np.mgrid[:PATCH_PX, :PATCH_PX] - PATCH_PX / 2
    angle = rng.uniform(0, 6.3)
    over = (x * np.cos(angle) + y * np.sin(angle)) > rng.uniform(0.25, 0.5) * PATCH_PX
    picture[over] = rng.uniform(0, 1, 3)


def _sensor(picture: Floats, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Exposure, white balance, blur, noise and JPEG."""
    seen = np.clip(picture, 0, 1.2) * rng.uniform(0.45, 1.25) * rng.uniform(0.85, 1.15, 3)
    if rng.random() < 0.7:
        seen = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.3, 1.1))
    seen = seen + rng.normal(0, rng.uniform(0.002, 0.03), seen.shape)
    out = (np.clip(seen, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.7:
        _, coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 97))])
        out = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return out


def close(picture: NDArray[np.uint8], at: NDArray[np.float64], edge: float) -> NDArray[np.uint8]:
    """A square picture with a die of CLOSE_EDGE pixels in its middle."""
    scale = CLOSE_EDGE / edge
    turn = np.array([[scale, 0, CLOSE_PX / 2 - scale * at[0]], [0, scale, CLOSE_PX / 2 - scale * at[1]]])
    out: NDArray[np.uint8] = cv2.warpAffine(
        picture, turn, (CLOSE_PX, CLOSE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return out


def _answer(placed: list[Placed], edge: float) -> Answer:
    die = np.zeros((CELLS, CELLS), np.float32)
    value = np.full((CELLS, CELLS), -1, np.int64)
    shape = np.zeros((5, CELLS, CELLS), np.float32)
    g = (np.arange(CELLS) + 0.5) * STRIDE
    x, y = np.meshgrid(g, g)
    for put in placed:
        at = put.at
        dx, dy = (at[0] - x) / edge, (at[1] - y) / edge
        away = np.hypot(dx, dy)
        inside = min(at) > -2 and max(at) < PATCH_PX + 2
        die[(away < 0.75) & (die <= 0)] = -1
        if not inside:
            continue
        core = away < 0.32
        die[core] = 1
        value[core] = put.value - 1 if put.sure > 0.5 else -1
        for channel, layer in enumerate((dx, dy, np.log2(edge / 20), *put.normal)):
            shape[channel][core] = layer[core] if isinstance(layer, np.ndarray) else layer
    return Answer(die, value, shape)
