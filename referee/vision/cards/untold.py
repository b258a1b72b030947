"""Cards that the looks did not see: an index shows on what is not the table's, as under hands, or on a face of which
one of its own is hidden, as in a fan."""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.anchors import Indices, index_middles, inside_of
from referee.vision.cards.ownership import Cells, Ownership
from referee.vision.cards.reading import WELL_READ, Index, Reader
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image, cut, cuts, grids_px
from referee.vision.cards.strange import Strange, brightened, strange_on
from referee.vision.cards.tangles import (
    GROWN,
    LEAST_SHOWN,
    SEEMS_OPEN,
    TWICE,
    Told,
    corners_of,
    near_others,
    own_shown,
    share_on,
    too_large,
    unmarked,
    unread_elsewhere,
)
from referee.vision.cards.unclaimed import with_unclaimed
from referee.vision.cards.unravelling import size_of
from referee.vision.cards.votes import STRIDE, Votes

OPEN = 0.9
"""How much of a card is open on which no other lies."""
SHOWS = 0.35
"""How likely its own index must show where the card comes to lie,"""
PAPER = 0.45
"""how bright what is round it is, by the indices of known faces: in the shade of a hand half as bright,"""
MOSTLY = 0.68
"""how much of it may lie on one that is well read and seems open: else it is that one's index, misread,"""
ON_CARDS = 0.75
"""and how much of it lies on cards, if that index shows on one: the finder is blind under hands alone."""


def with_untold(image: Image, told: Sequence[Told], deck: Reader, index: Index, votes: Votes) -> list[Told]:
    """What was told, and cards turned about as those that are known whose indices show where none should; faces that
    lie a little aside of their own are laid there."""
    told = list(told)
    known = [one for one in told if one[1].name is not None]
    table = strange_on(brightened(image), corners_of(known))
    if table is None:
        return told
    strange = table.without(corners_of(_unread_alone(told))).pieces()
    there = strange | _on_hidden(image, known, index, table)
    if not there.any():
        return told
    like, indices = corners_of(known), Indices(index)
    size = size_of(like)
    indices.sought(image, there, 1 / table.scale, like, size)
    elsewhere = _elsewhere(image, told, index)
    for ways in indices.cards(size):
        others = _without(told, elsewhere)
        more = with_unclaimed(image, others, deck, [ways])
        if len(more) == len(others) or not _lies_there(image, others, more[-1], index, votes):
            continue
        *others, found = more
        elsewhere = [one for one in elsewhere if not _is_again(one, found)]
        told = [*unread_elsewhere([*others, *elsewhere], [found]), found]
    return told


def _without(told: Sequence[Told], some: Sequence[Told]) -> list[Told]:
    return [one for one in told if not any(one is other for other in some)]


def _is_again(one: Told, found: Told) -> bool:
    """Whether a card was found that shows the same face and lies partly there, or lies mostly there."""
    least = 0.0 if one[1].name == found[1].name else MOSTLY
    return share_on(found[0], corners_of([one])) > least


def _elsewhere(image: Image, told: Sequence[Told], index: Index) -> list[Told]:
    """The faces near others that seem open and show their own index at neither end: they may lie a little aside."""
    asked = np.array([r.face == "up" and r.name != TWICE and s.visible >= SEEMS_OPEN for s, r in told])
    faces = [told[k] for k in near_others(told, GROWN, asked).tolist()]
    if not faces:
        return []
    shown = own_shown(image, faces, index).max(axis=1)
    return [one for one, its in zip(faces, shown.tolist(), strict=True) if its < LEAST_SHOWN]


def _of_faces(told: Sequence[Told]) -> Floats:
    """Corners of the known faces; of all known cards, if none is one."""
    faces = [one for one in told if one[1].face == "up"]
    return corners_of(faces or [one for one in told if one[1].name is not None])


def _unread_alone(told: Sequence[Told]) -> list[Told]:
    """The open cards that could not be read and lie alone: they will not be read better, unless they are several."""
    asked = np.array([r.name is None and s.visible >= OPEN and not too_large(told, s) for s, r in told])
    near = near_others(told, GROWN, asked).tolist()
    return [told[k] for k in np.flatnonzero(asked).tolist() if k not in near]


def _on_hidden(image: Image, told: Sequence[Told], index: Index, table: Strange) -> Cells:
    """Where faces lie near others of which an index is hidden."""
    asked = np.array([r.face == "up" and r.name != TWICE for _, r in told])
    faces = [told[k] for k in near_others(told, GROWN, asked).tolist()]
    there = np.zeros(table.free.shape, bool)
    if faces:
        for (spot, _), hidden in zip(faces, unmarked(image, faces, index).tolist(), strict=True):
            there |= (table.inside(spot.corners) > 0) & hidden
    return there


def _lies_there(image: Image, told: Sequence[Told], one: Told, index: Index, votes: Votes) -> bool:
    """Whether a card shows its own index, on paper, and lies on cards if that shows on one."""
    spot, reading = one
    shown = cut(image, spot.corners, index.box, index.size)
    if index.names(shown[None], [str(reading.name)])[0] < SHOWS:
        return False
    known = [one for one in told if one[1].name is not None]
    corners = corners_of(known)
    if np.median(shown) < PAPER * np.median(cuts(image, _of_faces(told), index.box, index.size)):
        return False
    if not inside_of(corners, index_middles(spot.corners[None])).any():
        return True
    points = grids_px(spot.corners[None])[0]
    sure = [k for k, (s, r) in enumerate(known) if s.visible >= OPEN and r.confidence >= WELL_READ]
    if (inside_of(corners[sure], points).mean(axis=1) > MOSTLY).any():
        return False
    on = Ownership(votes.on_card.astype(np.intp), STRIDE / votes.scale).at(points) == 1
    return bool((on | inside_of(corners, points).any(axis=0)).mean() >= ON_CARDS)
