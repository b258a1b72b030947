"""The sightings of a piece's way without those that are none: a finger, a hand, another piece's place."""

import math
from itertools import pairwise

import numpy as np

from referee.vision.motion import Spots
from referee.watch.following import Sighting, Trail

SAME_PLACE = 0.7
"""Radii within which two sightings are of one place."""
FROM_AFAR, BESIDE, IN_PLACE = 3.0, 2.0, 1.25
"""Radii from its place at which no way begins that leads over it, at which a piece may seem to lie that touches
another, and within which a way does lead over it."""
DETOUR = 1.5
"""No slide is so much longer than the straight way, beside the piece's own width."""
LEAST_BRAKE_MM_S2, MOST_BRAKE_MM_S2 = 0.15 * 9810.0, 0.6 * 9810.0
"""Friction of anything on anything brakes with more than the one, and with less than the other."""
ENOUGH, SLOWER = 3, 1.2
"""Sightings that make a slide, and how much faster than it was seen to be it may have gone on under a hand."""
HASTE, LINGER_NS = 2.0, 80_000_000
"""What goes on so many times faster than it went for so long before does not slide."""


def without_the_finger(later: list[Sighting], home: Spots, radius: float) -> list[Sighting]:
    """The way from the piece's own place on: what comes to that place from elsewhere is the finger that strikes it."""
    if not later or np.linalg.norm(later[0].spot - home) < FROM_AFAR * radius:
        return later
    for k, (one, following) in enumerate(pairwise(later)):
        step = following.spot - one.spot
        along = np.clip((home - one.spot) @ step / max(float(step @ step), 1e-9), 0, 1)
        if np.linalg.norm(one.spot + along * step - home) < IN_PLACE * radius:
            return later[k + 1 :]
    return later


def without_the_hand(later: list[Sighting], home: Spots, radius: float) -> list[Sighting]:
    """The way without a last leap onto the hand: followed back to the strike, a trail may take a finger for its piece.

    A sighting beside the hand is none of the piece when going there from its place would be a long way round.
    """
    for k, (one, following) in enumerate(pairwise(later)):
        round_about = np.linalg.norm(one.spot - home) + np.linalg.norm(following.spot - one.spot)
        straight = np.linalg.norm(following.spot - home)
        if one.reach > radius or round_about < DETOUR * straight + 2 * radius:
            return later[k:]
    return later[-1:]


def without_a_dead_stop(later: list[Sighting], radius: float, scale_mm: float) -> list[Sighting]:
    """The way without a hand that darted off: what lies beside it does not slide too fast to stop where it rests."""
    for k, (one, following) in enumerate(pairwise(later)):
        seconds = (following.t_ns - one.t_ns) / 1e9
        pace = float(np.linalg.norm(following.spot - one.spot)) * scale_mm / seconds
        left = float(np.linalg.norm(later[-1].spot - following.spot)) + radius
        if one.reach > radius or pace**2 < 2 * MOST_BRAKE_MM_S2 * left * scale_mm:
            return later[k:]
    return later[-1:]


def without_a_lingerer(later: list[Sighting], home: Spots, radius: float) -> list[Sighting]:
    """The way without what lingers, clear of the hand, before the piece darts off: followed back, a shadow is met."""
    clear = 0
    while clear < len(later) and _clear(later[clear], home, radius):
        clear += 1
    for k in reversed(range(2, min(clear, len(later) - 2))):
        if later[k].t_ns - later[0].t_ns > LINGER_NS and _darts(later, k, radius):
            return later[k + 1 :]
    return later


def _darts(way: list[Sighting], k: int, radius: float) -> bool:
    """Whether it runs off from there, much faster than it came."""
    gone = float(np.linalg.norm(way[k + 2].spot - way[k].spot))
    return gone > radius and _pace(way[k : k + 3]) > HASTE * _pace(way[: k + 1])


def _clear(sighting: Sighting, home: Spots, radius: float) -> bool:
    """Neither at the hand nor in its first place."""
    return bool(sighting.reach > radius and np.linalg.norm(sighting.spot - home) > IN_PLACE * radius)


def _pace(way: list[Sighting]) -> float:
    """Half pixels a nanosecond along a way."""
    length = sum(float(np.linalg.norm(b.spot - a.spot)) for a, b in pairwise(way))
    return length / max(way[-1].t_ns - way[0].t_ns, 1)


def slides_on_to(run: list[Sighting], later: Sighting) -> bool:
    """Whether what ran along the way went no faster from sighting to sighting, and could be there by then."""
    if len(run) < ENOUGH:
        return False
    paces = [_pace([one, two]) for one, two in pairwise([*run, later])]
    return max(paces[1:]) < HASTE * paces[0] and paces[-1] < SLOWER * paces[-2]


def free_since(back: Trail, home: Spots) -> int:
    """Since when a trail, followed back from its rest, was clear of any hand and of the place the piece came from."""
    since = 2**62
    for sighting in back.sightings:
        if sighting.reach < back.radius or np.linalg.norm(sighting.spot - home) < FROM_AFAR * back.radius:
            break
        since = sighting.t_ns
    return since


def from_its_own_place(way: list[Sighting], mine: Trail, others: list[Trail]) -> list[Sighting]:
    """Without the beginning of a way that lies in the place of another, which it was followed back to by mistake."""

    def in_place(sighting: Sighting, other: Trail) -> bool:
        return math.dist(sighting.spot, other.home) < SAME_PLACE * mine.radius

    stayed = [max((s.t_ns for s in o.sightings if in_place(s, o)), default=0) for o in others]
    wrong = [
        k
        for k, s in enumerate(way)
        if any(s.t_ns <= until and in_place(s, o) for o, until in zip(others, stayed, strict=True))
    ]
    # A way that begins elsewhere leads over that place: it struck what lay there, and may have come to rest in it.
    if not wrong or (wrong[0] > 0 and not _lingers(way, wrong[0], wrong[-1], mine)):
        return way
    return way[wrong[-1] + 1 :]


def _lingers(way: list[Sighting], first: int, last: int, mine: Trail) -> bool:
    """Whether a way goes on from a place only after long, and began no farther than beside the piece's own."""
    near = all(np.linalg.norm(s.spot - mine.home) < BESIDE * mine.radius for s in way[:first])
    return near and last + 1 < len(way) and way[last].t_ns - way[0].t_ns > LINGER_NS
