"""Backs and jokers in a fan: what comes out from beneath a known face looks like one, and has a card's rim.

A face in a fan is known by its index, and its outline takes in what lies on it. Where an index shows on that, a card of
its own was told; of backs and jokers none tells. But a rim between them and the next card does, and what lies there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.anchors import index_middles
from referee.vision.cards.covering import covered
from referee.vision.cards.ownership import Numbers, Ownership
from referee.vision.cards.reading import Index, Reader, Reading
from referee.vision.cards.refining import FINE, NEAR, edges_along, fit_open
from referee.vision.cards.sides import Floats, sides_of
from referee.vision.cards.spot import GRID, Image, Seen, Spot, cuts, grids_px, within
from referee.vision.cards.standard import index_open
from referee.vision.cards.tangles import TWICE, Told, corners_of, ends_of, own_shown, too_large
from referee.vision.cards.votes import STRIDE, Votes

Points = NDArray[np.bool_]
"""(cards, points of the grid)."""

NO_INDEX = ("back", TWICE)
"""What such a card is read as,"""
LOOKS_LIKE = 0.8
"""and how surely."""
OUT = np.linspace(0.16, 0.64, 7)
"""How far it comes out from beneath the face, in its own lengths or widths."""
ON_TOP, BESIDE = 0.45, 0.7
"""How clear the rim of the face is on that side, and how much of it is open along it."""
NEXT = 0.1
"""How far beyond the middle of a side it must be on cards, in card lengths."""
AT_THE_RIM = 4, 3
"""Rows or columns of the grid along a side."""
ON_CARDS, STILL_ON_CARDS = 0.75, 0.9
"""How much of what comes out the finder takes for a card, before it is laid onto its rim and then."""
LEAST_OUT = 0.2
"""How much of the card comes out at least."""
RIM, FAR, ALONG = 0.7, 0.75, 0.5
"""How clear its rim is, on the far side, and on those beside it."""
RIM_OF_WHITE, PLAINLY_ALONG = 0.55, 0.9
"""The far rim of a joker, white on the white of the next card, may hardly show if those beside it are so clear."""
LEAST_SIDE = 3
"""Places along a side that tell nothing yet."""
WITHIN = 0.03
"""How far within its rim a card must be open for that to show, in card lengths."""
SAME, SAME_OF_WHITE, MOST_READ = 0.67, 0.8, 16
"""Places that share this much of a card are one, and the clearest of them are read."""
ON_A_BACK, CLEARLY = 0.2, 0.9
"""What lies so far on a known back is part of its pattern, unless that is larger than a card; beside backs its rim must
be so clear."""
SHOWS = 0.3
"""How likely an index shows if one does."""
ON_A_FACE = 0.3
"""What lies so far within the outline of a known face may be that."""


def with_fanned(image: Image, told: Sequence[Told], deck: Reader, index: Index, votes: Votes) -> list[Told]:
    """What was told, and the backs and jokers that come out from beneath known faces."""
    known = list(told)
    if not known:
        return known
    for upper, spot, reading in _likely(image, told, deck, votes):
        if not _is_told(known, upper, spot, reading) and not _is_another(
            image, known, upper, spot, deck, index
        ):
            known = [*(_beneath(one, told[upper], spot) for one in known), (spot, reading)]
    return known


@dataclass(frozen=True, slots=True, eq=False)
class _Tries:
    """Places where a card may lie beneath a face."""

    corners: Floats
    uppers: Floats
    """(n, 4, 2): the face above each,"""
    numbers: Numbers
    """its number among those told,"""
    sides: Numbers
    """and beyond which of its sides the card comes out."""

    def __len__(self) -> int:
        return len(self.corners)

    def some(self, which: Points | Numbers) -> "_Tries":
        return _Tries(self.corners[which], self.uppers[which], self.numbers[which], self.sides[which])

    def on_their_rims(self, image: Image) -> "_Tries":
        corners, open_ = self.corners, self._open_rim(self.corners)
        for search in (NEAR, FINE):
            corners, _ = fit_open(image, corners, open_, search)
        return replace(self, corners=corners)

    def out(self) -> tuple[Floats, Points]:
        """Points of the grid of each card, and which of them come out."""
        points = grids_px(self.corners)
        return points, ~within(points, self.uppers)

    def rims(self, image: Image) -> tuple[Floats, Floats]:
        """How clear the rim of each card is where it comes out; and along its sides, 0 where too little does."""
        open_ = self._open_rim(self.corners)
        clear, many = (edges_along(image, sides_of(self.corners)) * open_).sum(axis=2), open_.sum(axis=2)
        by_side = np.where(many > LEAST_SIDE, clear / np.maximum(1, many), 0.0)
        return clear.sum(axis=1) / np.maximum(1, many.sum(axis=1)), by_side

    def _open_rim(self, corners: Floats) -> Floats:
        """(cards, sides, samples): 1 where the rim is not beneath the face."""
        sides = sides_of(corners)
        points = sides.rim - sides.outwards * WITHIN
        beneath = within(points.reshape(len(corners), -1, 2), self.uppers)
        return np.asarray(~beneath.reshape(points.shape[:3]), np.float32)


def _likely(
    image: Image, told: Sequence[Told], deck: Reader, votes: Votes
) -> list[tuple[int, Spot, Reading]]:
    """Places with a rim that look like a back or a joker, the clearest first, and the number of the face above."""
    cards = Ownership(votes.on_card.astype(np.intp), STRIDE / votes.scale)
    tries = _beneath_faces(image, told, cards)
    tries = tries.some(_on_cards(tries, cards) >= ON_CARDS)
    if not len(tries):
        return []
    tries = tries.on_their_rims(image)
    points, out = tries.out()
    out &= ((points >= 0) & (points < image.shape[1::-1])).all(axis=-1)
    rim, by_side = tries.rims(image)
    far, *beside = (by_side[np.arange(len(tries)), (tries.sides + turn) % 4] for turn in (0, 1, 3))
    clear = (rim >= RIM) & (far >= FAR) & (np.minimum(*beside) >= ALONG)
    white = (rim >= RIM_OF_WHITE) & (np.minimum(*beside) >= PLAINLY_ALONG)
    able = (out.mean(axis=1) >= LEAST_OUT) & (_on_cards(tries, cards) >= STILL_ON_CARDS)
    order = np.argsort(-rim)
    best = _apart(tries, order[(able & clear)[order]], SAME)
    best += _apart(tries, order[(able & white & ~clear)[order]], SAME_OF_WHITE)
    shape = GRID[::-1]
    spots = [
        Spot(np.asarray(tries.corners[k], np.float64), out[k].reshape(shape), min(rim[k], far[k]))
        for k in best
    ]
    read = zip(best, spots, deck.read(image, spots) if spots else (), strict=True)
    return [
        (int(tries.numbers[k]), spot, reading)
        for k, spot, reading in read
        if reading.confidence >= LOOKS_LIKE and reading.name in (NO_INDEX if clear[k] else (TWICE,))
    ]


def _beneath_faces(image: Image, told: Sequence[Told], cards: Ownership) -> _Tries:
    """Where cards may come out from beneath others, beyond sides that are open and clear."""
    corners = corners_of(told)
    sides = sides_of(corners)
    more = (cards.at(sides.middle + sides.out * NEXT * sides.length[:, None, None]) == 1).any(axis=1)
    likely = [k for k in np.flatnonzero(more).tolist() if told[k][1].name is not None]
    clear = edges_along(image, sides_of(corners[likely])).mean(axis=2) if likely else []
    found: list[tuple[Floats, int, int]] = []
    for k, its in zip(likely, clear, strict=True):
        spot, (a, b, _, d) = told[k][0], corners[k]
        rows, columns = AT_THE_RIM
        along = spot.seen[:rows], spot.seen[:, -columns:], spot.seen[-rows:], spot.seen[:, :columns]
        for side, way in enumerate((a - d, b - a, d - a, a - b)):
            if along[side].mean() >= BESIDE and its[side] >= ON_TOP:
                found += [(corners[k] + out * way, k, side) for out in OUT]
    laid = np.array([where for where, _, _ in found]).reshape(-1, 4, 2)
    numbers = np.array([k for _, k, _ in found], np.intp)
    return _Tries(laid, corners[numbers], numbers, np.array([side for _, _, side in found], np.intp))


def _on_cards(tries: _Tries, cards: Ownership) -> Floats:
    """How much of what comes out lies on cells that are on cards."""
    points, out = tries.out()
    return np.asarray(((cards.at(points) == 1) & out).sum(axis=1) / np.maximum(1, out.sum(axis=1)))


def _apart(tries: _Tries, order: Numbers, most: float) -> list[int]:
    """The first in this order that do not share so much with an earlier one beneath the same card."""
    points, kept = grids_px(tries.corners), list[int]()
    for k in order.tolist():
        same = [j for j in kept if tries.numbers[j] == tries.numbers[k]]
        on = within(np.broadcast_to(points[k], (len(same), *points[k].shape)), tries.corners[same])
        if (on.mean(axis=1) < most).all():
            kept.append(k)
    return kept[:MOST_READ]


def _is_told(told: Sequence[Told], upper: int, spot: Spot, reading: Reading) -> bool:
    """Whether such a card was told there already, or what comes out is the pattern of a back."""
    on, out_on = _shares(told, spot)
    if (np.array([r.name == reading.name for _, r in told]) & (on >= SAME)).any():
        return True
    backs = np.array([r.face == "down" for _, r in told])
    backs_there = np.flatnonzero(backs & (out_on > ON_A_BACK)).tolist()
    if any(k != upper and not too_large(told, told[k][0]) for k in backs_there):
        return True
    return bool(backs[[upper, *backs_there]].any() and spot.sure < CLEARLY)


def _shares(told: Sequence[Told], spot: Spot) -> tuple[Floats, Floats]:
    """How much of a card, and of what is open of it, lies on each of those told."""
    points = np.broadcast_to(grids_px(spot.corners[None]), (len(told), GRID[0] * GRID[1], 2))
    on = within(points, corners_of(told))
    return on.mean(axis=1), on[:, spot.seen.ravel()].mean(axis=1)


def _is_another(
    image: Image, told: Sequence[Told], upper: int, spot: Spot, deck: Reader, index: Index
) -> bool:
    """Whether an index shows on what comes out, its own or that of a known face, or a known face lies there."""
    ends = [way.corners for way in (spot, spot.turned()) if index_open(way)]
    if ends and index.shows(cuts(image, np.stack(ends), index.box, index.size)).max() > SHOWS:
        return True
    others = [one for k, one in enumerate(told) if k != upper]
    faces = [(s, r) for s, r in others if r.face == "up" and r.name not in (None, TWICE)]
    if not faces:
        return False
    above = told[upper][0]
    middles = index_middles(ends_of([its for its, _ in faces]).reshape(-1, 4, 2))[None]
    there = within(middles, spot.corners[None])[0] & ~within(middles, above.corners[None])[0]
    if (there & (own_shown(image, faces, index).ravel() > SHOWS)).any():
        return True
    near = [faces[k] for k in np.flatnonzero(_shares(faces, spot)[1] > ON_A_FACE).tolist()]
    parts = [replace(its, seen=_on(its, spot, above)) for its, _ in near]
    again = deck.read(image, parts) if parts else ()
    return any(part.name == reading.name for part, (_, reading) in zip(again, near, strict=True))


def _on(one: Spot, spot: Spot, above: Spot) -> Seen:
    """What of a card lies where another comes out from beneath the one above."""
    return covered(one.corners, spot.corners[None]) & ~covered(one.corners, above.corners[None])


def _beneath(one: Told, upper: Told, spot: Spot) -> Told:
    """The same, less of it open where the card lies that was found; the face above it lies on that."""
    if one is upper:
        return one
    return replace(one[0], seen=one[0].seen & ~_on(one[0], spot, upper[0])), one[1]
