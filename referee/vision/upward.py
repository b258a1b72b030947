"""Which way is up in a picture of an unknown camera: so that its dice lie flat."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.types import Point
from referee.vision.leaning import View, sized, straight, told
from referee.vision.pips import GLANCE_EDGE_PX, GLANCE_PX, glance

Array = NDArray[np.float64]
Spot = tuple[Point, float]
"""Where a die is seen, and its edge in pixels."""

USUAL_LENS = 0.77
"""Focal length over the longer side of the picture."""
FROM_ABOVE: Array = np.array([0.0, 0.0, -1.0])
TILTS_DEG, AZIMUTHS, LIKELY = (12.0, 24.0, 36.0, 48.0, 60.0), 12, 6
FINER_DEG = 6.0
"""How far round the best guess a better one is looked for."""
MOST, BESIDE = 6, 0.75
"""Dice that are asked, and edges between two."""
TRUST_PIPS = 12.0
SELDOM, PLAIN = 0.05, 0.8
"""How likely a die is to be misjudged, and how flat the dice must lie before other directions are left alone."""
COMMON_DEG, HELD = 30.0, 0.8
"""Pictures are taken from about so far off the upright, and rather from the lower edge than from the upper."""


def up_in(image: Image, spots: Sequence[Spot]) -> Array:
    """The table's upward direction in the camera's axes (x right, y down, z forward), the surest dice first."""
    asked = _side_by_side(spots)[:MOST]
    if not asked:
        return FROM_ABOVE
    if _fit(image, asked, FROM_ABOVE[None])[0] > len(asked) * np.log(PLAIN):
        return FROM_ABOVE
    fits = _fit(image, asked, _guesses())
    likely = np.argsort(-fits)[:LIKELY]
    best = _guesses()[likely[int((fits[likely] + _pips(image, asked, _guesses()[likely])).argmax())]]
    near = _near(best)
    return np.asarray(near[int((_fit(image, asked, near) + _pips(image, asked, near)).argmax())])


def _side_by_side(spots: Sequence[Spot]) -> list[Spot]:
    """Each die once, though it was sighted in several sizes."""
    kept: list[Spot] = []
    for px, edge in spots:
        if all(np.hypot(px[0] - at[0], px[1] - at[1]) > BESIDE * max(edge, e) for at, e in kept):
            kept.append((px, edge))
    return kept


def _pips(image: Image, spots: Sequence[Spot], ups: Array) -> Array:
    """How well the pips of the upper faces bear out each direction."""
    faces = [
        [
            glance(straight(image, px, view_of(image, up, px, edge), GLANCE_PX, GLANCE_EDGE_PX)[0])
            for px, edge in spots
        ]
        for up in ups
    ]
    return np.asarray(TRUST_PIPS * np.array(faces).sum(axis=1))


def view_of(image: Image, up: Array, px: Point, edge_px: float) -> View:
    """The view of a die at a pixel on a table with that upward direction."""
    h, w = image.shape[:2]
    x, y = (np.array(px) - (w / 2, h / 2)) / (USUAL_LENS * max(h, w))
    side = np.cross(up, [0.0, 1.0, 0.0])
    side /= np.linalg.norm(side)
    seen = np.array([[1, 0, -x], [0, 1, -y]]) @ np.stack([side, np.cross(up, side), up], 1)
    return sized(seen, edge_px)


def _fit(image: Image, spots: Sequence[Spot], ups: Array) -> Array:
    """How likely each upward direction is, by the dice that would lie flat."""
    views = [(px, view_of(image, up, px, edge)) for up in ups for px, edge in spots]
    leans, odds = told(image, views)
    flat = np.log(SELDOM + (1 - leans) * (1 - odds[:, 0]))
    tilt = np.degrees(np.arccos(np.clip(-ups[:, 2], -1, 1)))
    prior = -0.5 * (tilt / COMMON_DEG) ** 2 - HELD * ups[:, 1]
    return np.asarray(flat.reshape(len(ups), -1).sum(axis=1) + prior)


@cache
def _guesses() -> Array:
    turned = [_tilted(t, a) for t in TILTS_DEG for a in np.arange(AZIMUTHS) * 360 / AZIMUTHS]
    return np.array([FROM_ABOVE, *turned])


def _tilted(tilt_deg: float, azimuth_deg: float) -> Array:
    t, a = np.radians([tilt_deg, azimuth_deg])
    return np.array([np.sin(t) * np.sin(a), -np.sin(t) * np.cos(a), -np.cos(t)])


def _near(up: Array) -> Array:
    side = np.cross(up, [0.0, 1.0, 0.0])
    side /= np.linalg.norm(side)
    steps = np.tan(np.radians(FINER_DEG)) * np.array([-1, 0, 1])
    near = np.array([up + a * side + b * np.cross(up, side) for a in steps for b in steps])
    out: Array = near / np.linalg.norm(near, axis=1, keepdims=True)
    return out
