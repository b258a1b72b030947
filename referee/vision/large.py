"""Tables so large that what is played with on them are balls."""

import numpy as np

from calibration.profile import Profile

LARGE_BOARD_MM = 1300.0
"""On boards longer than this."""


def has_balls(profile: Profile) -> bool:
    """Whether a table is so large that what is played with on it are balls."""
    outline = profile.board_outline_mm
    return outline is not None and float(np.ptp(np.array(outline), axis=0).max()) > LARGE_BOARD_MM
