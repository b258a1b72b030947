"""What dice show: two readers look at each from close by, and the pattern of pips on its upper face decides too."""

from dataclasses import dataclass, replace
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from hardware.frames import Image
from referee.vision.cocked import LEANS, cocked
from referee.vision.leaning import slope_of, straight, view_on_table
from referee.vision.nets import MODELS, odds_of, said
from referee.vision.pips import CROP_PX, EDGE_PX, likeness_of

Array = NDArray[np.float64]
Words = tuple[float, Array, Array]
"""What the finder and the two readers say of a place."""

DIE_MM = 16.0
CLOSE_PX, CLOSE_EDGE = 36, 20
"""The close picture from which a value is read, and the die's edge in it."""
TRUST_NET, TRUST_PIPS, SELDOM = 1.0, 20.0, 0.02
"""How much the net and the pattern of pips count for the value; the net is never surer than SELDOM lets it."""
ASIDE = 0.7
"""From this slope of upright edges on, 35 degrees, another face may seem to be the upper one."""
SUPPOSED = 0.5
"""What the nets must give a place before its pips are looked at."""
BELIEVED = -0.6
"""Belief from which a place is a die: the nets and the pattern of pips vouch for it together."""
NEVER, PLAINLY = -9.0, 0.95
"""Belief in a place that a reader takes for no die, and how plainly it must be one to the eye for those that lean."""
WORDS = (0.6, 0.27, 0.35, 0.3)
"""How much the finder, both readers, and the readers' agreement on the value count for a die being one;"""
FACE, DISTINCT, DOUBT = 1.3, 8.0, 6.16
"""and how well the best pattern of pips explains the face, how much better than the next best, and doubt itself."""


@dataclass(frozen=True, slots=True)
class Sighting:
    px: tuple[float, float]
    edge_px: float
    odds: tuple[float, ...]
    """Of the six values."""
    found: float
    belief: float = 0.0
    """The logarithm of the odds that it is a die."""
    leans: float = 0.0
    """The odds that it leans."""
    aside: bool = False
    """Whether it is seen so far from aside that its upper face is hardly to be told from the others."""

    @property
    def sure(self) -> float:
        """Of the die and its value together."""
        return self.found * max(self.odds)


def read(image: Image, spots: list[Sighting], profile: Profile) -> list[Sighting]:
    """The same sightings with their values read from close by, as far as they are believed to be dice."""
    if not spots:
        return []
    close = cv2.dnn.blobFromImages([_close(image, spot) for spot in spots], 1 / 255)
    first = _told("dice_values.onnx", close)
    found = np.array([spot.found for spot in spots]) * (1 - first[:, 0])
    left = np.flatnonzero(found > SUPPOSED)
    if not len(left):
        return []
    other = _told("dice_doubts.onnx", close[left])
    sure = np.minimum(found[left], 1 - other[:, 0])
    kept = np.flatnonzero(1 - other[:, 0] > SUPPOSED)
    dice = [replace(spots[left[k]], found=float(sure[k])) for k in kept]
    words = [(spots[left[k]].found, first[left[k]], other[k]) for k in kept]
    read = [_read_one(die, said, _pips(image, die, profile)) for die, said in zip(dice, words, strict=True)]
    doubted = [die for die in read if die.belief <= BELIEVED]
    doubted += [replace(spots[left[k]], belief=NEVER) for k in np.flatnonzero(1 - other[:, 0] <= SUPPOSED)]
    return _on_table(image, [die for die in read if die.belief > BELIEVED], doubted, profile)


def _on_table(
    image: Image, dice: list[Sighting], doubted: list[Sighting], profile: Profile
) -> list[Sighting]:
    """The dice of a known table, and the odds that they lean; with those of the doubted ones that plainly do: their
    upper faces are not where the readers look for them."""
    asked = dice + doubted
    views = [view_on_table(profile, die.px, die.edge_px) for die in asked]
    leans, plain = cocked(image, [(die.px, view) for die, view in zip(asked, views, strict=True)])
    seen = [
        replace(die, leans=odds, aside=slope_of(view) > ASIDE)
        for die, view, odds in zip(asked, views, leans.tolist(), strict=True)
    ]
    return seen[: len(dice)] + [
        replace(die, found=sure)
        for die, sure in zip(seen[len(dice) :], plain[len(dice) :].tolist(), strict=True)
        if die.leans > LEANS and sure > PLAINLY
    ]


def _told(name: str, close: Any) -> Array:
    """For each close picture the odds of no die and of the six values."""
    return odds_of(said(MODELS / name, close)[:, :7].astype(np.float64))


def _read_one(spot: Sighting, words: Words, pips: Array) -> Sighting:
    found, one, other = words
    odds = [o[1:7] / max(1e-9, float(o[1:7].sum())) for o in (one, other)]
    seen = np.log(np.maximum((odds[0] + odds[1]) / 2, SELDOM))
    both = TRUST_NET * seen + TRUST_PIPS * pips
    values = np.exp(both - both.max())
    values /= values.sum()
    agree = float(np.sqrt(np.prod([o[values.argmax()] for o in odds])))
    said = (found, 1 - one[0], 1 - other[0], agree)
    return replace(spot, odds=tuple(values.tolist()), belief=_belief(said, pips))


def _belief(said: tuple[float, ...], pips: Array) -> float:
    words = np.clip(said, 0.001, 0.999)
    second, best = np.sort(pips)[-2:]
    nets = np.log(words / (1 - words)) @ WORDS
    return float(nets + FACE * best + DISTINCT * (best - second) - DOUBT)


def _pips(image: Image, spot: Sighting, profile: Profile) -> Array:
    """How well each value explains the upper face where it must be on this table."""
    upper, _ = straight(image, spot.px, view_on_table(profile, spot.px, spot.edge_px), CROP_PX, EDGE_PX)
    return likeness_of(upper)


def _close(image: Image, spot: Sighting) -> Image:
    """The die in the middle of a small square, always equally large."""
    scale = CLOSE_EDGE / spot.edge_px
    half = CLOSE_PX / 2 - 0.5
    move = np.array([[scale, 0, half - scale * spot.px[0]], [0, scale, half - scale * spot.px[1]]])
    if scale < 0.6:
        # Shrinking far without averaging would lose the pips' edges to chance.
        image = _shrunk_around(image, spot, scale)
        move = np.array(
            [[1.0, 0, half - (image.shape[1] - 1) / 2], [0, 1.0, half - (image.shape[0] - 1) / 2]]
        )
    return cast(
        Image,
        cv2.warpAffine(
            image, move, (CLOSE_PX, CLOSE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ),
    )


def _shrunk_around(image: Image, spot: Sighting, scale: float) -> Image:
    radius = CLOSE_PX / scale
    side = round(2 * radius)
    cut = cv2.getRectSubPix(image, (side, side), spot.px)
    return cast(Image, cv2.resize(cut, (2 * CLOSE_PX, 2 * CLOSE_PX), interpolation=cv2.INTER_AREA))


def px_per_mm(profile: Profile) -> float:
    """At the height of a die, in the middle of the picture."""
    at = profile.to_board(np.array([profile.image_size], float) / 2, DIE_MM)[0]
    span = profile.to_pixels(at + np.array([[-10, 0], [10, 0], [0, -10], [0, 10]]), DIE_MM)
    return float(np.hypot(*(span[1] - span[0])) + np.hypot(*(span[3] - span[2]))) / 40
