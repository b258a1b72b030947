"""The stills of a calibration folder, read and checked at the door."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.charuco import Gray, SheetSeen, find_sheet, gray_of
from hardware.errors import TableError
from hardware.frames import Image
from hardware.pictures import read_picture

FEWEST_POSES = 4
"""Tilted views besides the flat sheet; with fewer the lens cannot be told from the tilt."""
SAME_POSE_PX = 3.0
"""A sheet that was held anew moved further than this."""
ENDINGS = (".png", ".jpg", ".jpeg")


@dataclass(frozen=True, slots=True, eq=False)
class Stills:
    size: tuple[int, int]
    flat: SheetSeen
    flat_image: Image
    tilted: tuple[SheetSeen, ...]
    grays: tuple[Gray, ...]
    """Of the flat sheet, then of the tilted ones."""


def read_stills(folder: Path) -> Stills:
    """board_sheet and calib_* of a folder; refuses what cannot make a calibration."""
    flat_image, flat = read_flat(folder)
    size = _size(flat_image)
    tilted = [_seen(file, size) for file in _tilted_files(folder)]
    found = [(gray, seen) for gray, seen in tilted if seen is not None]
    _enough(folder, len(found), len(tilted))
    poses = _distinct([flat, *(seen for _, seen in found)]) - 1
    if poses < FEWEST_POSES:
        raise TableError(
            f"the stills in {folder} show {poses} poses besides the flat sheet; {FEWEST_POSES} different ones needed"
        )
    grays = (gray_of(flat_image), *(gray for gray, _ in found))
    return Stills(size, flat, flat_image, tuple(seen for _, seen in found), grays)


def read_flat(folder: Path) -> tuple[Image, SheetSeen]:
    """The still with the sheet lying flat, and the sheet in it."""
    file = _flat_file(folder)
    image = read_picture(file)
    flat = find_sheet(image)
    if flat is None:
        raise TableError(
            f"no printed sheet found in {file.name}: lay it flat on the middle of the board, well lit"
        )
    return image, flat


def _enough(folder: Path, found: int, given: int) -> None:
    if given and not found:
        raise TableError(f"no printed sheet found in any of the {given} stills calib_* of {folder}")
    if found < FEWEST_POSES:
        raise TableError(
            f"{found} of {given} stills in {folder} show the sheet; {FEWEST_POSES} tilted poses are needed"
        )


def _distinct(views: Sequence[SheetSeen]) -> int:
    """How many different poses there are: the same picture again tells nothing about the lens."""
    kept: list[SheetSeen] = []
    for view in views:
        if not any(_same_pose(view, other) for other in kept):
            kept.append(view)
    return len(kept)


def _same_pose(one: SheetSeen, other: SheetSeen) -> bool:
    _, mine, yours = np.intersect1d(one.ids, other.ids, return_indices=True)
    return len(mine) > 0 and float(np.abs(one.px[mine] - other.px[yours]).max()) < SAME_POSE_PX


def _seen(file: Path, size: tuple[int, int]) -> tuple[Gray, SheetSeen | None]:
    image = read_picture(file)
    if _size(image) != size:
        raise TableError(
            f"the stills do not fit together: {file.name} is {_by(_size(image))}, board_sheet is {_by(size)}"
        )
    gray = gray_of(image)
    return gray, find_sheet(gray)


def _flat_file(folder: Path) -> Path:
    files = [folder / f"board_sheet{ending}" for ending in ENDINGS]
    file = next((f for f in files if f.exists()), None)
    if file is None:
        raise TableError(
            f"{folder} has no profile.json and no board_sheet.png (or .jpg): millimetres need a profile, stills of the "
            "sheet, or four known points ('referee replay VIDEO --points')"
        )
    return file


def _tilted_files(folder: Path) -> Sequence[Path]:
    return sorted(f for f in folder.glob("calib_*") if f.suffix.lower() in ENDINGS)


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _by(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"
