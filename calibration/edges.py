"""Edges of a picture laid out flat in millimetres, each measured against the texture around it."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.charuco import PAPER_MM
from calibration.flat import pixel_maps
from calibration.profile import Profile
from hardware.frames import Image

Map = NDArray[np.float32]
Points = NDArray[np.float64]

FAR_MM = 420.0
"""Boards reach no further than this from the middle of the sheet."""
STEP_MM = 0.6
TEXTURE_MM = 24.0
"""Side of the neighbourhood whose usual contrast an edge must exceed."""
PAPER_RIM_MM = 5.0
"""Around the paper nothing is believed: its own edge, its curl and its shadow."""


@dataclass(frozen=True, slots=True, eq=False)
class EdgeField:
    """Where edges are: `strength` 0 to 1 with its direction, and what could be seen at all."""

    strength: Map
    across: Map
    """x of the unit vector across the edge; `up` is its y."""
    up: Map
    seen: NDArray[np.bool_]
    colour: Map
    """The flat picture itself (Lab), for comparing sides."""

    def cells(self, mm: Points) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
        """Row, column and whether it is on the map and was seen."""
        column = np.rint((mm[..., 0] + FAR_MM) / STEP_MM).astype(np.intp)
        row = np.rint((FAR_MM - mm[..., 1]) / STEP_MM).astype(np.intp)
        side = self.strength.shape[0]
        inside = (column >= 0) & (row >= 0) & (column < side) & (row < side)
        column, row = np.clip(column, 0, side - 1), np.clip(row, 0, side - 1)
        return row, column, inside & self.seen[row, column]

    def support(self, mm: Points, normal: Points) -> tuple[Map, NDArray[np.bool_]]:
        """How much of an edge runs through each place, square to `normal`; and which places were seen."""
        row, column, seen = self.cells(mm)
        along = self.across[row, column] * normal[..., 0] + self.up[row, column] * normal[..., 1]
        return np.where(seen, self.strength[row, column] * along**4, 0).astype(np.float32), seen


def edge_field(image: Image, profile: Profile, paper_mm: Points | None) -> EdgeField:
    """The edges around the sheet; `paper_mm` is where paper lies and nothing can be told."""
    flat, seen = flatten(image, profile)
    if paper_mm is not None:
        seen &= ~_painted(paper_mm, seen.shape[0])
    xx, yy, xy = _structure(flat)
    size, across, up = _dominant(xx, yy, xy)
    thin = _thinned(size, across, up)
    usual = _usual(size, seen)
    strength = cv2.dilate(thin * size / (size + 2 * usual), np.ones((3, 3), np.uint8))
    near_blind = cv2.erode(seen.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    return EdgeField(np.asarray(strength, np.float32), across, up, near_blind, flat)


def flatten(image: Image, profile: Profile) -> tuple[Map, NDArray[np.bool_]]:
    """The picture as seen from straight above, in Lab, and which of it lies inside the picture."""
    side = round(2 * FAR_MM / STEP_MM) + 1
    u, v = pixel_maps(profile.to_pixels, (-FAR_MM, FAR_MM), (side, side), STEP_MM)
    lab = cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    flat = cv2.remap(np.asarray(lab, np.float32), u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    width, height = profile.image_size
    return np.asarray(flat, np.float32), (u > 2) & (v > 2) & (u < width - 3) & (v < height - 3)


def paper_outline_mm() -> Points:
    """The sheet of paper with a rim, around the board's origin."""
    half = np.array(PAPER_MM) / 2 + PAPER_RIM_MM
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half


def _painted(polygon_mm: Points, side: int) -> NDArray[np.bool_]:
    canvas = np.zeros((side, side), np.uint8)
    corners = np.c_[polygon_mm[:, 0] + FAR_MM, FAR_MM - polygon_mm[:, 1]] / STEP_MM
    cv2.fillPoly(canvas, [np.rint(corners).astype(np.int32)], 1)
    return canvas > 0


def _structure(flat: Map) -> Sequence[Map]:
    """Structure tensor summed over the colours: an edge of colour alone counts as much as one of light."""
    soft = cv2.GaussianBlur(flat, (0, 0), 1.2)
    dx = cv2.Scharr(soft, cv2.CV_32F, 1, 0, scale=1 / 32)
    dy = -cv2.Scharr(soft, cv2.CV_32F, 0, 1, scale=1 / 32)
    terms = ((dx * dx).sum(2), (dy * dy).sum(2), (dx * dy).sum(2))
    return [np.asarray(cv2.GaussianBlur(t, (0, 0), 0.8), np.float32) for t in terms]


def _dominant(xx: Map, yy: Map, xy: Map) -> tuple[Map, Map, Map]:
    """Strength and direction of the greatest change at each place."""
    half = (xx - yy) / 2
    size = np.sqrt(np.maximum((xx + yy) / 2 + np.sqrt(half**2 + xy**2), 0))
    angle = 0.5 * np.arctan2(xy, half)
    return size, np.cos(angle), np.sin(angle)


def _thinned(size: Map, across: Map, up: Map) -> Map:
    """1 on the crest of an edge, 0 beside it."""
    row, column = np.ogrid[: size.shape[0], : size.shape[1]]
    row, column = row.astype(np.float32), column.astype(np.float32)
    ahead = cv2.remap(size, column + across, row - up, cv2.INTER_LINEAR)
    behind = cv2.remap(size, column - across, row + up, cv2.INTER_LINEAR)
    return ((size >= ahead) & (size > behind)).astype(np.float32)


def _usual(size: Map, seen: NDArray[np.bool_]) -> Map:
    """The usual contrast around a place; square roots keep one strong edge from hiding itself."""
    box = (round(TEXTURE_MM / STEP_MM) | 1,) * 2
    weight = cv2.blur(seen.astype(np.float32), box) + 1e-3
    root = cv2.blur(np.sqrt(size) * seen, box) / weight
    floor = np.percentile(size[seen], 10) if seen.any() else 1.0
    return np.asarray(root**2 + floor, np.float32)
