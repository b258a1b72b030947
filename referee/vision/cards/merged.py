"""Two near cards that were taken for one: its outline goes round both, and their indices show where it has none.

The finder takes most of one card and a strip of another beneath it for a card of another shape, and its face is known
all the same. But an open card shows its index at both ends; where it does not, its outline is wrong, and each index
that shows within it tells where a card lies.
"""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.anchors import Indices, Size
from referee.vision.cards.finding import USUAL_SHAPE
from referee.vision.cards.grouping import MANY
from referee.vision.cards.ownership import Cells, Ownership
from referee.vision.cards.reading import Index, Reader
from referee.vision.cards.refining import half_sizes
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image
from referee.vision.cards.tangles import IN_FULL, OPEN, TWICE, Told, clearer, corners_of, unmarked
from referee.vision.cards.unclaimed import with_unclaimed
from referee.vision.cards.unravelling import size_of
from referee.vision.cards.votes import STRIDE, Votes

GROWN = 1.2
"""How much larger than its outline the part of the picture is in which the indices of such a card are looked for."""
MORE = 0.02
"""How much more the finder sees there, in cards, than was told: a quick look sees little of a strip."""


def with_parted(image: Image, told: Sequence[Told], deck: Reader, votes: Votes) -> list[Told]:
    """What was told, but cards that are several each as those, where more faces are known that way."""
    known, many = list(told), len(told) >= MANY
    if deck.index is None:
        return known
    asked = known
    if many:
        # They tell each other's size: one of another is hardly read in full, and more is seen beside it.
        doubtful = [one for one in known if one[1].confidence < IN_FULL]
        asked = [one for one in doubtful if _more_shows(one, known, votes)]
    for one in _unmarked(image, asked, deck.index):
        others = [other for other in known if other is not one]
        sizes = [size_of(corners_of(known))] if many else _sizes(corners_of([one]))
        for parts in _by_indices(image, one, deck, deck.index, votes, sizes):
            known = clearer(known, [*others, *parts])
    return known


def _more_shows(one: Told, known: Sequence[Told], votes: Votes) -> bool:
    """Whether the finder sees cards beside this one that nobody told."""
    corners, cells = corners_of([one]), _cells(votes)
    left = _seen_round(corners, votes) & ~cells.inside_any(corners_of(known))
    return bool(left.sum() >= MORE * cells.inside_any(corners).sum())


def _seen_round(corners: Floats, votes: Votes) -> Cells:
    """What the finder takes for cards within an outline and round it."""
    middle = corners.mean(axis=1, keepdims=True)
    return _cells(votes).inside_any(middle + GROWN * (corners - middle)) & votes.on_card


def _cells(votes: Votes) -> Ownership:
    return Ownership(np.zeros(votes.shape, np.intp), STRIDE / votes.scale)


def _unmarked(image: Image, told: Sequence[Told], index: Index) -> list[Told]:
    """The open faces that do not show their own index at both ends."""
    faces = [one for one in told if one[0].visible >= OPEN and one[1].face == "up" and one[1].name != TWICE]
    if not faces:
        return []
    return [one for one, lacks in zip(faces, unmarked(image, faces, index), strict=True) if lacks]


def _by_indices(
    image: Image, one: Told, deck: Reader, index: Index, votes: Votes, sizes: Sequence[Size]
) -> list[list[Told]]:
    """The cards of such a size whose indices show within the outline of a card and round it, as they may lie on one
    another."""
    corners, cell_px = corners_of([one]), STRIDE / votes.scale
    where = _seen_round(corners, votes)
    found: list[list[Told]] = []
    for size in sizes:
        indices = Indices(index)
        indices.anchored(image, where, votes.axis_rad, cell_px, corners, size)
        cards = indices.cards(size)
        if len(cards) > 1:
            found += [with_unclaimed(image, [], deck, way) for way in (cards, cards[::-1])]
    return found


def _sizes(corners: Floats) -> list[Size]:
    """Length and width of such a card, and of one as long that has the shape of most."""
    long, short = (2 * float(half[0]) for half in half_sizes(corners))
    return [(long, short), (long, long / USUAL_SHAPE)]
