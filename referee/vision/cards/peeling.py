"""Explain a heap of cards from the top: stiff cards of one size, whose rims show where nothing lies on them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.cards.anchors import NOWHERE, belongs, index_middles, inside_of
from referee.vision.cards.ownership import Cells, Numbers, Ownership
from referee.vision.cards.reading import Reading
from referee.vision.cards.refining import FINE, NEAR, fit, rim_support
from referee.vision.cards.rims import proposals
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import GRID, Image, Spot, grid_px, grids_px
from referee.vision.cards.votes import STRIDE, Votes

LEFT, TAKEN, EMPTY = 0, 1, -1
"""Whose a cell is while cards are peeled: nobody's yet, a card's, no card there."""
LEAST_NEW, LEAST_LEFT = 0.14, 0.12
"""Share of a card that must be open and not explained otherwise; cells worth less of a card need no explanation."""
LEAST_RIM, LEAST_ANCHORED = 0.4, 0.25
"""How clear a rim must be at least, and that of a card whose index shows."""
HOLES, SMALLER, AGREED, TURNED, KNOWN = 1.0, 0.12, 0.35, 0.25, 1.0
"""What counts beside a clear rim: no holes, no more new cells than needed, votes for the middle and the turn, and that
it can be read."""
SHOWN = 0.25
"""and that its index does."""
ENOUGH, UNANCHORED = 1.0, 1.65
"""What all of it must come to, and for a card without an index among such as show theirs."""
VOTE_REACH = 0.22
"""A vote this far from a card's middle (in card lengths) hardly speaks for it."""
ASKED, MOST = 8, 12
"""Cards that are read at each step, and that a heap may have."""
AT_ONCE = 4
"""of which so many together, the likeliest first: the others may not matter any more."""
NEIGHBOURHOOD = 0.1
"""A card is looked at anew when one was taken away this near, in card lengths."""
ALIKE, ALIKE_RAD = 0.05, 0.08
"""Cards nearer than this (in card lengths and turn) are not both tried."""

Readings = Callable[[Image, Sequence[Spot]], Sequence[Reading]]


@dataclass(frozen=True, slots=True)
class Found:
    """Cards of a heap, the uppermost first."""

    corners: Floats
    rim: Floats
    cells: list[Cells]
    """For each the cells it owns."""


def peel(
    image: Image,
    votes: Votes,
    left: Cells,
    rough: Floats,
    size: tuple[float, float],
    read: Readings,
    astray: bool = False,
    anchors: Floats = NOWHERE,
) -> Found:
    """Cards of length and width `size` that explain the cells `left`; `rough` are those that votes suggest.

    Votes that are known to have gone `astray` do not count: rims and what the cards show decide. `anchors` are cards
    whose index is seen at their first corner: what they lie on is beneath them.
    """
    cell_px = STRIDE / votes.scale
    card = votes.on_card | left
    whose = Ownership(np.where(left, LEFT, np.where(card, TAKEN, EMPTY)), cell_px)
    tries = np.concatenate([rough, by_rims(image, card, left, size, cell_px)])
    found = Found(NOWHERE, np.empty(0), [])
    if not len(tries) + len(anchors):
        return found
    if len(tries):
        tries, _ = fit(image, tries, np.full(len(tries), LEFT), whose, NEAR)
    said = (np.full((*votes.shape, 2), np.inf), np.zeros((*votes.shape, 2))) if astray else _said(votes)
    heap = _Tries(image, tries, said, size[0], read, anchors)
    while len(found.cells) < MOST and _is_card(whose.owner == LEFT, size, cell_px):
        best = heap.best(whose)
        if best is None:
            break
        mine = whose.inside(heap.fitted[best]) & (whose.owner == LEFT)
        found = Found(
            np.concatenate([found.corners, heap.fitted[best : best + 1]]),
            np.append(found.rim, heap.rim[best]),
            [*found.cells, mine],
        )
        whose = Ownership(np.where(mine, TAKEN, whose.owner), cell_px)
        heap.take(best, mine, cell_px)
    return found


class _Tries:
    """Cards that may lie in a heap; what was found out about one holds until a neighbour is taken away."""

    def __init__(
        self,
        image: Image,
        tries: Floats,
        said: tuple[Floats, Floats],
        length: float,
        read: Readings,
        anchors: Floats,
    ) -> None:
        self.image, self.said, self.length, self.read = image, said, length, read
        self.tries = np.concatenate([tries, anchors])
        count = len(self.tries)
        self.anchored = np.arange(count) >= len(tries)
        self.least = np.where(self.anchored | (len(anchors) == 0), ENOUGH, UNANCHORED)
        shown = index_middles(anchors)
        mine = belongs(self.tries, shown)
        self.beneath, self.unmarked = inside_of(self.tries, shown) & ~mine, ~np.asarray(mine.any(axis=1))
        self.fitted = self.tries.astype(np.float64)
        self.rim, self.worth, self.new = np.zeros(count), np.zeros(count), np.ones(count)
        self.known = np.full(count, np.nan)
        self.stale, self.here = np.ones(count, bool), np.ones(count, bool)

    def best(self, whose: Ownership) -> int | None:
        """The card that explains most, if any explains enough; of those beneath no other, if there are such."""
        self._look(whose)
        still = self.here & (self.new >= LEAST_NEW)
        able = still & (self.rim > np.where(self.anchored, LEAST_ANCHORED, LEAST_RIM))
        upper = able & ~self.beneath[:, still[self.anchored]].any(axis=1)
        best = self._best_of(upper, whose)
        return self._best_of(able & ~upper, whose) if best is None else best

    def _best_of(self, able: Cells, whose: Ownership) -> int | None:
        order = _unlike(self.fitted, np.where(able, self.worth, -np.inf), self.length)
        best, most = None, ENOUGH
        for some in np.array_split(order, range(AT_ONCE, len(order), AT_ONCE)):
            some = some[self.worth[some] + KNOWN >= most]
            self._ask(some[np.isnan(self.known[some])], whose)
            total = self.worth[some] + KNOWN * self.known[some]
            total[total < self.least[some]] = -np.inf
            if len(some) and total.max() >= most:
                best, most = int(some[total.argmax()]), float(total.max())
        return best

    def take(self, taken: int, mine: Cells, cell_px: float) -> None:
        """A card is taken away, and with it those that have too little left to be cards."""
        self.here &= self.new >= LEAST_NEW
        self.here[taken] = False
        rows, columns = (np.flatnonzero(mine.any(axis=axis)) * cell_px for axis in (1, 0))
        reach = self.length * NEIGHBOURHOOD
        low, high = (
            np.array((columns[0], rows[0])) - reach,
            np.array((columns[-1], rows[-1])) + cell_px + reach,
        )
        self.stale = ((self.fitted.min(axis=1) < high) & (self.fitted.max(axis=1) > low)).all(axis=1)

    def _look(self, whose: Ownership) -> None:
        at = np.flatnonzero(self.stale & self.here)
        if len(at):
            self.fitted[at], _ = fit(self.image, self.tries[at], np.full(len(at), LEFT), whose, FINE)
            self.rim[at] = rim_support(self.image, self.fitted[at], whose)
            self.worth[at], self.new[at] = _worth(
                self.fitted[at], self.rim[at], whose, self.said, self.length
            )
            self.worth[at] += SHOWN * self.anchored[at]
            self.known[at] = np.nan

    def _ask(self, which: Numbers, whose: Ownership) -> None:
        if len(which):
            readings = self.read(self.image, [as_spot(self.fitted[k], whose) for k in which])
            faces = np.array([reading.face == "up" for reading in readings])
            self.known[which] = np.where(faces & self._lacks_index(which, whose), 0.0, known_well(readings))

    def _lacks_index(self, which: Numbers, whose: Ownership) -> Cells:
        """Whether no index shows at an end of a card that is open, though those of others were found."""
        ends = (index_middles(np.roll(self.fitted[which], k, axis=1)) for k in (0, 2))
        open_ = np.any([whose.at(end) == LEFT for end in ends], axis=0)
        return np.asarray(open_ & self.unmarked[which] & self.anchored.any())


def known_well(readings: Sequence[Reading]) -> Floats:
    """0 for a card that is not read or hardly, 1 for one that is known for certain."""
    return np.array([max(0.0, 2 * r.confidence - 1) if r.name else 0.0 for r in readings])


def patches(left: Cells, size: tuple[float, float], cell_px: float) -> list[Cells]:
    """Cells that hang together and are enough to be a card; slivers along rims are not."""
    body = cv2.morphologyEx(left.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, label = cv2.connectedComponents(cv2.dilate(body, np.ones((5, 5), np.uint8)))
    parts = [(label == k) & left for k in range(1, count)]
    return [part for part in parts if _is_card(part, size, cell_px)]


def _is_card(cells: Cells, size: tuple[float, float], cell_px: float) -> bool:
    return bool(cells.sum() * cell_px**2 >= LEAST_LEFT * size[0] * size[1])


def _said(votes: Votes) -> tuple[Floats, Floats]:
    """(rows, columns, 2): where every cell says its card's middle is on the real picture; and its turn, doubled."""
    middle, axis = np.full((*votes.shape, 2), np.inf), np.zeros((*votes.shape, 2))
    rows, columns = votes.cell.T
    middle[rows, columns] = (votes.centre + 0.5) / votes.scale - 0.5
    double = 2 * np.arctan2(votes.long[:, 1], votes.long[:, 0])
    strength = np.minimum(votes.turn_strength, 1)
    axis[rows, columns] = np.stack([np.cos(double) * strength, np.sin(double) * strength], axis=1)
    return middle, axis


def by_rims(image: Image, card: Cells, left: Cells, size: tuple[float, float], cell_px: float) -> Floats:
    """Proposals on the part of the picture where cells are left."""
    rows, columns = np.nonzero(left)
    h, w = image.shape[:2]
    reach = size[0] * 0.75
    x0, y0 = (max(0, int(first.min() * cell_px - reach)) for first in (columns, rows))
    x1, y1 = (
        min(w, int((columns.max() + 1) * cell_px + reach)),
        min(h, int((rows.max() + 1) * cell_px + reach)),
    )
    to_cells = np.array([[1, 0, x0 + 0.5 - cell_px / 2], [0, 1, y0 + 0.5 - cell_px / 2]]) / cell_px
    card_px, left_px = (
        np.asarray(
            cv2.warpAffine(
                cells.astype(np.float32),
                to_cells,
                (x1 - x0, y1 - y0),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            ),
            np.float32,
        )
        for cells in (card, left)
    )
    part = np.ascontiguousarray(image[y0:y1, x0:x1])
    return np.asarray(proposals(part, card_px, left_px, *size) + np.array((x0, y0)))


def _worth(
    corners: Floats, rim: Floats, whose: Ownership, said: tuple[Floats, Floats], length: float
) -> tuple[Floats, Floats]:
    """How well each card would explain the cells it would own, and which share of it they are."""
    points = grids_px(corners)
    state = whose.at(points)
    mine, holes = state == LEFT, (state == EMPTY).mean(axis=1)
    many, new = np.maximum(mine.sum(axis=1), 1), mine.mean(axis=1)
    last = np.array(whose.owner.shape[::-1]) - 1
    cell = np.clip(np.floor((points + 0.5) / whose.cell_px).astype(int), 0, last)
    middle, axis = (field[cell[..., 1], cell[..., 0]] for field in said)
    off = np.linalg.norm(middle - corners.mean(axis=1)[:, None], axis=2) / (length * VOTE_REACH)
    agreed = (np.exp(-(off**2)) * mine).sum(axis=1) / many
    double = 2 * _turns(corners)[:, None]
    turned = ((axis[..., 0] * np.cos(double) + axis[..., 1] * np.sin(double)) * mine).sum(axis=1) / many
    return np.asarray(rim - HOLES * holes - SMALLER * new + AGREED * agreed + TURNED * turned), new


def _turns(corners: Floats) -> Floats:
    up = corners[:, 0] + corners[:, 1] - corners[:, 2] - corners[:, 3]
    return np.asarray(np.arctan2(up[:, 1], up[:, 0]))


def _unlike(corners: Floats, worth: Floats, length: float) -> Numbers:
    """The best of the possible ones, without those that almost repeat a better one."""
    middle, turn = corners.mean(axis=1), _turns(corners)
    kept: list[int] = []
    for k in map(int, np.argsort(-worth)):
        if len(kept) == ASKED or not np.isfinite(worth[k]):
            break
        near = np.linalg.norm(middle[kept] - middle[k], axis=1) < ALIKE * length
        swing = np.abs((turn[kept] - turn[k] + np.pi / 2) % np.pi - np.pi / 2) < ALIKE_RAD
        if not (near & swing).any():
            kept.append(k)
    return np.array(kept, int)


def as_spot(corners: Floats, whose: Ownership) -> Spot:
    columns, rows = GRID
    exact = np.asarray(corners, np.float64)
    seen = whose.at(grid_px(exact)).reshape(rows, columns) == LEFT
    return Spot(exact, np.asarray(seen), 1.0)
