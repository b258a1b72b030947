"""From trails in pixels to movements in millimetres: who moved when, how fast, and how near the hand was."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Outline, Piece, Point
from referee.vision.motion import Glimpse, Spots, plate_between, drawn, to_half, to_raw
from referee.watch.changes import Changes, half_area
from referee.watch.following import HalfFrame, Sighting, Trail, follow
from referee.watch.scenes import Scene

MOVED_MM = 1.0
"""A kept piece that shifted more is followed through the frames."""
PATIENCE = 3
WIDER = 8.0
"""Half pixels by which the search for a piece that vanished widens with every frame."""


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

    @property
    def id(self) -> int:
        return self.start.id


def movers(changes: Changes) -> tuple[list[tuple[Piece, Piece]], list[Piece], list[Piece]]:
    """Kept pieces that shifted, pieces gone, pieces come."""
    shifted = [(k.before, k.after) for k in changes.kept if k.shift_mm > MOVED_MM]
    return shifted, list(changes.gone), list(changes.come)


def moving_plate(scene: Scene, changes: Changes, profile: Profile) -> Image:
    """The board without any piece that moved."""
    shifted, gone, come = movers(changes)
    left = [_half_outline(p, profile) for p in [a for a, _ in shifted] + gone]
    taken = [_half_outline(p, profile) for p in [b for _, b in shifted] + come]
    shape = scene.before.small.shape
    return plate_between(scene.before.small, scene.after.small, drawn(left, shape, 4), drawn(taken, shape, 3))


def _half_outline(piece: Piece, profile: Profile) -> Spots:
    return to_half(profile.to_pixels(np.array(piece.outline_mm)))


def _trail(px: Point, outline_mm: Outline, profile: Profile) -> Trail:
    return Trail(to_half(np.array(px)), math.sqrt(half_area(outline_mm, profile) / math.pi))


def track(
    frames: tuple[HalfFrame, ...], seen: tuple[Glimpse, ...], changes: Changes, profile: Profile
) -> tuple[Mover, ...]:
    """Follow everything that moved, backwards from its rest and forwards from its start, and join the two."""
    shifted, gone, come = movers(changes)
    ends: list[Piece] = [b for _, b in shifted] + come
    starts: list[Piece] = [a for a, _ in shifted] + gone
    shape = starts[0].outline_mm if starts else (ends[0].outline_mm if ends else ())
    back = [_trail(b.px, b.outline_mm, profile) for b in ends]
    back += [_trail(px, shape, profile) for px in changes.fallen_px if shape]
    fore = [_trail(a.px, a.outline_mm, profile) for a in starts]
    follow(frames[::-1], seen[::-1], back, PATIENCE)
    partner = _partners(starts, len(shifted), back, profile)
    for trail, mate in zip(fore, partner, strict=True):
        trail.spread = WIDER if mate is None else 0.0
    follow(frames, seen, fore, PATIENCE + 9)
    return tuple(
        _mover(start, fore[k], back, ends, changes.fallen_px, partner[k], profile)
        for k, start in enumerate(starts)
    )


def _partners(starts: list[Piece], fixed: int, back: list[Trail], profile: Profile) -> list[int | None]:
    """Which trail belongs to which start: kept pieces know, the others by where their trail begins and by size."""
    partner: list[int | None] = [k if k < fixed else None for k in range(len(starts))]
    free_starts, free_trails = range(fixed, len(starts)), range(fixed, len(back))
    if not free_starts or not free_trails:
        return partner
    cost = np.array([[_mismatch(starts[s], back[t], profile) for t in free_trails] for s in free_starts])
    for s, t in zip(*linear_sum_assignment(cost), strict=True):
        partner[free_starts[int(s)]] = free_trails[int(t)]
    return partner


def _mismatch(start: Piece, trail: Trail, profile: Profile) -> float:
    first = trail.sightings[-1].spot if trail.sightings else trail.spot
    away = float(np.linalg.norm(first - to_half(np.array(start.px))))
    size = math.sqrt(half_area(start.outline_mm, profile) / math.pi)
    return away + 20 * abs(math.log(size / trail.radius))


def _mover(
    start: Piece,
    fore: Trail,
    back: list[Trail],
    ends: list[Piece],
    fallen_px: tuple[Point, ...],
    partner: int | None,
    profile: Profile,
) -> Mover:
    end = ends[partner] if partner is not None and partner < len(ends) else None
    end_px = end.px if end else None
    if partner is not None and end is None:
        end_px = fallen_px[partner - len(ends)]
    rested = tuple(_places(fore.sightings, start, start, profile))
    seen = back[partner].sightings[::-1] if partner is not None else fore.sightings
    return Mover(start, end, end_px, tuple(_places(seen, start, end, profile)), rested)


def _places(sightings: list[Sighting], start: Piece, end: Piece | None, profile: Profile) -> list[Place]:
    """Sightings on the board; the blob's own bias, known where the piece rests, is taken off."""
    if not sightings:
        return []
    spots = profile.to_board(to_raw(np.array([s.spot for s in sightings])))
    spots = spots + _bias(spots, start, end)
    scale = _mm_per_half_pixel(sightings[-1].spot, profile)
    return [
        Place(s.index, s.t_ns, (float(x), float(y)), s.reach * scale)
        for s, (x, y) in zip(sightings, spots, strict=True)
    ]


def _bias(spots: Spots, start: Piece, end: Piece | None) -> Spots:
    if end is not None and len(spots) >= 3:
        return np.array(end.mm) - np.median(spots[-3:], axis=0)
    near = np.linalg.norm(spots - start.mm, axis=1) < 6
    return np.array(start.mm) - np.median(spots[near], axis=0) if near.any() else np.zeros(2)


def _mm_per_half_pixel(spot: Spots, profile: Profile) -> float:
    ends = profile.to_board(to_raw(np.array([spot, spot + (1.0, 0.0)])))
    return float(np.linalg.norm(ends[1] - ends[0]))
