"""The outline as people tapped it on the live picture, put onto the nearest edges."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.edges import edge_field, paper_outline_mm
from calibration.outline import on_surface
from calibration.profile import Profile
from calibration.settling import settle
from calibration.shapes import Shape, circle, score
from hardware.errors import TableError
from hardware.frames import Image

FEWEST = 4
ROUND_MM = 4.0
"""Taps this close to a circle mean a round board."""


def outline_from_taps(
    taps_px: Sequence[tuple[float, float]], profile: Profile, image: Image | None = None
) -> tuple[tuple[float, float], ...]:
    """Four corners, or more taps along the rim; with a picture the outline settles on the edges near the taps."""
    if len(taps_px) < FEWEST:
        raise TableError(
            f"{len(taps_px)} taps are too few for the outline of the board: tap {FEWEST} corners or more"
        )
    shapes = _meant(profile.to_board(np.array(taps_px, float)))
    if image is None:
        return on_surface(shapes[0], profile)
    field = edge_field(image, profile, paper_outline_mm())
    return on_surface(max((settle(field, s, 8.0) for s in shapes), key=lambda s: score(field, s)), profile)


def _meant(mm: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[Shape]:
    """What the taps can mean, the likeliest first."""
    hull = cv2.convexHull(mm.astype(np.float32)).reshape(-1, 2).astype(float)
    if len(hull) < FEWEST:
        raise TableError("the taps do not go around the board: tap its corners, or places all along its rim")
    area = (hull[:, 0] * np.roll(hull[:, 1], -1) - np.roll(hull[:, 0], -1) * hull[:, 1]).sum()
    hull = hull if area > 0 else hull[::-1]
    straight = Shape("rectangle" if len(hull) == 4 else "polygon", hull, len(hull))
    terms = np.c_[2 * mm, np.ones(len(mm))]
    (x, y, rest), *_ = np.linalg.lstsq(terms, (mm**2).sum(1), rcond=None)
    radius = float(np.sqrt(max(rest + x * x + y * y, 1.0)))
    off = float(np.abs(np.hypot(mm[:, 0] - x, mm[:, 1] - y) - radius).max())
    if off > ROUND_MM:
        return [straight]
    ring = circle(float(x), float(y), radius)
    return [straight, ring] if len(mm) == FEWEST else [ring, straight]
