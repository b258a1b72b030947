"""The thin, hard shadow beside a dyed piece: it is as dark as a rim may be, but it has none of the piece's tint.

A small lamp throws shadows with edges as sharp as those of pieces. Where one is but a pixel or two wide, the outline
runs along its far side, which is the stronger edge on a pale board. The tint of a dyed piece ends where the piece ends.
Compression smears tints, but all round a piece by as much: how far it does so is seen on the side of the light, where
no shadow lies.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.vision.board import Field, Flags, shade_of
from referee.vision.contact import Fellows
from referee.vision.outline import FINE, Traced, redrawn
from referee.vision.ovals import RAYS, STEP_PX, TOWARDS, Points, Radii, from_hull, rays

DYED = 0.3
"""Least tint of a piece against the board, in logarithms over three channels."""
BRIGHT = 4.4
"""Least light of a piece in its brightest colour, as the logarithm of grey levels: a dark one shows no tint."""
CORE = (0.35, 0.8)
"""Where that is looked up, in radii."""
INNERMOST, BEYOND_PX, REACH_PX = 0.5, 3.0, 6.0
"""Where a tint may end: from so many radii to so far beyond the outline; and how far rays reach beyond it."""
LEAST_PX, MOST_PX = 0.5, 6.0
"""How much sooner than on the side of the light the tint must end, and may end, before the outline does."""
DARK = -0.25
"""Most light of what lies between: a shadow, and no rim that mirrors the board."""
LIT, AVERTED = 0.0, -0.2
"""How far a ray points along the way of shadows, as a cosine: on the side of the light, and where shadows may lie."""
FEWEST_LIT, FEWEST = 12, 5
"""Rays that must tell how far tints are smeared, and rays along which a shadow must have been taken in."""
SMEARED = 30
"""Where nobody knows from which side the light comes: so many in a hundred of the rays end before the tint is smeared
by more than on the side of the light."""
OFF = 0.3
"""Standard error of what is taken off, as a share of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Crescent:
    """What a dyed piece's outline took in that has none of its tint."""

    middle: Points
    radii: Radii
    """Without it."""
    width_px: float
    """The mean of it, where there is some."""


def without_untinted(
    outlines: Sequence[Traced], ratio: Field, log: Field, way: Points | None, fellows: Fellows
) -> list[Traced]:
    """The outlines of dyed pieces without the thin shadows beside them, if most of them took one in.

    `ratio` is the logarithm of picture over empty board, `log` that of the picture; `way` is where all shadows fall.
    """
    told = [_crescent(one.points, ratio, log, way) for one in outlines]
    dyed = [crescent for crescent in told if crescent is not None]
    if not fellows.took_untinted([crescent.width_px > 0 for crescent in dyed]):
        return list(outlines)
    return [
        one
        if crescent is None or not crescent.width_px
        else redrawn(one, crescent.middle, crescent.radii, FINE, OFF * crescent.width_px)
        for one, crescent in zip(outlines, told, strict=True)
    ]


def _crescent(points: Points, ratio: Field, log: Field, way: Points | None) -> Crescent | None:
    """What has no tint at the rim of a dyed piece; None for one that is not dyed, or too dark to tell."""
    middle, radii = from_hull(points)
    reach_px = float(radii.max()) + REACH_PX
    along = rays(ratio, middle[None], reach_px)[0]
    distance = np.arange(along.shape[1]) * STEP_PX
    core = (distance > CORE[0] * radii[:, None]) & (distance < CORE[1] * radii[:, None])
    shade = shade_of(along)
    tint = along - shade[..., None]
    dye = np.median(tint[core], axis=0)
    if np.linalg.norm(dye) < DYED:
        return None
    if np.median(rays(log, middle[None], reach_px)[0][core], axis=0).max() < BRIGHT:
        return None
    ends = _ends((tint @ dye) / float(dye @ dye), radii, distance)
    sooner = radii - ends - _smeared(radii - ends, way)
    took = (sooner > LEAST_PX) & (_between(shade, ends, radii, distance) < DARK)
    if way is not None:
        took &= TOWARDS @ way > AVERTED
    if np.count_nonzero(took) < FEWEST:
        return Crescent(middle, radii, 0.0)
    width = np.where(took, np.minimum(sooner, MOST_PX), 0)
    return Crescent(middle, radii - width, float(width[took].mean()))


def _ends(share: Field, radii: Radii, distance: Radii) -> Radii:
    """Where the tint along each ray falls below half of the piece's, outermost; nan where it never does."""
    possible = (distance > INNERMOST * radii[:, None]) & (distance < radii[:, None] + BEYOND_PX)
    falls = (share[:, :-1] > 0.5) & (share[:, 1:] <= 0.5) & possible[:, 1:]
    last = falls.shape[1] - 1 - falls[:, ::-1].argmax(axis=1)
    before, after = (share[np.arange(RAYS), last + k] for k in (0, 1))
    part = (before - 0.5) / np.maximum(before - after, 1e-6)
    return np.where(falls.any(axis=1), (last + part) * STEP_PX, np.nan)


def _smeared(before: Radii, way: Points | None) -> float:
    """How far before the outline the tint ends where no shadow lies; nan where too few rays tell."""
    lit = before if way is None else before[TOWARDS @ way < LIT]
    known = lit[np.isfinite(lit)]
    if len(known) < FEWEST_LIT:
        return float("nan")
    return float(np.percentile(known, SMEARED) if way is None else np.median(known))


def _between(shade: Field, ends: Radii, radii: Radii, distance: Radii) -> Radii:
    """How light it is between the end of the tint and the outline, ray by ray."""
    where: Flags = (distance > ends[:, None] + STEP_PX / 2) & (distance < radii[:, None])
    return np.asarray(np.where(where, shade, 0).sum(axis=1) / np.maximum(where.sum(axis=1), 1), float)
