"""Which way is up in a picture of an unknown camera: so that its dice lie flat."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.types import Point
from referee.vision.leaning import Nearby, View, nearby, sized, straight, told
from referee.vision.pips import GLANCE_EDGE_PX, GLANCE_PX, glances

Array = NDArray[np.float64]
Spot = tuple[Point, float]
"""Where a die is seen, and its edge in pixels."""

USUAL_LENS = 0.77
"""Focal length over the longer side of the picture."""
FROM_ABOVE: Array = np.array([0.0, 0.0, -1.0])
TILTS_DEG, AZIMUTHS, LIKELY = (12.0, 24.0, 36.0, 48.0, 60.0), (8, 12, 16, 18, 20), 8
"""Directions that are tried, so many at each tilt, and how many of them are looked at more closely."""
FINER_DEG = (9.0, 5.0)
"""How far round the best guess a better one is looked for, and again."""
MOST, BESIDE = 6, 0.75
"""Dice that are asked, and edges between two."""
TRUST_PIPS = 12.0
SELDOM, PLAIN = 0.05, 0.8
"""How likely a die is to be misjudged, and how flat the dice must lie before other directions are left alone."""
COMMON_DEG, HELD = 40.0, 1.5
"""Pictures are taken from about so far off the upright, and rather from the lower edge than from the upper."""
HIGHER, LARGER = (-0.3, 0.0, 0.3), (0.88, 1.13)
"""A die seen from aside may be misplaced along its upright edges by such a part of one, and its size misjudged."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A die that is asked which way is up."""

    near: Nearby
    px: Point
    edge_px: float


def up_in(image: Image, spots: Sequence[Spot]) -> Array:
    """The table's upward direction in the camera's axes (x right, y down, z forward), the surest dice first."""
    if not spots:
        return FROM_ABOVE
    dice = [Asked(nearby(image, *spot), *spot) for spot in _side_by_side(spots)[:MOST]]
    if _plain(image, dice):
        return FROM_ABOVE
    guesses = _guesses()
    likely = guesses[np.argsort(-_fit(image, dice, guesses, HIGHER, (1.0,)))[:LIKELY]]
    best = likely[int(_closely(image, dice, likely).argmax())]
    for step_deg in FINER_DEG:
        near = _near(best, step_deg)
        best = near[int(_closely(image, dice, near).argmax())]
    return np.asarray(best)


def _plain(image: Image, dice: Sequence[Asked]) -> bool:
    """Whether all dice lie flat if the camera looks straight down: then nothing else is tried."""
    straight_down = FROM_ABOVE[None]
    leans, odds = told(
        [(die.near, np.array([die.px]), _views(image, straight_down, die.px, die.edge_px)) for die in dice]
    )
    return bool(np.log(SELDOM + (1 - leans) * (1 - odds[:, 0])).mean() > np.log(PLAIN))


def _side_by_side(spots: Sequence[Spot]) -> list[Spot]:
    """Each die once, though it was sighted in several sizes."""
    kept: list[Spot] = []
    for px, edge in spots:
        if all(np.hypot(px[0] - at[0], px[1] - at[1]) > BESIDE * max(edge, e) for at, e in kept):
            kept.append((px, edge))
    return kept


def view_of(image: Image, up: Array, px: Point, edge_px: float) -> View:
    """The view of a die at a pixel on a table with that upward direction."""
    return np.asarray(_views(image, up[None], px, edge_px)[0])


def ray(image: Image, px: Point) -> Array:
    """Where a camera of the usual lens looks at a pixel: right and down, for each step forward."""
    h, w = image.shape[:2]
    return np.asarray((np.array(px) - (w / 2, h / 2)) / (USUAL_LENS * max(h, w)))


def _views(image: Image, ups: Array, px: Point, edge_px: float) -> Array:
    """(n, 2, 3): its views on tables with these upward directions (n, 3)."""
    x, y = ray(image, px)
    side = np.cross(ups, [0.0, 1.0, 0.0])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    seen = np.array([[1, 0, -x], [0, 1, -y]]) @ np.stack([side, np.cross(ups, side), ups], 2)
    return sized(seen, edge_px)


def moved(px: Point, view: View, higher: float, aside: float = 0.0) -> Point:
    """A place so much of an upright edge higher up, and so much of it to the side."""
    x, y = (np.array(px) + higher * view[:, 2] + aside * np.array([-view[1, 2], view[0, 2]])).tolist()
    return x, y


def _closely(image: Image, dice: Sequence[Asked], ups: Array) -> Array:
    """How likely each direction is, with dice of several sizes, and the pips of their upper faces counted in."""
    return _fit(image, dice, ups, HIGHER, LARGER, pips=True)


def _fit(
    image: Image,
    dice: Sequence[Asked],
    ups: Array,
    higher: Sequence[float],
    larger: Sequence[float],
    pips: bool = False,
) -> Array:
    """How likely each upward direction is, by the dice that would lie flat."""
    tries = [_tries(image, die, ups, higher, larger) for die in dice]
    leans, odds = told([(die.near, *its) for die, its in zip(dice, tries, strict=True)])
    # Die by die, as they were asked; then one row a direction.
    flat = ((1 - leans) * odds[:, 1:].max(axis=1)).reshape(len(dice), len(ups), -1)
    fits = np.log(SELDOM + flat.max(axis=2)).T
    if pips:
        best = flat.argmax(axis=2) + np.arange(len(ups)) * flat.shape[2]
        faces = [
            _face(die.near, *its, k)
            for die, its, row in zip(dice, tries, best.tolist(), strict=True)
            for k in row
        ]
        fits += TRUST_PIPS * glances(faces).reshape(best.shape).T
    tilt = np.degrees(np.arccos(np.clip(-ups[:, 2], -1, 1)))
    return np.asarray(fits.sum(axis=1) - 0.5 * (tilt / COMMON_DEG) ** 2 - HELD * ups[:, 1])


def _tries(
    image: Image, die: Asked, ups: Array, higher: Sequence[float], larger: Sequence[float]
) -> tuple[Array, Array]:
    """Places (n, 2) and views (n, 2, 3) of a die for every direction, height and size."""
    views = _views(image, ups, die.px, die.edge_px)[:, None, None]
    places = np.array(die.px) + np.array(higher)[:, None, None] * views[..., 2]
    sizes = views * np.array(larger)[:, None, None]
    shape = (len(ups), len(higher), len(larger))
    places, sizes = np.broadcast_to(places, (*shape, 2)), np.broadcast_to(sizes, (*shape, 2, 3))
    return places.reshape(-1, 2), sizes.reshape(-1, 2, 3)


def _face(near: Nearby, places: Array, views: Array, which: int) -> Image:
    """The upper face of a die as it would be in one of its places, seen from straight above."""
    x, y = places[which].tolist()
    return straight(near.picture, *near.here((x, y), views[which]), GLANCE_PX, GLANCE_EDGE_PX)[0]


@cache
def _guesses() -> Array:
    turned = [
        _tilted(tilt, k * 360 / count)
        for tilt, count in zip(TILTS_DEG, AZIMUTHS, strict=True)
        for k in range(count)
    ]
    return np.array([FROM_ABOVE, *turned])


def _tilted(tilt_deg: float, azimuth_deg: float) -> Array:
    t, a = np.radians([tilt_deg, azimuth_deg])
    return np.array([np.sin(t) * np.sin(a), -np.sin(t) * np.cos(a), -np.cos(t)])


def _near(up: Array, step_deg: float) -> Array:
    side = np.cross(up, [0.0, 1.0, 0.0])
    side /= np.linalg.norm(side)
    steps = np.tan(np.radians(step_deg)) * np.array([-1, 0, 1])
    near = np.array([up + a * side + b * np.cross(up, side) for a in steps for b in steps])
    out: Array = near / np.linalg.norm(near, axis=1, keepdims=True)
    return out
