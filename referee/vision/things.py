"""Things that differ from the empty board, and the ways to read them: one piece or several, with or without shadow."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from referee.vision.board import Field, Flags, Mask, mean_of, shade_of
from referee.vision.differing import (
    SHADE,
    Noise,
    Window,
    differing,
    hull_of,
    is_one,
    is_round,
    shade_and_tint,
)
from referee.vision.heaps import calm_parts, grey, rim_parts, round_parts
from referee.vision.ovals import TOWARDS, Points
from referee.vision.reading import WIDE_SHADOW, Reading
from referee.vision.shadows import (
    AS_DARK,
    FULL_SHADOW,
    LEAST_CAST,
    LIT_ROUND,
    Thing,
    body_of,
    deepest,
    depth_of,
    lamp_of,
    not_shadow,
    solid,
    umbra_of,
    way_of,
)
from referee.vision.steps import Steps

SMALLEST_MM, LARGEST_MM = 6.0, 45.0
"""Width of things that are played with."""
TWO_TONES = 0.12
"""Steps of light nearer than this are one surface."""
OTHER_TINT = 0.06
"""Least difference of colour of what is surely not the board, in whatever light."""
LIT_PULL_PX = 3.0
"""Beside a light part lies its shadow, whose other edge is often the stronger one: do not be drawn to it."""
LIT_CREDIT = 1.6
"""A light part beside its shadow is the piece although its edge is fainter by so much."""
LIT_CREDIT_IN_HARD_LIGHT = 1.15
"""The same where a reading that takes the shadow in is known by showing none."""
ROUND_CREDIT = 0.75
"""Parts of what is all in all as round as one piece are hardly pieces of their own."""
PARTED_CREDIT = 1.1
"""A heap read by its colours also tells where the edges inside it come from."""
LEAST_PRINT, HIDES = 0.1, 0.7
"""Spread of the board's light under a thing from which on its print matters, and how well the step of light follows
the print, as a correlation, where the thing hides it."""
WIDER = 1.4
"""How much wider than most a shadow may be."""
THINGS_A_STEP = 2

Showing = Callable[[Window], Flags | None]


def find_things(
    ratio: Field,
    inside: Flags,
    sure: Flags,
    where: Flags,
    scale: float,
    noise: Noise = (0.0, 0.0),
    showing: Showing | None = None,
    board: Field | None = None,
) -> Steps[tuple[list[list[Reading]], Points | None]]:
    """Ways to read each thing that differs from the empty board and touches `where`, in half pixels; and the way on
    which all turn from the light.

    `showing` tells where the board's own print shows; `board` is the empty board itself, if it has a print.
    """
    yield
    things = _things(ratio, inside, sure, noise, board)
    yield
    lamp = lamp_of(things)
    wide_shadow, usual = _wide_shadow(things), _usual(things)
    bodies = [body_of(thing, lamp) for thing in things]
    umbra = umbra_of(things, bodies)
    below = -np.inf if umbra is None else AS_DARK * float(umbra.mean())
    found, smallest, largest = [], SMALLEST_MM * scale / 2, 1.3 * LARGEST_MM * scale
    for k, (thing, body) in enumerate(zip(things, bodies, strict=True)):
        if k % THINGS_A_STEP == 0:
            yield
        x, y = corner = thing.corner
        touched = where[y : y + thing.whole.shape[0], x : x + thing.whole.shape[1]] & thing.whole
        if touched.any():
            body = _beside_narrow(body, thing, wide_shadow)
            readings = [*_readings(thing, umbra, smallest), *_lit_readings(body, smallest)]
            printed, bright, tinted = _printed(thing, showing), _bright(thing), _tinted(thing)
            clear = _clear(thing, sure, printed)
            if printed is not None:
                readings += _hiding_readings(thing, printed, smallest)
            found.append(
                [
                    replace(
                        r.moved(corner),
                        shadow_below=below,
                        body=body,
                        printed=printed,
                        bright=bright,
                        tinted=tinted,
                        clear=clear,
                        wide_shadow=wide_shadow,
                        usual=usual,
                        corner=corner,
                    )
                    for r in readings
                    if r.widest < largest
                ]
            )
    return [readings for readings in found if readings], way_of(
        [(thing.ratio, thing.whole.astype(np.uint8)) for thing in things]
    )


def _things(ratio: Field, inside: Flags, sure: Flags, noise: Noise, board: Field | None) -> list[Thing]:
    """What differs from the empty board, each in its lighter and its darker part."""
    return [
        _thing(_unprinted(ratio[window], mine, board, window), strong, window, mine)
        for window, mine, strong in differing(ratio, inside, sure, noise)
    ]


def _unprinted(ratio: Field, mine: Flags, board: Field | None, window: Window) -> Field:
    """What a thing that hides the print would look like on a plain board: light over a dark field is not lit."""
    if board is None:
        return ratio
    print_ = board[window] - board[window][mine].mean(axis=0)
    own, hidden = mean_of(ratio[mine]), mean_of(print_[mine])
    if hidden.std() < LEAST_PRINT or own.std() == 0 or np.corrcoef(own, hidden)[0, 1] > -HIDES:
        return ratio
    return np.asarray(ratio + print_ * mine[..., None], np.float32)


def _thing(ratio: Field, strong: Flags, window: Window, mine: Flags) -> Thing:
    shade = shade_of(ratio)
    level = _split_level(shade[mine])
    light, dark = solid(mine & (shade >= level)), solid(mine & (shade < level))
    corner = np.array([window[1].start, window[0].start])
    return Thing(corner, ratio, mine, strong[window] & mine, light, dark)


def _readings(thing: Thing, umbra: Field | None, smallest: float) -> list[Reading]:
    """One piece, or several that touch; all of the thing, or the part of it that is not shadow."""
    part, strong, whole = thing.light if thing.lit else thing.dark, solid(thing.strong), solid(thing.whole)
    one = [Reading((hull,)) for mask in (whole, strong, part) if len(hull := hull_of(mask)) > 4]
    parts, strong_parts = tuple(round_parts(part, smallest)), tuple(round_parts(strong, smallest))
    as_one = is_one(whole)
    apart = ROUND_CREDIT if as_one else 1.0
    many = [Reading(hulls, credit=apart) for hulls in (strong_parts, parts) if len(hulls) > 1]
    many = many[:1] if len(many) == 2 and _same(strong_parts, parts) else many
    calm = () if as_one else tuple(calm_parts(thing, smallest))
    many += [Reading(calm, credit=PARTED_CREDIT)] if len(calm) > 1 else []
    rims = () if as_one else tuple(rim_parts(thing, (strong, part), smallest))
    many += [Reading(rims)] if len(rims) > 1 else []
    lit = [parts, tuple(_lit_part(thing, hull) for hull in parts)] if thing.beside_shadow else []
    lit += [tuple(round_parts(not_shadow(thing, umbra), smallest))] if umbra is not None else []
    credit = LIT_CREDIT if umbra is None else LIT_CREDIT_IN_HARD_LIGHT
    distinct = [hulls for k, hulls in enumerate(lit) if hulls and not any(_same(hulls, h) for h in lit[:k])]
    cast = thing.dark if thing.beside_shadow else None
    return [*_different(one), *many, *(Reading(hulls, LIT_PULL_PX, credit, cast=cast) for hulls in distinct)]


def _lit_readings(body: Mask | None, smallest: float) -> list[Reading]:
    """The part of a thing that is no shadow, one piece or several."""
    hulls = tuple(round_parts(body, smallest)) if body is not None else ()
    return [Reading(hulls, LIT_PULL_PX, LIT_CREDIT_IN_HARD_LIGHT)] if hulls else []


def _printed(thing: Thing, showing: Showing | None) -> Mask | None:
    """Where the board's print shows in a thing; None where it does not."""
    (x, y), (height, width) = thing.corner, thing.whole.shape
    shown = None if showing is None else showing((slice(y, y + height), slice(x, x + width)))
    if shown is None or not (shown & thing.whole).any():
        return None
    return (shown & thing.whole).astype(np.uint8)


def _bright(thing: Thing) -> Mask | None:
    """Where a thing is lighter than the board; None where it is nowhere."""
    bright = solid(thing.strong & (mean_of(thing.ratio) > SHADE))
    return bright if bright.any() else None


def _tinted(thing: Thing) -> Mask | None:
    """Where a thing is no darker than the board and of another tint; None where it is nowhere."""
    shade, tint = shade_and_tint(thing.ratio)
    tinted = solid(thing.whole & (shade > -SHADE) & (tint > OTHER_TINT))
    return tinted if tinted.any() else None


def _clear(thing: Thing, sure: Flags, printed: Mask | None) -> Mask | None:
    """Where a thing differs from a board that was seen, and no print shows; None where it is nowhere."""
    (x, y), (height, width) = thing.corner, thing.whole.shape
    hides = thing.whole if printed is None else thing.whole & (printed == 0)
    clear = solid(hides & sure[y : y + height, x : x + width])
    return clear if clear.any() else None


def _wide_shadow(things: list[Thing]) -> float:
    """How wide what shows of a shadow may be, as a share of its piece: all are thrown by one light."""
    # A shadow beside its piece is a crescent; what is as round as a piece is one.
    cast = [t for t in things if t.beside_shadow and not is_round(t.dark)]
    wide = [t.dark_depth / max(t.light_depth, 1.0) for t in cast]
    return max(WIDE_SHADOW, WIDER * float(np.median(wide))) if len(wide) >= LEAST_CAST else WIDE_SHADOW


def _beside_narrow(body: Mask | None, thing: Thing, wide_shadow: float) -> Mask | None:
    """The part of a thing that is no shadow, unless the rest is too wide for one."""
    if body is None or deepest(solid(thing.whole & (body == 0))) > wide_shadow * deepest(body):
        return None
    return body


def _usual(things: list[Thing]) -> float:
    """The radius of most pieces on the board, roughly."""
    return float(np.median([deepest(solid(t.strong)) for t in things])) if things else 0.0


def _hiding_readings(thing: Thing, printed: Mask, smallest: float) -> list[Reading]:
    """The part of a thing that hides the print: all of it, or its roundest part alone."""
    rest = solid(thing.whole & (printed == 0))
    parts, depth = tuple(round_parts(rest, smallest)), depth_of(rest)
    y, x = np.unravel_index(depth.argmax(), depth.shape)
    roundest = np.array([x, y]) + float(depth[y, x]) * TOWARDS
    return [Reading(hulls) for hulls in (parts, (roundest,)) if hulls]


def _same(one: tuple[Points, ...], other: tuple[Points, ...]) -> bool:
    """Whether two readings are made of the very same hulls."""
    return len(one) == len(other) and all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def _lit_part(thing: Thing, hull: Points) -> Points:
    """Of one piece among several the part that is not shadow: what is dark beside one may be light beside another."""
    mask = np.zeros(thing.whole.shape, np.uint8)
    cv2.fillConvexPoly(mask, hull.astype(np.int32), 1)
    mine, shade = (mask > 0) & thing.whole, mean_of(thing.ratio)
    level = _split_level(shade[mine])
    light, dark = solid(mine & (shade >= level)), solid(mine & (shade < level))
    if not dark.any() or shade[dark > 0].mean() > FULL_SHADOW:
        return hull
    rounder = deepest(light) > max(deepest(dark), LIT_ROUND * deepest(mask))
    return inner if rounder and len(inner := hull_of(light)) > 4 else hull


def _different(readings: list[Reading]) -> list[Reading]:
    """Readings of one piece without those that hardly differ."""
    kept: list[Reading] = []
    for reading in readings:
        low, high = reading.hulls[0].min(axis=0), reading.hulls[0].max(axis=0)
        if all(np.abs([low - k.hulls[0].min(axis=0), high - k.hulls[0].max(axis=0)]).max() > 1 for k in kept):
            kept.append(reading)
    return kept


def _split_level(shade: Field) -> float:
    """The step of light that best parts a thing into two (Otsu); below everything when there is but one."""
    level, parted = cv2.threshold(grey(shade), 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    low, high = shade[parted.ravel() == 0], shade[parted.ravel() > 0]
    if not len(low) or not len(high) or high.mean() - low.mean() < TWO_TONES:
        return -np.inf
    return float(level) / 100 - 2
