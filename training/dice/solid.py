"""Dice as geometry buffers: which face, where on it, and which way the surface looks, for every pixel."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
SIDE_PX = 80
"""Width of a buffer."""
EDGE_PX = 42.0
"""Edge of the die in it."""


@dataclass(frozen=True, slots=True)
class Solid:
    """One die seen from one direction."""

    mask: Floats
    face: NDArray[np.int8]
    """0..5: +x -x +y -y +z -z."""
    uv: Floats
    """On the face, -0.5..0.5."""
    normal: Floats
    """In the camera's axes: x right, y down, z towards the camera."""
    turn: Floats
    """Rotation: die axes to camera axes."""


def _rounded_box_distance(p: Floats, radius: float) -> Floats:
    x, y, z = (np.abs(p[..., axis]) - np.float32(0.5 - radius) for axis in range(3))
    outside = np.sqrt(np.maximum(x, 0) ** 2 + np.maximum(y, 0) ** 2 + np.maximum(z, 0) ** 2)
    out: Floats = outside + np.minimum(np.maximum(np.maximum(x, y), z), 0) - np.float32(radius)
    return out


def solid(turn: Floats, radius: float) -> Solid:
    """Trace a rounded cube of edge 1 turned by `turn`, seen by parallel rays."""
    g = (np.arange(SIDE_PX, dtype=np.float32) + 0.5 - SIDE_PX / 2) / EDGE_PX
    x, y = np.meshgrid(g, g)
    start = np.stack([x, y, np.full_like(x, 1.2)], -1) @ turn
    step = np.array([0, 0, -1], np.float32) @ turn
    depth = np.zeros_like(x)
    for _ in range(14):
        depth += _rounded_box_distance(start + depth[..., None] * step, radius)
    shape = _surface(start + depth[..., None] * step, depth, radius)
    return replace(shape, normal=(shape.normal @ turn.T).astype(np.float32), turn=turn)


def _surface(at: Floats, depth: Floats, radius: float) -> Solid:
    mask = (_rounded_box_distance(at, radius) < 0.02) & (depth < 2.4)
    core = np.clip(at, -(0.5 - radius), 0.5 - radius)
    normal = at - core
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-6)
    axis = np.abs(at).argmax(-1)
    positive = np.take_along_axis(at, axis[..., None], -1)[..., 0] > 0
    face = (axis * 2 + ~positive).astype(np.int8)
    others = np.array([[1, 2], [0, 2], [0, 1]])[axis]
    uv = np.take_along_axis(at, others, -1)
    return Solid(
        mask.astype(np.float32),
        face,
        uv.astype(np.float32),
        normal.astype(np.float32),
        np.eye(3, dtype=np.float32),
    )


def traced(view: NDArray[np.float64], middle: NDArray[np.float64], side_px: int, radius: float) -> Solid:
    """A rounded cube of edge 1 round a pixel, its axes seen as `view` (2, 3) says; normals stay in the die's axes."""
    away = np.cross(view[0], view[1])
    away /= np.linalg.norm(away)
    away = (away if away[2] < 0 else -away).astype(np.float32)
    g = np.arange(side_px, dtype=np.float32)
    x, y = np.meshgrid(g - np.float32(middle[0]), g - np.float32(middle[1]))
    start = np.stack([x, y], -1) @ np.linalg.pinv(view).T.astype(np.float32) - 1.2 * away
    depth = np.zeros_like(x)
    for _ in range(11):
        depth += _rounded_box_distance(start + depth[..., None] * away, radius)
    return _surface(start + depth[..., None] * away, depth, radius)


def face_normals(turn: Floats) -> Floats:
    """The six face normals in the camera's axes, in the order of `Solid.face`."""
    out: Floats = np.stack([s * turn[:, a] for a in range(3) for s in (1, -1)])
    return out


def rotation(axis: int, angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    a, b = [i for i in range(3) if i != axis]
    turn = np.eye(3, dtype=np.float32)
    turn[a, a], turn[a, b], turn[b, a], turn[b, b] = c, -s, s, c
    return turn


def random_solid(rng: np.random.Generator) -> tuple[Solid, int, float]:
    """A die in a random pose, its face 4 (+z) up; which face is up, and how sure a person could be of it (0..1)."""
    oblique = rng.random() < 0.2
    lean = rng.uniform(0.5, 1.05) if oblique else abs(rng.normal(0, 0.32))
    towards = rng.normal(0, 0.3) if oblique else rng.uniform(0, 2 * np.pi)
    # Leaning about x by a positive angle turns the top away upwards in the picture, as a seated person sees it.
    turn = rotation(2, towards) @ rotation(0, -lean) @ rotation(2, rng.uniform(0, 2 * np.pi))
    shape = solid(turn.astype(np.float32), rng.uniform(0.04, 0.22))
    toward_camera = face_normals(turn)[:, 2]
    order = np.argsort(-toward_camera)
    if oblique:
        return shape, 4, 1.0 if lean > 0.6 else 0.5
    gap = np.arccos(np.clip(toward_camera[order[1]], -1, 1)) - np.arccos(
        np.clip(toward_camera[order[0]], -1, 1)
    )
    return shape, int(order[0]), float(np.clip((gap - 0.1) / 0.2, 0, 1))
