"""Second look at cards that lie on one another: votes go astray there, rims and what the cards show do not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.peeling import Cells, Readings, inside, patches, peel
from referee.vision.cards.refining import (
    FINE,
    Floats,
    Numbers,
    Ownership,
    fit,
    half_sizes,
    open_round,
    relaxed,
)
from referee.vision.cards.spot import Image
from referee.vision.cards.votes import Votes

STILL_MINE = 0.6
"""A heap of votes that keeps this share of its cells is still a card."""
ALONE = 0.75
"""A card with a rim all round and this share of the votes on it has nothing on it."""
NOBODYS, EMPTY = -3, -1


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
) -> Laid:
    """The sound cards as they are, and others that explain the rest of the cells better than their own votes did.

    Heaps that reach into no cell asked about are left alone. Cards are of the size of the sound ones, or of a
    guessed `size`: then all votes are in doubt.
    """
    owner = _of_sound(image, votes, laid, sound)
    corners, rim = [laid.corners[sound]], [laid.rim[sound]]
    number, others = int(sound.sum()), np.flatnonzero(~sound)
    guessed = size is not None
    if size is None:
        long, short = half_sizes(laid.corners[sound])
        size = 2 * float(np.median(long)), 2 * float(np.median(short))
    for patch in patches(owner == NOBODYS, size, laid.cells.cell_px):
        if not (patch & asked).any():
            continue
        near = [i for i in others if (patch & (laid.cells.owner == i)).any()]
        found = peel(image, votes, patch, laid.corners[near], size, read, astray=guessed)
        corners.append(found.corners)
        rim.append(found.rim)
        for mine in found.cells:
            owner[mine] = number
            number += 1
    for i in others:
        voters = laid.cells.owner == i
        mine = voters & (owner == NOBODYS)
        if mine.sum() > STILL_MINE * voters.sum():
            corners.append(laid.corners[i : i + 1])
            rim.append(laid.rim[i : i + 1])
            owner[mine] = number
            number += 1
    cells = Ownership(np.where(owner == NOBODYS, EMPTY, owner), laid.cells.cell_px)
    where, clear = np.concatenate(corners), np.concatenate(rim)
    new: Numbers = np.arange(int(sound.sum()), number)
    if len(new):
        where[new], clear[new] = fit(image, where[new], new, cells, FINE)
        where[new] = relaxed(image, where[new], new, cells)
    return Laid(where, clear, cells)


def _of_sound(image: Image, votes: Votes, laid: Laid, sound: NDArray[np.bool_]) -> Numbers:
    """Which cells sound cards own, numbered anew; nobody's are other cells on cards."""
    card, voted = votes.on_card, laid.cells.owner
    owner = np.where(card, NOBODYS, EMPTY)
    which = np.flatnonzero(sound)
    if not len(which):
        return owner
    for k, (i, bare) in enumerate(zip(which, open_round(image, laid.corners[which]), strict=True)):
        mine = inside(laid.corners[i], laid.cells) & card
        alone = bare and (voted[mine] == i).mean() >= ALONE
        owner[mine & ((voted == i) | (voted == EMPTY) | alone)] = k
    return owner
