"""A camera held by hand over a table, from straight above to far aside."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SIDE_PX = 288
FURTHEST_DEG = 66.0


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the table's axes lie in the camera's (x right, y down, z forward), and how wide it sees."""

    turn: Array
    focal_px: float
    middle: Array
    slant_deg: float

    def view(self, px: Array, edge_px: float) -> Array:
        """(2, 3): how the table's axes are seen at a pixel where an edge has this length."""
        x, y = (px - self.middle) / self.focal_px
        return edge_px * np.array([[1, 0, -x], [0, 1, -y]]) @ self.turn

    def nearness(self, px: Array) -> float:
        """How much larger things on the table are there than in the middle."""
        up = self.turn[:, 2]
        ray = np.r_[(px - self.middle) / self.focal_px, 1.0]
        return float((ray @ up) / up[2])


def camera(rng: np.random.Generator) -> Camera:
    """Held by hand: upright when it looks aside, turned anyhow when it looks down."""
    slant = np.radians(rng.uniform(0, FURTHEST_DEG) if rng.random() < 0.8 else rng.uniform(0, 15))
    free = slant < 0.35 or rng.random() < 0.05
    roll = np.radians(rng.uniform(0, 360) if free else rng.normal(0, 10))
    up = np.array([0, -np.sin(slant), -np.cos(slant)])
    c, s = np.cos(roll), np.sin(roll)
    up = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ up
    side = np.cross(up, [0.0, 1.0, 0.02])
    side /= np.linalg.norm(side)
    whole = SIDE_PX * rng.uniform(1, 2.2)
    middle = SIDE_PX / 2 + rng.uniform(-0.5, 0.5, 2) * (whole - SIDE_PX)
    turn = np.stack([side, np.cross(up, side), up], 1)
    return Camera(turn, whole * rng.uniform(0.65, 1.5), middle, float(np.degrees(slant)))


def clipped(nearness: float) -> float:
    return float(np.clip(nearness, 0.45, 2.2))
