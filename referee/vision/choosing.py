"""Of the ways to read what lies on the board, the one that fits the picture best."""

from dataclasses import replace

import cv2
import numpy as np

from referee.vision.ovals import RAYS, TOWARDS, Oval, Points, Radii
from referee.vision.reading import WIDE_SHADOW, Reading
from referee.vision.things import LARGEST_MM, SMALLEST_MM

EDGE = 0.1
"""Least mean strength of the edge all round."""
SHADOW_WORTH = 0.5
"""Where pieces throw deep shadows, what is as dark as they are is worth so much as a piece."""
CLEAN, CLEAN_TOUCHING = 0.4, 0.1
"""Share of the outline outside of which the bare board must lie, for a piece alone and for one that touches others, or
its own shadow that is known for one."""
HARDLY_CLEAN = 0.2
"""So much below that share an outline is worth nothing; between, less."""
SHADOWLESS, SHADOWLESS_WORTH = 0.9, 0.6
"""Where pieces throw deep shadows, one with so much bare board round it has swallowed its own, and is worth so much."""
SLIVER = 0.5
"""The part of a shadow that shows is smaller than the piece, by this at least."""
HARDLY_SEEN = 0.3
"""What has so much less of an edge than another thing throws no shadow that looks like it."""
TOUCHING_PX = 2.0
LONGEST = 1.7
"""Most length of a piece, as a share of its width; two that touch are longer."""
MOST_AVERTED = 0.7
"""How far a ray points away from the light, as a cosine, that surely ends in shadow."""
NARROW = 0.6
"""Least width of most pieces, as a share of what is usual on the board."""
OVERLAP, HEAPED = 0.3, 0.15
"""Two things on one board cannot cover each other more, as read at once or by different readings."""


def fit(
    reading: Reading, settled: list[Oval | None], scale: float, way: Points | None
) -> tuple[float, list[Oval]]:
    """How well a reading fits the picture, and its pieces."""
    alone = len(settled) == 1 and reading.body is None
    clean = CLEAN if alone else CLEAN_TOUCHING
    ovals = [o for o in settled if o is not None and _sized(o, scale) and o.edge > EDGE]
    ovals = apart([o for o in ovals if o.clean > clean - HARDLY_CLEAN])
    worth = sum(
        _worth(o, clean, _shadow_below(o, ovals, reading), way) * _broad(o, reading.usual) for o in ovals
    )
    outlines = [(o.points - 0.5) / 2 for o in ovals]
    share = (
        reading.trusted(outlines)
        * reading.likeness(outlines)
        * reading.hiding(outlines)
        * reading.explaining(outlines)
    )
    return share * worth / len(settled), ovals


def best_of(
    thing: list[Reading], settled: list[list[Oval | None]], scale: float, way: Points | None
) -> list[Oval]:
    """The pieces of a thing by the reading that fits best, or by the best of what several readings make of a heap.

    What a reading leaves out counts against it where another makes more pieces of the thing.
    """
    fits = [fit(reading, ovals, scale, way) for reading, ovals in zip(thing, settled, strict=True)]
    several = [ovals for reading, (_, ovals) in zip(thing, fits, strict=True) if len(reading.hulls) > 1]
    heaped = apart([o for ovals in several for o in ovals if _broad(o, thing[0].usual) == 1], HEAPED)
    if heaped:
        hulls = tuple((oval.points - 0.5) / 2 for oval in heaped)
        together = replace(thing[0], hulls=hulls, credit=1.0, cast=None)
        fits.append(fit(together, list(heaped), scale, way))
    best = max(fits, key=lambda one: one[0])
    more = [one for one in fits if len(one[1]) > len(best[1])]
    return max([best, *more], key=lambda one: one[0] * _covering(thing[0], one[1]))[1] if more else best[1]


def _covering(reading: Reading, ovals: list[Oval]) -> float:
    return reading.covering([(oval.points - 0.5) / 2 for oval in ovals])


def _shadow_below(oval: Oval, ovals: list[Oval], reading: Reading) -> float:
    """What is darker than this may be a shadow: nothing beside a lighter piece that is too narrow to throw it."""
    lighter = [_across(o).min() for o in ovals if o is not oval and o.shade >= reading.shadow_below]
    too_wide = (
        oval.shade < reading.shadow_below
        and bool(lighter)
        and _across(oval).min() > reading.wide_shadow * max(lighter)
    )
    return -np.inf if too_wide else reading.shadow_below


def _worth(oval: Oval, clean: float, shadow_below: float, way: Points | None) -> float:
    """What speaks for an oval: its edge, if it is no shadow and the bare board lies round it."""
    bare = min(1.0, 1 + (oval.clean - clean) / HARDLY_CLEAN)
    shadow = SHADOW_WORTH if oval.shade < shadow_below else 1.0
    swallowed = SHADOWLESS_WORTH if np.isfinite(shadow_below) and _shadowless(oval, way) else 1.0
    # A shadow throws none: the two are one doubt.
    return oval.edge * bare * min(shadow, swallowed) * _plump(oval)


def _plump(oval: Oval) -> float:
    """1 for the shape of one piece, less for what is so long that it will be two."""
    across = _across(oval)
    return min(1.0, LONGEST * float(across.min() / across.max()))


def _broad(oval: Oval, usual: float) -> float:
    """1 for what is as wide as other pieces, less for what is so narrow that it will be a part of one, or a shadow."""
    return min(1.0, float(_across(oval).min()) / max(NARROW * 4 * usual, 1e-6))


def _across(oval: Oval) -> Radii:
    """Its width along each ray."""
    half = RAYS // 2
    one_way = oval.radii[:half] + oval.radii[half:]
    return np.concatenate([one_way, one_way])


def _shadowless(oval: Oval, way: Points | None) -> bool:
    """Whether no shadow lies beside an oval where all shadows fall; anywhere, if that is not known."""
    beside = oval.bare if way is None else oval.bare[TOWARDS @ way > MOST_AVERTED]
    return bool(np.count_nonzero(beside) > SHADOWLESS * len(beside))


def _sized(oval: Oval, scale: float) -> bool:
    """True for the size of things that are played with."""
    width = 2 * float(np.sqrt((oval.radii**2).mean())) / scale
    return SMALLEST_MM < width < LARGEST_MM


def apart(ovals: list[Oval], overlap: float = OVERLAP) -> list[Oval]:
    """Of ovals that cover one another by more than a share the clearest."""
    if len(ovals) < 2:
        return ovals
    kept: list[Oval] = []
    for oval in sorted(ovals, key=lambda o: -o.edge * _plump(o)):
        if all(_overlap(oval, other) < overlap * min(oval.area, other.area) for other in kept):
            kept.append(oval)
    return kept


def without_shadows(ovals: list[Oval]) -> list[Oval]:
    """Drop what is small, dark and hangs on a larger thing."""
    return [
        o
        for o in ovals
        if not any(
            o.shade < 0 and _is_sliver(o, big) and _overlap(_grown(o), _grown(big)) > 0
            for big in ovals
            if big is not o and big.edge > HARDLY_SEEN * o.edge
        )
    ]


def _is_sliver(oval: Oval, big: Oval) -> bool:
    """Whether an oval is so small and narrow beside another that it may be the part of its shadow that shows."""
    return oval.area < SLIVER * big.area and _across(oval).min() < WIDE_SHADOW * _across(big).min()


def _grown(oval: Oval) -> Oval:
    return replace(oval, radii=oval.radii + TOUCHING_PX)


def _overlap(one: Oval, other: Oval) -> float:
    """Common area of two ovals."""
    if np.hypot(*(one.centre - other.centre)) > one.radii.max() + other.radii.max():
        return 0.0
    a, b = one.points.astype(np.float32), other.points.astype(np.float32)
    return float(cv2.intersectConvexConvex(cv2.convexHull(a), cv2.convexHull(b))[0])
