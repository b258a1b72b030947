"""Recognise the cards of a learned deck by their pictures, in any light, either way up, partly covered.

Pictures are compared as logarithms, in which light is a sum: what a card in the room has more than its
picture is the same all over the card, or grows steadily across it, and is alike for all cards of the room.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import Image, Spot, cut

SIZE = (80, 112)
"""Cards are kept as pictures of this width and height,"""
CLOSE, ROUGH = (40, 56), (20, 28)
"""and compared at these sizes: all roughly, those in doubt closely."""
MARGIN = 0.05
"""The rim is left out: it is where neighbours and shadows are."""
BOX = (MARGIN, MARGIN, 1 - MARGIN, 1 - MARGIN)
DARK = 14.0
"""Darker than this a sensor tells little apart."""
COLOUR = 1.5
"""Weight of colour beside brightness."""
BLOWN = 250
"""A pixel this bright in every colour has lost its drawing."""
BRIGHTER, DARKER, TINT = 0.03, 0.15, 0.8
"""What it costs that a card is not as bright, or not of the tint, that the room's light would make it, for each
unit squared. Shine makes brighter with ease; little makes darker."""
SHINE = 0.3
"""A card brighter than it should be by this has lost much of its colour."""
PALEST, BOLDEST = 0.3, 1.25
"""How much of its picture's contrast a card may keep under a shine,"""
PALE = 0.004
"""and what it costs to have lost all: noise is a pale picture of anything."""
FAINTEST = 0.0005
"""A picture that varies less than this is blank."""
WORST = 0.35
"""No pixel counts for more than this, so that a die on the card does not hide the card."""
DOUBT = 2.5
"""When the next best card fits less than this much worse, the finalists are compared closely."""
FINALISTS = 5
GUESS = 0.5
"""Below this confidence nothing is said."""
SHIFTS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
NOISE = 0.004
"""Mean square difference of a card from its own picture at its best."""
LEAST_OPEN = 0.02

Floats = NDArray[np.float32]
"""(cards, 3, pixels) pictures: logarithm of brightness, and two of colour."""


@dataclass(frozen=True, slots=True)
class Fits:
    """How seen cards compare with known pictures: (cards, pictures)."""

    shape: Floats
    """Mean square difference when light and shine are set aside."""
    light: Floats
    """(cards, pictures, 3): what the light would have to be."""


@dataclass(frozen=True, eq=False)
class LearnedDeck:
    """A deck that was shown to us: names and small flat pictures."""

    names: tuple[str, ...]
    pictures: tuple[Image, ...]
    """All of SIZE; the same name may appear more than once."""
    room: Floats | None = None
    """The light of the room, once it is known."""
    index: None = field(default=None, init=False)

    @cached_property
    def close(self) -> Floats:
        return _both_ways(self.pictures, CLOSE)

    @cached_property
    def rough(self) -> Floats:
        return _both_ways(self.pictures, ROUGH)

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        if not spots:
            return ()
        patches, fits = self._fits(image, spots)
        room = _light_of_the_room(fits) if self.room is None else self.room
        costs = fits.shape + _unlikely(fits.light - room)
        return tuple(
            self._reading(spot, patch, row, room)
            for spot, patch, row in zip(spots, patches, costs, strict=True)
        )

    def accustomed(self, image: Image, spots: Sequence[Spot]) -> "LearnedDeck":
        if not spots:
            return self
        return self._like(replace(self, room=_light_of_the_room(self._fits(image, spots)[1])))

    def only(self, wanted: Callable[[str], bool]) -> "LearnedDeck":
        """The deck as if it had no other cards; whole, if none is wanted."""
        kept = [i for i, name in enumerate(self.names) if wanted(name)]
        if not kept:
            return self
        names, pictures = tuple(self.names[i] for i in kept), tuple(self.pictures[i] for i in kept)
        return self._like(
            replace(self, names=names, pictures=pictures), kept + [i + len(self.names) for i in kept]
        )

    def _like(self, other: "LearnedDeck", which: Sequence[int] | slice = slice(None)) -> "LearnedDeck":
        """The other deck, given what is known already of how its pictures look."""
        vars(other).update(close=self.close[which], rough=self.rough[which])
        return other

    def _fits(self, image: Image, spots: Sequence[Spot]) -> tuple[list[Image], Fits]:
        patches = [cut(image, spot.corners, BOX, SIZE) for spot in spots]
        seen = np.stack([logarithms(p, ROUGH) for p in patches])
        masks = np.stack([_open(s, p, ROUGH) for s, p in zip(spots, patches, strict=True)])
        return patches, compare(seen, masks, self.rough)

    def apart(self) -> Floats:
        """(cards, cards): how different two pictures are at their most alike, in the room's light."""
        n = len(self.names)
        fits = compare(self.close[:n], np.ones((1, CLOSE[0] * CLOSE[1]), np.float32), self.close)
        costs = fits.shape + _unlikely(fits.light)
        return np.asarray(np.minimum(costs[:, :n], costs[:, n:]))

    def _reading(self, spot: Spot, patch: Image, costs: Floats, room: Floats) -> Reading:
        best, ratio = self._winner(costs)
        if ratio < DOUBT:
            costs = self._closely(spot, patch, costs, room)
            best, ratio = self._winner(costs)
        name = self.names[best % len(self.names)]
        confidence = _confidence(ratio, float(costs[best])) * min(1.0, spot.visible * 4)
        if confidence < GUESS:
            return Reading(None, "unknown", 0.0)
        return Reading(name, side_of(name), round(confidence, 4), turned=best >= len(self.names))

    def _winner(self, costs: Floats) -> tuple[int, float]:
        """The best picture, and how many times worse the best of another name is."""
        best = int(costs.argmin())
        same = [name == self.names[best % len(self.names)] for name in self.names] * 2
        rival = float(np.where(same, np.inf, costs).min())
        return best, min(100.0, (rival + NOISE) / (float(costs[best]) + NOISE))

    def _closely(self, spot: Spot, patch: Image, costs: Floats, room: Floats) -> Floats:
        """The finalists may shift a little, and a covered bit may not spoil them; the others are out."""
        final = np.argsort(costs)[:FINALISTS]
        seen, mask = logarithms(patch, CLOSE), _open(spot, patch, CLOSE)
        shifted, known = _all_shifts(seen), self.close[final]
        fits = compare(shifted, mask[None], known)
        cost, light = _clipped(shifted[fits.shape.argmin(axis=0)], mask, known)
        out = np.full_like(costs, np.inf)
        out[final] = cost + _unlikely(light - room)
        return out


def _both_ways(pictures: Sequence[Image], size: tuple[int, int]) -> Floats:
    """Every picture upright, then every picture upside down."""
    upright = np.stack([logarithms(p, size) for p in pictures])
    return np.concatenate([upright, upright[..., ::-1]])


def compare(seen: Floats, masks: Floats, known: Floats) -> Fits:
    """Every seen card with every known picture, over its open part (of one for all, or of each)."""
    total = np.maximum(masks.sum(axis=1), 1.0)[:, None]
    steady = _steady(masks)
    light = np.empty((len(seen), len(known), 3), np.float32)
    own, both, other = np.zeros((len(seen), 1)), np.zeros(light.shape[:2]), np.zeros(light.shape[:2])
    for channel, weight in enumerate((1.0, COLOUR, COLOUR)):
        s, k = seen[:, channel] * masks, known[:, channel]
        light[..., channel] = (s.sum(axis=1)[:, None] - masks @ k.T) / total
        own += weight * _dot(s, seen[:, channel])[:, None]
        both += weight * (s @ k.T)
        other += weight * (masks @ (k * k).T)
        for ramp in steady if channel == 0 else steady[:1]:
            of_seen, of_known = _dot(s, np.broadcast_to(ramp, s.shape))[:, None], ramp @ k.T
            own, both, other = (
                own - weight * of_seen**2,
                both - weight * of_seen * of_known,
                other - weight * of_known**2,
            )
    pale = np.clip(both / np.maximum(other, 1e-6), PALEST, BOLDEST)
    shape = np.maximum(own - 2 * pale * both + pale**2 * other, 0) / total
    drawn = other / total > FAINTEST
    return Fits((shape + drawn * PALE * (1 - pale) ** 2).astype(np.float32), light)


def _dot(a: Floats, b: Floats) -> Floats:
    """Row by row."""
    return np.asarray(np.einsum("np,np->n", a, b))


def _steady(masks: Floats) -> list[Floats]:
    """Light that is the same all over the open part, or grows steadily across or down it; of length one."""
    out: list[Floats] = []
    for ramp in _ramps(masks.shape[1]):
        rest = masks * ramp
        for other in out:
            rest = rest - _dot(rest, other)[:, None] * other
        out.append(rest / np.maximum(np.sqrt(_dot(rest, rest)), 1e-3)[:, None])
    return out


@lru_cache
def _ramps(pixels: int) -> Floats:
    """One, from left to right, and from top to bottom."""
    w, h = CLOSE if pixels == CLOSE[0] * CLOSE[1] else ROUGH
    y, x = np.mgrid[-1 : 1 : complex(0, h), -1 : 1 : complex(0, w)].astype(np.float32).reshape(2, -1)
    return np.stack([np.ones_like(x), x, y])


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


def _light_of_the_room(fits: Fits) -> Floats:
    """From the cards that fit best, each to its own picture."""
    best = fits.shape.argmin(axis=1)
    rows = np.arange(len(best))
    second = np.partition(fits.shape, 1, axis=1)[:, 1] if fits.shape.shape[1] > 1 else fits.shape[rows, best]
    sure = np.argsort((fits.shape[rows, best] + NOISE) / (second + NOISE))[: max(1, (len(best) + 1) // 2)]
    return np.asarray(np.median(fits.light[rows[sure], best[sure]], axis=0), np.float32)


def _unlikely(light: Floats) -> Floats:
    bright = light[..., 0]
    gain = np.where(bright > 0, BRIGHTER, DARKER) * bright**2
    shine = 1 + (np.maximum(bright, 0) / SHINE) ** 2
    return np.asarray(gain + TINT * (light[..., 1:] ** 2).sum(axis=-1) / shine)


def _clipped(seen: Floats, mask: Floats, known: Floats) -> tuple[Floats, Floats]:
    """Each seen picture with its own known one: the mean square difference with no pixel counting for more than
    WORST, and the light."""
    used = np.broadcast_to(mask, (len(seen), len(mask)))
    for _ in range(2):
        square, light, pale = _residue(seen, used, known)
        used = mask * (square < WORST)
    cost = np.minimum(square, WORST) @ mask / max(1.0, float(mask.sum()))
    drawn = known.std(axis=2).sum(axis=1) ** 2 > FAINTEST
    return np.asarray(cost + drawn * PALE * (1 - pale) ** 2), light


def _residue(seen: Floats, masks: Floats, known: Floats) -> tuple[Floats, Floats, Floats]:
    """For every pixel the square difference that light and shine, as they are where `masks` are, do not explain."""
    total = np.maximum(1.0, masks.sum(axis=1))[:, None]
    of_seen, of_known = ((picture @ masks[..., None])[..., 0] / total for picture in (seen, known))
    s, k = seen - of_seen[..., None], known - of_known[..., None]
    weighed = k * masks[:, None]
    both, other = (np.einsum("ncp,ncp->nc", x, weighed) @ _WEIGHTS for x in (s, k))
    pale = np.clip(both / np.maximum(1e-6, other), PALEST, BOLDEST)
    rest = s - pale[:, None, None] * k
    for ramp in _steady(masks)[1:]:
        rest[:, 0] -= _dot(rest[:, 0], ramp)[:, None] * ramp
    rest *= rest
    return rest[:, 0] + COLOUR * (rest[:, 1] + rest[:, 2]), of_seen - of_known, pale


_WEIGHTS = np.array((1.0, COLOUR, COLOUR), np.float32)


def _all_shifts(picture: Floats) -> Floats:
    """(shifts, 3, pixels): a picture moved by each of SHIFTS."""
    return np.ascontiguousarray(picture[:, _MOVED].transpose(1, 0, 2))


_PIXELS = np.arange(CLOSE[0] * CLOSE[1]).reshape(CLOSE[::-1])
_MOVED = np.stack([np.roll(_PIXELS, shift, axis=(1, 0)).ravel() for shift in SHIFTS])
"""For each of SHIFTS which pixel comes to lie where."""


def _confidence(ratio: float, cost: float) -> float:
    """From how much worse the next best card fits, and whether this one fits at all."""
    return float(1 - 0.5 * np.exp(-(ratio - 1) / 0.35)) * float(np.clip(1.6 - cost / 0.25, 0.2, 1))


def logarithms(picture: Image, size: tuple[int, int]) -> Floats:
    """Brightness and colours of a picture at `size`, as (3, pixels)."""
    small_ = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    b, g, r = _LOGARITHMS[small_.reshape(-1, 3).T]
    return np.stack([(b + g + r) / 3, r - g, b - g])


_LOGARITHMS = np.log(np.arange(256, dtype=np.float32) + np.float32(DARK))


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
