"""Close pictures of dice in every pose, each with its view: what one edge along each axis of the die is in pixels.

A table is supposed under each die, and the picture is pulled straight as seen from above that table: a die that lies
flat on it then shows a square face, and its upright edges point up.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from paint import painted, set_down, values
from scenes import Scenes, sensor
from solid import EDGE_PX, Floats, rotation, solid

PATCH_PX = 96
KEPT_PX, KEPT_EDGE = 84, 22.0
"""The pictures that are kept, and the edge of a die in them."""
SIDE_PX, FACE_PX = 48, 22.0
"""The picture pulled straight, and the upper face of a flat die in it."""
STEEPEST = 0.45
"""Cosine of the flattest angle at which a table is looked at."""
FLAT_DEG, LEANS_DEG = 9.0, 17.0
"""Up to here a die is taught as flat, from here on as leaning."""
AXES = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], float)


@dataclass(frozen=True, slots=True)
class Posed:
    """A die in the middle of its picture; or none, with a view all the same."""

    picture: NDArray[np.uint8]
    view: NDArray[np.float64]
    """2 x 3: pixels for one edge along each axis of the die."""
    sight: NDArray[np.float64]
    """Towards the camera, in the die's axes."""
    faces: tuple[int, ...]
    """The value on each face, in the order of AXES; empty where no die is."""


def drawn(pictures: list[Path], seed: int, count: int, solids: int) -> Iterator[Posed]:
    """Dice painted on cloths and tables of cards, and places without dice."""
    scenes = Scenes(pictures, seed, 1)
    rng = scenes.rng
    shapes = [solid(_turn(rng), rng.uniform(0.04, 0.22)) for _ in range(solids)]
    made = 0
    while made < count:
        edge = 2 ** rng.uniform(np.log2(12), np.log2(34))
        ground = scenes._ground(edge)
        light = np.array([*rng.normal(0, 0.5, 2), 1], np.float32)
        light /= np.linalg.norm(light)
        put = []
        for at in _places(rng, edge):
            shape, faces = shapes[rng.integers(len(shapes))], values(rng)
            colour, opacity = painted(shape, faces, light, rng)
            set_down(ground, colour, opacity, at, edge / EDGE_PX, light, rng.uniform(0.1, 0.75))
            put.append((at, shape.turn.astype(float), tuple(faces)))
        seen = sensor(ground, rng)
        for at, turn, faces in put:
            if min(at) > 0.6 * edge and max(at) < PATCH_PX - 0.6 * edge:
                made += 1
                yield Posed(_kept(seen, at, edge), KEPT_EDGE * turn[:2], turn[2], faces)
        if rng.random() < 0.3:
            at = (float(rng.uniform(15, 80)), float(rng.uniform(15, 80)))
            if all(np.hypot(at[0] - x, at[1] - y) > 1.1 * edge for (x, y), _, _ in put):
                turn = _turn(rng).astype(float)
                yield Posed(_kept(seen, at, edge), KEPT_EDGE * turn[:2], turn[2], ())


def rendered(folders: list[Path]) -> Iterator[Posed]:
    """Dice of rendered stills that tell the pose of each."""
    for folder in folders:
        truth = json.loads((folder / "truth.json").read_text())
        picture, cam = cv2.imread(str(folder / truth["image"])), truth["camera"]
        if picture is None:
            continue
        eye = np.array(cam["centre_mm"])
        for die in truth["dice"]:
            turn, at, size = _matrix(die["quat_wxyz"]), np.array(die["centre_mm"]), die["size_mm"]
            ends = np.concatenate([at + s * 0.5 * size * turn.T for s in (-1, 1)])
            px = cv2.projectPoints(
                np.r_[ends, [at]],
                cv2.Rodrigues(np.array(cam["R"]))[0],
                *(np.array(cam[k]) for k in ("t", "K", "dist")),
            )[0][:, 0]
            view = (px[3:6] - px[:3]).T
            edge = float(np.linalg.svd(view)[1].mean())
            if die.get("visible_fraction", 1) < 0.6 or not inside(px[6], picture):
                continue
            sight = (eye - at) @ turn / np.linalg.norm(eye - at)
            kept = _kept(picture, (px[6, 0], px[6, 1]), edge)
            # On these dice 1, 2 and 3 lie along the axes and opposite faces add to seven.
            yield Posed(kept, view * KEPT_EDGE / edge, sight, (1, 6, 2, 5, 3, 4))


def inside(px: NDArray[np.float64], picture: NDArray[np.uint8]) -> bool:
    return bool((px > 8).all() and (px < np.array(picture.shape[1::-1]) - 8).all())


def up(die: Posed, rng: np.random.Generator, lean_deg: float | None = None) -> NDArray[np.float64]:
    """An upward direction, in the die's axes, of a table on which it might lie, flat or leaning."""
    for _ in range(50):
        axis = AXES[rng.integers(6)]
        if die.sight @ axis < STEEPEST:
            continue
        if lean_deg is None:
            half = rng.random() < 0.5
            lean = abs(rng.normal(0, 3)) if half else rng.uniform(5, 50)
        else:
            lean = lean_deg
        side = np.cross(axis, rng.normal(0, 1, 3))
        side /= np.linalg.norm(side)
        out = np.cos(np.radians(lean)) * axis + np.sin(np.radians(lean)) * side
        if die.sight @ out > STEEPEST:
            return np.asarray(out)
    return AXES[int((AXES @ die.sight).argmax())]


def answer(die: Posed, upward: NDArray[np.float64]) -> tuple[int, float]:
    """The value of the face nearest to up (0: no die), and by how many degrees it leans."""
    if not die.faces:
        return 0, 0.0
    along = AXES @ upward
    return die.faces[int(along.argmax())], float(np.degrees(np.arccos(min(1.0, along.max()))))


def straight(
    die: Posed, upward: NDArray[np.float64], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], float]:
    """The picture as seen from above that table, its upright edges pointing up, and how steeply they run."""
    side = np.cross(upward, [1.0, 0, 0] if abs(upward[0]) < 0.8 else [0, 1.0, 0])
    side /= np.linalg.norm(side)
    ground = die.view @ np.stack([side, np.cross(upward, side)], 1)
    rise = die.view @ upward
    run = np.linalg.solve(ground, rise)
    slope = float(np.hypot(*run))
    c, s = (run / slope) if slope > 1e-6 else (0.0, 1.0)
    # Columns: what one edge to the right and one edge down are in the kept picture.
    axes = ground @ np.array([[-s, -c], [c, -s]]) * 2 ** rng.normal(0, 0.1) / FACE_PX
    middle = np.full(2, KEPT_PX / 2 - 0.5) + rise / 2 + rng.normal(0, 0.06, 2) * KEPT_EDGE
    move = np.c_[axes, middle - axes @ np.full(2, SIDE_PX / 2 - 0.5)]
    out = cv2.warpAffine(
        die.picture,
        move,
        (SIDE_PX, SIDE_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(out, np.uint8), slope


def _turn(rng: np.random.Generator) -> Floats:
    """Half of the dice as cameras above a table see them, half in any pose."""
    if rng.random() < 0.5:
        lean = rotation(2, rng.uniform(0, 6.3)) @ rotation(0, abs(rng.normal(0, 0.4)))
        return np.asarray(lean @ rotation(2, rng.uniform(0, 6.3)), np.float32)
    q, r = np.linalg.qr(rng.normal(0, 1, (3, 3)))
    q = q * np.sign(np.diag(r))
    return np.asarray(q * np.sign(np.linalg.det(q)), np.float32)


def _places(rng: np.random.Generator, edge: float) -> list[tuple[float, float]]:
    count = int(rng.choice([1, 2, 4, 6]))
    places: list[tuple[float, float]] = []
    for _ in range(count * 5):
        x, y = rng.uniform(4, PATCH_PX - 4, 2)
        if len(places) < count and all(np.hypot(x - a, y - b) > 1.1 * edge for a, b in places):
            places.append((float(x), float(y)))
    return places


def _kept(picture: NDArray[np.uint8], at: tuple[float, float], edge: float) -> NDArray[np.uint8]:
    scale = KEPT_EDGE / edge
    if scale < 0.6:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.35 / scale)
    move = np.array(
        [[scale, 0, KEPT_PX / 2 - 0.5 - scale * at[0]], [0, scale, KEPT_PX / 2 - 0.5 - scale * at[1]]]
    )
    out: NDArray[np.uint8] = cv2.warpAffine(
        picture, move, (KEPT_PX, KEPT_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return out


def _matrix(q: list[float]) -> NDArray[np.float64]:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
