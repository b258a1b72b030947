"""What lies on the table and is not of its colours."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.grouping import weighted_median
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image
from referee.vision.cards.votes import resized

LENGTH_PX = 40
"""Length of a card on the small picture on which all this is looked at."""
AWAY = 0.45
"""What is farther from every card than this, in card lengths, is the table."""
LEAST_TABLE = 4.0
"""Square card lengths of table that must be seen to know its colours."""
LIGHTS, SHADES = 16, 64
"""How many levels of light, and of colour, are told apart."""
NOWHERE = 1e-6
"""Share of the table that a colour is taken to have that is nowhere on it."""
USUAL, STRANGE = 1.0, 3.0
"""How much more surprising than the table's usual colours (as logarithms of chances) one is that may still be the
table's, and one that is not."""
SELDOM, LEAST_PLACES = 99.9, 1.0
"""Of all places of the table, so many in a hundred are less strange than those that count as its strangest; and square
card lengths of places that must be known for that."""
ODD, LEAST_PIECE = 0.5, 0.07
"""How strange what is no table is, and how large in one piece, in square card lengths."""
RING_PX, MOSTLY = (LENGTH_PX * 9 // 10 | 1, LENGTH_PX * 11 // 10 | 1), 90.0
"""Inner and outer width of what is round a card; and of how many in a hundred places."""
EVERY, WHITEST, FULL, BRIGHTEST = 4, 99.0, 240.0, 2.0
"""Pixels that are looked at to know how bright a picture is, of which so many in a hundred are darker than what counts
as white; how bright white is made, and by how much a picture is brightened at most."""

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Strange:
    """A small picture of a table, or a part of it: what on it is strange, and where no card is known."""

    scale: float
    origin: Floats
    """Where the part begins on the whole small picture."""
    strange: Floats
    """(rows, columns): 0 for what looks like the table, 1 for what does not."""
    free: Mask
    """1 beside known cards."""
    table: Mask
    """1 away from them."""

    def small(self, places: Floats) -> Floats:
        """Places of the real picture on this one."""
        return np.asarray((places + 0.5) * self.scale - 0.5 - self.origin)

    def real(self, places: Floats) -> Floats:
        """Places of this picture on the real one."""
        return np.asarray((places + self.origin + 0.5) / self.scale - 0.5)

    def inside(self, corners: Floats) -> Mask:
        """1 on a card."""
        return _filled(self.free.shape, self.small(corners)[None])

    def beside(self, corners: Floats) -> Mask:
        """1 where none of these cards (n, 4, 2) is, nor its rim."""
        return _beside(_filled(self.free.shape, self.small(corners)))

    def without(self, corners: Floats) -> "Strange":
        """The same when more cards (n, 4, 2) are known."""
        return replace(self, free=self.free & self.beside(corners))

    def pieces(self) -> NDArray[np.bool_]:
        """What is strange beside known cards and large enough to be of one; its edges are the table's."""
        strange = ((self.strange > ODD) & (self.free > 0)).astype(np.uint8)
        body = cv2.morphologyEx(strange, cv2.MORPH_OPEN, _NEAR)
        _, label, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(body, _NEAR))
        large = stats[:, cv2.CC_STAT_AREA] >= LEAST_PIECE * LENGTH_PX**2
        large[0] = False
        return np.asarray(large[label] & (body > 0))

    def part(self, corners: Floats, reach: float) -> "Strange":
        """What lies up to so many card lengths from the middle of a card, right, left, above and below."""
        middle, far = self.small(corners).mean(axis=0), reach * LENGTH_PX
        low, high = (np.clip(middle + way, 0, self.free.shape[::-1]).astype(int) for way in (-far, far))
        cut = np.s_[low[1] : high[1], low[0] : high[0]]
        return Strange(self.scale, self.origin + low, self.strange[cut], self.free[cut], self.table[cut])

    def at(self, field: Floats | Mask, places: Floats) -> Floats:
        """What a layer of this picture is at the pixels nearest to real places; 0 beside it."""
        x, y = self.small(places).reshape(1, -1, 2).astype(np.float32).transpose(2, 0, 1)
        look = cv2.remap(field.astype(np.float32), x, y, cv2.INTER_NEAREST, borderValue=0)
        return np.asarray(look, np.float32).reshape(places.shape[:-1])

    def round_a_card(self) -> float:
        """How strange it is round most places of the bare table where a card could lie."""
        layers = np.dstack([self.strange, self.table.astype(np.float32)])
        inner, outer = (
            cv2.boxFilter(layers, -1, (k, k), normalize=False, borderType=cv2.BORDER_CONSTANT)
            for k in RING_PX
        )
        strange, bare = cv2.split(outer - inner)
        whole = RING_PX[1] ** 2 - RING_PX[0] ** 2
        places = bare > whole - 0.5
        return float(np.percentile(strange[places], MOSTLY) / whole) if places.any() else 1.0

    def elsewhere(self, weights: Floats) -> float | None:
        """How strange, so weighted, the strangest places of the bare table are; None if few can be compared."""
        if min(self.table.shape) <= 2 * max(weights.shape):
            return None
        covered = (weights != 0).astype(np.float32)
        off = cv2.filter2D(1 - self.table.astype(np.float32), -1, covered, borderType=cv2.BORDER_REFLECT)
        rows, columns = (n // 2 + 1 for n in weights.shape)
        bare = np.zeros(self.table.shape, bool)
        bare[rows:-rows, columns:-columns] = off[rows:-rows, columns:-columns] < 0.5
        if bare.sum() < LEAST_PLACES * LENGTH_PX**2:
            return None
        found = cv2.filter2D(self.strange, -1, weights.astype(np.float32), borderType=cv2.BORDER_REFLECT)
        return float(np.percentile(found[bare], SELDOM))


def brightened(image: Image, least: float = 1.0, most: float = BRIGHTEST) -> Image:
    """The picture as if it had been taken with as much light as it bears: in the dark, rims and colours are faint.

    One that bears no more than `least` times its light stays as it is, and `most` is what it is given.
    """
    white = _percentile(image[::EVERY, ::EVERY], WHITEST)
    gain = FULL / max(1.0, white)
    return image if gain <= least else np.asarray(cv2.convertScaleAbs(image, alpha=min(most, gain)), np.uint8)


def _percentile(image: Image, percent: float) -> float:
    """What so many in a hundred of its values are below; quicker than sorting them, for there are only 256."""
    # Colour by colour: three bytes at a time are copied slowly.
    values = np.ascontiguousarray(np.moveaxis(image, -1, 0)).reshape(1, -1)
    up_to = np.cumsum(cv2.calcHist([values], [0], None, [256], [0, 256]))
    at = (values.size - 1) * percent / 100
    below, above = np.searchsorted(up_to, (np.floor(at), np.ceil(at)), side="right").tolist()
    return float(below + (above - below) * (at % 1))


def strange_on(image: Image, corners: Floats) -> Strange | None:
    """What is strange on the table round these cards (n, 4, 2); None if too little of the table is seen."""
    if not len(corners):
        return None
    length = float(np.median(np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)))
    small = resized(image, image, LENGTH_PX / max(1.0, length))
    scale = small.shape[1] / image.shape[1]
    known = _filled(small.shape[:2], (corners + 0.5) * scale - 0.5)
    reach = 2 * round(AWAY * LENGTH_PX) + 1
    table = 1 - cv2.dilate(known, np.ones((reach, reach), np.uint8))
    if cv2.countNonZero(table) < LEAST_TABLE * LENGTH_PX**2:
        return None
    strange = _strangeness(small, table > 0)
    return Strange(scale, np.zeros(2), strange, _beside(known), np.asarray(table, np.uint8))


_NEAR = np.ones((3, 3), np.uint8)


def _filled(shape: tuple[int, ...], outlines: Floats) -> Mask:
    mask = np.zeros(shape, np.uint8)
    for outline in np.rint(outlines * 16).astype(np.int32):
        cv2.fillConvexPoly(mask, outline, 1, shift=4)
    return mask


def _beside(known: Mask) -> Mask:
    """1 where no card is, nor its rim."""
    return np.asarray(1 - cv2.dilate(known, _NEAR), np.uint8)


def _strangeness(small: Image, table: NDArray[np.bool_]) -> Floats:
    """How much more surprising each pixel's colour is, on this table, than its usual ones."""
    colour = _colours(small)
    many = np.bincount(colour[table], minlength=LIGHTS * SHADES**2).astype(np.float32)
    alike = np.stack(
        [cv2.blur(one, (3, 3)) if one.any() else one for one in many.reshape(LIGHTS, SHADES, SHADES)]
    )
    like = np.asarray(cv2.blur(alike.reshape(LIGHTS, -1), (1, 3))).ravel()
    # Few colours are anywhere on the table; all others surprise alike.
    on_it = np.flatnonzero(like)
    share, many = np.append(like[on_it] / max(1.0, float(many.sum())), np.float32(0)), many[on_it]
    surprise = -np.log(np.maximum(share, NOWHERE))
    above = surprise - weighted_median(surprise[:-1][many > 0], many[many > 0]) - USUAL
    strange = np.clip(above / (STRANGE - USUAL), 0, 1).astype(np.float32)
    of_colour = np.full(len(like), strange[-1])
    of_colour[on_it] = strange[:-1]
    return np.asarray(of_colour.take(colour))


def _colours(small: Image) -> NDArray[np.int32]:
    """A number for the light and the two shades of every pixel."""
    light, *shades = cv2.split(cv2.cvtColor(cv2.blur(small, (3, 3)), cv2.COLOR_BGR2LAB))
    colour = (light // (256 // LIGHTS)).astype(np.int32)
    for shade in shades:
        colour *= SHADES
        colour += np.asarray(shade, np.uint8) // (256 // SHADES)
    return np.asarray(colour)
