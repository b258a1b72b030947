"""Find cards of any kind, whatever they show."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.covering import open_parts
from referee.vision.cards.grouping import Heap, gather
from referee.vision.cards.peeling import inside, known_well
from referee.vision.cards.reading import Reader, Reading
from referee.vision.cards.refining import (
    FINE,
    NEAR,
    WIDE,
    Floats,
    Numbers,
    Ownership,
    fit,
    half_sizes,
    relaxed,
    swung,
    with_size,
)
from referee.vision.cards.spot import Image, Quad, Spot, grids_px
from referee.vision.cards.unravelling import Laid, unravelled
from referee.vision.cards.votes import STRIDE, Votes, resized, votes_on

FAR_PX, MIDDLE_PX, NEAR_PX = 768, 384, 192
"""Longer sides of the pictures the finder looks at first: for a table of cards, for some, and for a few near ones."""
CONVINCING = 0.3
"""A look that explains this share of the cards it found needs no other: on tables of cards it is 0.4 or more, where
parts of near cards are taken for cards it is below 0.2."""
BEST_PX, GOOD_PX = 60, (40, 74)
"""Length of a card on the picture that the finder knows best, and lengths it knows well."""
LARGEST_PX = 1600
WORSE = 0.6
"""A look at the right size is believed even if it explains this much less."""
SURE_OF_TURN = 0.75
"""Below this agreement about the turn, other turns are tried against the picture."""
FITS = 0.9
"""Cards cover at most about this share of a picture, counted side by side."""
MANY = 5
"""Cards that tell how size changes over the picture."""
CARD_SHAPE, FULL = (1.25, 1.65), 0.88
"""Length over width of cards, and the share of its box that an open card's votes fill."""
USUAL_SHAPE, ONE_LENGTH = 1.41, 0.04
"""Length over width of most cards, and the part by which lengths must differ to be tried both."""
FEW = 8
"""Cards that go by the edges that stand out: many tell each other's size, and some lie on others as bright."""
ALONE = 3
"""Steps that a few cards may take towards their rims, for the lack of others to tell their size."""
SAME, ODD, IMPOSSIBLE = 1.02, 1.08, 1.45
"""Factors by which a card may differ in size from what the others say, when they are many, when few, and at all."""
SLANT = 1.06
"""Factor by which a slanted look may stretch one card more than another."""
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


def find(
    image: Image, deck: Reader | None = None, where: Image | None = None, far: bool = False
) -> tuple[Spot, ...]:
    """Every card that can be seen, most open first; a deck helps to tell cards that lie on one another.

    With a mask of any size only cards near to where it is set are told, and care is taken with them alone. A camera
    that is known to be `far` has a table before it, and no near cards.
    """
    look = _look(image)
    spots = _found(image, look, deck, where)
    if deck is None or far or where is not None or _faces(image, spots, deck):
        return spots
    # Where nothing shows a face, near cards may have been taken apart, or their pips for cards.
    nearer = [_found(image, other, deck, where) for other in _nearer(image, look)]
    return max((spots, *nearer), key=lambda one: _faces(image, one, deck))


def _faces(image: Image, spots: Sequence[Spot], deck: Reader) -> float:
    """How well the deck knows what lies open."""
    open_ = [r for r in deck.read(image, spots) if r.face == "up"]
    return float(known_well(open_).sum())


def _nearer(image: Image, look: "Look") -> list["Look"]:
    """Looks at smaller pictures, for larger cards."""
    longer = max(image.shape[:2])
    scales = [px / longer for px in (MIDDLE_PX, NEAR_PX)]
    return [_look_at(resized(image, image, s), s) for s in scales if s < 0.9 * look[0].scale]


def _found(image: Image, look: "Look", deck: Reader | None, where: Image | None) -> tuple[Spot, ...]:
    """The cards of one look."""
    votes, heaps = look
    if not heaps:
        return ()
    laid = _first(image, votes, heaps)
    agreement = np.array([heap.agreement for heap in heaps])
    sound, asked = _sound(votes, laid, agreement), _asked(votes, where)
    if deck is not None:
        spots = _spots(votes, laid)
        deck = deck.accustomed(image, [spot for spot, one in zip(spots, sound, strict=True) if one])
        unsure = _touched(laid, asked) & ~((agreement >= CERTAIN[0]) & (laid.rim >= CERTAIN[1]))
        sound = _sound_or_known(image, spots, laid, sound, unsure, deck)
    sound &= _possible(laid.corners)
    if sound.any():
        laid = unravelled(image, votes, laid, sound, asked, _nothing if deck is None else deck.read)
    elif deck is not None and len(heaps) < MANY:
        laid = _of_guessed_size(image, votes, laid, asked, deck)
    able = zip(_spots(votes, laid), _possible(laid.corners) & _touched(laid, asked), strict=True)
    least = LEAST_SURE if deck is None else FAINT
    return tuple(sorted((s for s, one in able if one and s.sure >= least), key=lambda s: -s.visible))


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
    return [Reading(None, "unknown", 0.0)] * len(spots)


def _sound(votes: Votes, laid: Laid, agreement: Floats) -> NDArray[np.bool_]:
    """Cards whose votes agree and whose rim is clear, or much of which is open and votes for them with one voice."""
    clear = (agreement >= SOUND) & (laid.rim >= SOUND)
    owner, card = laid.cells.owner, votes.on_card
    settled = np.isin(owner, np.flatnonzero(clear))
    for i in np.flatnonzero((laid.rim >= RIM) & ~clear):
        within = inside(laid.corners[i], laid.cells)
        own = within & (owner == i)
        open_ = within & card & ~(settled & ~own)
        clear[i] = own.sum() >= max(PURE * open_.sum(), LARGE * within.sum())
    return clear


def _first(image: Image, votes: Votes, heaps: list[Heap]) -> Laid:
    """A card for every heap."""
    cells = Ownership(_owner(votes, heaps), STRIDE / votes.scale)
    return Laid(*_placed(image, votes, heaps, cells), cells)


def _spots(votes: Votes, laid: Laid) -> list[Spot]:
    """What is known of every card."""
    whose = laid.cells.at(grids_px(laid.corners))
    sure = _sureness(votes, laid, whose)
    parts = zip(laid.corners, open_parts(laid.corners, whose), sure, strict=True)
    return [Spot(corners, seen, float(how)) for corners, seen, how in parts]


Look = tuple[Votes, list[Heap]]


def _look(image: Image) -> Look:
    """Ask the finder at the size of picture at which it knows cards best."""
    longer = max(image.shape[:2])
    far = resized(image, image, FAR_PX / longer)
    best = _look_at(far, FAR_PX / longer)
    if _convincing(best):
        return best
    source = far if longer > FAR_PX else image
    for px in (MIDDLE_PX, NEAR_PX):
        best = max(best, _look_at(resized(image, source, px / longer), px / longer), key=_worth)
    if not best[1] or _is_good(best[1]):
        return best
    scale = min(best[0].scale * BEST_PX / _length(best[1]), LARGEST_PX / longer)
    again = _look_at(resized(image, image, scale), scale)
    return again if _worth(again) > WORSE * _worth(best) else best


def _convincing(look: Look) -> bool:
    """Whether the cards seen are of the size that the finder knows well, and look like whole cards together."""
    votes, heaps = look
    share = _worth(look) * (votes.scale * STRIDE) ** 2 / max(1.0, sum(4 * h.long * h.short for h in heaps))
    return _is_good(heaps) and share >= CONVINCING


def _look_at(small: Image, scale: float) -> Look:
    votes = votes_on(small, scale)
    return votes, gather(votes)


def _length(heaps: list[Heap]) -> float:
    """Typical length of a card; heaps count by their votes, so that strays do not."""
    if not heaps:
        return 0.0
    return 2 * _middle(np.array([h.long for h in heaps]), np.array([float(len(h.members)) for h in heaps]))


def _worth(look: Look) -> float:
    """How much of the picture is explained by whole cards whose parts agree."""
    votes, heaps = look
    cells = sum(
        len(heap.members) * heap.agreement**2 * float(votes.weight[heap.members].mean()) ** 2 * _filled(heap)
        for heap in heaps
    )
    return cells / votes.scale**2 * room(look) * (1.0 if _is_good(heaps) else WORSE)


def room(look: Look) -> float:
    """Cards that would not fit into the picture side by side are most likely parts of something else."""
    votes, heaps = look
    picture = votes.shape[0] * votes.shape[1] * STRIDE**2
    return min(1.0, FITS * picture / max(1.0, sum(4 * heap.long * heap.short for heap in heaps))) ** 2


def _is_good(heaps: list[Heap]) -> bool:
    return GOOD_PX[0] <= _length(heaps) <= GOOD_PX[1]


def _filled(heap: Heap) -> float:
    """Which share of the card its votes cover."""
    return min(1.0, len(heap.members) * STRIDE**2 / max(1.0, 4 * heap.long * heap.short))


def _owner(votes: Votes, heaps: list[Heap]) -> Numbers:
    owner = np.full(votes.shape, -1)
    for number, heap in enumerate(heaps):
        owner[votes.cell[heap.members, 0], votes.cell[heap.members, 1]] = number
    return owner


def _placed(image: Image, votes: Votes, heaps: list[Heap], cells: Ownership) -> tuple[Floats, Floats]:
    """Corners of every heap's card on the real picture, and how clear its rim is."""
    draw = _outline if len(heaps) < MANY else _agreed
    rough = np.stack([draw(votes, heap) for heap in heaps])
    corners = _of_one_deck((rough + 0.5) / votes.scale - 0.5, np.array([len(h.members) for h in heaps]))
    everyone = np.arange(len(heaps))
    unsure = np.flatnonzero([heap.agreement < SURE_OF_TURN for heap in heaps])
    corners[unsure] = swung(image, corners[unsure], unsure, cells)
    few = len(heaps) <= FEW
    for _ in range(ALONE if len(heaps) < MANY else 1):
        corners, rim = fit(image, corners, everyone, cells, WIDE, few)
    corners = _of_one_deck(corners, rim)
    corners, rim = fit(image, corners, everyone, cells, NEAR, few)
    corners, rim = fit(image, _of_one_deck(corners, rim), everyone, cells, FINE, few)
    return relaxed(image, corners, everyone, cells), rim


def _agreed(_: Votes, heap: Heap) -> Quad:
    """The card its votes agree on."""
    return heap.quad(heap.long, heap.short)


def _outline(votes: Votes, heap: Heap) -> Quad:
    """The box round its votes when they fill one of a card's shape: nothing lies on it."""
    at = (votes.cell[heap.members][:, ::-1] * STRIDE + STRIDE // 2).astype(np.float32)
    middle, size, turn = cv2.minAreaRect(at)
    long, short = max(size) + STRIDE, min(size) + STRIDE
    if not CARD_SHAPE[0] < long / short < CARD_SHAPE[1] or len(at) * STRIDE**2 < FULL * long * short:
        return _agreed(votes, heap)
    along = np.radians(turn + (0 if size[0] >= size[1] else 90))
    up = np.array([np.cos(along), np.sin(along)]) * long / 2
    right = np.array([-up[1], up[0]]) * short / long
    c = np.array(middle)
    return np.array([c + up - right, c + up + right, c - up + right, c - up - right])


def _of_one_deck(corners: Floats, weight: Floats) -> Floats:
    """Cards of one deck are of one size; as they lie farther away, they look smaller."""
    long, short = half_sizes(corners)
    size, shape = np.sqrt(long * short), long / np.maximum(short, 1e-9)
    usual, usual_shape = _usual_size(corners.mean(axis=1), size, weight), _middle(shape, weight)
    odd = ODD if len(size) < MANY else SAME
    size, shape = (
        np.clip(size, usual / odd, usual * odd),
        np.clip(shape, usual_shape / SLANT, usual_shape * SLANT),
    )
    return with_size(corners, size * np.sqrt(shape), size / np.sqrt(shape))


def _usual_size(middle: Floats, size: Floats, weight: Floats) -> Floats:
    """What the others say about the size of a card at each place."""
    usual = np.full(len(size), _middle(size, weight))
    if len(size) < MANY:
        return usual
    basis = np.column_stack(
        [np.ones(len(size)), (middle - middle.mean(axis=0)) / max(1.0, float(middle.std()))]
    )
    wanted = np.log(size)
    guess = np.log(usual)
    for _ in range(4):
        trust = weight / (1 + ((wanted - guess) / 0.03) ** 2)
        bent = basis.T @ (basis * trust[:, None]) + np.diag([0.0, 1.0, 1.0]) * trust.sum() * 0.02
        guess = basis @ np.linalg.solve(bent + np.eye(3) * 1e-9, basis.T @ (trust * wanted))
    return np.asarray(np.exp(guess))


def _middle(values: Floats, weight: Floats) -> float:
    """The weighted median."""
    order = np.argsort(values)
    share = np.cumsum(weight[order]) / max(float(weight.sum()), 1e-9)
    return float(values[order][min(int(np.searchsorted(share, 0.5)), len(values) - 1)])


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
