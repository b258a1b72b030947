"""Compare cards with pictures of them, whatever the light.

Pictures are logarithms, in which light is a sum: what a card in the room has more than its picture is the same all over
the card, or grows steadily across it.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

CLOSE, ROUGH = (40, 56), (20, 28)
"""Width and height at which cards are compared: all roughly, those in doubt closely."""
COLOUR = 1.5
"""Weight of colour beside brightness."""
PALEST, BOLDEST = 0.3, 1.25
"""How much of its picture's contrast a card may keep under a shine,"""
PALE = 0.004
"""and what it costs to have lost all: noise is a pale picture of anything."""
FAINTEST = 0.0005
"""A picture that varies less than this is blank."""
WORST = 0.35
"""No pixel counts for more than this, so that a die on the card does not hide the card."""

Numbers = NDArray[np.intp]
Floats = NDArray[np.float32]
"""(cards, 3, pixels) pictures: logarithm of brightness, and two of colour."""


@dataclass(frozen=True, slots=True)
class Fits:
    """How seen cards compare with known pictures: (cards, pictures)."""

    shape: Floats
    """Mean square difference when light and shine are set aside."""
    light: Floats
    """(cards, pictures, 3): what the light would have to be."""


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


def drawn_much(known: Floats) -> NDArray[np.bool_]:
    """Which of these pictures are not blank, all in all."""
    return np.asarray(known.std(axis=2).sum(axis=1) ** 2 > FAINTEST)


def clipped(seen: Floats, mask: Floats, known: Floats, drawn: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Each seen picture with its own known one, that is drawn or blank: the mean square difference with no pixel
    counting for more than WORST, and the light."""
    used = np.broadcast_to(mask, (len(seen), len(mask)))
    for _ in range(2):
        square, light, pale = _residue(seen, used, known)
        used = mask * (square < WORST)
    cost = np.minimum(square, WORST) @ mask / max(1.0, float(mask.sum()))
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
