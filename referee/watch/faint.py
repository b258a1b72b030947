"""Pieces too faint to be found at rest, but seen to slide there: their places are still loose in the last frames."""

from collections.abc import Sequence

import numpy as np

from calibration.profile import Profile
from referee.vision.glimpses import Glimpse
from referee.vision.motion import Spots, to_raw
from referee.vision.see import lies_on_board
from referee.watch.following import FILLED, WITH_SHADOW, Trail

LAST = 3
"""Frames in which it is seen to rest."""
KEEPS = 0.3
"""Radii by which it seems to move meanwhile."""
FAR, ENOUGH = 4.0, 6
"""Radii that it was seen to slide, and sightings that show it: what lay there all the time did not."""


def resting(seen: Sequence[Glimpse], radius: float, profile: Profile) -> list[Spots]:
    """Spots on the board, in half pixels, at which something of a piece's size rests in the last frames."""
    if len(seen) < LAST:
        return []
    *before, last = (_like_a_piece(sight, radius) for sight in seen[-LAST:])
    still = [s for s in last if all(_near(s, spots, KEEPS * radius) for spots in before)]
    return [s for s in still if lies_on_board(profile.to_board(to_raw(s[None]))[0], profile)]


def _like_a_piece(sight: Glimpse, radius: float) -> Spots:
    blobs = sight.blobs()
    fill = blobs[:, 2] / (np.pi * radius**2)
    return np.asarray(blobs[(fill > FILLED) & (fill < WITH_SHADOW), :2])


def _near(spot: Spots, others: Spots, most: float) -> bool:
    return bool((np.linalg.norm(others - spot, axis=1) < most).any())


def slid(trail: Trail) -> bool:
    """Whether a trail that was followed back from its rest shows a slide, clear of any hand."""
    free = [s for s in trail.sightings if s.reach > trail.radius]
    return len(free) >= ENOUGH and bool(np.linalg.norm(free[-1].spot - free[0].spot) > FAR * trail.radius)
