"""Where the table plane lies: the sheet lies flat, its print a paper's thickness above z = 0."""

import numpy as np

from calibration.charuco import PAPER_THICKNESS_MM
from calibration.lens import Array

_QUARTERS = tuple(
    np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], float) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))
)


def board_pose(sheet_pose: tuple[Array, Array]) -> tuple[Array, Array]:
    """R and t_mm of the board: origin under the sheet's middle, x to the right of the picture, y up in it.

    The sheet may lie any way round; the axes stay parallel to its edges.
    """
    R, t = sheet_pose
    upright = max((R @ quarter for quarter in _QUARTERS), key=lambda turned: float(turned[0, 0]))
    return upright, t - upright[:, 2] * PAPER_THICKNESS_MM
