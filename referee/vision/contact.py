"""The side of a piece that is turned from the light: where piece and shadow meet.

All pieces on one board turn their dark side the same way. There a ray that leaves a piece falls into its shadow, and
only later comes out into the light. That last step is often the stronger one, and no outline.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.board import Field, Flags, shade_of
from referee.vision.outline import Traced, redrawn
from referee.vision.ovals import RAYS, STEP_PX, TOWARDS, Points, Radii, from_hull, rays
from referee.vision.paths import Path, cheapest_ways

AVERTED, MOST_AVERTED = 0.35, 0.7
"""How far a ray points away from the light, as a cosine: rays that may end in shadow, and those that surely do."""
FOOT = 6
"""Steps over which a fall is measured. The outline lies at its foot: the averted rim is dark itself."""
FALL = 0.3
"""Least fall from a piece into its shadow, in logarithms over three channels."""
SHADOW, TINT = -0.25, 0.45
"""Least depth of the shadow, and how far its channels may part, as a share of that: coloured glass is no shadow."""
DARK = -0.2
"""Most light on the averted side of a piece that may be taken for its shadow, or its shadow for it."""
INNERMOST, BEYOND_PX = 0.45, 1.0
"""Piece and shadow meet outside this share of the outline's radius, and at most so far beyond it."""
HOLD, FORBIDDEN = 0.3, 5.0
"""Price of leaving the outline on the lit side, per square pixel; of any place where the two cannot meet."""
ENDED, ENDED_PX = 0.5, (2.0, 3.0)
"""An outline that took a shadow in ends where that ends: so far beyond it no more than this share of it is left."""
SOFT, AT_MOST, ACROSS_PX = 0.5, 0.2, 1.0
"""Step of light at the end of a shadow, from so far within the outline to so far without: a piece ends in more. And how
much this tells at most, for a small lamp throws hard shadows."""
FAR_PX = 3.0
"""An outline that ends so far beyond where they meet has taken in a whole shadow; then its fellows have too."""
LIKELY = 0.38
"""What must speak for that, see `Meeting.likely`; on the mean of all for whole shadows."""
REMEMBERED, ALONE = 40, 0.5
"""Pieces that are remembered, at one look or several; how many to which nothing points are counted with them."""
SHADOWS, SOME = 16, 4
"""Of so many it is remembered what lies beyond them; and others that tell what is usual."""
UNTINTED, MOST_OF_THEM = 3, 0.55
"""Dyed pieces that must have taken a thin shadow in, and the share of them, for any to be believed."""
DIMMEST = 0.05
"""Lit rims less dark than this are all the same."""
SHAPE = 3
"""Harmonics of an outline of which one side was hardly seen."""
VARIES = 0.06
"""Standard error of the part that is taken off, as a share."""
RIM = 0.2
"""In a soft light the averted rim is as dark as its shadow: of what lies beyond where they seem to meet so much is
piece."""


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Where a piece and its shadow seem to meet."""

    middle: Points
    radii: Radii
    """Of the outline, but on the averted side to where they meet."""
    beyond_px: float
    """How far beyond that the outline was traced; less than 0 when it ended too soon."""
    likely: float
    """How much darker than the lit rim the part beyond is, and how much rounder the piece without it; as logarithms."""
    soft: float
    """How much less of a step there is at the outline than where a piece ends."""
    ended: bool
    """Whether no shadow goes on beyond the outline."""


@dataclass(frozen=True, slots=True, eq=False)
class _Fall:
    """A piece read along its rays, and how they fall on the side turned from the light."""

    middle: Points
    radii: Radii
    soft: Field
    shade: Field
    falls: Field


def meetings(outlines: Sequence[Traced], ratio: Field, way: Points) -> list[Meeting | None]:
    """Where dark pieces and their shadows meet, if they have one; `way` is where all shadows fall."""
    toward = TOWARDS @ way
    falls = [_fall(one, ratio, toward > AVERTED) for one in outlines]
    paths = iter(
        paths_along(
            [(f.falls, _possible(f.falls, f.radii), f.radii) for f in falls if f is not None],
            toward > AVERTED,
        )
    )
    return [None if fall is None else _meeting(fall, next(paths), way) for fall in falls]


def _fall(traced: Traced, ratio: Field, averted: Flags) -> _Fall | None:
    """How its rays fall into shadow; None where they do not."""
    middle, radii = from_hull(traced.points)
    along = rays(ratio, middle[None], float(radii.max()) + FOOT)[0]
    soft = np.asarray(cv2.blur(along, (3, 3), borderType=cv2.BORDER_REPLICATE), np.float32)
    shade = shade_of(soft)
    falls = _falls(soft, shade, radii)
    enough = falls[averted].max(axis=1).mean() >= FALL
    return _Fall(middle, radii, soft, shade, falls) if enough else None


def _meeting(fall: _Fall, path: Path, way: Points) -> Meeting | None:
    """Where piece and shadow meet along the path, if what lies beyond it is one."""
    radii, shade, toward = fall.radii, fall.shade, TOWARDS @ way
    met, most = np.where(toward > AVERTED, path * STEP_PX, radii), toward > MOST_AVERTED
    if fall.falls[most, path[most]].mean() < FALL or mean_along(shade, most, met - 5, met - 3) > DARK:
        return None
    between, beyond_px = (met + 1, np.maximum(radii - 1, met + 3)), float((radii - met)[most].mean())
    depth = -mean_along(shade, most, *between)
    tint = mean_along(np.linalg.norm(fall.soft - shade[..., None], axis=2), most, *between)
    if depth < -SHADOW or tint > TINT * depth:
        return None
    rim = -mean_along(shade, toward < -MOST_AVERTED, radii - max(beyond_px, 2.0), radii - 1)
    likely = float(np.log(depth / max(rim, DIMMEST))) + _oblong(radii, way) - _oblong(met, way)
    soft_end = float(np.clip(SOFT - _step(shade, most, radii), -AT_MOST, AT_MOST))
    left = -mean_along(shade, most, *(radii + px for px in ENDED_PX))
    return Meeting(fall.middle, met, beyond_px, likely, soft_end, left < ENDED * depth)


class Fellows:
    """What the pieces seen on one board so far tell of one another."""

    def __init__(self) -> None:
        self._likely = deque[float](maxlen=REMEMBERED)
        self._uneven = deque[float](maxlen=REMEMBERED)
        self._beyond = deque[Field](maxlen=SHADOWS)
        self._untinted = deque[bool](maxlen=REMEMBERED)

    def took_theirs(self, meetings: Sequence[Meeting | None]) -> bool:
        """Whether these and those before took whole shadows in; one alone hardly tells."""
        far = (m for m in meetings if m is not None and m.ended and m.beyond_px > FAR_PX)
        self._likely += [m.likely + m.soft for m in far]
        return sum(self._likely) > LIKELY * (len(self._likely) + ALONE)

    def unevenness(self, shares: Sequence[float]) -> float:
        """How uneven most outlines are, these and those before."""
        self._uneven += shares
        return float(np.median(self._uneven)) if self._uneven else 0.0

    def took_untinted(self, took: Sequence[bool]) -> bool:
        """Whether most dyed pieces, these and those before, took thin shadows in that have no tint."""
        self._untinted += took
        return sum(self._untinted) >= max(UNTINTED, MOST_OF_THEM * len(self._untinted))

    def shadows(self, beyond: Field) -> Field | None:
        """For each piece what lies beyond the rims of most others, ray by ray; None where too few tell of it."""
        known = np.array([*self._beyond, *beyond])
        self._beyond += list(beyond)
        if len(known) <= SOME:
            return None
        known.sort(axis=0)
        low = (len(known) - 1) // 2
        # Without its own: what comes after that moves up by one.
        return np.asarray(np.where(known[low] < beyond, known[low], known[low + 1]), np.float32)


def without_cast(
    traced: Sequence[Traced], meetings: Sequence[Meeting | None], fellows: Fellows
) -> list[Traced]:
    """The outlines without the shadows they took in, and with the dark rims they left out."""
    all_took_it = fellows.took_theirs(meetings)
    return [
        one if met is None or not _believed(met, all_took_it) else _drawn(one, met)
        for one, met in zip(traced, meetings, strict=True)
    ]


def _believed(met: Meeting, all_took_it: bool) -> bool:
    if met.beyond_px < 0:
        return True
    return met.ended and (all_took_it if met.beyond_px > FAR_PX else met.likely > LIKELY)


def _drawn(traced: Traced, met: Meeting) -> Traced:
    own = RIM * (1 + met.soft / AT_MOST) / 2
    radii = met.radii + own * np.maximum(from_hull(traced.points)[1] - met.radii, 0)
    return redrawn(traced, met.middle, radii, SHAPE, VARIES * met.beyond_px)


def _step(shade: Field, rays_: Flags, radii: Radii) -> float:
    """How much lighter it gets along some rays across an outline."""
    beyond, within = (
        mean_along(shade, rays_, radii + px, radii + px + STEP_PX) for px in (ACROSS_PX, -ACROSS_PX)
    )
    return beyond - within


def _falls(soft: Field, shade: Field, radii: Radii) -> Field:
    """For each step of each ray how far it lies at the foot of a fall into shadow, 0 to 1."""
    step = np.clip(soft[:, :-FOOT] - soft[:, FOOT:], 0, None)
    falls = np.zeros(shade.shape, np.float32)
    falls[:, FOOT:] = np.minimum(np.sqrt(np.einsum("rsc,rsc->rs", step, step)), 1)
    falls[np.roll(shade, -FOOT // 2, axis=1) > SHADOW] = 0
    return np.where(_possible(shade, radii), falls, np.float32(0))


def _possible(shade: Field, radii: Radii) -> Flags:
    distance = np.arange(shade.shape[1]) * STEP_PX
    return (distance > INNERMOST * radii[:, None]) & (distance < radii[:, None] + BEYOND_PX)


def paths_along(gains: Sequence[tuple[Field, Flags, Radii]], averted: Flags) -> list[Path]:
    """For each piece the steps along which most is gained on the averted side, joined to its outline on the other.

    Of each what is gained at each step, where that is possible, and the radii of the outline.
    """
    # Begun and ended in the middle of the lit side, where the outline holds it.
    x, y = TOWARDS[~averted].sum(axis=0)
    order = (round(float(np.arctan2(y, x)) * RAYS / (2 * np.pi)) + np.arange(RAYS)) % RAYS
    back = np.argsort(order)
    return [path[back] for path in cheapest_ways([_held(*one, averted)[order] for one in gains])]


def _held(gain: Field, possible: Flags, radii: Radii, averted: Flags) -> Field:
    """What it costs to go along each step of each ray."""
    distance = np.arange(gain.shape[1]) * STEP_PX
    held = HOLD * (distance - radii[:, None]) ** 2
    met = np.where(possible, -gain, FORBIDDEN)
    return np.where(averted[:, None], met, held).astype(np.float32)


def mean_along(values: Field, rays_: Flags, first: Radii, last: Radii) -> float:
    """The mean along some rays from one distance to another."""
    distance = np.arange(values.shape[1]) * STEP_PX
    where = rays_[:, None] & (distance >= first[:, None]) & (distance <= last[:, None])
    return float(values[where].mean()) if where.any() else 0.0


def _oblong(radii: Radii, way: Points) -> float:
    """How much longer along the light than across it an outline is, or shorter, as a logarithm."""
    spots = radii[:, None] * TOWARDS
    along, across = spots @ way, spots @ np.array([-way[1], way[0]])
    return abs(float(np.log(np.ptp(along) / np.ptp(across))))
