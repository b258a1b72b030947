"""Pieces that touch: ways to part a heap by the circles within it, by its colours, and by the arcs of its rim."""

from collections.abc import Iterator

import cv2
import numpy as np

from referee.vision.board import Field, Flags, Mask
from referee.vision.differing import hull_of, is_one
from referee.vision.ovals import TOWARDS, Points
from referee.vision.shadows import OPEN, Thing, deepest, depth_of, solid

CALM = 0.25
"""Step over two half pixels, in logarithms, below which a surface is of one colour."""
LIKE = 0.3
"""Difference of colour, over three channels, of parts that may belong to one piece."""
CORE = 0.3
"""Least radius of such a part, as a share of the width of the smallest piece."""
APART = 1.0
"""Middles of two touching pieces are farther apart than so many radii of the larger."""
LEVEL, MOST = 0.55, 85.0
"""What is clearly no shadow differs by such a share of what most of a heap stays below, as a percentile."""
REACH = 4
"""Points of an outline, at half resolution, to either side over which it is seen to bend."""
DENT = np.radians(35)
"""Least bend inwards between two pieces."""
SHORTEST = 8
"""Points of an arc that tells of a piece."""
SOFT = 1.2
"""Points over which an outline is smoothed, as a standard deviation."""
SIZES = (0.6, 4.0)
"""Radius of what may be a piece, in radii of the smallest."""
SAME = 0.25
"""Circles that differ by less, as a share of the radius, are one."""


def calm_parts(thing: Thing, smallest: float) -> list[Points]:
    """Hulls of the evenly coloured parts of a heap: where pieces of other colours touch, there is an edge between."""
    ratio = cv2.copyMakeBorder(thing.ratio, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    across, down = ratio[1:-1, 2:] - ratio[1:-1, :-2], ratio[2:, 1:-1] - ratio[:-2, 1:-1]
    step = np.maximum(np.abs(across).mean(axis=2), np.abs(down).mean(axis=2))
    calm = solid(thing.whole & (step < CALM))
    cores = _one_colour(thing, calm, CORE * smallest)
    if len(cores) < 2:
        return []
    marks = np.where(thing.whole, 0, len(cores) + 1).astype(np.int32)
    for name, core in enumerate(cores, 1):
        marks[core] = name
    cv2.watershed(grey(thing.ratio), marks)
    hulls = (hull_of(solid(marks == name)) for name in range(1, len(cores) + 1))
    return [hull for hull in hulls if len(hull) > 4]


def rim_parts(thing: Thing, masks: tuple[Mask, ...], smallest: float) -> list[Points]:
    """Circles along the arcs of a heap's rim, each of which may be a piece; some lie in one another."""
    strength = np.sqrt(np.einsum("ijc,ijc->ij", thing.ratio, thing.ratio)) * thing.whole
    most = float(np.percentile(strength[thing.whole], MOST))
    found: list[tuple[Points, float]] = []
    for mask in (*masks, solid(strength > LEVEL * most)):
        found += [circle for circle in _circles(mask, smallest) if not any(_same(circle, f) for f in found)]
    return [middle + radius * TOWARDS for middle, radius in found]


def _same(one: tuple[Points, float], other: tuple[Points, float]) -> bool:
    """Whether two circles lead to the same outline."""
    return float(np.hypot(*(one[0] - other[0]))) + abs(one[1] - other[1]) < SAME * max(one[1], other[1])


def _one_colour(thing: Thing, calm: Mask, least: float) -> list[Flags]:
    """The calm parts of a heap, those of one colour together: a highlight may part a piece."""
    count, labels = cv2.connectedComponents(calm)
    cores: list[Flags] = []
    for core in (labels == k for k in range(1, count)):
        if deepest(core.astype(np.uint8)) > least:
            colour = thing.ratio[core].mean(axis=0)
            like = [
                k for k, c in enumerate(cores) if np.linalg.norm(thing.ratio[c].mean(axis=0) - colour) < LIKE
            ]
            if like:
                cores[like[0]] = cores[like[0]] | core
            else:
                cores.append(core)
    return cores


def round_parts(mask: Mask, smallest: float) -> list[Points]:
    """Hulls of the round parts of one thing, deepest first."""
    if is_one(mask):
        return [hull] if len(hull := hull_of(mask)) > 4 else []
    depth = depth_of(mask)
    seeds = _seeds(depth, max(0.6 * smallest, 0.5 * float(depth.max(initial=0))))
    rows, columns = np.nonzero(mask)
    rims = [np.hypot(columns - x, rows - y) - radius for x, y, radius in seeds]
    nearest = np.argmin(rims, axis=0) if rims else np.zeros(0, int)
    spots = np.column_stack([columns, rows]).astype(np.int32)
    parts = [spots[nearest == k] for k in range(len(seeds))]
    return [cv2.convexHull(part)[:, 0].astype(np.float64) for part in parts if len(part) > 8]


def _seeds(depth: Field, least: float) -> list[tuple[int, int, float]]:
    """Middles of the round parts: x, y and radius of the largest circles that do not lie in one another."""
    top = (depth >= cv2.dilate(depth, OPEN)) & (depth > least)
    rows, columns = np.nonzero(top)
    seeds: list[tuple[int, int, float]] = []
    for k in np.argsort(-depth[rows, columns]):
        x, y, radius = int(columns[k]), int(rows[k]), float(depth[rows[k], columns[k]])
        if all(np.hypot(x - sx, y - sy) > APART * sr for sx, sy, sr in seeds):
            seeds.append((x, y, radius))
    return seeds


def grey(shade: Field) -> Mask:
    return np.asarray(np.clip((shade + 2) * 100, 0, 255), np.uint8)


def _circles(mask: Mask, smallest: float) -> list[tuple[Points, float]]:
    """Middle and radius of circles along the arcs of a mask's outlines; none where they have no dents."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    circles = (_circle(arc) for contour in contours for arc in _arcs(contour[:, 0].astype(np.float64)))
    least, most = SIZES[0] * smallest, SIZES[1] * smallest
    return [(middle, radius) for middle, radius in circles if least < radius < most]


def _arcs(outline: Points) -> Iterator[Points]:
    """The parts of an outline from dent to dent."""
    if len(outline) < 3 * SHORTEST:
        return
    soft = _softened(outline)
    dents = np.flatnonzero(_dented(soft))
    if len(dents) < 2:
        # Where two pieces touch, there is one on either side.
        return
    for first, last in zip(dents, np.roll(dents, -1), strict=True):
        count = (last - first) % len(soft)
        arc = soft[(first + np.arange(1, count)) % len(soft)]
        if len(arc) >= SHORTEST:
            yield arc


def _softened(outline: Points) -> Points:
    wide = round(3 * SOFT)
    round_ = np.concatenate([outline[-wide:], outline, outline[:wide]])
    return np.asarray(cv2.GaussianBlur(round_, (1, 2 * wide + 1), SOFT)[wide:-wide], float)


def _dented(outline: Points) -> Flags:
    """Where an outline bends inwards most."""
    before, after = outline - np.roll(outline, REACH, axis=0), np.roll(outline, -REACH, axis=0) - outline
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    bend = np.arctan2(cross, (before * after).sum(axis=1))
    following = np.roll(outline, -1, axis=0)
    area = float((outline[:, 0] * following[:, 1] - following[:, 0] * outline[:, 1]).sum())
    inwards = -bend * np.sign(area)
    near = np.max([np.roll(inwards, k) for k in range(-REACH, REACH + 1)], axis=0)
    return np.asarray((inwards > DENT) & (inwards >= near), bool)


def _circle(arc: Points) -> tuple[Points, float]:
    """The circle nearest to an arc."""
    terms = np.column_stack([2 * arc, np.ones(len(arc))])
    x, y, rest = np.linalg.lstsq(terms, (arc * arc).sum(axis=1), rcond=None)[0]
    return np.array([x, y]), float(np.sqrt(max(rest + x * x + y * y, 0)))
