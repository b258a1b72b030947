"""Recognise the cards of a learned deck by their pictures, in any light, either way up, partly covered.

Pictures are compared as logarithms, in which light is a sum: what a card in the room has more than its
picture is the same all over the card, or grows steadily across it, and is alike for all cards of the room.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.comparing import CLOSE, ROUGH, Fits, Floats, clipped, compare, drawn_much
from referee.vision.cards.drawings import fine_lines, goes_along, is_drawn, is_plainly_drawn, squares_of
from referee.vision.cards.reading import UNREAD, Reading
from referee.vision.cards.spot import Image, Spot, cut

SIZE = (80, 112)
"""Cards are kept as pictures of this width and height."""
MARGIN = 0.05
"""The rim is left out: it is where neighbours and shadows are."""
BOX = (MARGIN, MARGIN, 1 - MARGIN, 1 - MARGIN)
DARK = 14.0
"""Darker than this a sensor tells little apart."""
BLOWN = 250
"""A pixel this bright in every colour has lost its drawing."""
BRIGHTER, DARKER, TINT = 0.03, 0.15, 0.8
"""What it costs that a card is not as bright, or not of the tint, that the room's light would make it, for each
unit squared. Shine makes brighter with ease; little makes darker."""
FLAT, STEADY, FLATTEST = -0.15, 1.0, -0.4
"""How much brighter light makes cards, as a rule, for each unit that their pictures are darker: shine and cameras leave
less between black and white. And how much cards must differ, and can, to tell otherwise."""
SHINE = 0.3
"""A card brighter than it should be by this has lost much of its colour."""
DOUBT = 2.5
"""When the next best card fits less than this much worse, the finalists are compared closely."""
FINALISTS, DRAWN_FINALISTS = 5, 2
"""Those by how they fit, and by their drawings,"""
WELL_DRAWN = 0.5
"""with which the card goes along at least so far."""
DRAWN = 3.0
"""A finalist fits better by as many times as e to the power of this, times how far the card goes along with its
drawing."""
PLAINLY_DRAWN = 0.6
"""How far a card goes along with a drawing that is plain on it."""
GLARING, LEFT = 235, 0.25
"""The light has taken most of a card's drawing if less than this share of what is darker than that on its picture, in
any colour, is so on the card."""
SAME_LIGHT = (0.16, 0.06, 0.06)
"""By how much the brightness and the colours of what looks like a blank card may be off, as logarithms."""
GUESS = 0.5
"""Below this confidence nothing is said."""
SHIFTS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
NOISE = 0.004
"""Mean square difference of a card from its own picture at its best."""
LEAST_OPEN = 0.02


@dataclass(frozen=True, eq=False)
class LearnedDeck:
    """A deck that was shown to us: names and small flat pictures."""

    names: tuple[str, ...]
    pictures: tuple[Image, ...]
    """All of SIZE; the same name may appear more than once."""
    room: Floats | None = None
    """(pictures both ways up, 3): what the light of the room makes of each, once it is known."""
    index: None = field(default=None, init=False)

    @cached_property
    def close(self) -> Floats:
        return _both_ways(self.pictures, CLOSE)

    @cached_property
    def rough(self) -> Floats:
        return _both_ways(self.pictures, ROUGH)

    @cached_property
    def lines(self) -> Floats:
        return fine_lines(self.close, CLOSE)

    @cached_property
    def squares(self) -> Floats:
        return squares_of(self.lines)

    @cached_property
    def drawn(self) -> NDArray[np.bool_]:
        return drawn_much(self.close)

    @cached_property
    def blank(self) -> list[int]:
        """The numbers of the cards without any drawing."""
        return [k for k in range(len(self.names)) if not is_drawn(self.lines[k])]

    @cached_property
    def faint(self) -> list[int]:
        """The numbers of the cards with a drawing that any shine takes away."""
        drawn = (k for k in range(len(self.names)) if k not in self.blank)
        return [k for k in drawn if not is_plainly_drawn(self.lines[k])]

    @cached_property
    def maybe_faint(self) -> frozenset[str]:
        """The blank cards whose colour another card has, with a drawing that any shine takes away."""
        looks = self.close[: len(self.names)].mean(axis=2)
        return frozenset(
            self.names[a]
            for a in self.blank
            if any((np.abs(looks[a] - looks[b]) <= SAME_LIGHT).all() for b in self.faint)
        )

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        if not spots:
            return ()
        patches, fits = self._fits(image, spots)
        room = self._room(fits) if self.room is None else self.room
        costs = fits.shape + _unlikely(fits.light - room)
        return tuple(
            self._reading(spot, patch, row, room)
            for spot, patch, row in zip(spots, patches, costs, strict=True)
        )

    def accustomed(self, image: Image, spots: Sequence[Spot]) -> "LearnedDeck":
        if not spots:
            return self
        return self._like(replace(self, room=self._room(self._fits(image, spots)[1])))

    def only(self, wanted: Callable[[str], bool]) -> "LearnedDeck":
        """The deck as if it had no other cards; whole, if none is wanted."""
        kept = [i for i, name in enumerate(self.names) if wanted(name)]
        if not kept:
            return self
        names, pictures = tuple(self.names[i] for i in kept), tuple(self.pictures[i] for i in kept)
        both = kept + [i + len(self.names) for i in kept]
        room = None if self.room is None else self.room[both]
        return self._like(replace(self, names=names, pictures=pictures, room=room), both)

    def _like(self, other: "LearnedDeck", which: Sequence[int] | slice = slice(None)) -> "LearnedDeck":
        """The other deck, given what is known already of how its pictures look."""
        kept = ("close", "rough", "lines", "squares", "drawn")
        vars(other).update({name: getattr(self, name)[which] for name in kept})
        return other

    def _fits(self, image: Image, spots: Sequence[Spot]) -> tuple[list[Image], Fits]:
        patches = [cut(image, spot.corners, BOX, SIZE) for spot in spots]
        seen = np.stack([logarithms(p, ROUGH) for p in patches])
        masks = np.stack([_open(s, p, ROUGH) for s, p in zip(spots, patches, strict=True)])
        return patches, compare(seen, masks, self.rough)

    def brighter(self, image: Image, spots: Sequence[Spot]) -> Floats:
        """(spots, cards): by how much a card is brighter than each picture would be in the room, as a logarithm."""
        light = self._fits(image, spots)[1].light[:, : len(self.names), 0]
        return np.asarray(light if self.room is None else light - self.room[: len(self.names), 0])

    def blank_like(self, image: Image, spot: Spot) -> str | None:
        """The card without a drawing that looks just like this in the room's light, if that is known."""
        if not self.blank or self.room is None:
            return None
        off = np.abs(self._fits(image, [spot])[1].light[0, self.blank] - self.room[self.blank]) / SAME_LIGHT
        best = int(off.max(axis=1).argmin())
        return self.names[self.blank[best]] if off[best].max() <= 1 else None

    def lost_in_glare(self, image: Image, spot: Spot, name: str | None) -> bool:
        """Whether the light has taken most of the drawing that a card of this name has."""
        drawn = [
            _darker(p) for p, its_name in zip(self.pictures, self.names, strict=True) if its_name == name
        ]
        return bool(drawn) and _darker(cut(image, spot.corners, BOX, SIZE)) < LEFT * min(drawn)

    def _room(self, fits: Fits) -> Floats:
        return _light_of_the_room(fits, self.rough[:, 0].mean(axis=1))

    def apart(self) -> Floats:
        """(cards, cards): how different two pictures are at their most alike, in the room's light."""
        n = len(self.names)
        fits = compare(self.close[:n], np.ones((1, CLOSE[0] * CLOSE[1]), np.float32), self.close)
        costs = fits.shape + _unlikely(fits.light)
        return np.asarray(np.minimum(costs[:, :n], costs[:, n:]))

    def _reading(self, spot: Spot, patch: Image, costs: Floats, room: Floats) -> Reading:
        best, ratio = self._winner(costs)
        confidence = _confidence(ratio, float(costs[best]))
        if ratio < DOUBT:
            best, confidence = self._by_drawings(*self._closely(spot, patch, costs, room))
        confidence *= min(1.0, spot.visible * 4)
        if confidence < GUESS:
            return UNREAD
        name = self.names[best % len(self.names)]
        return Reading(name, side_of(name), round(confidence, 4), turned=best >= len(self.names))

    def _by_drawings(self, costs: Floats, along: Floats) -> tuple[int, float]:
        """The best picture when drawings count, and how sure it is: surer than without them only if it is plain."""
        first, by_much = self._winner(costs)
        drawn = (costs + NOISE) * np.exp(DRAWN * (along.max() - along)) - NOISE
        best, ratio = self._winner(drawn)
        confidence = _confidence(ratio, float(drawn[best]))
        if along[best] >= PLAINLY_DRAWN:
            return best, confidence
        return best, min(confidence, _confidence(by_much, float(costs[first])))

    def _winner(self, costs: Floats) -> tuple[int, float]:
        """The best picture, and how many times worse the best of another name is."""
        best = int(costs.argmin())
        same = [name == self.names[best % len(self.names)] for name in self.names] * 2
        rival = float(np.where(same, np.inf, costs).min())
        return best, min(100.0, (rival + NOISE) / (float(costs[best]) + NOISE))

    def _closely(self, spot: Spot, patch: Image, costs: Floats, room: Floats) -> tuple[Floats, Floats]:
        """The finalists may shift a little, and a covered bit may not spoil them; the others are out, but for blank
        ones: what lies on such a card is as a drawing. And how far the card goes along with each drawing."""
        seen, mask = logarithms(patch, CLOSE), _open(spot, patch, CLOSE)
        along = goes_along(seen, mask, self.lines, self.squares, CLOSE)
        drawn = [i for i in np.argsort(-along)[:DRAWN_FINALISTS] if along[i] >= WELL_DRAWN]
        blank = np.flatnonzero(~self.drawn)
        final = np.unique([*np.argsort(costs)[:FINALISTS], *drawn, *blank])
        shifted, known = _all_shifts(seen), self.close[final]
        fits = compare(shifted, mask[None], known)
        cost, light = clipped(shifted[fits.shape.argmin(axis=0)], mask, known, self.drawn[final])
        out = np.full_like(costs, np.inf)
        out[final] = cost + _unlikely(light - room[final])
        return out, along


def _darker(picture: Image) -> float:
    """Which share of it is not glaring."""
    return float((picture.min(axis=2) < GLARING).mean())


def _both_ways(pictures: Sequence[Image], size: tuple[int, int]) -> Floats:
    """Every picture upright, then every picture upside down."""
    upright = np.stack([logarithms(p, size) for p in pictures])
    return np.concatenate([upright, upright[..., ::-1]])


def look_of(picture: Image) -> Floats:
    """How a picture of SIZE looks closely."""
    return logarithms(picture, CLOSE)


def unlike(look: Floats, others: Sequence[Floats]) -> Floats:
    """How different a look is from others in the same light, either way up."""
    known = np.stack([*others, *(other[:, ::-1] for other in others)])
    shifted = _all_shifts(look)
    fits = compare(shifted, np.ones((1, shifted.shape[2]), np.float32), known)
    costs = (fits.shape + _unlikely(fits.light)).min(axis=0)
    return np.asarray(np.minimum(costs[: len(others)], costs[len(others) :]))


def _light_of_the_room(fits: Fits, bright: Floats) -> Floats:
    """What it makes of pictures that are so bright: told by the cards that fit best, each to its own picture.

    It leaves less between dark and bright ones than there is on their pictures, never more.
    """
    best = fits.shape.argmin(axis=1)
    rows = np.arange(len(best))
    second = np.partition(fits.shape, 1, axis=1)[:, 1] if fits.shape.shape[1] > 1 else fits.shape[rows, best]
    sure = np.argsort((fits.shape[rows, best] + NOISE) / (second + NOISE))[: max(1, (len(best) + 1) // 2)]
    light, its = fits.light[rows[sure], best[sure]], bright[best[sure]]
    room = np.tile(np.median(light, axis=0), (len(bright), 1))
    off = its - np.median(its)
    flatter = ((off * (light[:, 0] - room[0, 0])).sum() + STEADY * FLAT) / ((off**2).sum() + STEADY)
    room[:, 0] += np.clip(flatter, FLATTEST, 0.0) * (bright - np.median(its))
    return np.asarray(room, np.float32)


def _unlikely(light: Floats) -> Floats:
    bright = light[..., 0]
    gain = np.where(bright > 0, BRIGHTER, DARKER) * bright**2
    shine = 1 + (np.maximum(bright, 0) / SHINE) ** 2
    return np.asarray(gain + TINT * (light[..., 1:] ** 2).sum(axis=-1) / shine)


def _all_shifts(picture: Floats) -> Floats:
    """(shifts, 3, pixels): a picture moved by each of SHIFTS."""
    return np.ascontiguousarray(picture.take(_MOVED, axis=1).transpose(1, 0, 2))


_PIXELS = np.arange(CLOSE[0] * CLOSE[1]).reshape(CLOSE[::-1])
_MOVED = np.stack([np.roll(_PIXELS, shift, axis=(1, 0)).ravel() for shift in SHIFTS])
"""For each of SHIFTS which pixel comes to lie where."""


def _confidence(ratio: float, cost: float) -> float:
    """From how much worse the next best card fits, and whether this one fits at all."""
    return float(1 - 0.5 * np.exp(-(ratio - 1) / 0.35)) * float(np.clip(1.6 - cost / 0.25, 0.2, 1))


def logarithms(picture: Image, size: tuple[int, int]) -> Floats:
    """Brightness and colours of a picture at `size`, as (3, pixels)."""
    small_ = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    b, g, r = LOGARITHMS[small_.reshape(-1, 3).T]
    return np.stack([(b + g + r) / 3, r - g, b - g])


LOGARITHMS = np.log(np.arange(256, dtype=np.float32) + np.float32(DARK))


def side_of(name: str) -> Literal["up", "down"]:
    """A picture called back (`back`, `vote_back`, `back_role`) is what a card shows face down."""
    return "down" if "back" in name.lower().replace("-", "_").split("_") else "up"


def small(picture: Image) -> Image:
    """A flat picture of a whole card as the deck keeps it."""
    h, w = picture.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64) - 0.5
    return cut(picture, corners, BOX, SIZE)


def _open(spot: Spot, patch: Image, size: tuple[int, int]) -> Floats:
    """Which pixels of the compared picture are open and not lost to glare; everything when almost nothing is."""
    seen = cv2.resize(spot.seen.astype(np.float32), size, interpolation=cv2.INTER_LINEAR).ravel() > 0.85
    blue, green, red = cv2.split(patch)
    bright = cv2.resize(cv2.min(cv2.min(blue, green), red), size, interpolation=cv2.INTER_AREA).ravel()
    mask = (seen & (bright < BLOWN)).astype(np.float32)
    return mask if mask.mean() > LEAST_OPEN else np.ones_like(mask)
