"""A piece that moved, on the board in millimetres: where it was seen, where it rested, and what of that is bias."""

import math
from dataclasses import dataclass, replace

import numpy as np

from calibration.profile import Profile
from referee.types import Piece, Point
from referee.vision.motion import Spots, to_raw
from referee.watch.following import Sighting, Trail

AT_HOME_MM = 2.5
NEAR_HOME_MM, HAND_OFF = 6.0, 8.0
"""A sighting so near to its place is of the piece at rest; and a hand so many half pixels off does not disturb it."""
LAST = 3
"""Sightings that tell where something seems to lie."""

RESTS, CLEAR_MM, RESTED_SIGMA_MM = 0.2, 25.0, 1.0
"""Radii that a piece at rest seems to move over the last sightings, space to any hand and to its first place that it
was seen to go there by itself, and the standard error of an outline that is only carried there."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece was in one frame, on the board."""

    index: int
    t_ns: int
    mm: Point
    reach_mm: float
    """Space between its rim and the nearest hand, about; negative under it."""


@dataclass(frozen=True, slots=True)
class Mover:
    """A piece that moved, with what was seen of its way."""

    start: Piece
    end: Piece | None
    """None when it is no longer on the board."""
    end_px: Point | None
    places: tuple[Place, ...]
    """In order of time; frames in which it was hidden are missing."""
    rested: tuple[Place, ...]
    """Where it was seen at rest before the hand came over it."""
    left_ns: int | None = None
    """The last moment at which nothing was seen ahead of its first place; None when the hand hid that."""
    lain_ns: int = -1
    """The last moment at which it was surely seen in its first place; -1 when it never was."""
    led: bool = False
    """Whether a hand was seen to go along with it."""

    @property
    def id(self) -> int:
        return self.start.id


def mover(
    start: Piece,
    fore: Trail,
    way: list[Sighting],
    ends: list[Piece],
    fallen_px: tuple[Point, ...],
    partner: int | None,
    profile: Profile,
) -> Mover:
    end = ends[partner] if partner is not None and partner < len(ends) else None
    end_px = end.px if end else None
    if partner is not None and len(ends) <= partner < len(ends) + len(fallen_px):
        end_px = fallen_px[partner - len(ends)]
    first = [
        p for p in _places(fore.sightings, start, None, profile) if math.dist(p.mm, start.mm) < AT_HOME_MM
    ]
    places = tuple(_places(way, start, end, profile))
    if end_px is None:
        end = seen_to_rest(start, places, way, fore.radius)
        end_px = end.px if end else None
    return Mover(start, end, end_px, places, tuple(first))


def seen_to_rest(start: Piece, places: tuple[Place, ...], way: list[Sighting], radius: float) -> Piece | None:
    """A piece that slid away and came to rest before all eyes, and is hard to see at rest: it lies there as it lay."""
    last = places[-LAST:]
    if len(last) < LAST or np.linalg.norm(way[-1].spot - way[-LAST].spot) > RESTS * radius:
        return None
    if min(p.reach_mm for p in last) < CLEAR_MM or math.dist(last[-1].mm, start.mm) < CLEAR_MM:
        return None
    x, y = (sum(p.mm[k] for p in last) / LAST for k in (0, 1))
    outline = tuple((px + x - start.mm[0], py + y - start.mm[1]) for px, py in start.outline_mm)
    spot = to_raw(np.mean([s.spot for s in way[-LAST:]], axis=0))
    return replace(
        start,
        px=(float(spot[0]), float(spot[1])),
        mm=(x, y),
        outline_mm=outline,
        sigma_mm=math.hypot(start.sigma_mm, RESTED_SIGMA_MM),
    )


def _places(sightings: list[Sighting], start: Piece, end: Piece | None, profile: Profile) -> list[Place]:
    """Sightings on the board; the blob's own bias, known where the piece rests, is taken off."""
    if not sightings:
        return []
    spots = profile.to_board(to_raw(np.array([s.spot for s in sightings])))
    spots = spots + bias_of(spots, np.array([s.reach for s in sightings]), start, end)
    scale = mm_per_half_pixel(sightings[-1].spot, profile)
    return [
        Place(s.index, s.t_ns, (float(x), float(y)), s.reach * scale)
        for s, (x, y) in zip(sightings, spots, strict=True)
    ]


def bias_of(spots: Spots, reach: Spots, start: Piece, end: Piece | None) -> Spots:
    """What to add to each sighting: as it lay, and as it lies where it may touch others and seem to be elsewhere."""
    at_home = np.linalg.norm(spots - start.mm, axis=1) < NEAR_HOME_MM
    alone = at_home & (reach > HAND_OFF)
    first = np.array(start.mm) - np.median(spots[at_home], axis=0) if at_home.any() else np.zeros(2)
    if end is None or len(spots) < LAST:
        return np.broadcast_to(first, spots.shape)
    last = np.array(end.mm) - np.median(spots[-LAST:], axis=0)
    if alone.sum() < LAST or math.dist(start.mm, end.mm) < 2 * NEAR_HOME_MM:
        return np.broadcast_to(last, spots.shape)
    first = np.array(start.mm) - np.median(spots[alone], axis=0)
    late = np.clip(np.arange(len(spots)) - (len(spots) - 2 * LAST), 0, LAST)[:, None] / LAST
    return np.asarray(first + late * (last - first), float)


def mm_per_half_pixel(spot: Spots, profile: Profile) -> float:
    ends = profile.to_board(to_raw(np.array([spot, spot + np.array([1.0, 0.0])])))
    return float(np.linalg.norm(ends[1] - ends[0]))
