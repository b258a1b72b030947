"""A profile from whatever there is: a profile.json, stills, a flat sheet alone, or a camera that is shown the sheet."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.charuco import PAPER_MM, find_sheet, gray_of
from calibration.lens import Array, LensFit, fit_lens
from calibration.matching import sharpen
from calibration.outline import find_outline, on_surface
from calibration.pose import board_pose
from calibration.profile import Profile
from calibration.quality import plane_error_mm, smallest_margin_mm
from calibration.quick import quick_error_mm, quick_fit
from calibration.stills import Stills, read_flat, read_stills
from calibration.wizard import Advice, Wizard
from hardware.errors import TableError
from hardware.frames import Frame, Image

WORST_REPROJECTION_PX = 1.0
"""Beyond this the stills are blurred, the paper is bent, or the pictures are of different cameras."""


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
    fit = sharpen(fit_lens((stills.flat, *stills.tilted), stills.size), stills.grays)
    if fit.reprojection_px > WORST_REPROJECTION_PX:
        raise TableError(
            f"the stills contradict each other by {fit.reprojection_px:.1f} px: are they blurred, or is the sheet bent?"
        )
    profile = _profile(fit, plane_error_mm(fit, _around_sheet()))
    return with_outline(profile, stills.flat_image) if board else profile


def from_flat_sheet(folder: Path, *, board: bool = True) -> Profile:
    """The quick way: board_sheet alone with a usual lens; the profile states the error that costs."""
    image, flat = read_flat(folder)
    fit = quick_fit(flat, (image.shape[1], image.shape[0]))
    profile = _profile(fit, quick_error_mm(fit))
    return with_outline(profile, image) if board else profile


def from_frames(
    frames: Iterable[Frame],
    size: tuple[int, int],
    say: Callable[[Advice], None],
    *,
    board: bool = True,
    keep: Callable[[Sequence[Image]], None] | None = None,
) -> Profile:
    """Calibrate from a camera or footage that is shown the sheet in many poses and then flat on the board.

    `keep` is given the pictures that were used, the flat one last.
    """
    wizard, kept = Wizard(size), list[Image]()
    for frame in frames:
        advice = wizard.show(find_sheet(frame.image), frame.t_ns)
        say(advice)
        if advice.take:
            kept.append(frame.image)
        if advice.done:
            if keep is not None:
                keep(kept)
            return from_stills(_as_stills(kept, size), board=board)
    raise TableError(f"the pictures ended with {len(kept)} good views of the sheet: {wizard.missing()}")


def with_outline(profile: Profile, image: Image) -> Profile:
    """The same profile with the board that is to be seen in the picture, if any."""
    found = find_outline(image, profile)
    return replace(profile, board_outline_mm=on_surface(found.shape, profile)) if found else profile


def _as_stills(kept: list[Image], size: tuple[int, int]) -> Stills:
    """Of the views kept by the guidance the last is the flat one."""
    seen = [(image, found) for image in [kept[-1], *kept[:-1]] if (found := find_sheet(image)) is not None]
    (flat_image, flat), tilted = seen[0], tuple(found for _, found in seen[1:])
    return Stills(size, flat, flat_image, tilted, tuple(gray_of(image) for image, _ in seen))


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
