"""Find cards of any kind, whatever they show."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.anchors import NOWHERE, Indices, belongs, index_middles, inside_of
from referee.vision.cards.covering import open_parts
from referee.vision.cards.grouping import MANY
from referee.vision.cards.looking import Look, best_look, careful_look, nearer_looks
from referee.vision.cards.ownership import Cells, Numbers, Ownership
from referee.vision.cards.peeling import LEAST_LEFT, known_well
from referee.vision.cards.placing import CARD_SHAPE, placed
from referee.vision.cards.reading import UNREAD, Reader, Reading
from referee.vision.cards.refining import half_sizes
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image, Spot, grids_px
from referee.vision.cards.tangles import TWICE
from referee.vision.cards.unravelling import Laid, size_of, unravelled
from referee.vision.cards.votes import STRIDE, Votes

USUAL_SHAPE, ONE_LENGTH = 1.41, 0.04
"""Length over width of most cards, and the part by which lengths must differ to be tried both."""
IMPOSSIBLE = 1.45
"""Factor by which no card differs in size from the others."""
LEAST_SURE = 0.6
"""A heap of votes less sure than this is no card."""
FAINT = 0.3
"""unless a deck knows it well."""
CERTAIN = (0.9, 0.8)
"""Agreement and clearness of rim of a card beyond doubt."""
SOUND, RIM = 0.6, 0.4
"""Agreement and clearness of rim of a card that needs no second look; and a rim that may do."""
PURE, LARGE = 0.8, 0.4
"""Share of a card's open cells that vote for it, and share of the whole card that does, for one with a poor rim."""
HALF_KNOWN, WELL_KNOWN = 0.5, 0.9
"""How well a deck must know a card that needs no second look; and one that needs nothing else."""
CLEAR_RIM = 0.5
VOUCHED = 0.7
"""A cell where the finder was in doubt, on a card that its rim and face vouch for, counts as sure as this."""
LARGE_SHARE = 0.3
JOKERS = 2
"""What has many of them are parts of near cards."""
A_TANGLE = 1.15
"""Cells that hang together and are more than this many cards are several."""


def find(
    image: Image, deck: Reader | None = None, where: Image | None = None, far: bool = False
) -> tuple[Spot, ...]:
    """Every card that can be seen, most open first; a deck helps to tell cards that lie on one another."""
    return find_by(best_look(image), image, deck, where, far)


def find_by(
    look: Look, image: Image, deck: Reader | None = None, where: Image | None = None, far: bool = False
) -> tuple[Spot, ...]:
    """The same by a look that was taken already.

    With a mask of any size only cards near to where it is set are told, and care is taken with them alone. A camera
    that is known to be `far` has a table before it, and no near cards.
    """
    spots = _found(image, look, deck, where)
    if deck is None or far or where is not None or _shows_a_face(image, spots, deck):
        return spots
    # Near cards may have been taken apart, or their pips for cards: parts of them look like backs and jokers.
    nearer = [_found(image, other, deck, where) for other in nearer_looks(image, look)]
    return max((spots, *nearer), key=lambda one: _faces(image, one, deck))


def find_again(
    image: Image, deck: Reader, scale: float, where: Image | None = None, indices: Indices | None = None
) -> tuple[Spot, ...]:
    """The same by a careful look at the picture at `scale`, and by indices where cards lie on one another."""
    return _found(image, careful_look(image, scale), deck, where, indices)


def find_at(image: Image, deck: Reader, scale: float) -> tuple[Spot, ...]:
    """The same by a careful look alone."""
    return _found(image, careful_look(image, scale), deck, where=None)


def _shows_a_face(image: Image, spots: Sequence[Spot], deck: Reader) -> bool:
    """Whether the deck reads any face that not every picture on a card may be."""
    return any(r.face == "up" and r.name not in (None, TWICE) for r in deck.read(image, spots))


def _faces(image: Image, spots: Sequence[Spot], deck: Reader) -> float:
    """How well the deck knows what lies open, of jokers no more than it has."""
    open_ = [r for r in deck.read(image, spots) if r.face == "up"]
    jokers = sorted((r for r in open_ if r.name == TWICE), key=lambda r: r.confidence)[-JOKERS:]
    return float(known_well([*jokers, *(r for r in open_ if r.name != TWICE)]).sum())


def _found(
    image: Image, look: Look, deck: Reader | None, where: Image | None, indices: Indices | None = None
) -> tuple[Spot, ...]:
    """The cards of one look; by `indices`, too, if they are to be looked for where cards lie on one another."""
    votes, heaps = look
    if not heaps:
        return ()
    laid = placed(image, votes, heaps)
    agreement = np.array([heap.agreement for heap in heaps])
    sound, asked = _sound(votes, laid, agreement), _asked(votes, where)
    if deck is not None:
        spots = _spots(votes, laid)
        deck = deck.accustomed(image, [spot for spot, one in zip(spots, sound, strict=True) if one])
        unsure = _touched(laid, asked) & ~((agreement >= CERTAIN[0]) & (laid.rim >= CERTAIN[1]))
        sound = _sound_or_known(image, spots, laid, sound, unsure, deck)
    sound &= _possible(laid.corners)
    if sound.any():
        anchors = NOWHERE
        if indices is not None:
            anchors = _anchors(image, votes, laid, sound, asked, indices)
            sound = _uncontradicted(laid, sound, anchors)
        read = _nothing if deck is None else deck.read
        laid = unravelled(image, votes, laid, sound, asked, read, anchors=anchors)
    elif deck is not None and len(heaps) < MANY:
        laid = _of_guessed_size(image, votes, laid, asked, deck)
    able = zip(_spots(votes, laid), _possible(laid.corners) & _touched(laid, asked), strict=True)
    least = LEAST_SURE if deck is None else FAINT
    return tuple(sorted((s for s, one in able if one and s.sure >= least), key=lambda s: -s.visible))


def _anchors(
    image: Image, votes: Votes, laid: Laid, sound: NDArray[np.bool_], asked: Cells, indices: Indices
) -> Floats:
    """Cards whose index shows, in tangles."""
    cell_px = laid.cells.cell_px
    count, label = cv2.connectedComponents(votes.on_card.astype(np.uint8))
    found = []
    for k in range(1, count):
        tangle = label == k
        like = [i for i in range(len(laid.corners)) if (tangle & (laid.cells.owner == i)).any()]
        if not like:
            continue
        size = size_of(laid.corners[like])
        one = size[0] * size[1] / cell_px**2
        doubtful = (tangle & ~np.isin(laid.cells.owner, np.flatnonzero(sound))).sum() >= LEAST_LEFT * one
        if not doubtful or tangle.sum() < A_TANGLE * one or not (tangle & asked).any():
            continue
        found.append(
            indices.anchored(image, tangle & asked, votes.axis_rad, cell_px, laid.corners[like], size)
        )
    return np.concatenate([NOWHERE, *found])


def _uncontradicted(laid: Laid, sound: NDArray[np.bool_], anchors: Floats) -> NDArray[np.bool_]:
    """The sound cards on which no index shows that is of none of them; all, if no other is left to tell the size."""
    middles = index_middles(anchors)
    mine = belongs(laid.corners, middles)
    others = inside_of(laid.corners, middles) & ~mine & ~mine[sound].any(axis=0)
    left = sound & ~others.any(axis=1)
    return left if left.any() else sound


def _asked(votes: Votes, where: Image | None) -> NDArray[np.bool_]:
    """(rows, columns): the cells nearer than half a card to where the mask is set."""
    if where is None:
        return np.ones(votes.shape, bool)
    rows, columns = votes.shape
    cells = cv2.resize((where > 0).astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA) > 0
    reach = 2 * round(votes.length / 2 / STRIDE) + 1
    return np.asarray(cv2.dilate(cells.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0)


def _touched(laid: Laid, asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which cards lie, at least with a corner, on the cells asked about."""
    if asked.all():
        return np.ones(len(laid.corners), bool)
    where = Ownership(asked.astype(np.intp), laid.cells.cell_px)
    return np.asarray((where.at(grids_px(laid.corners)) == 1).any(axis=1))


def _sound_or_known(
    image: Image,
    spots: Sequence[Spot],
    laid: Laid,
    sound: NDArray[np.bool_],
    unsure: NDArray[np.bool_],
    deck: Reader,
) -> NDArray[np.bool_]:
    """Of the cards that leave any doubt, those that the deck knows."""
    doubtful = np.flatnonzero(unsure).tolist()
    known = np.where(unsure, 0.0, 1.0)
    known[doubtful] = known_well(deck.read(image, [spots[i] for i in doubtful]))
    enough = np.where(_card_shaped(laid.corners), HALF_KNOWN, WELL_KNOWN)
    return np.asarray((sound & (known >= enough)) | (unsure & (known >= WELL_KNOWN) & (laid.rim >= RIM)))


def _card_shaped(corners: Floats) -> NDArray[np.bool_]:
    long, short = half_sizes(corners)
    ratio = long / np.maximum(short, 1e-9)
    return np.asarray((ratio > CARD_SHAPE[0]) & (ratio < CARD_SHAPE[1]))


def _of_guessed_size(image: Image, votes: Votes, laid: Laid, asked: NDArray[np.bool_], deck: Reader) -> Laid:
    """No card is beyond doubt: what looks like one may be several, as long as it is long or as it is wide."""
    nobody = np.zeros(len(laid.corners), bool)
    likely = [spot.sure >= LEAST_SURE for spot in _spots(votes, laid)]
    lengths = 2 * np.sort(np.concatenate([half[likely] for half in half_sizes(laid.corners)]))
    apart = np.flatnonzero(np.diff(lengths, prepend=0.0) > ONE_LENGTH * lengths)
    guesses = [
        unravelled(image, votes, laid, nobody, asked, deck.read, (length, length / USUAL_SHAPE))
        for length in lengths[apart].tolist()
    ]
    return max((laid, *guesses), key=lambda one: _known(image, _spots(votes, one), deck))


def _known(image: Image, spots: Sequence[Spot], deck: Reader) -> float:
    """How much of all this the deck knows; a card counts once."""
    readings = deck.read(image, spots)
    known = dict(
        sorted(zip((r.name for r in readings), known_well(readings), strict=True), key=lambda one: one[1])
    )
    return float(sum(known.values()))


def _nothing(_: Image, spots: Sequence[Spot]) -> Sequence[Reading]:
    return [UNREAD] * len(spots)


def _sound(votes: Votes, laid: Laid, agreement: Floats) -> NDArray[np.bool_]:
    """Cards whose votes agree and whose rim is clear, or much of which is open and votes for them with one voice."""
    clear = (agreement >= SOUND) & (laid.rim >= SOUND)
    owner, card = laid.cells.owner, votes.on_card
    settled = np.isin(owner, np.flatnonzero(clear))
    for i in np.flatnonzero((laid.rim >= RIM) & ~clear):
        within = laid.cells.inside(laid.corners[i])
        own = within & (owner == i)
        open_ = within & card & ~(settled & ~own)
        clear[i] = own.sum() >= max(PURE * open_.sum(), LARGE * within.sum())
    return clear


def _spots(votes: Votes, laid: Laid) -> list[Spot]:
    """What is known of every card."""
    whose = laid.cells.at(grids_px(laid.corners))
    sure = _sureness(votes, laid, whose)
    parts = zip(laid.corners, open_parts(laid.corners, whose), sure, strict=True)
    return [Spot(corners, seen, float(how)) for corners, seen, how in parts]


def _possible(corners: Floats) -> NDArray[np.bool_]:
    long, short = half_sizes(corners)
    size = np.sqrt(long * short)
    ratio = size / np.median(size)
    return np.asarray((ratio < IMPOSSIBLE) & (ratio > 1 / IMPOSSIBLE))


def _sureness(votes: Votes, laid: Laid, whose: Numbers) -> Floats:
    """How much speaks for each card: sure votes all over its open part, and a rim round it."""
    count = len(laid.corners)
    mine = (whose == np.arange(count)[:, None]).mean(axis=1)
    empty, outside = ((whose == who).mean(axis=1) for who in (-1, -2))
    filled, large = mine / np.maximum(mine + empty, 1e-6), np.minimum(1.0, mine / LARGE_SHARE)
    evidence = np.sqrt(np.minimum(1.0, laid.rim / CLEAR_RIM) * filled * large)
    weight = np.full(votes.shape, VOUCHED)
    weight[votes.cell[:, 0], votes.cell[:, 1]] = votes.weight
    owned = laid.cells.owner >= 0
    whose_cell, weight = laid.cells.owner[owned], weight[owned]
    many = np.maximum(1, np.bincount(whose_cell, minlength=count))
    return np.asarray(np.bincount(whose_cell, weight, count) / many * evidence * (1 - outside))
