"""Cards half under a hand: what is open of one is laid anew by its rims, and told if its face is known then.

The finder takes the middle of what is open for the middle of the card. But a side that shows whole, and the beginnings
of its neighbours, tell where the rest must be, and an index that comes to lie in its place confirms it.
"""

from collections.abc import Sequence

import numpy as np

from referee.vision.cards.ownership import Cells, Ownership
from referee.vision.cards.peeling import EMPTY, LEFT, TAKEN, as_spot, by_rims, patches
from referee.vision.cards.reading import Reader
from referee.vision.cards.refining import FINE, NEAR, fit, rim_support
from referee.vision.cards.spot import Image
from referee.vision.cards.standard import AT_MOST
from referee.vision.cards.tangles import TWICE, Told, corners_of, unread_elsewhere
from referee.vision.cards.unravelling import size_of
from referee.vision.cards.votes import STRIDE, Votes

LEAST, MOST = 0.3, 0.9
"""How much of a card such a patch is, at least and at most."""
READ = 12
"""Ways to lie on a patch that are read, those with the clearest rims."""


def with_half_hidden(image: Image, told: Sequence[Told], deck: Reader, votes: Votes) -> list[Told]:
    """What was told, with the cards that are known once they lie on the rims of patches that none explains."""
    known = [one for one in told if one[1].name is not None]
    if not known:
        return list(told)
    deck = deck.accustomed(image, [spot for spot, _ in known])
    size, cell_px = size_of(corners_of(known)), STRIDE / votes.scale
    cells = Ownership(np.zeros(votes.shape, np.intp), cell_px)
    left = votes.on_card & ~cells.inside_any(corners_of(known))
    card = size[0] * size[1] / cell_px**2
    found: list[Told] = []
    for patch in patches(left, size, cell_px):
        if LEAST * card <= patch.sum() <= MOST * card:
            found += _best(
                image, patch, size, deck, votes, {str(r.name) for _, r in (*known, *found)} - {TWICE}
            )
    return [*unread_elsewhere(told, found), *found]


def _best(
    image: Image, patch: Cells, size: tuple[float, float], deck: Reader, votes: Votes, taken: set[str]
) -> list[Told]:
    """The card on the patch that is read best, if its face is known for certain and no other has it."""
    whose = Ownership(np.where(patch, LEFT, np.where(votes.on_card, TAKEN, EMPTY)), STRIDE / votes.scale)
    tries = by_rims(image, votes.on_card, patch, size, whose.cell_px)
    if not len(tries):
        return []
    for search in (NEAR, FINE):
        tries, _ = fit(image, tries, np.full(len(tries), LEFT), whose, search)
    tries = tries[np.argsort(-rim_support(image, tries, whose))[:READ]]
    spots = [as_spot(corners, whose) for corners in tries]
    best = max(zip(spots, deck.read(image, spots), strict=True), key=lambda one: one[1].confidence)
    sure = best[1].face == "up" and best[1].confidence > AT_MOST and best[1].name not in taken
    return [best] if sure else []
