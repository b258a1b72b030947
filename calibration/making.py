"""A profile from whatever a folder holds."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.charuco import PAPER_MM
from calibration.lens import Array, LensFit, fit_lens
from calibration.matching import sharpen
from calibration.outline import find_outline, on_surface
from calibration.pose import board_pose
from calibration.profile import Profile
from calibration.quality import plane_error_mm, smallest_margin_mm
from calibration.stills import Stills, read_stills
from hardware.errors import TableError


def from_folder(folder: Path, *, size: tuple[int, int] | None = None, board: bool = True) -> Profile:
    """The profile.json of a folder, or one made on the fly from its stills; nothing is written.

    `size` is that of the footage to be judged; `board` is False for games played on the bare table.
    """
    if not folder.is_dir():
        raise TableError(f"there is no calibration folder {folder}")
    stored = folder / "profile.json"
    profile = Profile.load(stored) if stored.exists() else from_stills(read_stills(folder), board=board)
    return profile if size is None else profile.fitting(size)


def from_stills(stills: Stills, *, board: bool = True) -> Profile:
    """Lens and table plane from the stills, and the outline of the board when one is to be seen."""
    views = (stills.flat, *stills.tilted)
    fit = sharpen(fit_lens(views, stills.size), stills.grays)
    error = plane_error_mm(fit, _around_sheet())
    profile = _profile(fit, error)
    found = find_outline(stills.flat_image, profile) if board else None
    return replace(profile, board_outline_mm=on_surface(found.shape, profile)) if found else profile


def _profile(fit: LensFit, error_mm: float) -> Profile:
    R, t = board_pose(fit.poses[0])
    distance = float((R.T @ t)[2])
    return Profile(
        image_size=fit.lens.size,
        K=_rows(fit.lens.K),
        dist=_row(fit.lens.dist),
        R=_rows(R),
        t_mm=_row(t),
        board_outline_mm=None,
        reprojection_px=fit.reprojection_px,
        plane_error_mm=error_mm,
        smallest_margin_mm=smallest_margin_mm(error_mm, abs(distance) / float(fit.lens.K[0, 0])),
    )


def _around_sheet() -> Array:
    return np.array([[-1.0, -1.0], [1.0, 1.0]]) * max(PAPER_MM) * 0.6


def _row(values: Array) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


def _rows(matrix: Array) -> tuple[tuple[float, ...], ...]:
    return tuple(_row(row) for row in matrix)
