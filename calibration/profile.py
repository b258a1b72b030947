"""A profile: one camera over one table, with its own quality."""

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import TableError

Points = NDArray[np.float64]
"""Shape (n, 2)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """OpenCV's conventions: camera = R * board_mm + t_mm; the sheet lay on z = 0, z points to the camera."""

    image_size: tuple[int, int]
    K: tuple[tuple[float, ...], ...]
    dist: tuple[float, ...]
    """k1, k2, p1, p2, k3"""
    R: tuple[tuple[float, ...], ...]
    t_mm: tuple[float, ...]
    board_outline_mm: tuple[tuple[float, float], ...] | None
    """None for a table without a board."""
    reprojection_px: float
    plane_error_mm: float
    smallest_margin_mm: float
    """The smallest margin the referee may decide with this profile."""

    @property
    def camera_mm(self) -> NDArray[np.float64]:
        """Where the camera stands, in board millimetres."""
        eye: NDArray[np.float64] = -np.array(self.R).T @ np.array(self.t_mm)
        return eye

    def to_board(self, px: Points, height_mm: float = 0.0) -> Points:
        """Raw pixels to millimetres on the plane `height_mm` above the board."""
        flat = cv2.undistortPoints(
            np.asarray(px, float).reshape(-1, 1, 2), np.array(self.K, float), np.array(self.dist, float)
        ).reshape(-1, 2)
        turn = np.array(self.R)
        rays = flat @ turn[:2] + turn[2]
        eye = self.camera_mm
        board: Points = (eye + rays * ((height_mm - eye[2]) / rays[:, 2])[:, None])[:, :2]
        return board

    def to_pixels(self, mm: Points, height_mm: float = 0.0) -> Points:
        """Board millimetres at `height_mm` to raw pixels."""
        mm = np.asarray(mm, float).reshape(-1, 2)
        solid = np.full((len(mm), 3), height_mm, float)
        solid[:, :2] = mm
        turn = cv2.Rodrigues(np.array(self.R))[0]
        t, K, dist = (np.array(v, float) for v in (self.t_mm, self.K, self.dist))
        seen, _ = cv2.projectPoints(solid, turn, t, K, dist)
        px: Points = seen.reshape(-1, 2).astype(np.float64)
        return px

    def fitting(self, size: tuple[int, int]) -> "Profile":
        """This profile, if it was made with pictures of `size`."""
        if tuple(self.image_size) != tuple(size):
            mine, other = " x ".join(map(str, self.image_size)), " x ".join(map(str, size))
            raise TableError(
                f"the calibration was made for pictures of {mine}, these are {other}: calibrate again"
            )
        return self

    def scaled(self, factor: float) -> "Profile":
        """The same camera when the printed sheet was `factor` times its proper size."""
        outline = self.board_outline_mm
        return replace(
            self,
            t_mm=tuple(v * factor for v in self.t_mm),
            board_outline_mm=None if outline is None else tuple((x * factor, y * factor) for x, y in outline),
            plane_error_mm=self.plane_error_mm * factor,
            smallest_margin_mm=self.smallest_margin_mm * factor,
        )

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> "Profile":
        """Read a profile back; refuses one that is torn, incomplete or not of a camera."""
        try:
            raw = json.loads(path.read_text(encoding="utf8"))
            return cls(**{f.name: _checked(f.name, raw[f.name]) for f in fields(cls)})
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise TableError(f"{path.name} is not a calibration profile ({error})") from error


_SHAPES = {"K": (3, 3), "R": (3, 3), "t_mm": (3,), "dist": (5,), "image_size": (2,)}


def _checked(name: str, value: Any) -> Any:
    """One field as the rest of the program may trust it."""
    if name == "board_outline_mm" and value is None:
        return None
    numbers = np.asarray(value, float)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} is not finite")
    if name == "board_outline_mm":
        fits = numbers.ndim == 2 and len(numbers) >= 3 and numbers.shape[1] == 2
    else:
        fits = numbers.shape == _SHAPES.get(name, ())
    if not fits or (name == "R" and not np.allclose(numbers @ numbers.T, np.eye(3), atol=1e-3)):
        raise ValueError(f"{name} cannot be {value!r}")
    return tuple(map(int, value)) if name == "image_size" else _frozen(numbers.tolist())


def _frozen(value: Any) -> Any:
    """Lists become tuples, all the way down."""
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value
