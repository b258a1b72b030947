"""Recognise the cards of a learned deck by their pictures, in any light, either way up, partly covered.

Pictures are compared as logarithms, in which light is a sum: what a card in the room has more than its
picture is the same all over the card, or grows steadily across it, and is alike for all cards of the room.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
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
SHIFTS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
NOISE = 0.004
"""Mean square difference of a card from its own picture at its best."""
LEAST_OPEN = 0.02

Floats = NDArray[np.float32]
"""(cards, pixels, 3) pictures: logarithm of brightness, and two of colour."""


@dataclass(frozen=True)
class LearnedDeck:
    """A deck that was shown to us: names and small flat pictures."""

    names: tuple[str, ...]
    pictures: tuple[Image, ...]
    """All of SIZE; the same name may appear more than once."""

    @cached_property
    def close(self) -> Floats:
        return _both_ways(self.pictures, CLOSE)

    @cached_property
    def rough(self) -> Floats:
        return _both_ways(self.pictures, ROUGH)

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        if not spots:
            return ()
        patches = [cut(image, spot.corners, BOX, SIZE) for spot in spots]
        seen = np.stack([logarithms(p, ROUGH) for p in patches])
        masks = np.stack([_open(s, p, ROUGH) for s, p in zip(spots, patches, strict=True)])
        fits = compare(seen, masks, self.rough)
        room = _light_of_the_room(fits)
        costs = fits.shape + _unlikely(fits.light - room)
        return tuple(
            self._reading(spot, patch, row, room)
            for spot, patch, row in zip(spots, patches, costs, strict=True)
        )

    def apart(self) -> Floats:
        """(cards, cards): how different two pictures are at their most alike, in the room's light."""
        n = len(self.names)
        fits = compare(self.close[:n], np.ones(self.close.shape[:2], np.float32)[:n], self.close)
        costs = fits.shape + _unlikely(fits.light)
        return np.asarray(np.minimum(costs[:, :n], costs[:, n:]))

    def _reading(self, spot: Spot, patch: Image, costs: Floats, room: Floats) -> Reading:
        best, ratio = self._winner(costs)
        if ratio < DOUBT:
            costs = self._closely(spot, patch, costs, room)
            best, ratio = self._winner(costs)
        name = self.names[best % len(self.names)]
        confidence = _confidence(ratio, float(costs[best])) * min(1.0, spot.visible * 4)
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
        shifted = np.stack([_shifted(seen, s) for s in SHIFTS])
        fits = compare(shifted, np.broadcast_to(mask, shifted.shape[:2]), self.close[final])
        at = fits.shape.argmin(axis=0)
        out = np.full_like(costs, np.inf)
        for one, shift in zip(final, at, strict=True):
            cost, light = _clipped(shifted[shift], mask, self.close[one])
            out[one] = cost + _unlikely(light - room)
        return out


def _both_ways(pictures: Sequence[Image], size: tuple[int, int]) -> Floats:
    """Every picture upright, then every picture upside down."""
    upright = np.stack([logarithms(p, size) for p in pictures])
    return np.concatenate([upright, upright[:, ::-1]])


@dataclass(frozen=True, slots=True)
class Fits:
    """How seen cards compare with known pictures: (cards, pictures)."""

    shape: Floats
    """Mean square difference when light and shine are set aside."""
    light: Floats
    """(cards, pictures, 3): what the light would have to be."""


def compare(seen: Floats, masks: Floats, known: Floats) -> Fits:
    """Every seen card with every known picture, over its open part."""
    total = np.maximum(masks.sum(axis=1), 1.0)[:, None]
    steady = _steady(masks, known.shape[1])
    light = np.empty((len(seen), len(known), 3), np.float32)
    own, both, other = np.zeros((len(seen), 1)), np.zeros(light.shape[:2]), np.zeros(light.shape[:2])
    for channel, weight in enumerate((1.0, COLOUR, COLOUR)):
        s, k = seen[..., channel] * masks, np.ascontiguousarray(known[..., channel])
        light[..., channel] = (s.sum(axis=1)[:, None] - masks @ k.T) / total
        own += weight * (s * seen[..., channel]).sum(axis=1)[:, None]
        both += weight * (s @ k.T)
        other += weight * (masks @ (k * k).T)
        for ramp in steady if channel == 0 else steady[:1]:
            of_seen, of_known = (s * ramp).sum(axis=1)[:, None], ramp @ k.T
            own, both, other = (
                own - weight * of_seen**2,
                both - weight * of_seen * of_known,
                other - weight * of_known**2,
            )
    pale = np.clip(both / np.maximum(other, 1e-6), PALEST, BOLDEST)
    shape = np.maximum(own - 2 * pale * both + pale**2 * other, 0) / total
    drawn = other / total > FAINTEST
    return Fits((shape + drawn * PALE * (1 - pale) ** 2).astype(np.float32), light)


def _steady(masks: Floats, pixels: int) -> list[Floats]:
    """Light that is the same all over the open part, or grows steadily across or down it; of length one."""
    w, h = CLOSE if pixels == CLOSE[0] * CLOSE[1] else ROUGH
    y, x = np.mgrid[-1 : 1 : complex(0, h), -1 : 1 : complex(0, w)].astype(np.float32).reshape(2, -1)
    out: list[Floats] = []
    for ramp in (np.ones_like(x), x, y):
        rest = masks * ramp
        for other in out:
            rest = rest - (rest * other).sum(axis=1, keepdims=True) * other
        out.append(rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-3))
    return out


def look_of(picture: Image) -> Floats:
    """How a picture of SIZE looks closely."""
    return logarithms(picture, CLOSE)


def unlike(look: Floats, others: Sequence[Floats]) -> Floats:
    """How different a look is from others in the same light, either way up."""
    known = np.stack([*others, *(other[::-1] for other in others)])
    shifted = np.stack([_shifted(look, s) for s in SHIFTS])
    fits = compare(shifted, np.ones(shifted.shape[:2], np.float32), known)
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


def _clipped(seen: Floats, mask: Floats, known: Floats) -> tuple[float, Floats]:
    """The mean square difference with no pixel counting for more than WORST, and the light."""
    used = mask
    for _ in range(2):
        square, light, pale = _residue(seen, used, known)
        used = mask * (square < WORST)
    cost = float(np.minimum(square, WORST) @ mask) / max(1.0, float(mask.sum()))
    drawn = float(known.std(axis=0).sum()) ** 2 > FAINTEST
    return cost + drawn * PALE * (1 - pale) ** 2, light


def _residue(seen: Floats, mask: Floats, known: Floats) -> tuple[Floats, Floats, float]:
    """For every pixel the square difference that light and shine, as they are where `mask` is, do not explain."""
    total = max(1.0, float(mask.sum()))
    of_seen, of_known = (
        (seen * mask[:, None]).sum(axis=0) / total,
        (known * mask[:, None]).sum(axis=0) / total,
    )
    s, k = seen - of_seen, known - of_known
    m = mask[:, None] * np.array((1.0, COLOUR, COLOUR), np.float32)
    pale = float(np.clip((s * k * m).sum() / max(1e-6, float((k * k * m).sum())), PALEST, BOLDEST))
    rest = s - pale * k
    for ramp in _steady(mask[None], len(mask))[1:]:
        rest[:, 0] -= (rest[:, 0] @ ramp[0]) * ramp[0]
    return rest[:, 0] ** 2 + COLOUR * (rest[:, 1:] ** 2).sum(axis=1), of_seen - of_known, pale


def _shifted(picture: Floats, shift: tuple[int, int]) -> Floats:
    field = picture.reshape(CLOSE[1], CLOSE[0], 3)
    return np.roll(field, shift, axis=(1, 0)).reshape(-1, 3)


def _confidence(ratio: float, cost: float) -> float:
    """From how much worse the next best card fits, and whether this one fits at all."""
    return float(1 - 0.5 * np.exp(-(ratio - 1) / 0.35)) * float(np.clip(1.6 - cost / 0.25, 0.2, 1))


def logarithms(picture: Image, size: tuple[int, int]) -> Floats:
    """Brightness and colours of a picture at `size`, as (pixels, 3)."""
    small_ = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    b, g, r = np.moveaxis(np.log(small_.reshape(-1, 3).astype(np.float32) + DARK), 1, 0)
    return np.stack([(b + g + r) / 3, r - g, b - g], axis=-1)


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
    bright = cv2.resize(patch.min(axis=2), size, interpolation=cv2.INTER_AREA).ravel()
    mask = (seen & (bright < BLOWN)).astype(np.float32)
    return mask if mask.mean() > LEAST_OPEN else np.ones_like(mask)
