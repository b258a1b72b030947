"""The lens from several views of the sheet: camera matrix, distortion, and the pose of every view."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.charuco import SheetSeen

Array = NDArray[np.float64]
OUTLIER = 4.5
"""Corners this many robust standard deviations off are misread: glare, a finger, a fold in the paper."""
K3_GAIN = 0.03
"""A third radial term is worth its instability only when the error falls by this share."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    size: tuple[int, int]
    K: Array
    dist: Array
    """k1, k2, p1, p2, k3"""


@dataclass(frozen=True, slots=True, eq=False)
class LensFit:
    lens: Lens
    poses: tuple[tuple[Array, Array], ...]
    """R and t_mm of the sheet (y up, z out of the page) in each view."""
    views: tuple[SheetSeen, ...]
    """What was used of each view."""
    reprojection_px: float


def fit_lens(views: Sequence[SheetSeen], size: tuple[int, int]) -> LensFit:
    """Best lens for all views, misread corners left out."""
    start = Lens(size, _plausible(size), np.zeros(5))
    first = _fit(views, start, k3=False)
    kept = [_without_outliers(first, i) for i in range(len(views))]
    plain = _fit(kept, first.lens, k3=False)
    bent = _fit(kept, plain.lens, k3=True)
    return bent if bent.reprojection_px < plain.reprojection_px * (1 - K3_GAIN) else plain


def refit_lens(views: Sequence[SheetSeen], near: Lens) -> LensFit:
    """The lens from other views, of the same kind as `near` and begun there."""
    return _fit(views, near, k3=bool(near.dist[4]))


def _plausible(size: tuple[int, int]) -> Array:
    """A camera of a common angle of view, looking out of the middle."""
    width, height = size
    return np.array([[width, 0, (width - 1) / 2], [0, width, (height - 1) / 2], [0, 0, 1]], float)


def _fit(views: Sequence[SheetSeen], start: Lens, *, k3: bool) -> LensFit:
    # Sensors have square pixels: fx = fy is a fact, and one thing less to guess from few stills.
    flags = cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_USE_INTRINSIC_GUESS | (0 if k3 else cv2.CALIB_FIX_K3)
    mm = [v.mm.astype(np.float32) for v in views]
    px = [v.px.astype(np.float32).reshape(-1, 1, 2) for v in views]
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 100, 1e-10)
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)  # several add up in any order, and a recording must give the same numbers every time
    try:
        rms, K, dist, turns, shifts = cv2.calibrateCamera(
            mm, px, start.size, start.K.copy(), start.dist.copy(), flags=flags, criteria=stop
        )
    finally:
        cv2.setNumThreads(threads)
    poses = tuple(
        (np.asarray(cv2.Rodrigues(r)[0], float), np.asarray(t, float).ravel())
        for r, t in zip(turns, shifts, strict=True)
    )
    lens = Lens(start.size, np.asarray(K, float), np.asarray(dist, float).ravel()[:5])
    return LensFit(lens, poses, tuple(views), float(rms))


def residuals_px(lens: Lens, pose: tuple[Array, Array], seen: SheetSeen) -> Array:
    """How far each corner lies from where the pose puts it."""
    R, t = pose
    at, _ = cv2.projectPoints(seen.mm, cv2.Rodrigues(R)[0], t, lens.K, lens.dist)
    off: Array = np.linalg.norm(at.reshape(-1, 2) - seen.px, axis=1)
    return off


def _without_outliers(fit: LensFit, index: int) -> SheetSeen:
    seen = fit.views[index]
    off = residuals_px(fit.lens, fit.poses[index], seen)
    keep = off <= OUTLIER * max(float(np.median(off)), 0.05)
    return seen.only(keep) if keep.sum() >= 6 else seen
