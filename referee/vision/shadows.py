"""Something that differs from the empty board, in its lighter and its darker part, and which of the two is shadow.

One lamp throws all shadows to one side. A lit piece lies beside its shadow, and much of its rim is open to the board; a
highlight lies within a dark piece.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.board import Field, Flags, Mask, mean_of
from referee.vision.middles import median, percentile
from referee.vision.ovals import Points

LIT_ROUND = 0.57
"""Least radius of the lit part, as a share of that of the whole."""
LIT_SHARE = 0.35
"""Least share of a thing that is lit; less is a highlight."""
OPEN = np.ones((3, 3), np.uint8)
FULL_SHADOW = -0.25
"""Least depth of a shadow worth the name, in logarithms."""
SHADOW_TINT = 0.35
"""How far a shadow's channels may part, as a share of its depth: lamps and windows differ in colour."""
CAST_SHARE = 0.15
"""Least share of a thing that is lit, and that is dark, when it is a piece with its shadow."""
BESIDE = 0.35
"""Share of a lit piece's rim that does not touch its shadow."""
LEAST_CAST = 3
"""Things whose dark parts must agree on where the light comes from."""
DIM = -0.05
"""Most light, in any colour, that a piece sends which is dark itself."""
BULKY = 0.5
"""Least width of any part of a piece, as a share of its own."""
ONE_WAY, SAME_WAY = 0.9, 0.75
"""How well they agree (1 is perfectly), and a single thing with them, as a cosine."""
SAME_COLOUR = 0.96
"""The same for the colours of their shadows."""
TURNED = 0.7
"""How well things agree on which of their sides is turned from the light."""
WELL_WITHIN = 0.5
"""Depth of what is surely within a thing, as a share of that of its middle."""
HIGHLIGHT = 96.0
"""Percentile from which on the lightest part of a thing is its highlight."""
AS_DARK = 0.5
"""Share of the depth of full shadow from which on a thing may be one."""
SHADOW = (0.3, 1.3)
"""How deep a shadow may be, as a share of the full one."""
DEEPER = 0.3
"""A shadow fades on its way from the piece: what has something darker by so much behind it, in logarithms, is none."""
LIKE_SHADOW = 0.15
"""How far from the line of shadows a colour may be, in logarithms and as a share of its depth."""


@dataclass(frozen=True, eq=False)
class Thing:
    """Something that differs from the empty board, cut out at half resolution."""

    corner: NDArray[np.int64]
    ratio: Field
    whole: Flags
    strong: Flags
    light: Mask
    dark: Mask

    @cached_property
    def lit(self) -> bool:
        """A piece hides most of its shadow, so of light and dark the rounder part is the piece."""
        return self.light_depth >= self.dark_depth

    @cached_property
    def light_depth(self) -> float:
        """Radius of the largest circle in the light part."""
        return deepest(self.light)

    @cached_property
    def dark_depth(self) -> float:
        return deepest(self.dark)

    @cached_property
    def beside_shadow(self) -> bool:
        """True when the lit part is a piece and the dark part its shadow."""
        enough = int(self.light.sum()) > LIT_SHARE * max(int(self.strong.sum()), 1)
        round_ = self.light_depth > LIT_ROUND * deepest(self.whole.view(np.uint8))
        return self.lit and enough and round_ and bool(self.dark.any()) and self.dark_is_shadow

    @cached_property
    def dark_is_shadow(self) -> bool:
        """A shadow takes about the same share of every colour; the dark side of a coloured piece does not."""
        colours = self.ratio[self.dark > 0]
        shade = mean_of(colours)
        tint = np.linalg.norm(colours - shade[:, None], axis=1)
        return bool(median(tint) < SHADOW_TINT * abs(median(shade))) if len(shade) else False

    @cached_property
    def away(self) -> Points | None:
        """Which way the shadow falls, if the dark part looks like one."""
        if min(int(self.light.sum()), int(self.dark.sum())) < CAST_SHARE * int(self.whole.sum()):
            return None
        light, whole = framed(self.light, 1), framed(self.whole.astype(np.uint8), 1)
        rim = (cv2.dilate(light, OPEN) > 0) & (light == 0)
        if np.count_nonzero(rim & (whole == 0)) < BESIDE * np.count_nonzero(rim):
            return None
        lit, dark = (np.argwhere(part > 0).mean(axis=0)[::-1] for part in (self.light, self.dark))
        return _unit(dark - lit)

    @cached_property
    def darkest(self) -> Field:
        """Colour of the darker half of the dark part."""
        colours = self.ratio[self.dark > 0]
        shade = mean_of(colours)
        return np.asarray(colours[shade <= median(shade)].mean(axis=0), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Lamp:
    """One strong light: which way all shadows fall, and their colour."""

    way: Points
    colour: Field

    def throws(self, thing: Thing) -> bool:
        """Whether the dark part of a thing is its shadow."""
        if thing.away is None or thing.darkest.mean() > FULL_SHADOW:
            return False
        lengths = float(np.linalg.norm(thing.darkest) * np.linalg.norm(self.colour))
        same_colour = float(thing.darkest @ self.colour) > SAME_COLOUR * lengths
        return same_colour and float(thing.away @ self.way) > SAME_WAY


def way_of(seen: Sequence[tuple[Field, Mask]]) -> Points | None:
    """Which way all things or pieces, cut out of the picture, are turned from the light, and throw their shadows; None
    when they do not agree."""
    if not seen:
        return None
    way = np.mean([_averted(ratio, mask) for ratio, mask in seen], axis=0)
    return _unit(way) if np.hypot(*way) > TURNED else None


def _averted(ratio: Field, mask: Mask) -> Points:
    """The side that lies in the dark: away from the highlight, and where it gets darker."""
    # At its rim a thing is half board.
    depth = depth_of(mask)
    rows, columns = np.nonzero(depth >= WELL_WITHIN * depth.max())
    shade = mean_of(ratio[rows, columns])
    spots = np.column_stack([columns - columns.mean(), rows - rows.mean()])
    lightest = spots[shade >= percentile(shade, HIGHLIGHT)].mean(axis=0)
    return (_unit((median(shade) - shade) @ spots) - _unit(lightest)) / 2


def _unit(way: Points) -> Points:
    return np.asarray(way / max(float(np.hypot(*way)), 1e-6), float)


def umbra_of(things: list[Thing], bodies: list[Mask | None]) -> Field | None:
    """The colour of full shadow, which all pieces share; None when most of the things are dark themselves."""
    thrown = [t for t, body in zip(things, bodies, strict=True) if body is not None]
    shadows = [t.darkest for t in thrown or things if thrown or t.beside_shadow]
    full = [s for s in shadows if s.mean() < FULL_SHADOW]
    if len(full) < 2 or 2 * len(full) < len(things):
        return None
    return np.median(np.array(full), axis=0).astype(np.float32)


def lamp_of(things: list[Thing]) -> Lamp | None:
    """The one strong light, where there is one: the dark parts of most things then lie on one side."""
    cast = [(t.away, t.darkest) for t in things if t.away is not None and t.dark_is_shadow]
    if len(cast) < LEAST_CAST or 2 * len(cast) < len(things):
        return None
    way = np.mean([away for away, _ in cast], axis=0)
    colour = np.median([darkest for _, darkest in cast], axis=0)
    return Lamp(_unit(way), colour.astype(np.float32)) if np.hypot(*way) > ONE_WAY else None


def body_of(thing: Thing, lamp: Lamp | None) -> Mask | None:
    """The part of a thing that is no shadow, by the side on which all shadows fall."""
    if lamp is None or not lamp.throws(thing):
        return None
    body = _bulky(solid((thing.light > 0) | _coloured(thing) | _before_darker(thing, lamp.way)))
    # What is dark all over need not end where it is darkest.
    return body if body.any() and np.median(thing.ratio[body > 0], axis=0).max() > DIM else None


def _bulky(mask: Mask) -> Mask:
    """A mask without what is thin: the soft rim of a shadow is as light as a piece, but never as wide."""
    wide = 2 * round(BULKY * deepest(mask)) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    bulk = cv2.morphologyEx(framed(mask, wide), cv2.MORPH_OPEN, disc)
    return np.asarray(bulk, np.uint8)[wide:-wide, wide:-wide]


def _coloured(thing: Thing) -> Flags:
    """What no shadow is, however deep: it has another colour."""
    umbra = thing.darkest
    depth = np.clip((thing.ratio @ umbra) / float(umbra @ umbra), 0, SHADOW[1])
    off = np.sqrt(((thing.ratio - depth[..., None] * umbra) ** 2).sum(axis=2))
    return np.asarray(thing.whole & (off > LIKE_SHADOW * (1 + depth)), bool)


def _before_darker(thing: Thing, way: Points) -> Flags:
    """What has something darker behind it, away from the light: the darker side of a piece that is all in all light."""
    shade = cv2.GaussianBlur(np.where(thing.whole, mean_of(thing.ratio), 0).astype(np.float32), (0, 0), 0.8)
    size, darkest, far = (shade.shape[1], shade.shape[0]), shade, 1
    while far < max(size):
        # What is darkest so far behind each place is known: as far again, and all of it twice as far.
        behind = np.array([[1, 0, -far * way[0]], [0, 1, -far * way[1]]])
        darkest = np.minimum(darkest, cv2.warpAffine(darkest, behind, size)).astype(np.float32)
        far *= 2
    return np.asarray(thing.whole & (shade - darkest > DEEPER), bool)


def not_shadow(thing: Thing, umbra: Field) -> Mask:
    """The part of a thing that is not on the line from the lit board to full shadow."""
    depth = (thing.ratio @ umbra) / float(umbra @ umbra)
    along = np.clip(depth, *SHADOW)[..., None] * umbra
    off = np.sqrt(((thing.ratio - along) ** 2).sum(axis=2))
    shadow = (depth > SHADOW[0]) & (off < LIKE_SHADOW * (1 + depth))
    return solid(thing.whole & ~shadow)


def solid(flags: Flags) -> Mask:
    """Specks dropped, holes filled."""
    mask = np.asarray(cv2.morphologyEx(flags.view(np.uint8), cv2.MORPH_OPEN, OPEN), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(mask, contours, -1, 1, cv2.FILLED)
    return mask


def framed(mask: Mask, room: int) -> Mask:
    """The mask with so many empty pixels round it."""
    wider = cv2.copyMakeBorder(mask, room, room, room, room, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(wider, np.uint8)


def deepest(mask: Mask) -> float:
    """Radius of the largest circle in a mask."""
    return cv2.minMaxLoc(_depth_within_a_frame(mask))[1]


def depth_of(mask: Mask) -> Field:
    """Distance of each pixel from the mask's edge."""
    return _depth_within_a_frame(mask)[1:-1, 1:-1]


def _depth_within_a_frame(mask: Mask) -> Field:
    """The same with a pixel of nothing all round."""
    return np.asarray(cv2.distanceTransform(framed(mask, 1), cv2.DIST_L2, 5), np.float32)
