"""From the silhouette the camera sees to the footprint seen from straight above."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.profile import Profile
from referee.vision.ovals import Points, centroid

LUMP, LENS = 0.32, 0.15
"""Height of the widest girth over the board, as a share of the width: natural lumps, and round flat-lying things."""
LUMP_ROUNDNESS, LENS_ROUNDNESS, HARDLY_ANY = 0.91, 0.925, 15
"""Short over long axis that all but so many in a hundred of the pieces have: what is made so round is made to lie flat.
Of natural lumps some are as round by chance, but never nearly all."""
MOTLEY, HALF = 0.3, 50
"""How far tints are from the middle one, in logarithms, where pieces are dyed: those are cast or pressed, and it is
enough that so many in a hundred are round. Seeds and stones of one set differ by a third of that."""
GIRTH_SIGMA = 0.06
"""How much that share varies from piece to piece."""


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    outline_mm: Points
    """Counter-clockwise."""
    centre_mm: Points
    sigma_mm: float


def girth_share(silhouettes_mm: Sequence[Points], colours: Sequence[Points] = ()) -> float:
    """How high the widest part of these pieces is, as a share of their width, guessed from how round they are.

    `colours` are their own, in logarithms.
    """
    if not silhouettes_mm:
        return LUMP
    long, short = np.array([_axes(s) for s in silhouettes_mm]).T
    roundness = float(np.percentile(short / long, HALF if _motley(colours) else HARDLY_ANY))
    flatness = (roundness - LUMP_ROUNDNESS) / (LENS_ROUNDNESS - LUMP_ROUNDNESS)
    return LUMP + (LENS - LUMP) * float(np.clip(flatness, 0, 1))


def _motley(colours: Sequence[Points]) -> bool:
    """Whether pieces have colours of all kinds."""
    if not len(colours):
        return False
    tints = np.array(colours) - np.mean(colours, axis=1, keepdims=True)
    off = tints - np.median(tints, axis=0)
    return float(np.sqrt((off * off).sum(axis=1).mean())) > MOTLEY


def footprint(silhouette_px: Points, profile: Profile, share: float, sigma_px: float) -> Footprint:
    """The silhouette carried down its rays to the height of the widest girth, and shortened along the line of sight."""
    flat = profile.to_board(silhouette_px)
    width = _axes(flat)[1]
    girth = share * width
    seen = profile.to_board(silhouette_px, girth)
    middle = centroid(seen)
    away = middle - profile.camera_mm[:2]
    slope = float(np.hypot(*away)) / float(profile.camera_mm[2] - girth)
    outline = _shortened(seen, middle, away, slope, 2 * share)
    mm_per_px = float(np.sqrt(_area(flat) / _area(silhouette_px)))
    sigma = float(np.hypot(sigma_px * mm_per_px, slope * GIRTH_SIGMA * width))
    return Footprint(_counter_clockwise(outline), middle, float(np.hypot(sigma, profile.plane_error_mm)))


def _shortened(outline: Points, middle: Points, away: Points, slope: float, steepness: float) -> Points:
    """A slanting look sees some of the flank: take it off along the line of sight."""
    if not np.hypot(*away):
        return outline
    sight = away / np.hypot(*away)
    along = (outline - middle) @ sight
    longer = np.sqrt(1 + (steepness * slope) ** 2)
    return outline + np.outer(along * (1 / longer - 1), sight)


def _axes(outline: Points) -> tuple[float, float]:
    """Long and short axis of an outline."""
    (_, (a, b), _) = cv2.minAreaRect(outline.astype(np.float32))
    return max(a, b, 1e-6), max(min(a, b), 1e-6)


def _area(outline: Points) -> float:
    return float(abs(_signed_area(outline)))


def _signed_area(outline: Points) -> float:
    following = np.concatenate([outline[1:], outline[:1]])
    return float((outline[:, 0] * following[:, 1] - following[:, 0] * outline[:, 1]).sum() / 2)


def _counter_clockwise(outline: Points) -> Points:
    return outline if _signed_area(outline) > 0 else outline[::-1]
