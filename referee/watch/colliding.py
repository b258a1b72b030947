"""Where pieces will be in the next frame: they go on as they went, and what they meet takes over their speed."""

from collections.abc import Sequence

import numpy as np

from referee.vision.motion import Spots
from referee.watch.following import Trail

MOMENTS = 8
"""Into which the time between two frames is divided."""
SPRING = 0.7
"""Share of the speed against one another with which two pieces part."""
SLOW = 0.05
"""Half pixels a frame at which nothing is reckoned."""


def foreseen(trails: Sequence[Trail]) -> Spots:
    """The places of all trails in the next frame."""
    spots = np.array([trail.spot for trail in trails], float)
    ways = np.array([trail.velocity * (1 + min(trail.lost, 2)) for trail in trails], float)
    if not len(trails) or float(np.abs(ways).max()) < SLOW:
        return spots
    radii = np.array([trail.radius for trail in trails])
    for _ in range(MOMENTS):
        spots += ways / MOMENTS
        _part(spots, ways, radii)
    return spots


def _part(spots: Spots, ways: Spots, radii: Spots) -> None:
    """What meets pushes: each pair that has come too near, once."""
    between = spots[None] - spots[:, None]
    far = np.linalg.norm(between, axis=2)
    near = np.triu(far < radii[:, None] + radii[None], 1)
    for one, other in np.argwhere(near & (far > 0)):
        across = between[one, other] / far[one, other]
        meeting = float((ways[one] - ways[other]) @ across)
        if meeting <= 0:
            continue
        share = radii[one] ** 3 / (radii[one] ** 3 + radii[other] ** 3)
        ways[other] += (1 + SPRING) * share * meeting * across
        ways[one] -= (1 + SPRING) * (1 - share) * meeting * across
