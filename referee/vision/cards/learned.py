"""Recognise the cards of a learned deck by their pictures, in any light, either way up, partly covered."""

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
"""Cards are kept and compared as pictures of this width and height."""
ROUGH = 2
"""Most cards of a deck are ruled out on pictures smaller by this."""
MARGIN = 0.05
"""The rim is left out: it is where neighbours and shadows are."""
BOX = (MARGIN, MARGIN, 1 - MARGIN, 1 - MARGIN)
NEIGHBOURHOOD = 0.14
"""Drawing is what differs from its neighbourhood of this share of the width; slower changes are light."""
FAINT = 0.05
"""Differences of this share of the brightness are as good as none."""
COLOURFUL = 6.0
"""Weight of colour beside drawing."""
BLOWN = 250
"""A pixel this bright in every colour has lost its drawing."""
WORST = 2.0
"""No pixel counts for more than this, so that a die on the card does not hide the card."""
FINALISTS = 6
SHIFTS = ((0, 0), (2, 0), (-2, 0), (0, 2), (0, -2))
BRIGHTNESS = 0.4
"""How far (as a logarithm) a card may be from the scene's brightness for nothing."""
LEAST_OPEN = 0.02

Features = NDArray[np.float32]
"""(cards, pixels, 3): drawing, and two colours, whatever the light."""


@dataclass(frozen=True)
class LearnedDeck:
    """A deck that was shown to us: names and small flat pictures."""

    names: tuple[str, ...]
    pictures: tuple[Image, ...]
    """All of SIZE; the same name may appear more than once."""

    @cached_property
    def known(self) -> "Looks":
        """Every picture upright, then every picture upside down."""
        return _both_ways(looks(self.pictures))

    @cached_property
    def rough(self) -> "Looks":
        return _both_ways(looks([_reduced(p) for p in self.pictures]))

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        if not spots:
            return ()
        patches = [cut(image, spot.corners, BOX, SIZE) for spot in spots]
        rough = looks([_reduced(p) for p in patches])
        masks = np.stack([_open(spot, _rough_size()) for spot in spots]) * rough.usable
        first = difference(rough, masks, self.rough)
        tint, gain = self._light(rough, masks, first)
        rest = difference(Looks(rough.features - tint, rough.brightness, rough.usable), masks, self.rough)
        penalty = self._too_bright(rough.brightness / gain)
        rest += penalty
        fine = looks(patches)
        return tuple(
            self._reading(fine.features[i] - tint, _open(spot, SIZE) * fine.usable[i], rest[i], penalty[i])
            for i, spot in enumerate(spots)
        )

    def _light(self, seen: "Looks", masks: Features, rest: Features) -> tuple[Features, float]:
        """Tint and brightness of the light, from the well drawn cards that fit best."""
        best = rest.argmin(axis=1)
        drawn = (seen.features[..., 0] ** 2 * masks).sum(axis=1) / np.maximum(masks.sum(axis=1), 1)
        sure = np.argsort(rest.min(axis=1) / (drawn + 0.05))[: max(3, len(best) // 3)]
        shift = (seen.features[sure] - self.rough.features[best[sure]]) * masks[sure][..., None]
        tint = np.median(shift.sum(axis=1) / np.maximum(masks[sure].sum(axis=1), 1)[:, None], axis=0).astype(
            np.float32
        )
        tint[0] = 0
        return tint, float(np.median(seen.brightness[sure] / self.rough.brightness[best[sure]]))

    def _too_bright(self, brightness: Features) -> Features:
        off = np.abs(np.log(brightness[:, None] / self.rough.brightness[None]))
        return np.asarray(0.6 * np.clip(off - BRIGHTNESS, 0, 1) ** 2, np.float32)

    def _reading(self, seen: Features, mask: Features, rough: Features, penalty: Features) -> Reading:
        """Look closer at the finalists: they may shift a little, and a covered bit may not spoil them."""
        final = np.argsort(rough)[:FINALISTS]
        known = self.known.features[final]
        rest = np.min([_close(_shifted(seen, s), mask, known) for s in SHIFTS], axis=0) + penalty[final]
        order = np.argsort(rest)
        best = int(final[order[0]])
        name = self.names[best % len(self.names)]
        rivals = [float(rest[k]) for k in order if self.names[int(final[k]) % len(self.names)] != name]
        ratio = ((rivals[0] if rivals else 2.0) + 0.02) / (float(rest[order[0]]) + 0.02)
        confidence = _confidence(ratio) * min(1.0, float(mask.mean()) * 4)
        return Reading(name, side_of(name), round(confidence, 4), turned=best >= len(self.names))


def _both_ways(up: "Looks") -> "Looks":
    return Looks(
        np.concatenate([up.features, up.features[:, ::-1]]),
        np.concatenate([up.brightness, up.brightness]),
        np.concatenate([up.usable, up.usable[:, ::-1]]),
    )


def _rough_size() -> tuple[int, int]:
    return SIZE[0] // ROUGH, SIZE[1] // ROUGH


def _reduced(picture: Image) -> Image:
    return np.asarray(cv2.resize(picture, _rough_size(), interpolation=cv2.INTER_AREA), np.uint8)


def _confidence(ratio: float) -> float:
    """From how much worse the next best card fits."""
    return float(1 - 0.5 * np.exp(-(ratio - 1) / 0.12))


@dataclass(frozen=True, slots=True)
class Looks:
    """How cards look, apart from the light."""

    features: Features
    brightness: Features
    usable: Features
    """1 where the picture has not lost its drawing to glare."""


def looks(pictures: Sequence[Image]) -> Looks:
    """Drawing and colours of pictures of SIZE."""
    features = np.stack([_features(p) for p in pictures])
    brightness = np.array([max(1.0, float(np.median(p.mean(axis=2)))) for p in pictures], np.float32)
    usable = np.stack([(p.min(axis=2) < BLOWN).ravel() for p in pictures]).astype(np.float32)
    return Looks(features, brightness, usable)


def _features(picture: Image) -> Features:
    b, g, r = (c.astype(np.float32) for c in cv2.split(picture))
    grey = (b + g + r) / 3
    reach = NEIGHBOURHOOD * picture.shape[1]
    mean = cv2.GaussianBlur(grey, (0, 0), reach)
    detail = cv2.GaussianBlur(grey, (0, 0), 0.7) - mean
    spread = np.sqrt(cv2.GaussianBlur(detail * detail, (0, 0), reach))
    drawing = detail / (spread + FAINT * mean + 2)
    total = b + g + r + 45
    colours = [COLOURFUL * (r - g) / total, COLOURFUL * (b - (r + g) / 2) / total]
    return np.stack([drawing, *colours], axis=-1).reshape(-1, 3).astype(np.float32)


def difference(seen: Looks, masks: Features, known: Looks) -> Features:
    """Mean squared difference of every seen card from every known picture, over its open part."""
    n, k = len(seen.features), len(known.features)
    total = np.maximum(masks.sum(axis=1), 1.0)[:, None]
    a = (seen.features * masks[..., None]).reshape(n, -1)
    b = known.features.reshape(k, -1)
    squares = masks @ (known.features**2).sum(axis=2).T
    own = (seen.features**2 * masks[..., None]).sum(axis=(1, 2))[:, None]
    return np.asarray((own - 2 * a @ b.T + squares) / total, np.float32)


def _close(seen: Features, mask: Features, known: Features) -> Features:
    """The same difference, with no pixel counting for more than WORST."""
    apart = ((known - seen) ** 2).sum(axis=2)
    return np.asarray((np.minimum(apart, WORST) * mask).sum(axis=1) / max(1.0, float(mask.sum())))


def _shifted(features: Features, shift: tuple[int, int]) -> Features:
    field = features.reshape(SIZE[1], SIZE[0], 3)
    return np.roll(field, shift, axis=(1, 0)).reshape(-1, 3)


def side_of(name: str) -> Literal["up", "down"]:
    """A picture called back (`back`, `vote_back`, `back_role`) is what a card shows face down."""
    return "down" if "back" in name.lower().replace("-", "_").split("_") else "up"


def small(picture: Image) -> Image:
    """A flat picture of a whole card as the deck keeps it."""
    h, w = picture.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64) - 0.5
    return cut(picture, corners, BOX, SIZE)


def _open(spot: Spot, size: tuple[int, int]) -> Features:
    """Which pixels of the compared picture are open; everything when almost nothing is."""
    seen = cv2.resize(spot.seen.astype(np.float32), size, interpolation=cv2.INTER_LINEAR).ravel()
    mask = (seen > 0.5).astype(np.float32)
    return mask if mask.mean() > LEAST_OPEN else np.ones_like(mask)
