"""The outlines of pieces to a fraction of a pixel, in the picture divided by the empty board.

Near an oval that lies on the edges of the picture, where each ray leaves the piece is a matter of colour (what lies in
the middle of the piece, lit or shaded, against the board in any shadow), of the strength of the edge, and of its
neighbours: the cheapest closed path is the outline. The crossing is then refined between pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.belonging import SURELY, Outside, belongs
from referee.vision.board import Field, Flags, shade_of
from referee.vision.ovals import (
    RAYS,
    SMALLEST_PX,
    STEP_PX,
    TOWARDS,
    Oval,
    Points,
    Radii,
    centroid,
    edges,
    edges_of_both,
    from_hull,
    rays,
    smooth,
    steps_at,
    within,
)
from referee.vision.paths import cheapest_rings
from referee.vision.rim import fallen, sharpened

FINE = 4
"""Harmonics of an outline."""
IN_SHADOW = -0.12
"""Step of light, in logarithms, below which the board beside a piece lies in its shadow."""
COLOUR, SHARP = (0.06, 0.12), 1.2
"""Weight of colour, per pixel of a ray, for a piece of the board's own colours and for one of quite others; of the
edge."""
GROOVE, DEEP, ASIDE_PX = 0.5, 0.3, 3.0
"""Weight of the dark line along which a piece meets its shadow, against an edge; how much darker it is for full weight,
in logarithms, than what lies so far to both sides."""
TINTED = 0.15
"""Least difference of tint, in logarithms over three channels, by which piece and board are told apart."""
OUTSHINES_PX = 0.4
"""How far a piece's tint reaches beyond its rim, for each logarithm by which it outshines the board beside it."""
ALL_OF_IT = 0.03
"""How strictly what a rim's pixels show is made of piece and board alone, and how freely of both in a deeper shade."""
FAINT = 0.15
"""Step across an outline, in logarithms over three channels, below which no edge is to be seen."""
NEAR_OVAL = (0.1, 0.03)
"""Price of leaving the oval, per square pixel, for the same two pieces."""
TOUCHING_PX = 1.0
"""The ovals of two pieces that touch may lie in one another by so much."""
MIDDLING = 4.5
"""The middle between the logarithms of black and of white."""
AROUND, NEAR = (-6, 9), slice(2, 11)
"""Steps from the path that are looked at, and those of them among which a ray leaves the piece."""

Paths = NDArray[np.int64]
"""The step at which each ray leaves, one row a piece."""
Sides = tuple[Field, Field]
"""What rays show within a path, and without."""


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """One closed outline, and how sure the picture is of it."""

    centre: Points
    points: Points
    """In the window's pixels, one per ray."""
    contrast: float
    """Median step across the outline in logarithms of the picture; nothing is there when it is small."""
    sigma_px: float = 0.0
    """Standard error of a point of it, once that is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Rayed:
    """Some pieces read along their rays: what these show, and what it costs to leave a piece at each step of them."""

    centres: Points
    along: Field
    lit: Field
    cost: Field
    printed: bool
    """They lie on a pattern."""


def read(
    ratio: Field,
    light: Field,
    ovals: Sequence[Oval],
    outside: Outside,
    log: Field | None = None,
    lying: Sequence[Oval] = (),
) -> Rayed:
    """The first step towards the outlines near some ovals.

    `ratio` is the logarithm of picture over empty board, `light` the picture in linear light; `log` is its logarithm,
    for boards with a pattern. `lying` are the ovals of all pieces: none lies in another.
    """
    centres, expected = np.array([o.centre for o in ovals]), np.array([o.radii for o in ovals])
    reach_px = float(expected.max()) + 8
    along, lit = rays(ratio, centres, reach_px), rays(light, centres, reach_px)
    own = along if log is None else rays(log, centres, reach_px) - MIDDLING
    odds, distinct = belongs(along, own, expected, outside)
    for k, oval in enumerate(ovals):
        others = [other for other in lying if other is not oval]
        odds[k][_in_others(oval.centre, others, along.shape[2])] = -SURELY
    cost = _costs(along, own, odds, distinct) + _price(expected, distinct, along.shape[2])
    return Rayed(centres, along, lit, cost, log is not None)


def rings(read_: Sequence[Rayed]) -> list[Paths]:
    """The second step: the cheapest closed paths round all pieces, for those that were read together each."""
    paths = iter(cheapest_rings([cost for some in read_ for cost in some.cost]))
    return [np.array([next(paths) for _ in some.centres]) for some in read_]


def traced(some: Rayed, path: Paths) -> list[Traced]:
    """The last step: the outlines to a fraction of a pixel."""
    fine = smooth(_leave(some.along, some.lit, path), FINE)
    across = _steps_across(some.lit, fine)
    contrast = np.median(across, axis=1)
    if not some.printed:
        fine = smooth(np.where(across < FAINT, fine, sharpened(fine, some.along, some.lit)), FINE)
    outlines = [bulging(centre + r[:, None] * TOWARDS) for centre, r in zip(some.centres, fine, strict=True)]
    return [Traced(centroid(outline), outline, float(contrast[k])) for k, outline in enumerate(outlines)]


def bulging(outline: Points) -> Points:
    """The outline without dents: what is played with has none, but shade on it looks like one."""
    hull = cv2.convexHull(outline.astype(np.float32))[:, 0].astype(np.float64)
    middle, radii = from_hull(hull)
    return np.asarray(middle + radii[:, None] * TOWARDS, float)


# --- Where the rays leave the piece -------------------------------------------------------------------


def _in_others(middle: Points, others: Sequence[Oval], steps: int) -> Flags:
    """Which steps of the rays from a middle lie in other pieces."""
    inside = np.zeros((RAYS, steps), bool)
    reach = steps * STEP_PX - TOUCHING_PX
    for other in others:
        if np.hypot(*(other.centre - middle)) < reach + float(other.radii.max()):
            spots = middle + TOWARDS[:, None] * (np.arange(steps) * STEP_PX)[None, :, None] - other.centre
            inside |= within(spots, other.radii - TOUCHING_PX)
    return inside


def _costs(along: Field, own: Field, odds: Field, distinct: Radii) -> Field:
    """What speaks against leaving the piece, for each step of each ray."""
    distance = np.arange(along.shape[2], dtype=np.float32) * np.float32(STEP_PX)
    inside = np.cumsum(odds * (distance / 10), axis=2) * _between(COLOUR, distinct)
    edge = edges(along) if own is along else edges_of_both(edges(along), edges(own))
    cost = -inside - SHARP * (edge + GROOVE * _grooves(along))
    cost[..., distance < SMALLEST_PX] = 50
    return np.asarray(cost, np.float32)


def _price(expected: Radii, distinct: Radii, steps: int) -> Field:
    """The price of leaving the ovals, for each step of each ray."""
    far = np.minimum((np.arange(steps) * STEP_PX - expected[..., None]) ** 2, 25)
    return np.asarray(_between(NEAR_OVAL, distinct) * far, np.float32)


def _between(ends: tuple[float, float], share: Radii) -> Radii:
    return np.asarray(ends[0] + (ends[1] - ends[0]) * share[:, None, None], float)


def _grooves(along: Field) -> Field:
    """How far each step is the bottom of a dark groove, 0 to 1: the rim turns from the light, and there the shadow is
    deepest."""
    aside, shade = round(ASIDE_PX / STEP_PX), shade_of(along)
    groove = np.zeros_like(shade)
    both = np.minimum(shade[:, :, : -2 * aside], shade[:, :, 2 * aside :])
    groove[:, :, aside:-aside] = np.clip((both - shade[:, :, aside:-aside]) / DEEP, 0, 1)
    return np.asarray(groove, np.float32)


def _leave(along: Field, light: Field, path: Paths) -> Radii:
    """Distance along each ray at which it leaves the piece."""
    # A dark rim in a shadow shows in the logarithm, or by its tint; a dark piece on the bright board in the light
    # itself, where the logarithm falls short. A rim turns from the light, and no witness sees beyond it: the outermost
    # is right.
    seen, lit = (steps_at(picture, path, *AROUND) for picture in (along, light))
    sides, lit_sides = _both_sides(seen), _both_sides(lit)
    shaded = shade_of(seen[:, :, 11:]).mean(axis=2) < IN_SHADOW
    bulk = np.where(shaded, _blended(lit, lit_sides, path), _crossing(lit, lit_sides, path))
    return np.maximum(bulk, np.maximum(_crossing(seen, sides, path), _tinted(seen, sides, path)))


def _crossing(seen: Field, sides: Sides, path: Paths) -> Radii:
    """The place near the path where a ray is half inside, half outside, by what is seen around the path."""
    inside, outside = sides
    across = inside - outside
    share = np.einsum("nrsc,nrc->nrs", seen[:, :, NEAR] - outside[:, :, None], across)
    return _fallen(share / np.maximum(_square(across), 1e-9)[..., None] - 0.5, path)


def _square(colours: Field) -> Field:
    """The squares of three channels together."""
    square = colours * colours
    return np.asarray(square[..., 0] + square[..., 1] + square[..., 2], np.float32)


def _both_sides(seen: Field) -> Sides:
    """What the rays show within and without the path."""
    inside, outside = (
        (seen[:, :, k] + seen[:, :, k + 1] + seen[:, :, k + 2] + seen[:, :, k + 3]) / 4 for k in (0, 9)
    )
    return np.asarray(inside, np.float32), np.asarray(outside, np.float32)


def _tinted(seen: Field, sides: Sides, path: Paths) -> Radii:
    """The crossing by tint alone, which a shadow has none of; 0 where piece and board have the same."""
    brighter = np.clip(shade_of(sides[0]) - shade_of(sides[1]), 0, 1.5)
    tint = seen - shade_of(seen)[..., None]
    within, without = _both_sides(tint)
    clear = np.sqrt(_square(within - without)) > TINTED
    return np.where(clear, _crossing(tint, (within, without), path) - OUTSHINES_PX * brighter, 0.0)


def _blended(lit: Field, sides: Sides, path: Paths) -> Radii:
    """The crossing where as much of the piece as of the board is left, however deep the shade of both at the rim."""
    inside, outside = sides
    own, bare, common = (
        np.einsum("nrc,nrc->nr", a, b) for a, b in ((inside, inside), (outside, outside), (inside, outside))
    )
    strict = ALL_OF_IT * np.sqrt(own * bare) + 1e-9
    near = lit[:, :, NEAR]
    piece, board = (np.einsum("nrsc,nrc->nrs", near, side) + strict[..., None] for side in (inside, outside))
    own, bare, common = ((part + strict)[..., None] for part in (own, bare, common))
    less = (bare + common) * piece - (own + common) * board
    return _fallen(less / np.maximum(own * bare - common * common, 1e-12), path)


def _fallen(share: Field, path: Paths) -> Radii:
    """Where what is followed from four steps within the path falls below nothing; the path itself where it does not."""
    found = fallen(share, path)
    return np.where(np.isnan(found), path * STEP_PX, found)


def _steps_across(lit: Field, radii: Radii) -> Radii:
    """Step of the logarithm of the picture across each outline, ray by ray."""
    at = np.round(radii / STEP_PX).astype(np.int64)
    inside, outside = steps_at(lit, at, -4, -3)[:, :, 0], steps_at(lit, at, 4, 5)[:, :, 0]
    step = (np.log(inside + 1e-3) - np.log(outside + 1e-3)) / 2.2
    return np.asarray(np.sqrt((step * step).sum(axis=2)), float)


__all__ = ["RAYS", "Points", "Rayed", "Traced", "read", "rings", "traced"]
