"""Lay a card for every heap of votes: of one deck's size, its outline on its rim."""

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.cards.grouping import MANY, Heap, quads, weighted_median
from referee.vision.cards.ownership import Numbers, Ownership
from referee.vision.cards.refining import FINE, NEAR, WIDE, Search, fit, half_sizes, relaxed, swung, with_size
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image, Quad, half_of
from referee.vision.cards.unravelling import Laid
from referee.vision.cards.votes import STRIDE, Votes

SURE_OF_TURN = 0.75
"""Below this agreement about the turn, other turns are tried against the picture."""
CARD_SHAPE, FULL = (1.25, 1.65), 0.88
"""Length over width of cards, and the share of its box that an open card's votes fill."""
FEW = 8
"""Cards that go by the edges that stand out: many tell each other's size, and some lie on others as bright."""
ALONE = 3
"""Steps that a few cards may take towards their rims, for the lack of others to tell their size."""
COARSE_PX = 40
"""Cards shorter than this on the finder's picture are placed so roughly that they may take two steps."""
SAME, ODD = 1.02, 1.08
"""Factors by which a card may differ in size from what the others say, when they are many and when few."""
SLANT = 1.06
"""Factor by which a slanted look may stretch one card more than another."""


def placed(image: Image, votes: Votes, heaps: list[Heap]) -> Laid:
    """A card for every heap."""
    cells = Ownership(_owner(votes, heaps), STRIDE / votes.scale)
    return Laid(*_on_rims(image, votes, heaps, cells), cells)


def _owner(votes: Votes, heaps: list[Heap]) -> Numbers:
    owner = np.full(votes.shape, -1)
    for number, heap in enumerate(heaps):
        owner[votes.cell[heap.members, 0], votes.cell[heap.members, 1]] = number
    return owner


def _on_rims(image: Image, votes: Votes, heaps: list[Heap], cells: Ownership) -> tuple[Floats, Floats]:
    """Corners of every heap's card on the real picture, and how clear its rim is."""
    rough = quads(heaps)
    if len(heaps) < MANY:
        rough = np.stack([_outline(votes, *one) for one in zip(heaps, rough, strict=True)])
    corners = _of_one_deck((rough + 0.5) / votes.scale - 0.5, np.array([len(h.members) for h in heaps]))
    everyone = np.arange(len(heaps))
    unsure = np.flatnonzero([heap.agreement < SURE_OF_TURN for heap in heaps])
    corners[unsure] = swung(image, corners[unsure], unsure, cells)
    rims = _Rims([image], cells)
    for _ in range(ALONE if len(heaps) < MANY else 2 if votes.length < COARSE_PX else 1):
        corners, rim = rims.fit(corners, WIDE)
    corners, rim = rims.fit(_of_one_deck(corners, rim), NEAR)
    corners, rim = rims.fit(_of_one_deck(corners, rim), FINE)
    return relaxed(image, corners, everyone, cells), rim


@dataclass(frozen=True, slots=True)
class _Rims:
    """Rims looked for on a picture no finer than the steps of the search: grain between two steps would mislead it."""

    images: list[Image]
    """Each half as large as the one before, made when they are needed."""
    cells: Ownership

    def fit(self, corners: Floats, search: Search) -> tuple[Floats, Floats]:
        step_px = search.step * 2 * float(np.median(half_sizes(corners)[0]))
        halvings = int(np.log2(max(1.0, step_px)))
        while len(self.images) <= halvings:
            self.images.append(half_of(self.images[-1]))
        shrink = 2**halvings
        moved, rim = fit(
            self.images[halvings],
            (corners + 0.5) / shrink - 0.5,
            np.arange(len(corners)),
            Ownership(self.cells.owner, self.cells.cell_px / shrink),
            search,
            few=len(corners) <= FEW,
        )
        return (moved + 0.5) * shrink - 0.5, rim


def _outline(votes: Votes, heap: Heap, agreed: Quad) -> Quad:
    """The box round its votes when they fill one of a card's shape: nothing lies on it; else what they agreed on."""
    at = (votes.cell[heap.members][:, ::-1] * STRIDE + STRIDE // 2).astype(np.float32)
    middle, size, turn = cv2.minAreaRect(at)
    long, short = max(size) + STRIDE, min(size) + STRIDE
    if not CARD_SHAPE[0] < long / short < CARD_SHAPE[1] or len(at) * STRIDE**2 < FULL * long * short:
        return agreed
    along = np.radians(turn + (0 if size[0] >= size[1] else 90))
    up = np.array([np.cos(along), np.sin(along)]) * long / 2
    right = np.array([-up[1], up[0]]) * short / long
    c = np.array(middle)
    return np.array([c + up - right, c + up + right, c - up + right, c - up - right])


def _of_one_deck(corners: Floats, weight: Floats) -> Floats:
    """Cards of one deck are of one size; as they lie farther away, they look smaller."""
    long, short = half_sizes(corners)
    size, shape = np.sqrt(long * short), long / np.maximum(short, 1e-9)
    usual, usual_shape = _usual_size(corners.mean(axis=1), size, weight), weighted_median(shape, weight)
    odd = ODD if len(size) < MANY else SAME
    size, shape = (
        np.clip(size, usual / odd, usual * odd),
        np.clip(shape, usual_shape / SLANT, usual_shape * SLANT),
    )
    return with_size(corners, size * np.sqrt(shape), size / np.sqrt(shape))


def _usual_size(middle: Floats, size: Floats, weight: Floats) -> Floats:
    """What the others say about the size of a card at each place."""
    usual = np.full(len(size), weighted_median(size, weight))
    if len(size) < MANY:
        return usual
    basis = np.column_stack(
        [np.ones(len(size)), (middle - middle.mean(axis=0)) / max(1.0, float(middle.std()))]
    )
    wanted, weight = np.log(size)[:, None], weight[:, None]
    guess = np.log(usual)[:, None]
    for _ in range(4):
        trust = weight / (1 + ((wanted - guess) / 0.03) ** 2)
        bent = basis.T @ (basis * trust) + _STIFF * trust.sum() + _NEVER_FLAT
        guess = basis @ cv2.solve(bent, basis.T @ (trust * wanted))[1]
    return np.asarray(np.exp(guess[:, 0]))


_STIFF, _NEVER_FLAT = np.diag([0.0, 0.02, 0.02]), np.eye(3) * 1e-9
