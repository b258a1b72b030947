"""What a table looks like before a match: one picture, how exact its calibration is, and where its zones lie."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import calibration
from hardware.cameras import open_camera
from hardware.frames import Frame
from referee.errors import TableError
from referee.film import as_jpeg
from referee.open_eyes import open_eyes
from referee.types import Point
from referee.veil import covered

WARM_UP = 8
"""Frames until a camera has found its exposure."""
WIDTH = 960


def preview(
    game: str,
    seats: tuple[str, ...],
    camera: str,
    profile: str | None,
    deck: str | None,
    placed: Mapping[str, Point],
    moved_px: Mapping[str, Point],
) -> dict[str, Any]:
    """The picture with everything that is known about it; what is missing is said in `trouble`."""
    frame = _still(camera)
    height, width = frame.image.shape[:2]
    seen: dict[str, Any] = {"size": [width, height], "zones": [], "placed": dict(placed)}
    if profile is None:
        trouble = "this camera is not calibrated: run 'referee calibrate', then name the profile"
        return seen | {"trouble": trouble, "calibration": None, "picture": _picture(frame, ())}
    eyes = open_eyes(game, seats, Path(profile), deck, (width, height), placed).eyes
    for zone, px in moved_px.items():
        eyes.place(zone, px)
    scene = {**eyes.scene(), "pieces": [], "cards": [], "dice": []}
    return (
        seen
        | scene
        | {
            "placed": dict(eyes.placed),
            "calibration": _quality(Path(profile), (width, height), game),
            "picture": _picture(
                frame, tuple(z["outline_px"] for z in scene.get("zones", ()) if not z["read"])
            ),
        }
    )


def _still(name: str) -> Frame:
    last: Frame | None = None
    with open_camera(name) as camera:
        for last in camera.frames():
            if last.index >= WARM_UP:
                break
    if last is None:
        raise TableError(f"{name} delivers no picture")
    return last


def _picture(frame: Frame, hidden_px: Any) -> str:
    """As a page takes it; hands have a curtain here, too."""
    jpeg = as_jpeg(covered(frame.image, hidden_px), WIDTH)
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()


def _quality(profile: Path, size: tuple[int, int], game: str) -> dict[str, float]:
    where = profile.parent if profile.is_file() else profile
    known = calibration.from_folder(where, size=size, board=game == "rocca")
    return {
        "reprojection_px": round(known.reprojection_px, 3),
        "plane_error_mm": round(known.plane_error_mm, 3),
        "smallest_margin_mm": round(known.smallest_margin_mm, 3),
    }
