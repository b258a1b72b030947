"""A table for balls in a camera's picture: how large they are on it, and at which scale they are looked for."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from calibration.profile import Profile
from hardware.frames import Image
from referee.vision.balls import Ball, find_balls, likely_radius, rims_of
from referee.vision.board import EmptyBoard, Field, Flags, Picture, Window, log_of
from referee.vision.look import Blob
from referee.vision.ovals import Points

RADII = tuple(float(share) for share in np.geomspace(0.007, 0.0155, 10))
"""Of balls, as shares of the longest side of their table: from snooker on a large one to pool on a small one."""
FINE_PX = 10.0
"""The radius of a ball need not be larger to find it well."""
SIGMA_PX = 0.5
"""Standard error of a rim."""
ROUND = np.linspace(0, 2 * np.pi, 48, endpoint=False)
CIRCLE = np.column_stack([np.cos(ROUND), np.sin(ROUND)])


@dataclass(frozen=True, slots=True, eq=False)
class BallTable:
    """Balls are looked for in the window of a picture, made smaller where it is finer than need be."""

    window: Window
    scale: float
    radius: float
    """Of a ball, in the pixels in which it is looked for, as is what follows."""
    length: float
    """Of the longest side."""
    within: Flags
    """Where the middles of balls may be."""
    bare: Field
    """The logarithm of the cloth."""

    def log(self, image: Image | Field) -> Field:
        """The logarithm of a picture, or of the window of one."""
        whole = image.shape[:2] != (self.window.height, self.window.width)
        return log_of(_resized(self.window.of(image) if whole else image, self.scale))

    def to_raw(self, spots: Points) -> Points:
        """Pixels of the camera."""
        return np.asarray((spots + 0.5) / self.scale - 0.5 + np.array([self.window.x, self.window.y]), float)


def ball_table(image: Image | Field, board: EmptyBoard, profile: Profile) -> BallTable:
    """How large balls are is told by the rims in a picture."""
    outline = profile.to_pixels(np.array(profile.board_outline_mm))
    length = float(np.linalg.norm(outline - np.roll(outline, 1, axis=0), axis=1).max())
    rough = _scaled(board, min(1.0, FINE_PX / (RADII[-1] * length)), length, 0.0)
    rims = rims_of(rough.log(image))
    radius = likely_radius(rims, [share * rough.length for share in RADII], rough.within) / rough.scale
    return _scaled(board, min(1.0, FINE_PX / radius), length, radius)


def _scaled(board: EmptyBoard, scale: float, length: float, radius: float) -> BallTable:
    within, bare = _resized(board.inside, scale) > 0, _resized(board.log, scale)
    return BallTable(board.window, scale, radius * scale, length * scale, within, bare)


def balls_in(image: Image | Field, board: EmptyBoard, profile: Profile) -> tuple[Blob, ...]:
    """The balls at rest in one picture, or in its window of the board."""
    table = ball_table(image, board, profile)
    log = table.log(image)
    found = find_balls(log, rims_of(log), off_cloth(log, table.bare), table.radius, table.within)
    return tuple(_blob(ball, table) for ball in found)


def off_cloth(log: Field, bare: Field) -> Field:
    """What a picture differs from the cloth by, whatever the lamps do."""
    off = log - bare
    return np.asarray(off - np.median(off[::4, ::4].reshape(-1, 3), axis=0), np.float32)


def _blob(ball: Ball, table: BallTable) -> Blob:
    rim = table.to_raw(ball.spot + table.radius * CIRCLE)
    return Blob(table.to_raw(ball.spot), rim, ball.colour, SIGMA_PX)


def _resized(picture: Picture, scale: float) -> Picture:
    if scale == 1:
        return picture
    return cast(Picture, cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
