"""What an outline has that an oval has not: part of a shadow it took in, or a side that it lost.

Seeds, stones and beads are ovals, a little uneven each, and those of one set are about equally so. Most of the rim of a
lumpy outline is right all the same, and an oval through most of it is nearer to the piece than the lump.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.vision.contact import Fellows
from referee.vision.outline import Traced
from referee.vision.ovals import ANGLES, TOWARDS, Points, Radii, centroid, from_hull

OVAL = 3
"""Harmonics of the radius that make an oval; lumps and flat sides are in those above."""
UNEVEN = 0.01
"""Share of the radius of most pieces, at least, that is no oval."""
LUMPY, NO_OVAL = 2.0, 0.06
"""How much more uneven than most an outline is that is wrong somewhere; and the share of what may be anything."""
OFF = 3.0
"""How far off an outline is, in what it has of lumps."""
ROUNDS, NEARLY = 12, 0.01
"""Of the search for the oval through most of a rim, and the share of the radius by which that may miss it."""
WAVES = np.column_stack(
    [np.ones_like(ANGLES), *(w(k * ANGLES) for k in range(1, OVAL) for w in (np.cos, np.sin))]
)


def without_lumps(outlines: Sequence[Traced], fellows: Fellows) -> list[Traced]:
    """The outlines with the doubt that their lumps leave; of lumpy ones the ovals through most of them."""
    shapes = [from_hull(one.points) for one in outlines]
    shares = [lumps(radii) for _, radii in shapes]
    usual = max(UNEVEN, fellows.unevenness(shares))
    return [
        one if share < usual else _doubted(one, shape, share - usual, LUMPY * usual < share < NO_OVAL)
        for one, shape, share in zip(outlines, shapes, shares, strict=True)
    ]


def lumps(radii: Radii) -> float:
    """How much of an outline is no oval, as a share of its radius."""
    waves = np.abs(np.fft.rfft(radii))
    return float(np.sqrt((waves[OVAL:] ** 2).sum()) / waves[0])


def _doubted(one: Traced, shape: tuple[Points, Radii], excess: float, lumpy: bool) -> Traced:
    """An outline doubted for so many lumps, or the oval through most of it."""
    middle, radii = shape
    points = middle + _through_most(radii)[:, None] * TOWARDS if lumpy else one.points
    sigma_px = float(np.hypot(one.sigma_px, OFF * excess * radii.mean()))
    return replace(one, centre=centroid(points), points=points, sigma_px=sigma_px)


def _through_most(radii: Radii) -> Radii:
    """The oval that differs least from an outline all in all, not in squares: what is far off has no more say."""
    counts, oval = np.ones_like(radii), radii
    for _ in range(ROUNDS):
        weighed = WAVES * counts[:, None]
        oval = WAVES @ np.linalg.solve(WAVES.T @ weighed, weighed.T @ radii)
        counts = 1 / np.hypot(radii - oval, NEARLY * radii.mean())
    return np.asarray(oval, float)
