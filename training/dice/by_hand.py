"""Pictures of dice as people take them by hand, painted in milliseconds: any slant, any table, among other things."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from hand_camera import SIDE_PX, Array, Camera, camera, clipped
from lying import THINGS, Picture, cloth, laid_down
from numpy.typing import NDArray
from paint import painted, values
from solid import Floats, Solid, traced

EDGES_PX = (11.0, 76.0)


@dataclass(frozen=True, slots=True)
class Told:
    """A die in a picture."""

    value: int
    upper: tuple[float, float]
    """The middle of its upper face."""
    upright: tuple[float, float]
    """From there to the middle of its foot."""
    edge_px: float
    seen: float
    """How much of its upper face is to be seen."""


class ByHand:
    """Paints such pictures on grounds of any kind, with printed cards on some of them."""

    def __init__(self, grounds: Sequence[Path], cards: Sequence[Path], seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.grounds = [_small(path, 900) for path in grounds]
        self.cards = [_small(path, 300) for path in cards]

    def picture(self, bare: bool = False) -> tuple[Picture, list[Told], float]:
        """One picture, its dice (none if it is to be bare of them) and the camera's slant."""
        rng, seen_by = self.rng, camera(self.rng)
        out = self._ground()
        edge = float(2 ** rng.uniform(*np.log2(EDGES_PX)))
        if rng.random() < 0.35:
            self._lay_cards(out, seen_by, edge)
        if rng.random() < 0.45:
            for _ in range(int(rng.integers(1, 4))):
                THINGS[rng.integers(len(THINGS))](out, seen_by, edge, rng)
        light = _light(rng)
        places = [] if bare or rng.random() < 0.08 else _places(rng, seen_by, edge)
        if rng.random() < 0.5:
            light_dark = rng.uniform(0.1, 0.5), rng.uniform(0.3, 0.8)
        else:
            light_dark = rng.uniform(0.3, 0.8), rng.uniform(0.0, 0.3)
        told = self._put(out, seen_by, places, light, light_dark)
        return sensor(out, rng), told, seen_by.slant_deg

    def _put(
        self,
        out: Floats,
        seen_by: Camera,
        places: list[tuple[Array, float, float]],
        light: Array,
        dark: tuple[float, float],
    ) -> list[Told]:
        """Shadows first, then the dice from the farthest to the nearest; what is still seen of each upper face."""
        rng = self.rng
        owner = np.full(out.shape[:2], -1, np.int16)
        kinds = rng.integers(1 << 30, size=1 if rng.random() < 0.4 else 5)
        made = []
        for px, edge, yaw in sorted(places, key=lambda p: seen_by.nearness(p[0])):
            view = seen_by.view(px, edge)
            c, s = np.cos(yaw), np.sin(yaw)
            made.append((px, edge, view @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), view))
            _shadow(out, px, view, made[-1][2], light, dark)
        shown = []
        for number, (px, _, view, table) in enumerate(made):
            faces = values(rng)
            kind = int(rng.choice(kinds))
            upper = _paint(out, owner, number, px, view, table, seen_by, light, faces, kind)
            shown.append((faces[4], upper))
        told = []
        for number, (px, edge, view, _) in enumerate(made):
            value, upper = shown[number]
            left = float((owner[upper[0], upper[1]] == number).sum()) / max(1.0, upper[2])
            at, down = px + view[:, 2] / 2, -view[:, 2]
            told.append(
                Told(value, (float(at[0]), float(at[1])), (float(down[0]), float(down[1])), edge, left)
            )
        return told

    def _ground(self) -> Floats:
        rng = self.rng
        if self.grounds and rng.random() < 0.6:
            picture = self.grounds[rng.integers(len(self.grounds))]
            h, w = picture.shape[:2]
            side = int(rng.uniform(0.15, 1) * min(h, w))
            x, y = int(rng.integers(0, w - side + 1)), int(rng.integers(0, h - side + 1))
            cut = picture[y : y + side, x : x + side]
            how = cv2.INTER_AREA if side > SIDE_PX else cv2.INTER_LINEAR
            out = cv2.resize(cut, (SIDE_PX, SIDE_PX), interpolation=how).astype(np.float32) / 255
            return np.ascontiguousarray(np.rot90(out, rng.integers(4)))
        return cloth(rng)

    def _lay_cards(self, out: Floats, seen_by: Camera, edge: float) -> None:
        rng = self.rng
        if not self.cards:
            return
        long = rng.uniform(4.0, 6.5)
        for _ in range(int(rng.integers(1, 6))):
            card = self.cards[rng.integers(len(self.cards))]
            px = rng.uniform(-0.1, 1.1, 2) * SIDE_PX
            view = seen_by.view(px, edge * clipped(seen_by.nearness(px)))
            laid_down(out, card, px, view, (0.7 * long / 2, long / 2), rng)


def _small(path: Path, longest: int) -> Picture:
    picture = cv2.imread(str(path))
    scale = longest / max(picture.shape[:2])
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _light(rng: np.random.Generator) -> Array:
    high, round_ = np.radians(rng.uniform(25, 90)), rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(high) * np.cos(round_), np.cos(high) * np.sin(round_), np.sin(high)])


def _places(rng: np.random.Generator, seen_by: Camera, edge: float) -> list[tuple[Array, float, float]]:
    """Middles, edges and turns of dice; some stand against another."""
    count = int(rng.integers(2, 15))
    put: list[tuple[Array, float, float]] = []
    for _ in range(count * 8):
        yaw = rng.uniform(0, 2 * np.pi)
        px = rng.uniform(0, SIDE_PX, 2)
        beside = None
        if put and rng.random() < 0.3:
            beside, size, yaw = put[rng.integers(len(put))]
            away = rng.uniform(1.01, 1.1) * np.array([np.cos(yaw), np.sin(yaw), 0])
            px = beside + seen_by.view(beside, size) @ away
        its = edge * clipped(seen_by.nearness(px))
        if not all(p is beside or _stand_apart(seen_by, px, p, its) for p, _, _ in put):
            continue
        put.append((px, its, float(yaw)))
        if len(put) == count:
            break
    return put


def _stand_apart(seen_by: Camera, a: Array, b: Array, edge: float) -> bool:
    """Whether two dice do not stand in each other, by their distance on the table."""
    view = seen_by.view((a + b) / 2, edge)
    return bool(np.linalg.norm(np.linalg.solve(view[:, :2], a - b)) > 1.45)


def _shadow(
    out: Floats, px: Array, table: Array, view: Array, light: Array, dark: tuple[float, float]
) -> None:
    """What the die throws on the table, and the dark along its foot."""
    edge = float(np.linalg.norm(table) / np.sqrt(2))
    foot = px - view[:, 2] / 2
    square = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 @ view[:, :2].T) + foot
    thrown = square - table[:, :2] @ light[:2] / max(0.35, light[2])
    for hull, deep, soft in ((np.r_[square, thrown], dark[1], 0.06), (square, dark[0], 0.16)):
        shade = np.zeros(out.shape[:2], np.float32)
        outline = cv2.convexHull(np.asarray(hull, np.float32)).astype(int)
        cv2.fillConvexPoly(shade, outline, 1.0)
        x, y, w, h = cv2.boundingRect(outline)
        room = int(3 * soft * edge) + 2
        x0, y0 = max(0, x - room), max(0, y - room)
        x1, y1 = x + w + room, y + h + room
        part = shade[y0:y1, x0:x1]
        if part.size:
            part = cv2.GaussianBlur(part, (0, 0), max(0.6, soft * edge))
            out[y0:y1, x0:x1] *= (1 - deep * part)[..., None]


def _paint(
    out: Floats,
    owner: NDArray[np.int16],
    number: int,
    px: Array,
    view: Array,
    table: Array,
    seen_by: Camera,
    light: Array,
    faces: list[int],
    kind: int,
) -> tuple[NDArray[np.intp], NDArray[np.intp], float]:
    """Paint one die; the pixels of its upper face and how many they would be if nothing were before them."""
    rng = np.random.default_rng(kind)
    edge = float(np.linalg.norm(table) / np.sqrt(2))
    fine = 2 if edge < 24 else 1 if edge < 56 else 0.5
    half = int(np.ceil(0.92 * edge / 2)) * 2 + 2
    x0, y0 = (np.floor(px).astype(int) - half).tolist()
    shape = traced(
        view * fine, (px - (x0, y0) + 0.5) * fine - 0.5, int(2 * half * fine), rng.uniform(0.04, 0.22)
    )
    in_camera = (seen_by.turn @ light) * (1, 1, -1)
    # The normals come in the die's axes: yaw is taken out by the view of the table.
    yaw = np.linalg.lstsq(table, view, rcond=None)[0]
    c, s = yaw[0, 0], yaw[1, 0]
    spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) / max(1e-6, np.hypot(c, s))
    spin[2, 2] = 1
    normal = shape.normal @ spin.T @ (seen_by.turn * np.array([[1], [1], [-1]])).T
    turned = Solid(shape.mask, shape.face, shape.uv, normal.astype(np.float32), shape.turn)
    colour, opacity = painted(turned, faces, in_camera.astype(np.float32), rng)
    stack = np.concatenate([np.clip(colour, 0, 1.5) * opacity, opacity, shape.mask[..., None]], -1)
    how = cv2.INTER_AREA if fine > 1 else cv2.INTER_LINEAR
    stack = cv2.resize(stack, (2 * half, 2 * half), interpolation=how)
    h, w = out.shape[:2]
    a, b, c_, d = max(0, x0), max(0, y0), min(w, x0 + 2 * half), min(h, y0 + 2 * half)
    top = (shape.face == 4) & (shape.mask > 0.5)
    whole = float(top.sum()) / fine**2
    none = np.zeros(0, np.intp)
    if a >= c_ or b >= d:
        return none, none, whole
    cut = stack[b - y0 : d - y0, a - x0 : c_ - x0]
    out[b:d, a:c_] = out[b:d, a:c_] * (1 - cut[..., 3:4]) + cut[..., :3]
    owner[b:d, a:c_][cut[..., 4] > 0.5] = number
    top = cv2.resize(top.astype(np.uint8), (2 * half, 2 * half), interpolation=cv2.INTER_NEAREST)
    upper = top[b - y0 : d - y0, a - x0 : c_ - x0]
    rows, columns = np.nonzero(upper)
    return rows + b, columns + a, whole


def sensor(picture: Floats, rng: np.random.Generator) -> Picture:
    """Exposure and white balance; blur, noise and JPEG come with each lesson anew."""
    seen = np.clip(picture, 0, 1.3) * rng.uniform(0.5, 1.2) * rng.uniform(0.85, 1.15, 3)
    return np.asarray(np.clip(seen, 0, 1) * 255, np.uint8)
