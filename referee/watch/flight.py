"""A piece struck so hard that it is off the board before it can be followed: a few blobs of its size, straight on."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from referee.vision.glimpses import Glimpse
from referee.vision.motion import Spots
from referee.watch.following import FILLED, WITH_SHADOW, HalfFrame, Sighting, Trail

ENOUGH = 3
"""Sightings that make a flight; two blobs are always in line."""
PLAIN = 4
"""Sightings of a flight that are believed though something else was followed from the same place."""
FAST = 1.0
"""Radii that it goes on from one sighting to the next, at least: what is slower is followed."""
ASIDE, SLOWER, FASTER = 1.5, 0.5, 1.25
"""How far from its place the flight may seem to begin, and how far from where it is expected it may be seen, in radii;
the least and the most of its pace at which it goes on."""


def flown(frames: Sequence[HalfFrame], seen: Sequence[Glimpse], home: Trail) -> list[Sighting]:
    """The longest run of sightings, one a frame, that leads straight away from the place of a piece; none if short."""
    later = [(f, sight) for f, sight in zip(frames, seen, strict=True) if f.t_ns > home.lain_ns]
    steps = [list(_candidates(frame, sight, home)) for frame, sight in later]
    best: list[Sighting] = []
    for k, (sooner, after) in enumerate(pairwise(steps)):
        for one in sooner:
            for two in after:
                if _leaves(one, two, home):
                    best = max(best, _run(one, two, steps[k + 2 :], home.radius), key=len)
    return best if len(best) >= ENOUGH else []


def way_off(fore: Trail, flight: list[Sighting]) -> list[Sighting]:
    """The way of a piece that is gone; where it flew off in plain sight, what was followed meanwhile is a finger."""
    lain: list[Sighting] = []
    followed: list[Sighting] = []
    for sighting in fore.sightings:
        away = np.linalg.norm(sighting.spot - fore.home) > fore.radius
        (followed if away else lain).append(sighting)
    if followed and (len(flight) < PLAIN or _goes_along(followed, flight, fore.radius)):
        return list(fore.sightings)
    return [*(s for s in lain if not flight or s.index < flight[0].index), *flight]


def _goes_along(followed: list[Sighting], flight: list[Sighting], radius: float) -> bool:
    """Whether what was followed was anywhere where the flight was."""
    spots = {s.index: s.spot for s in followed}
    return any(s.index in spots and np.linalg.norm(spots[s.index] - s.spot) < radius for s in flight)


def _candidates(frame: HalfFrame, sight: Glimpse, home: Trail) -> Iterator[Sighting]:
    """Blobs of the piece's size, clear of the hand and of its place."""
    for x, y, area in sight.blobs():
        spot, fill = np.array([x, y]), float(area) / home.area
        if FILLED < fill < WITH_SHADOW and np.linalg.norm(spot - home.home) > 2 * home.radius:
            reach = sight.reach(spot) - home.radius
            if reach > 0:
                yield Sighting(frame.index, frame.t_ns, spot, reach, fill)


def _leaves(one: Sighting, two: Sighting, home: Trail) -> bool:
    """Whether a flight through both came from the piece's place, after it was last seen to lie there."""
    step, off = two.spot - one.spot, one.spot - home.home
    length = float(np.linalg.norm(step))
    if length < FAST * home.radius:
        return False
    along, aside = float(off @ step) / length, abs(float(off[0] * step[1] - off[1] * step[0])) / length
    left_ns = one.t_ns - along / length * (two.t_ns - one.t_ns)
    return along > 0 and aside < ASIDE * home.radius and left_ns > home.lain_ns - (two.t_ns - one.t_ns)


def _run(one: Sighting, two: Sighting, steps: list[list[Sighting]], radius: float) -> list[Sighting]:
    """How far the flight through two sightings goes on, frame by frame."""
    run = [one, two]
    for candidates in steps:
        following = [s for s in candidates if _goes_on(run[-2], run[-1], s, radius)]
        if not following:
            break
        run.append(min(following, key=lambda s: float(np.linalg.norm(s.spot - _expected(*run[-2:])))))
    return run


def _expected(one: Sighting, two: Sighting) -> Spots:
    return np.asarray(2 * two.spot - one.spot, float)


def _goes_on(one: Sighting, two: Sighting, three: Sighting, radius: float) -> bool:
    """Whether the third is as far on as the second, or less, and straight ahead."""
    pace, step = two.spot - one.spot, three.spot - two.spot
    length = float(np.linalg.norm(pace))
    along, aside = float(step @ pace) / length, abs(float(step[0] * pace[1] - step[1] * pace[0])) / length
    return SLOWER * length < along < FASTER * length and aside < ASIDE * radius
