"""From trails in pixels to movements in millimetres: who moved when, how fast, and how near the hand was."""

import math
from dataclasses import replace

import numpy as np

from calibration.profile import Profile
from referee.types import Outline, Piece, Point
from referee.vision.glimpses import Glimpse, Plate
from referee.vision.motion import Spots, drawn, plate_between, to_half
from referee.vision.pairing import cheapest_pairs
from referee.vision.steps import Steps
from referee.watch.changes import Changes, colour_of, half_area
from referee.watch.constancy import agreed
from referee.watch.faint import resting, slid
from referee.watch.flight import flown, way_off
from referee.watch.following import HalfFrame, Sighting, Trail, follow, glide
from referee.watch.lain import home_of, last_lain
from referee.watch.leaving import led_since, left_home
from referee.watch.movers import Mover, mm_per_half_pixel, mover
from referee.watch.scenes import Scene
from referee.watch.ways import (
    FROM_AFAR,
    free_since,
    from_its_own_place,
    slides_on_to,
    without_a_dead_stop,
    without_a_lingerer,
    without_the_finger,
    without_the_hand,
)

MOVED_MM = 1.0
"""A kept piece that shifted more is followed through the frames."""
PATIENCE = 3
LONG_PATIENCE = 14
WIDER = 8.0
"""Half pixels by which the search for a piece that went under the hand widens with every frame."""
UNLIKE, SHADED = 0.3, 25.0
"""Half pixels that a grey level of difference in colour is worth, beyond what light and turning make of one piece."""
WELL_AWAY = 2.0
"""Radii from which on the end of a piece does not lie in its first place."""
ROOM = 4
"""Half pixels round a piece that its edge and its shadow may change."""


def movers(changes: Changes) -> tuple[list[tuple[Piece, Piece]], list[Piece], list[Piece]]:
    """Kept pieces that shifted, pieces gone, pieces come."""
    shifted = [(k.before, k.after) for k in changes.kept if k.shift_mm > MOVED_MM]
    return shifted, list(changes.gone), list(changes.come)


def ends_of_ways(changes: Changes) -> Spots:
    """Where the pieces that moved lay and lie, in half pixels."""
    shifted, gone, come = movers(changes)
    return to_half(
        np.array([p.px for p in (*(p for pair in shifted for p in pair), *gone, *come)]).reshape(-1, 2)
    )


def moving_plate(scene: Scene, changes: Changes, profile: Profile) -> Plate:
    """The board without any piece that moved."""
    shifted, gone, come = movers(changes)
    left = [_half_outline(p, profile) for p in [a for a, _ in shifted] + gone]
    taken = [_half_outline(p, profile) for p in [b for _, b in shifted] + come]
    shape = scene.before.small.shape
    bare = drawn(left, shape, ROOM)
    image = plate_between(scene.before.small, scene.after.small, bare, drawn(taken, shape, ROOM - 1))
    return Plate(image, bare)


def _half_outline(piece: Piece, profile: Profile) -> Spots:
    return to_half(profile.to_pixels(np.array(piece.outline_mm)))


def _trail(px: Point, outline_mm: Outline, profile: Profile) -> Trail:
    return Trail(to_half(np.array(px)), math.sqrt(half_area(outline_mm, profile) / math.pi))


def track(
    scene: Scene, plate: Plate, seen: tuple[Glimpse, ...], changes: Changes, profile: Profile
) -> Steps[tuple[Mover, ...]]:
    """Follow everything that moved, backwards from its rest and forwards from its start, and join the two."""
    frames = scene.frames
    shifted, gone, come = movers(changes)
    ends = [b for _, b in shifted] + come
    starts = [a for a, _ in shifted] + gone
    if not starts:
        return ()
    back = [_trail(b.px, b.outline_mm, profile) for b in ends]
    back += [_trail(px, starts[0].outline_mm, profile) for px in changes.fallen_px]
    yield from follow(frames[::-1], seen[::-1], back, PATIENCE)
    faint = _faint(seen, changes, back, profile)
    if faint:
        yield from follow(frames[::-1], seen[::-1], faint, PATIENCE)
    back += [trail for trail in faint if slid(trail)]
    looks = [colour_of(scene.before.small, a, profile) for a in starts]
    ends_look = [colour_of(scene.after.small, b, profile) for b in ends]
    partner = _partners(starts, len(shifted), back, _unlike(looks, ends_look, len(back)), profile)
    for k, mate in enumerate(partner):
        if mate is not None and mate < len(ends):
            starts[k], ends[mate] = yield from agreed(starts[k], ends[mate])
    fore = [_trail(a.px, a.outline_mm, profile) for a in starts]
    for start, trail, mate in zip(starts, fore, partner, strict=True):
        trail.spread = WIDER if mate is None else 0.0
        if mate is None or np.linalg.norm(back[mate].home - trail.home) > WELL_AWAY * trail.radius:
            home = home_of(_half_outline(start, profile), scene.before.small, plate.image)
            free_ns = 2**62 if mate is None else free_since(back[mate], trail.home)
            lain_ns = yield from last_lain(frames, seen, home, free_ns)
            trail.lain_ns = -1 if lain_ns is None else lain_ns
    yield from follow(frames, seen, fore, LONG_PATIENCE)
    made: list[Mover] = []
    for start, trail, mate in zip(starts, fore, partner, strict=True):
        yield
        way = _way(frames, seen, start, trail, None if mate is None else back[mate], profile)
        way = from_its_own_place(way, trail, [other for other in fore if other is not trail])
        moved = mover(start, trail, way, ends, changes.fallen_px, mate, profile)
        made.append((yield from _leaving(frames, seen, moved, way, trail)))
    return tuple(made)


def _faint(seen: tuple[Glimpse, ...], changes: Changes, known: list[Trail], profile: Profile) -> list[Trail]:
    """Where pieces that are missed may lie, though no still shows them: well away from those that one does."""
    if len(changes.gone) <= len(changes.come) + len(changes.fallen_px):
        return []
    outline = changes.gone[0].outline_mm
    radius = math.sqrt(half_area(outline, profile) / math.pi)
    spots = [
        spot
        for spot in resting(seen, radius, profile)
        if all(np.linalg.norm(spot - trail.home) > 2 * WELL_AWAY * radius for trail in known)
    ]
    return [Trail(spot, radius) for spot in spots]


def _leaving(
    frames: tuple[HalfFrame, ...],
    seen: tuple[Glimpse, ...],
    mover: Mover,
    way: list[Sighting],
    home: Trail,
) -> Steps[Mover]:
    """The mover with when it left its place, and whether the hand went along, before its first free sighting."""
    away = [s for s in way if np.linalg.norm(s.spot - home.home) > home.radius]
    if not away:
        return mover
    count, toward = sum(f.t_ns < away[0].t_ns for f in frames), away[min(2, len(away) - 1)].spot
    led_ns = led_since(frames[:count], seen[:count], home, toward)
    if led_ns is not None:
        return replace(mover, left_ns=led_ns, led=True)
    left_ns = yield from left_home(frames[:count], seen[:count], home, toward)
    return replace(mover, left_ns=left_ns, lain_ns=home.lain_ns)


def _way(
    frames: tuple[HalfFrame, ...],
    seen: tuple[Glimpse, ...],
    start: Piece,
    fore: Trail,
    back: Trail | None,
    profile: Profile,
) -> list[Sighting]:
    """The best that was seen of a piece's way."""
    if back is None:
        return way_off(fore, flown(frames, seen, fore))
    home = to_half(np.array(start.px))
    later = [s for s in back.sightings[::-1] if s.t_ns > fore.lain_ns]
    later = without_the_hand(without_the_finger(later, home, back.radius), home, back.radius)
    later = without_a_lingerer(later, home, back.radius)
    later = without_a_dead_stop(later, back.radius, mm_per_half_pixel(back.home, profile))
    moving = seen_moving(later, back.radius)
    # What is first seen far off has come a long way: a hand that hid its end may have left its slide in sight.
    if moving and np.linalg.norm(later[0].spot - home) < FROM_AFAR * back.radius:
        return later
    lay = _trail(start.px, start.outline_mm, profile)
    until = later[0].index if later else frames[-1].index
    open_ = [k for k, f in enumerate(frames) if fore.lain_ns < f.t_ns and f.index < until]
    middle = glide([frames[k] for k in open_], [seen[k] for k in open_], lay, back.home)
    return (middle if not moving or slides_on_to(middle, later[0]) else []) + later


def seen_moving(sightings: list[Sighting], radius: float) -> bool:
    """Whether any of the way, and not only the rest, was seen; half under a hand a piece seems to lie aside."""
    free = [s for s in sightings if s.reach > 0]
    return bool(free) and float(np.linalg.norm(free[0].spot - free[-1].spot)) > radius


def _unlike(starts: list[Spots], ends: list[Spots], trails: int) -> Spots:
    """Half pixels that a difference of colour is worth, for each start and each trail; 0 where no end was seen."""
    cost = np.zeros((len(starts), trails))
    for s, start in enumerate(starts):
        for e, end in enumerate(ends):
            cost[s, e] = UNLIKE * max(0.0, float(np.linalg.norm(start - end)) - SHADED)
    return cost


def _partners(
    starts: list[Piece], fixed: int, back: list[Trail], unlike: Spots, profile: Profile
) -> list[int | None]:
    """Which trail belongs to which start: kept pieces know, the others by where their trail begins, size and colour."""
    partner: list[int | None] = [k if k < fixed else None for k in range(len(starts))]
    free_starts, free_trails = range(fixed, len(starts)), range(fixed, len(back))
    if not free_starts or not free_trails:
        return partner
    cost = [
        [_mismatch(starts[s], back[t], profile) + float(unlike[s, t]) for t in free_trails]
        for s in free_starts
    ]
    for s, t in cheapest_pairs(cost):
        partner[free_starts[s]] = free_trails[t]
    return partner


def _mismatch(start: Piece, trail: Trail, profile: Profile) -> float:
    first = trail.sightings[-1].spot if trail.sightings else trail.spot
    away = float(np.linalg.norm(first - to_half(np.array(start.px))))
    size = math.sqrt(half_area(start.outline_mm, profile) / math.pi)
    return away + 20 * abs(math.log(size / trail.radius))
