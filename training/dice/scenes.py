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
EDGE = 10.0
"""Of the dice in pictures from which dice are found, in pixels, about; SPREAD octaves more or less."""
SPREAD = 0.68
CLOSE_PX, CLOSE_EDGE = 36, 20
"""Of the pictures from which the value is read."""
GROUND_EDGE = 20.0
"""What a die would measure on the pictures without dice."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the net should say in each cell of the grid."""

    die: Floats
    """1 a die's middle, 0 none, -1 do not ask."""
    shape: Floats
    """dx, dy to the middle in edges; log2 of the edge over EDGE."""


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
        edge = EDGE * 2 ** self.rng.uniform(-SPREAD, SPREAD)
        picture, placed = self.scene(edge)
        return picture, _answer(placed, edge)

    def scene(self, edge: float, crowded: bool = False) -> tuple[NDArray[np.uint8], list[Placed]]:
        """A picture and the dice of this edge on it."""
        rng = self.rng
        picture = self._ground(edge)
        if rng.random() < 0.25:
            _false_dice(picture, edge, rng)
        light = np.array([*rng.normal(0, 0.5, 2), 1], np.float32)
        light /= np.linalg.norm(light)
        dark = rng.uniform(0.1, 0.75)
        placed = []
        for at in self._places(edge, crowded):
            shape, face, sure = self.solids[rng.integers(len(self.solids))]
            faces = values(rng)
            colour, opacity = painted(shape, faces, light, rng)
            set_down(picture, colour, opacity, at, edge / EDGE_PX, light, dark)
            placed.append(Placed(at, faces[face], sure, up_normal(shape, face)))
        if rng.random() < 0.12:
            _cover(picture, rng)
        return sensor(picture, rng), placed

    def crops(self) -> list[tuple[NDArray[np.uint8], int, tuple[float, float]]]:
        """Close pictures of dice (1 to 6, or -1: it leans) and of other things (0), with the upper face's normal."""
        rng = self.rng
        edge = CLOSE_EDGE * 2 ** rng.uniform(-SPREAD, SPREAD)
        picture, placed = self.scene(edge, crowded=rng.random() < 0.7)
        out = []
        for die in placed:
            if 0.3 * edge < min(die.at) and max(die.at) < PATCH_PX - 0.3 * edge:
                at = np.array(die.at) + rng.normal(0, 0.07, 2) * edge
                value = die.value if die.sure > 0.5 else -1
                out.append((close(picture, at, edge * 2 ** rng.normal(0, 0.12)), value, die.normal))
        for _ in range(2 if placed else 4):
            at = _busiest(picture, edge, rng)
            if all(np.hypot(*(at - die.at)) > 0.95 * edge for die in placed):
                out.append((close(picture, at, edge * 2 ** rng.normal(0, 0.2)), 0, (0.0, 0.0)))
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

    def _ground(self, edge: float) -> Floats:
        rng = self.rng
        if self.pictures and rng.random() < 0.75:
            return self._crop(edge)
        return _cloth(rng)

    def _crop(self, edge: float) -> Floats:
        rng = self.rng
        picture = self.pictures[rng.integers(len(self.pictures))]
        # The things of a table in about their size beside dice, or quite another.
        scale = edge / GROUND_EDGE * 2 ** rng.uniform(-0.8, 1.2)
        turn = cv2.getRotationMatrix2D((0, 0), rng.uniform(0, 360), scale)
        if scale < 0.6:
            small = scale * 1.5
            picture = cv2.resize(picture, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
            turn[:, :2] /= small
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


def _busiest(picture: NDArray[np.uint8], edge: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Of some random places the one with the most spots: there a die is supposed most easily."""
    grey = picture.mean(axis=2).astype(np.float32)
    spots = cv2.GaussianBlur(grey, (0, 0), 0.07 * edge) - cv2.GaussianBlur(grey, (0, 0), 0.18 * edge)
    busy = cv2.blur(spots**2, (int(edge) | 1, int(edge) | 1))
    at = rng.uniform(8, PATCH_PX - 8, (int(rng.integers(1, 12)), 2))
    return at[int(np.argmax([busy[int(y), int(x)] for x, y in at]))]


def _false_dice(picture: Floats, edge: float, rng: np.random.Generator) -> None:
    """Patterns of pips that are on no die: printed on the ground itself, or spots strewn about."""
    ink = rng.uniform(0, 1, 3).tolist()
    pitch = edge * rng.uniform(0.2, 0.7)
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


def sensor(picture: Floats, rng: np.random.Generator) -> NDArray[np.uint8]:
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
    shape = np.zeros((3, CELLS, CELLS), np.float32)
    g = (np.arange(CELLS) + 0.5) * STRIDE
    x, y = np.meshgrid(g, g)
    for put in placed:
        at = put.at
        dx, dy = (at[0] - x) / edge, (at[1] - y) / edge
        away = np.hypot(dx, dy)
        die[(away < 0.8) & (die <= 0)] = -1
        if min(at) < -2 or max(at) > PATCH_PX + 2:
            continue
        core = away < max(0.32, 0.72 * STRIDE / edge)
        die[core] = 1
        for channel, layer in enumerate((dx, dy, np.full_like(dx, np.log2(edge / EDGE)))):
            shape[channel][core] = layer[core]
    return Answer(die, shape)
