"""Cards that overlap and show the same face: one, its corners misjudged, or two of more than one deck.

Every card bears an index at either end, the one upside down to the other. What two outlines show of indices is one
card's if that is all of them, and two cards' if it is more.
"""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.anchors import SAME_PLACE, index_middles, inside_of
from referee.vision.cards.peeling import known_well
from referee.vision.cards.reading import Index
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image
from referee.vision.cards.tangles import TWICE, Told, ends_of, meeting, own_shown

SHOWS = 0.5
"""How likely the card's own index must show at an end."""
OPPOSED_DEG = 25.0
"""Indices that are turned by half a turn from each other, give or take this, may be the two of one card."""
ENDS = 2


def each_card_once(image: Image, told: Sequence[Told], index: Index) -> list[Told]:
    """Without cards that overlap one of the same face that is known better, unless each shows an index of its own."""
    names = [reading.name if reading.face == "up" and reading.name != TWICE else None for _, reading in told]
    if len({*names} - {None}) == sum(name is not None for name in names):
        return list(told)
    known = known_well([reading for _, reading in told]) + np.array([s.visible for s, _ in told]) / 100
    pairs = zip(*(some.tolist() for some in meeting(told)), strict=True)
    alike = [(a, b) for a, b in pairs if names[a] and names[a] == names[b] and known[a] < known[b]]
    again = {a for a, b in alike if not _are_two(image, told[a], told[b], index)}
    return [one for k, one in enumerate(told) if k not in again]


def _are_two(image: Image, one: Told, other: Told, index: Index) -> bool:
    """Whether two outlines of the same face show more indices than one card has."""
    mine, its = _ends_shown(image, one, index), _ends_shown(image, other, index)
    apart = SAME_PLACE * float(np.linalg.norm(one[0].corners[3] - one[0].corners[0]))
    far = np.linalg.norm(index_middles(mine)[:, None] - index_middles(its), axis=2) > apart
    own, its_own = mine[far.all(axis=1)], its[far.all(axis=0)]
    if not len(own) or not len(its_own) or not (_beside(own, other) or _beside(its_own, one)):
        return False
    return len(own) + len(its) > ENDS or not _opposed(own[0], its_own[0])


def _ends_shown(image: Image, one: Told, index: Index) -> Floats:
    """Corners (n, 4, 2) of the card as it is held to have each end up that shows its index."""
    (ends,), (shown,) = ends_of([one[0]]), own_shown(image, [one], index)
    return np.asarray(ends[shown >= SHOWS])


def _beside(ends: Floats, other: Told) -> bool:
    """Whether any of these indices is not on the other card."""
    return not inside_of(other[0].corners[None], index_middles(ends)).all()


def _opposed(end: Floats, other: Floats) -> bool:
    """Whether what stands upright at one end stands on its head at the other."""
    down, its_down = end[3] - end[0], other[3] - other[0]
    cosine = down @ its_down / np.linalg.norm(down) / np.linalg.norm(its_down)
    return bool(cosine < -np.cos(np.radians(OPPOSED_DEG)))
