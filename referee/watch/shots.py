"""The fact sheet of a shot: who was shot, how the hand touched it, what it met, and how it stood to the gate."""

import math
from dataclasses import dataclass
from itertools import pairwise

from referee.happenings import Doubt
from referee.types import Outline, Point
from referee.watch.movers import Mover, Place
from referee.watch.ways import LEAST_BRAKE_MM_S2, MOST_BRAKE_MM_S2

AT_REST_MM = 2.5
"""A sighting this near to the start is the piece before it moved."""
APART_MM = 1.5
"""Space between hand and piece that shows they have parted."""
LONG_PUSH_MS = 150.0
PUSH_DOUBT_MS = 25.0
COASTING_MM_S = 25.0
SLIDE_DOUBT_MS = 50.0
LED_MM = 30.0
"""So far nobody brings a piece that only trembles, or is nudged."""
LIFTED_MM = 15.0
"""A hand so near a piece at rest, and as much farther as it moves in one frame, has led it there."""
LONG_UNSEEN_NS, HAND_MM_S = 150_000_000, 600.0
"""While a piece is unseen for so long, a hand this fast may come to it and go again."""

HASTE = 2.0
"""What becomes so much faster than it was when first seen does not slide."""
ENOUGH, BESIDE_HOME_MM = 4, 20.0
"""Sightings that make a slide; what is seen so near to the piece's place may be a finger."""
SLOWING = 1.15
"""Of two steps of a slide the later is no longer, but for what is misread."""
STRAY, STRAY_MM = 3.0, 60.0
"""So many times as long as the straight one, and so much more, is a way that no piece takes."""
LONG_LEG_MM = 120.0
"""Of a way so long that nobody saw, nobody knows what the hand did on it."""


@dataclass(frozen=True, slots=True)
class Strike:
    """When and how the hand moved the shooter."""

    t_ns: int
    frame: int
    contact_ms: float | None
    guided: Doubt
    touched_moving: Doubt


def started(mover: Mover, frame_ns: int) -> tuple[int, int]:
    """When the mover left its place: (t_ns, frame)."""
    away = under_way(mover)
    if not away:
        last = mover.places[-1] if mover.places else mover.rested[-1] if mover.rested else None
        return (last.t_ns, last.index) if last else (0, 0)
    first = away[0]
    slid_ns = _carried_back(away, mover)
    left_ns = slid_ns if mover.left_ns is None else mover.left_ns + frame_ns // 2
    if mover.lain_ns >= 0:
        # What hides the rest of its place is no reason to think it lay there longer than a slide allows.
        left_ns = max(mover.lain_ns + frame_ns // 2, min(left_ns, slid_ns))
    t_ns = max(left_ns, _last_at_rest(mover, first))
    return t_ns, first.index - round((first.t_ns - t_ns) / frame_ns)


def _carried_back(away: list[Place], mover: Mover) -> int:
    """The start of a slide that friction slows evenly, from its first free sightings."""
    gone, pace = math.dist(away[0].mm, mover.start.mm), max(_speed(away[:4]), 20.0)
    left = math.dist(away[0].mm, mover.end.mm) if mover.end else 0.0
    brake = pace**2 / (2 * left) if left > 2 else 2000.0
    seconds = (math.sqrt(pace**2 + 2 * brake * gone) - pace) / brake
    return away[0].t_ns - int(seconds * 1e9)


def under_way(mover: Mover) -> list[Place]:
    """The sightings after it had left its place for good."""
    at_home = [k for k, p in enumerate(mover.places) if math.dist(p.mm, mover.start.mm) <= AT_REST_MM]
    return list(mover.places[at_home[-1] + 1 if at_home else 0 :])


def hastens(mover: Mover) -> bool:
    """Whether it went faster and faster, as nothing does that slides: it was carried, or a shadow was followed."""
    way = under_way(mover)
    paces = [math.dist(a.mm, b.mm) / max(b.t_ns - a.t_ns, 1) for a, b in pairwise(way)]
    smooth = [(one + two) / 2 for one, two in pairwise(paces)]
    return bool(smooth) and max(smooth) > HASTE * smooth[0]


def strays(mover: Mover) -> bool:
    """Whether what was followed went far about, as no piece does: parts of the hand that hid it."""
    if mover.end is None or len(mover.places) < ENOUGH:
        return False
    stops = [mover.start.mm, *(p.mm for p in under_way(mover)), mover.end.mm]
    return sum(math.dist(a, b) for a, b in pairwise(stops)) > STRAY * _travel(mover) + STRAY_MM


def hidden(mover: Mover, frame_ns: int) -> bool:
    """Whether a long part of its way, and time for a hand to meddle, lies between two sightings."""
    way = [(started(mover, frame_ns)[0], mover.start.mm), *((p.t_ns, p.mm) for p in under_way(mover))]
    return any(
        math.dist(a, b) > LONG_LEG_MM and later - sooner > LONG_UNSEEN_NS
        for (sooner, a), (later, b) in pairwise(way)
    )


def _last_at_rest(mover: Mover, first: Place) -> int:
    """The last moment it was surely still in its place."""
    still = [
        p.t_ns
        for p in (*mover.rested, *mover.places)
        if p.t_ns < first.t_ns and math.dist(p.mm, mover.start.mm) <= AT_REST_MM
    ]
    return max(still, default=0)


def _speed(places: list[Place]) -> float:
    """Millimetres a second over a few sightings."""
    if len(places) < 2:
        return 400.0
    seconds = (places[-1].t_ns - places[0].t_ns) / 1e9
    return math.dist(places[0].mm, places[-1].mm) / max(seconds, 1e-3)


def strike(shooter: Mover, frame_ns: int, lost_ns: int = 0, alone: bool = False) -> Strike:
    """How the hand treated the shooter from the first touch to its rest; of `lost_ns` there is no frame.

    Where it went alone and lies alone, nothing but a hand can have stopped it.
    """
    t_ns, frame = started(shooter, frame_ns)
    way = under_way(shooter)
    free = next((k for k, p in enumerate(way) if p.reach_mm > APART_MM), None)
    if free is None:
        return Strike(t_ns, frame, None, _never_parted(shooter), None)
    let_go = way[free]
    contact_ms = max(0.0, (let_go.t_ns - t_ns - frame_ns / 2) / 1e6 - _parting_ms(let_go, way[free + 1 :]))
    if not shooter.led:
        contact_ms = min(contact_ms, _late_ms(way, shooter, t_ns))
    guided = _guided(shooter, way[free:], contact_ms, frame_ns, lost_ns / 1e6)
    if guided and _as_flicked(let_go, shooter):
        return Strike(t_ns, frame, contact_ms, None, None)
    # A hand that leads a piece until it stops touches it to the end.
    to_the_end = guided is True and _at_rest(let_go, shooter)
    touched = to_the_end or _touched_again(way[free:], shooter, frame_ns, alone)
    return Strike(t_ns, frame, contact_ms, guided, touched)


def _at_rest(place: Place, shooter: Mover) -> bool:
    return shooter.end is not None and math.dist(place.mm, shooter.end.mm) < AT_REST_MM


def _as_flicked(let_go: Place, shooter: Mover) -> bool:
    """Whether a hand, by now off again, hid all of its way, but for no longer than a flick takes to bring it there."""
    slides_s = math.sqrt(2 * _travel(shooter) / LEAST_BRAKE_MM_S2)
    hidden_ns = let_go.t_ns - max(shooter.lain_ns, last_home_ns(shooter))
    return _at_rest(let_go, shooter) and let_go.reach_mm > LIFTED_MM and hidden_ns < slides_s * 1e9


def _late_ms(way: list[Place], shooter: Mover, t_ns: int) -> float:
    """How much later than seen a free slide would have begun: a flicked piece slides from the first moment on."""
    if _speed(way[:4]) < 60:
        return math.inf
    return max(0.0, (_carried_back(way, shooter) - t_ns) / 1e6) + SLIDE_DOUBT_MS


def _never_parted(shooter: Mover) -> Doubt:
    """A flicked piece runs away from the finger; one that never does was led."""
    return True if _travel(shooter) > LED_MM else None


def _travel(shooter: Mover) -> float:
    return math.dist(shooter.start.mm, shooter.end.mm) if shooter.end else math.inf


def _parting_ms(let_go: Place, later: list[Place]) -> float:
    """How long hand and piece had been apart already when they were first seen apart."""
    widening = leaving_mm_ms([let_go, *later])
    return min(let_go.reach_mm / widening, 60.0) if widening > 0.02 else 0.0


def _guided(
    shooter: Mover, free: list[Place], contact_ms: float, frame_ns: int, lost_ms: float = 0.0
) -> Doubt:
    let_go = free[0]
    led_mm = math.dist(let_go.mm, shooter.start.mm)
    at_rest = _at_rest(let_go, shooter)
    beside = let_go.reach_mm < LIFTED_MM + max(HAND_MM_S / 1e3, leaving_mm_ms(free)) * frame_ns / 1e6
    if at_rest and beside and led_mm > LED_MM:
        return True
    doubt = PUSH_DOUBT_MS + frame_ns / 2e6
    limit = (LONG_PUSH_MS + 70) / 2
    if contact_ms - lost_ms > limit + doubt:
        # Of a piece first seen at rest, and the hand far off, or first seen far away, nobody knows when they parted.
        return None if (at_rest and not beside) or led_mm > LONG_LEG_MM else True
    return False if contact_ms < limit - doubt / 2 or led_mm < 12 else None


def leaving_mm_ms(free: list[Place]) -> float:
    """How fast hand and piece part, in millimetres a millisecond; 0 where that was not seen."""
    if len(free) < 2 or not math.isfinite(free[1].reach_mm):
        return 0.0
    return (free[1].reach_mm - free[0].reach_mm) / max((free[1].t_ns - free[0].t_ns) / 1e6, 1e-3)


def _touched_again(free: list[Place], shooter: Mover, frame_ns: int, alone: bool) -> Doubt:
    """Whether the hand came back over the shooter while it was moving."""
    for k in range(1, len(free)):
        gap_ns = free[k].t_ns - free[k - 1].t_ns
        nearest = min(free[k].reach_mm, free[k - 1].reach_mm)
        covered = free[k].reach_mm < 0.3 or (gap_ns > 1.5 * frame_ns and nearest < 15)
        came_and_went = gap_ns > LONG_UNSEEN_NS and nearest < HAND_MM_S * gap_ns / 2e9
        if _is_the_strike(free[k - 1], free[k:], shooter, frame_ns):
            continue
        if (covered or came_and_went) and _still_to_go(free[: k + 1], shooter) > 2.0:
            if covered:
                return _stopped_short(free[:k], shooter)
            return True if alone and _held(free[:k], shooter) else None
    return False


def _is_the_strike(before: Place, free: list[Place], shooter: Mover, frame_ns: int) -> bool:
    """Whether it lay in its place before it was hidden, and slid freely from there afterwards."""
    if math.dist(before.mm, shooter.start.mm) > BESIDE_HOME_MM or len(free) < ENOUGH or _speed(free[:4]) < 60:
        return False
    return _carried_back(free, shooter) > before.t_ns - frame_ns


def _still_to_go(free: list[Place], shooter: Mover) -> float:
    return math.dist(free[-2].mm, shooter.end.mm) if shooter.end else 0.0


def _held(free: list[Place], shooter: Mover) -> bool:
    """Whether it was seen to slide, slower and slower, and yet stopped sooner than any friction stops it."""
    paces = [_speed([one, two]) for one, two in pairwise(free)]
    slides = len(free) >= ENOUGH and all(after < SLOWING * before for before, after in pairwise(paces))
    left_mm = math.dist(free[-1].mm, shooter.end.mm) if shooter.end else math.inf
    return slides and left_mm < paces[-1] ** 2 / (2 * MOST_BRAKE_MM_S2)


def _stopped_short(free: list[Place], shooter: Mover) -> Doubt:
    """Free coasting would have carried it on: a piece that stops sooner was stopped."""
    if len(free) < 2:
        return None
    pace = _speed(free[-3:])
    if pace < COASTING_MM_S or shooter.end is None:
        return None
    coasts_mm = pace**2 / (2 * MOST_BRAKE_MM_S2)
    return True if math.dist(free[-1].mm, shooter.end.mm) < coasts_mm or pace > 80 else None


def shooter_of(moved: tuple[Mover, ...], called: tuple[int, int] | None) -> Mover | None:
    """The piece the hand set going: the first to move; of several that may have been it the one that went furthest."""
    free = [m for m in moved if called is None or m.id not in called] or list(moved)
    if not free:
        return None
    first = min(away_by(m) for m in free)
    early = [m for m in free if last_home_ns(m) <= first]
    return max(early or free, key=_travel)


def _homes(mover: Mover) -> list[Place]:
    """Sightings of it still in its place, before it left for good."""
    left = away_by(mover)
    seen = (*mover.rested, *mover.places)
    return [p for p in seen if p.t_ns < left and math.dist(p.mm, mover.start.mm) <= AT_REST_MM]


def last_home_ns(mover: Mover) -> int:
    """When it was last seen in its place."""
    return max((p.t_ns for p in _homes(mover)), default=0)


def away_by(mover: Mover) -> int:
    """When it was first seen out of its place."""
    way = under_way(mover)
    return way[0].t_ns if way else 2**62


def path_of(mover: Mover) -> Outline:
    """The way of its centre: start, sightings under way, rest."""
    return tuple(mm for _, mm in timed_path(mover, 0))


def timed_path(mover: Mover, first: int) -> tuple[tuple[int, Point], ...]:
    """The same way with the frame of every stop; `first` is the frame in which it left its place."""
    way = [(p.index, p.mm) for p in under_way(mover)]
    last = way[-1][0] if way else first
    end = [(last, mover.end.mm)] if mover.end else []
    return _thinned(((first, mover.start.mm), *way, *end))


def _thinned(path: tuple[tuple[int, Point], ...]) -> tuple[tuple[int, Point], ...]:
    """Without the trembling of a piece at rest."""
    kept = [path[0]]
    for stop in path[1:]:
        if math.dist(stop[1], kept[-1][1]) > 1.0:
            kept.append(stop)
    if kept[-1] != path[-1]:
        kept.append(path[-1])
    return tuple(kept)
