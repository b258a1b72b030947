"""Follow the pieces that moved through a passage of play, from where they rest back to where the hand let go."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.vision.glimpses import Glimpse, Plate, Sketch, redrawn, taken_apart
from referee.vision.motion import Spots
from referee.vision.skin import is_pale, view, with_skin
from referee.vision.steps import Steps

SLICE = 6
"""Frames taken apart in one step."""
STEPS = 16
"""Frames followed in one go."""
MARGIN = 30.0
"""Half pixels by which a trail's middle may be drawn aside while it looks for its pixels."""
LEAST_FILL = 0.3
"""Share of its own area that must be seen before a blob is taken for the piece."""
FILLED, WITH_SHADOW = 0.35, 3.5
"""The same for a blob on its way, and how much it may be with the long shadow of a low lamp."""
BESIDE_HOME = 0.7
"""Radii from its place at which nothing is the piece while it lies there."""


@dataclass(frozen=True, slots=True, eq=False)
class HalfFrame:
    """A frame of the passage at half resolution."""

    index: int
    t_ns: int
    image: Image
    """The part of the picture in which play is looked for."""
    corner: tuple[int, int]
    """Where that part begins, in half pixels."""
    sketch: Sketch
    """Against the still before the passage."""
    since_ns: int = 0
    """Time since the frame that the camera gave before it, which need not be kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """Where a piece was in one frame."""

    index: int
    t_ns: int
    spot: Spots
    """Centre of its blob, in half pixels; of its streak when it is fast."""
    reach: float
    """Half pixels from its rim to the nearest hand."""
    fill: float
    """Seen area against the area at rest."""


@dataclass(slots=True)
class Trail:
    """The sightings of one piece in order of time."""

    home: Spots
    radius: float
    spot: Spots = field(init=False)
    velocity: Spots = field(default_factory=lambda: np.zeros(2))
    sightings: list[Sighting] = field(default_factory=list)
    lost: int = 0
    """Frames since it was last seen."""
    spread: float = 0.0
    """Half pixels by which the search widens with every frame unseen."""
    lain_ns: int = -1
    """Until when it surely lay at home."""

    def __post_init__(self) -> None:
        self.spot = self.home

    @property
    def area(self) -> float:
        return math.pi * self.radius**2

    @property
    def expected(self) -> Spots:
        return self.spot + self.velocity * (1 + min(self.lost, 2))


def glimpses(
    frames: Sequence[HalfFrame], plate: Plate, hand_area: float, spots: Spots
) -> Steps[tuple[Glimpse, ...]]:
    """Take every frame apart; round some spots with all of the hands, where skin is nearly of the board's colour."""
    seen: list[Glimpse] = []
    for frame in frames:
        seen.append(taken_apart(redrawn(frame.sketch, frame.image, plate, frame.corner), hand_area))
        if len(seen) % SLICE == 0:
            yield
    if not len(spots) or not _pale_hands(frames, seen, plate):
        return tuple(seen)
    for k, frame in enumerate(frames):
        if k % SLICE == 0:
            yield
        part = view(frame.image, plate.image, frame.corner, spots) if seen[k].hands else None
        seen[k] = seen[k] if part is None else with_skin(seen[k], part, hand_area)
    return tuple(seen)


def _pale_hands(frames: Sequence[HalfFrame], seen: Sequence[Glimpse], plate: Plate) -> bool:
    """Whether hands are hardly told from the board, as the picture shows that has most of them."""
    sizes = [sight.hands_area for sight in seen]
    if not any(sizes):
        return False
    k = sizes.index(max(sizes))
    return is_pale(seen[k], frames[k].image, plate.image, frames[k].corner)


def follow(
    frames: Sequence[HalfFrame], seen: Sequence[Glimpse], trails: Sequence[Trail], patience: int
) -> Iterator[None]:
    """Carry the trails through the frames in the order given; a trail ends after `patience` frames unseen.

    Stops for breath after every few frames.
    """
    for k, (frame, sight) in enumerate(zip(frames, seen, strict=True)):
        alive = [trail for trail in trails if trail.lost <= patience]
        if alive:
            step(frame, sight, alive, np.array([trail.expected for trail in alive]))
        if k % STEPS == STEPS - 1:
            yield


def step(frame: HalfFrame, sight: Glimpse, trails: Sequence[Trail], centres: Spots) -> None:
    """One frame: every loose pixel goes to the nearest trail, each trail to the middle of its pixels.

    They are looked for round the centres at which the trails are expected.
    """
    radii = np.array([trail.radius for trail in trails])
    wide = np.array([4 + trail.spread * trail.lost for trail in trails])
    loose = _around(sight.loose, centres, float((2.2 * radii + wide).max()) + MARGIN)
    centres, _ = _shared_out(loose, centres, radii, 2.2 * radii + wide)
    for _ in range(2):
        before, (centres, counts) = centres, _shared_out(loose, centres, radii, 2.2 * radii)
        if np.array_equal(before, centres):
            break
    for trail, count, centre in zip(trails, counts, centres, strict=True):
        _note(trail, frame, sight, centre, float(count) / trail.area)


def _around(loose: Spots, centres: Spots, reach: float) -> Spots:
    """The pixels in the boxes round some centres: a hand throws thousands elsewhere."""
    near = np.zeros(len(loose), bool)
    x, y = loose.T
    for cx, cy in centres:
        near |= (np.abs(x - cx) < reach) & (np.abs(y - cy) < reach)
    return loose[near]


def _shared_out(loose: Spots, centres: Spots, radii: Spots, room: Spots) -> tuple[Spots, NDArray[np.int64]]:
    """Each pixel to the trail whose rim is nearest: the middle of each trail's pixels, and how many there are.

    Where there are none, the middle is where it was looked for.
    """
    x, y = loose.T
    far = np.sqrt((x - centres[:, :1]) ** 2 + (y - centres[:, 1:]) ** 2)
    owner = (far - radii[:, None]).argmin(0)
    mine = far[owner, np.arange(len(loose))] < room[owner]
    owner, count = owner[mine], len(centres)
    counts = np.bincount(owner, minlength=count)
    sums = np.stack([np.bincount(owner, along[mine], count) for along in (x, y)], axis=1)
    return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres), counts


def _note(trail: Trail, frame: HalfFrame, sight: Glimpse, centre: Spots, fill: float) -> None:
    if frame.t_ns <= trail.lain_ns and np.linalg.norm(centre - trail.home) > BESIDE_HOME * trail.radius:
        return
    if fill < LEAST_FILL:
        trail.lost += 1
        return
    step = (centre - trail.spot) / (1 + trail.lost)
    trail.velocity = step if trail.sightings else np.zeros(2)
    trail.spot, trail.lost = centre, 0
    reach = sight.reach(centre) - trail.radius
    trail.sightings.append(Sighting(frame.index, frame.t_ns, centre, reach, fill))


def glide(frames: Sequence[HalfFrame], seen: Sequence[Glimpse], start: Trail, end: Spots) -> list[Sighting]:
    """Sightings between start and end of a piece that a hand hid at both: the longest run of a blob along the way."""
    best: list[Sighting] = []
    run: list[Sighting] = []
    for frame, sight in zip(frames, seen, strict=True):
        mine = _on_the_way(frame, sight, start, end, run)
        if mine is not None:
            run.append(mine)
        elif run and frame.index - run[-1].index > 2:
            run = []
        if _gain(run, start) > _gain(best, start):
            best = list(run)
    return best if len(best) >= 2 and _gain(best, start) > start.radius else []


def _gain(run: list[Sighting], start: Trail) -> float:
    return (
        float(np.linalg.norm(run[-1].spot - start.home) - np.linalg.norm(run[0].spot - start.home))
        if run
        else 0.0
    )


def _on_the_way(
    frame: HalfFrame, sight: Glimpse, start: Trail, end: Spots, run: list[Sighting]
) -> Sighting | None:
    """The loose blob of the piece's size near the straight way, further on than the last one."""
    way = end - start.home
    length = float(np.linalg.norm(way))
    blobs = sight.blobs()
    if not len(blobs) or length < 1:
        return None
    off = blobs[:, :2] - start.home
    along, aside = off @ way / length, np.abs(off @ np.array([-way[1], way[0]])) / length
    fill = blobs[:, 2] / start.area
    least = np.linalg.norm(run[-1].spot - start.home) + 0.3 if run else 0.5 * start.radius
    fits = (fill > FILLED) & (fill < WITH_SHADOW) & (along > least) & (along < length + start.radius)
    fits &= aside < 0.5 * start.radius + 0.15 * along
    if not fits.any():
        return None
    k = int(np.flatnonzero(fits)[aside[fits].argmin()])
    spot = blobs[k, :2]
    reach = sight.reach(spot) - start.radius
    return Sighting(frame.index, frame.t_ns, spot, reach, float(fill[k])) if reach > 0.5 else None
