"""The quick way: the flat sheet alone, no lens step. The error it costs is stated in the profile."""

import cv2
import numpy as np

from calibration.charuco import SheetSeen
from calibration.lens import Lens, LensFit, residuals_px

USUAL_FOCAL = 0.95
"""In widths of the picture: a common webcam."""
USUAL_K1 = 0.1
"""Distortion that an ordinary lens may have and that nobody has measured."""
SHEET_MM, BOARD_MM = 100.0, 180.0


def quick_fit(flat: SheetSeen, size: tuple[int, int]) -> LensFit:
    """Pose of the flat sheet with a usual lens."""
    focal = USUAL_FOCAL * size[0]
    K = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    lens = Lens(size, K, np.zeros(5))
    _, turn, shift = cv2.solvePnP(flat.mm, flat.px, K, lens.dist, flags=cv2.SOLVEPNP_IPPE)
    turn, shift = cv2.solvePnPRefineLM(flat.mm, flat.px, K, lens.dist, turn, shift)
    pose = np.asarray(cv2.Rodrigues(turn)[0], float), np.asarray(shift, float).ravel()
    rms = float(np.sqrt((residuals_px(lens, pose, flat) ** 2).mean()))
    return LensFit(lens, (pose,), (flat,), rms)


def quick_error_mm(fit: LensFit) -> float:
    """What an unknown but usual distortion moves at the rim of a board, after the sheet has absorbed its share."""
    distance = float(np.linalg.norm(fit.poses[0][1]))
    rim, sheet = BOARD_MM / distance, SHEET_MM / distance
    return USUAL_K1 * distance * rim * (rim**2 - sheet**2)
