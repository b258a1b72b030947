"""Cards that lie beneath a known one and stick out: flaps with a card's rim, of colours that the table does not have.

The finder hardly sees a card of which little is open. But what comes out from under a card and is not of the table is
as a rule another card, and of the same size: all the places where it can lie are soon tried.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.hiding import AROUND, OFF, OPEN, hiding_places
from referee.vision.cards.ownership import Ownership
from referee.vision.cards.reading import Reader, Reading
from referee.vision.cards.refining import FINE, NEAR, edges_along, fit, half_sizes, relaxed
from referee.vision.cards.rims import proposals
from referee.vision.cards.sides import Floats, round_a_corner, sides_of
from referee.vision.cards.spot import GRID, Image, Quad, Spot, grid_px, within
from referee.vision.cards.strange import LENGTH_PX, Strange
from referee.vision.cards.tangles import Told, corners_of

ON_TOP, FAINT, ON_THE_WHOLE = 0.65, 0.4, 0.8
"""How clear the rim of the upper card is along every side: then it lies above, and where it is said to lie. A side may
be fainter, dark on a dark table, if the others make up for it."""
BESIDE, LEAST_OUT = np.array((0.06, 0.1)), 0.1
"""How far out of the upper card's rim is looked, in card lengths, and how strange it must be there on the whole."""
REACH = 1.5
"""How far from the upper card's middle all this is, in card lengths."""
LEAST_RIM, ENDS = 12, 0.4
"""Places along its rim that must be beside no known card, three quarters of a side; and how much less strange it is
beyond them than within,"""
A_SIDE, EVERY_SIDE = 3, 0.1
"""and a little along every side of so many places: a hand goes on."""
ROUND_A_CORNER = 12
"""Places along two sides that meet: what lies between cards has no corner of its own."""
BENEATH = 0.2
"""How much of a card lies beneath another at least."""
PART_OF_SIDE, PLAIN = 5, 0.5
"""Places that make a part of a side, and how clear every such part of a plain rim is."""
BY_RIMS, NEARER = 12, 1.1
"""Places that are told by rims, the clearest first, and how far from the upper card's middle rims are looked for."""
VERY_CLEAR, LESS_OPEN = 0.85, 0.09
"""How clear the rim is of a card that may be less open than others."""
COMPARED, CLEAREST = 3, 2
"""Places that are compared with the bare table: those that explain most, and those for which most speaks."""
ENOUGH, LESS = 0.25, 0.2
"""What the rim's clearness comes to, times by how much the open part is stranger than what is round it, and that more
than at any other place of the table; less will do for a rim so clear that it is hardly there by chance."""
AT_MOST = 0.85
"""How sure the reading of such a card can be: most of it is hidden."""


def with_beneath(
    image: Image, told: Sequence[Told], deck: Reader, table: Strange, plain: bool = False
) -> list[Told]:
    """What was told, and the cards that stick out from beneath one of those, or only such with a plain rim."""
    uppers = _Uppers(image, corners_of(told), table, plain)
    found = uppers.beneath()
    readings = zip(found, deck.read(image, found) if found else (), strict=True)
    return [*told, *((s, _less_sure(r)) for s, r in readings if r.name or not uppers.between(s.corners))]


def _less_sure(reading: Reading) -> Reading:
    return replace(reading, confidence=min(reading.confidence, AT_MOST))


@dataclass(frozen=True, slots=True)
class _Rim:
    """The rim of a lower card, as far as it is beside no other."""

    many: float
    """Places along it."""
    clear: float
    ends: float
    """How much of the strange stuff ends there,"""
    least: float
    """and on the side where it does least."""
    fits: float
    """How clear it is if places close to the upper card count, too."""
    corner: float
    """Places along two sides that meet,"""
    faintest: float
    """and how clear the faintest side is."""

    @property
    def is_its_own(self) -> bool:
        """Whether there is enough of it, and the strange stuff goes on nowhere."""
        return self.many >= LEAST_RIM and self.ends >= ENDS and self.least >= EVERY_SIDE

    @property
    def is_plain(self) -> bool:
        """Whether it goes round a corner, and shows wherever it should."""
        return self.corner >= ROUND_A_CORNER and self.faintest >= PLAIN


@dataclass(frozen=True, slots=True, eq=False)
class _Lower:
    """A card that may lie beneath another."""

    corners: Floats
    weights: Floats
    """(rows, columns) round the card: its open part counts for it, what is free round it against it."""
    rim: _Rim
    stranger: float
    """By how much the open part is stranger than what is round it."""
    explains: float
    """How many strange pixels."""

    @property
    def evidence(self) -> float:
        return self.rim.clear * self.stranger

    @property
    def worth(self) -> float:
        """The more of what is strange it explains, and the more exactly, the more."""
        return self.evidence * self.explains * self.rim.ends * self.rim.fits

    def meets(self, other: "_Lower") -> bool:
        low, high = (way(self.corners, axis=0) for way in (np.min, np.max))
        return bool((low < other.corners.max(axis=0)).all() and (high > other.corners.min(axis=0)).all())


class _Uppers:
    """The known cards, and what is strange beside them and not explained yet."""

    def __init__(self, image: Image, corners: Floats, table: Strange, plain: bool) -> None:
        self.image, self.corners, self.table, self.plain = image, corners, table, plain
        sides = sides_of(corners)
        self.on_top = _on_top(edges_along(image, sides).mean(axis=2))
        self.beside = sides.rim[..., None, :] + sides.outwards[..., None, :] * BESIDE[:, None]
        long, short = half_sizes(corners)
        self.shape = float(np.median(long / np.maximum(short, 1.0)))

    def beneath(self) -> list[Spot]:
        """Lower cards one by one, the one first that explains most."""
        spots: list[Spot] = []
        lower = {k: one for k in self._something_under() if (one := self._lower(k))}
        while lower:
            best = max(lower.values(), key=lambda one: one.explains)
            spots.append(self._spot(best))
            self.table = self.table.without(best.corners[None])
            again = {k: self._lower(k) if one.meets(best) else one for k, one in lower.items()}
            still = self._something_under()
            lower = {k: one for k, one in again.items() if one and k in still}
        return spots

    def _something_under(self) -> list[int]:
        """Upper cards from under which something strange comes out, more than round most places of the table."""
        table = self.table
        strange, free = (table.at(field, self.beside) for field in (table.strange * table.free, table.free))
        out = strange.sum(axis=(1, 2, 3)) / np.maximum(1, free.sum(axis=(1, 2, 3)))
        able = self.on_top & (out >= LEAST_OUT)
        if able.any():
            able &= out > table.round_a_card()
        return [int(k) for k in np.flatnonzero(able)]

    def _lower(self, upper: int) -> _Lower | None:
        """The likeliest card beneath this one, if enough speaks for it."""
        near = self.table.part(self.corners[upper], REACH)
        tries = hiding_places(near, self.corners, upper, self.shape)
        if not self.plain:
            tries = np.concatenate([tries, self._by_rims(upper)])
        tries = tries[self._on_picture(tries)]
        if not len(tries):
            return None
        cells = Ownership(np.where(self.table.free > 0, 0, 1).astype(np.intp), 1 / self.table.scale)
        ids = np.zeros(len(tries), np.intp)
        tries, _ = fit(self.image, tries, ids, cells, NEAR)
        tries, fits = fit(self.image, tries, ids, cells, FINE)
        tries = relaxed(self.image, tries, ids, cells)
        rims = self._rims(near, tries, fits)
        judged = [self._judged(near, corners, rim) for corners, rim in zip(tries, rims, strict=True)]
        able = [one for one in judged if one]
        likely = sorted(able, key=lambda one: -one.worth)[:COMPARED]
        likely += [one for one in sorted(able, key=lambda one: -one.evidence)[:CLEAREST] if one not in likely]
        sure = [one for one in map(self._compared, likely) if one]
        return max(sure, key=lambda one: one.worth, default=None)

    def _on_picture(self, tries: Floats) -> NDArray[np.bool_]:
        """Which cards lie on the picture as a whole: a hand comes in over its rim."""
        last = np.array(self.image.shape[1::-1]) - 1
        return np.asarray(((tries >= 0) & (tries <= last)).all(axis=(1, 2)))

    def _by_rims(self, upper: int) -> Floats:
        """The clearest cards of the upper one's size by a whole side and the beginnings of its neighbours."""
        near = self.table.part(self.corners[upper], NEARER)
        low, high = (np.rint(near.real(np.array(at))).astype(int) for at in ((0, 0), near.free.shape[::-1]))
        low = np.maximum(low, 0)
        part = np.ascontiguousarray(self.image[low[1] : high[1], low[0] : high[0]])
        strange, free = (
            np.asarray(cv2.resize(field.astype(np.float32), part.shape[1::-1]), np.float32)
            for field in (near.strange * near.free, near.free)
        )
        long, short = (2 * float(half[0]) for half in half_sizes(self.corners[upper : upper + 1]))
        found = proposals(part, strange, free, long, short) + low
        off = np.linalg.norm(found.mean(axis=1) - self.corners[upper].mean(axis=0), axis=1)
        return np.asarray(found[off <= OFF * long][:BY_RIMS])

    def _rims(self, near: Strange, tries: Floats, fits: Floats) -> list[_Rim]:
        """What the rims are like beside no known card."""
        sides = sides_of(tries)
        within, beyond = (sides.rim + sides.outwards * out for out in (-BESIDE[0], BESIDE[0]))
        own = near.at(near.free, within) * near.at(near.free, beyond)
        drop = near.at(near.strange, within) - near.at(near.strange, beyond)
        edges = edges_along(self.image, sides)
        by_side, many = own.sum(axis=2), own.sum(axis=(1, 2))
        clear, ends = ((field * own).sum(axis=(1, 2)) / np.maximum(1, many) for field in (edges, drop))
        least, faintest = (
            np.where(by_side >= enough, (field * own).sum(axis=2) / np.maximum(1, by_side), 1).min(axis=1)
            for field, enough in ((drop, A_SIDE), (edges, PART_OF_SIDE))
        )
        parts = zip(many, clear, ends, least, fits, round_a_corner(by_side), faintest, strict=True)
        return [_Rim(*map(float, one)) for one in parts]

    def _judged(self, near: Strange, corners: Floats, rim: _Rim) -> _Lower | None:
        """What speaks for a card here, if it can be one."""
        mask = near.inside(corners)
        open_ = (mask & near.free) > 0
        share = open_.sum() / max(1, mask.sum())
        least = LESS_OPEN if rim.clear >= VERY_CLEAR else OPEN[0]
        if not (least <= share <= OPEN[1] and rim.is_its_own and (rim.is_plain or not self.plain)):
            return None
        round_it = (cv2.dilate(mask, _AROUND) > cv2.dilate(mask, _RIM)) & (near.free > 0)
        weights = open_ / open_.sum() - round_it / max(1, round_it.sum())
        strange = float((near.strange * weights).sum())
        lower = _Lower(corners, _cropped(weights), rim, strange, float(near.strange[open_].sum()))
        return lower if lower.evidence >= ENOUGH else None

    def between(self, corners: Quad) -> bool:
        """Whether a card here would lie beneath several: the table between cards has rims, too, but they are theirs."""
        points = np.broadcast_to(grid_px(corners), (len(self.corners), GRID[0] * GRID[1], 2))
        return bool((within(points, self.corners).mean(axis=1) >= BENEATH).sum() > 1)

    def _compared(self, lower: _Lower) -> _Lower | None:
        """The same beside the strangest places of the bare table."""
        usual = self.table.elsewhere(lower.weights)
        if usual is None:
            return None
        lower = replace(lower, stranger=lower.stranger - max(0.0, usual))
        return lower if lower.evidence >= (LESS if lower.rim.clear >= VERY_CLEAR else ENOUGH) else None

    def _spot(self, lower: _Lower) -> Spot:
        columns, rows = GRID
        exact = np.asarray(lower.corners, np.float64)
        seen = self.table.at(self.table.free, grid_px(exact)).reshape(rows, columns) > 0
        return Spot(exact, np.asarray(seen), min(1.0, lower.evidence))


def _on_top(clear: Floats) -> NDArray[np.bool_]:
    """Whether cards lie above, by how clear (cards, sides) their rims are."""
    faintest = clear.min(axis=1)
    return np.asarray((faintest >= ON_TOP) | ((faintest >= FAINT) & (clear.mean(axis=1) >= ON_THE_WHOLE)))


def _cropped(weights: Floats) -> Floats:
    rows, columns = (np.flatnonzero(weights.any(axis=axis)) for axis in (1, 0))
    return weights[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


_RIM, _AROUND = (np.ones((k, k), np.uint8) for k in (3, 2 * round(AROUND * LENGTH_PX) + 1))
