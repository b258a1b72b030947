"""Second look at cards that lie on one another: votes go astray there, rims and what the cards show do not."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.anchors import NOWHERE, index_middles
from referee.vision.cards.ownership import Cells, Numbers, Ownership
from referee.vision.cards.peeling import LEAST_LEFT, Found, Readings, patches, peel
from referee.vision.cards.refining import FINE, fit, half_sizes, open_round, relaxed
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image
from referee.vision.cards.votes import Votes

STILL_MINE = 0.6
"""A heap of votes that keeps this share of its cells is still a card."""
ALONE = 0.75
"""A card with a rim all round and this share of the votes on it has nothing on it."""
NOBODYS, EMPTY = -3, -1
HARDLY, ALMOST = -2.5, -1.0
"""What the finder says of cells that are hardly on a card, and almost; slivers beside other cards come to this."""
MOST_IN_DOUBT = 1.2
"""Cells in doubt that would make more cards than this are the table's."""


@dataclass(frozen=True, slots=True)
class Laid:
    """Cards, how clear their rims are, and whose the cells are."""

    corners: Floats
    rim: Floats
    cells: Ownership


def unravelled(
    image: Image,
    votes: Votes,
    laid: Laid,
    sound: NDArray[np.bool_],
    asked: Cells,
    read: Readings,
    size: tuple[float, float] | None = None,
    anchors: Floats = NOWHERE,
) -> Laid:
    """The sound cards as they are, and others that explain the rest of the cells better than their own votes did.

    Heaps that reach into no cell asked about are left alone. Cards are of the size of the sound ones, or of a
    guessed `size`: then all votes are in doubt. `anchors` are cards whose index is seen at their first corner.
    """
    found = _Found(
        _of_sound(image, votes, laid, sound), [laid.corners[sound]], [laid.rim[sound]], int(sound.sum())
    )
    others = np.flatnonzero(~sound)
    guessed = size is not None
    if size is None:
        size = size_of(laid.corners[sound])
    for patch in patches(found.owner == NOBODYS, size, laid.cells.cell_px):
        if (patch & asked).any():
            near = [i for i in others if (patch & (laid.cells.owner == i)).any()]
            shown = anchors[laid.cells.on(patch, index_middles(anchors))]
            here = size_of(laid.corners[near]) if near and len(shown) else size
            found.add(peel(image, votes, patch, laid.corners[near], here, read, guessed, shown))
    for i in others:
        voters = laid.cells.owner == i
        mine = voters & (found.owner == NOBODYS)
        if mine.sum() > STILL_MINE * voters.sum():
            found.add(Found(laid.corners[i : i + 1], laid.rim[i : i + 1], [mine]))
    for patch in _in_doubt(votes, found.owner, size, laid.cells.cell_px):
        if (patch & asked).any():
            found.add(peel(image, votes, patch, NOWHERE, size, read, astray=True))
    cells = Ownership(np.where(found.owner == NOBODYS, EMPTY, found.owner), laid.cells.cell_px)
    where, clear = np.concatenate(found.corners), np.concatenate(found.rim)
    new: Numbers = np.arange(int(sound.sum()), found.count)
    if len(new):
        where[new], clear[new] = fit(image, where[new], new, cells, FINE)
        where[new] = relaxed(image, where[new], new, cells)
    return Laid(where, clear, cells)


@dataclass(slots=True)
class _Found:
    """Cards found so far, and whose the cells are by then."""

    owner: Numbers
    corners: list[Floats]
    rim: list[Floats]
    count: int

    def add(self, more: Found) -> None:
        self.corners.append(more.corners)
        self.rim.append(more.rim)
        for mine in more.cells:
            self.owner[mine] = self.count
            self.count += 1


def size_of(corners: Floats) -> tuple[float, float]:
    """Typical length and width."""
    long, short = half_sizes(corners)
    return 2 * float(np.median(long)), 2 * float(np.median(short))


def _in_doubt(votes: Votes, owner: Numbers, size: tuple[float, float], cell_px: float) -> list[Cells]:
    """Cells beside cards where the finder doubts that it sees one: as a rule a sliver of another, under them."""
    beside = cv2.dilate((owner >= 0).astype(np.uint8), _NEAR) > 0
    card = size[0] * size[1] / cell_px**2
    return [
        patch
        for patch in patches((votes.said > HARDLY) & (owner < 0), size, cell_px)
        if (patch & beside).any()
        and patch.sum() < MOST_IN_DOUBT * card
        and (votes.said[patch] > ALMOST).sum() >= LEAST_LEFT * card
    ]


_NEAR = np.ones((5, 5), np.uint8)


def _of_sound(image: Image, votes: Votes, laid: Laid, sound: NDArray[np.bool_]) -> Numbers:
    """Which cells sound cards own, numbered anew; nobody's are other cells on cards."""
    card, voted = votes.on_card, laid.cells.owner
    owner = np.where(card, NOBODYS, EMPTY)
    which = np.flatnonzero(sound)
    if not len(which):
        return owner
    bare_round, on_it = open_round(image, laid.corners[which]), laid.cells.inside_each(laid.corners[which])
    for k, (i, bare, its) in enumerate(zip(which.tolist(), bare_round.tolist(), on_it, strict=True)):
        mine = np.flatnonzero(its & card)
        whose = voted.take(mine)
        alone = bare and (whose == i).mean() >= ALONE
        owner.put(mine if alone else mine[(whose == i) | (whose == EMPTY)], k)
    return owner
