"""Cards that lie on one another are looked at twice: of two explanations the one holds that the deck knows better."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from referee.vision.cards.covering import LEAST_SHARED, overlaps
from referee.vision.cards.ownership import Cells, Numbers, Ownership
from referee.vision.cards.peeling import known_well, patches
from referee.vision.cards.reading import Index, Reading
from referee.vision.cards.refining import half_sizes, open_round
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image, Spot, cuts, grid_px, within
from referee.vision.cards.unravelling import size_of
from referee.vision.cards.votes import STRIDE, Votes

Told = tuple[Spot, Reading]

AMONG, BESIDE = 0.9, 0.65
"""How well a deck must know a card that overlaps others, or almost, to leave it at that."""
OPEN, IN_FULL = 0.95, 0.95
"""and how well if this much of it seems open: else something lies on it that was not told."""
GROWN, A_SIDE = 1.3, 22
"""Cards that would overlap if they were so much larger may do so: one that is not known has its corners
elsewhere. So many points of its grid are shared then along a side, and not only at a corner."""
CLEARER = 0.1
"""By so much a second explanation must be known better, in cards known for certain."""
EXPLAINED = 0.2
"""Of the open part of a card that was left out at most this share lies on the cards that were told."""
MOST_UNTOLD = 1.2
"""Cells that would make more cards than this and that nobody told are the table's."""
TOUCHING, LEAST_SHOWN = 1.15, 0.3
"""Cards that would overlap if they were so much larger touch others; and how likely an index must show on them where
one should."""
MOSTLY, SEEMS_OPEN, PLAINLY, BY_INDEX = 0.5, 0.85, 0.9, 0.85
"""How much of a card lies on another, and is open, that may be that other one; how sure it is if it is plainly read,
and how sure the other at least, as only an index makes it."""
SURE_BACK, KNOWN_FACES = 0.95, 2
"""How sure the finder is of a covered back among faces, which no index can confirm, and how many of these must be
known."""
LARGER = 1.1
"""By how much what seems one card is longer or wider than others if it is two."""
TWICE = "JOKER"
"""Of this an ordinary deck has two, of others one."""


def settled(told: Sequence[Told], votes: Votes | None = None) -> bool:
    """Whether every card that overlaps others is known well, and fairly if it almost does; one alone is what it is.

    One that hangs together with others by cells that `votes` take for cards is not alone: something lies between them.
    """
    known = _known(told)
    doubtful = known < [IN_FULL if spot.visible >= OPEN and r.face == "up" else BESIDE for spot, r in told]
    if len(meeting(told, known < AMONG)[0]) or len(near_others(told, GROWN, doubtful)):
        return False
    return votes is None or not doubtful.any() or not _hang_together(told, votes)[doubtful].any()


def _hang_together(told: Sequence[Told], votes: Votes) -> NDArray[np.bool_]:
    """Which cards lie with others on cells without a gap that the finder takes for cards."""
    label = cv2.connectedComponents(votes.on_card.astype(np.uint8), connectivity=4)[1]
    of = Ownership(label.astype(np.intp), STRIDE / votes.scale).at(corners_of(told).mean(axis=1))
    return np.asarray((of > 0) & ((of[:, None] == of).sum(axis=1) > 1))


def near_others(told: Sequence[Told], grown: float, asked: NDArray[np.bool_]) -> Numbers:
    """Those of the cards asked about that would overlap others if all were so much larger."""
    if not asked.any():
        return np.empty(0, np.intp)
    corners = corners_of(told)
    middles = corners.mean(axis=1, keepdims=True)
    one, _, shared = overlaps(middles + grown * (corners - middles), asked)
    return np.unique(one[shared.sum(axis=1) >= A_SIDE])


def doubts(image: Image, votes: Votes, told: Sequence[Told], index: Index | None) -> Cells:
    """Cells where more is seen than was told, or an open card among others lacks an index; and the cards there."""
    cells = Ownership(np.zeros(votes.shape, np.intp), STRIDE / votes.scale)
    found = _unexplained(votes, told, cells)
    if index:
        found |= cells.inside_any(_unmarked(image, told, index))
    if not found.any():
        return found
    near = cv2.dilate(found.astype(np.uint8), _NEAR) > 0
    cards = [on_it for on_it in cells.inside_each(corners_of(told)) if (near & on_it).any()]
    return np.asarray(np.logical_or.reduce([found, *cards]))


_NEAR = np.ones((5, 5), np.uint8)


def _unexplained(votes: Votes, told: Sequence[Told], cells: Ownership) -> Cells:
    """What the finder takes for cards beside those that were told, if it is as much as a card has."""
    left = votes.on_card
    if not told:
        return np.zeros_like(left)
    left &= ~cells.inside_any(corners_of(told))
    long, short = (2 * float(np.median(half)) for half in half_sizes(corners_of(told)))
    most = MOST_UNTOLD * long * short / cells.cell_px**2
    parts = [part for part in patches(left, (long, short), cells.cell_px) if part.sum() <= most]
    return np.asarray(np.logical_or.reduce(parts)) if parts else np.zeros_like(left)


def _unmarked(image: Image, told: Sequence[Told], index: Index) -> Floats:
    """Faces beside others, or not plainly read, that seem open and do not show an index at both ends: another card lies
    there."""
    asked = np.array([s.visible >= OPEN and r.face == "up" and r.name != TWICE for s, r in told], bool)
    unclear = np.flatnonzero(asked & np.array([r.confidence < PLAINLY for _, r in told], bool))
    faces = [told[k][0] for k in np.union1d(near_others(told, TOUCHING, asked), unclear)]
    if not faces:
        return np.empty((0, 4, 2))
    return np.stack([spot.corners for spot in faces])[lack_index(image, faces, index)]


def lack_index(image: Image, faces: Sequence[Spot], index: Index) -> NDArray[np.bool_]:
    """Which cards do not show an index at both ends."""
    ends = ends_of(faces)
    shown = index.shows(cuts(image, ends.reshape(-1, 4, 2), index.box, index.size)).reshape(-1, 2)
    return np.asarray((shown < LEAST_SHOWN).any(axis=1))


def length_px(told: Sequence[Told]) -> float:
    """Typical length of a card on the picture."""
    corners = corners_of(told)
    return float(np.median(np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)))


def clearer(first: Sequence[Told], second: Sequence[Told]) -> list[Told]:
    """Heap by heap of cards that overlap, what the first look told, or the second where that is known better.

    Where the first saw no card at all, the second must know one well; a face may hang together with what the first
    saw by others that the second saw, a back may not: any table has such a pattern.
    """
    both = [*first, *second]
    one, other = meeting(both)
    heaps, heap = connected_components(coo_array((np.ones(len(one)), (one, other)), (len(both), len(both))))
    by_first = np.arange(len(both)) < len(first)
    faces = np.array([reading.face == "up" for _, reading in both], bool)
    meets = np.isin(np.arange(len(both)), one[by_first[other]]) | (faces & np.isin(heap, heap[by_first]))
    seen = by_first | meets | (_known(both) >= AMONG)
    kept: list[Told] = []
    for k in range(heaps):
        old, new = (
            [both[i] for i in np.flatnonzero((heap == k) & seen & mine)] for mine in (by_first, ~by_first)
        )
        better, worse = (new, old) if _worth(new) > _worth(old) + CLEARER else (old, new)
        kept += [*better, *_left_out(better, worse)]
    return kept


def _left_out(told: Sequence[Told], others: Sequence[Told]) -> list[Told]:
    """Faces that the other look knew well where this one told nothing: either may have missed a covered card."""
    known = zip(others, _known(others).tolist(), strict=True)
    faces = [one for one, how in known if how >= BESIDE and one[1].face == "up"]
    if not faces or not told:
        return []
    corners = corners_of(told)
    return [(spot, reading) for spot, reading in faces if share_on(spot, corners) < EXPLAINED]


def share_on(spot: Spot, corners: Floats) -> float:
    """Which share of what is open of a card lies on these cards."""
    points = grid_px(spot.corners)[spot.seen.ravel()]
    on = within(np.broadcast_to(points, (len(corners), *points.shape)), corners)
    return float(on.any(axis=0).mean()) if len(points) else 1.0


def without_new_backs(first: Sequence[Told], second: Sequence[Told]) -> list[Told]:
    """The second, without backs where the first told none: any table has such a pattern."""
    backs = [one for one in first if one[1].face == "down"]
    return [one for one in second if one[1].face != "down" or len(backs) in meeting([*backs, one])[0]]


def unmarked(image: Image, faces: Sequence[Told], index: Index) -> NDArray[np.bool_]:
    """Which of these faces do not show their own index at both ends."""
    return np.asarray(own_shown(image, faces, index).min(axis=1) < LEAST_SHOWN)


def own_shown(image: Image, faces: Sequence[Told], index: Index) -> Floats:
    """(faces, 2): how likely each shows its own index at either end."""
    ends = ends_of([spot for spot, _ in faces]).reshape(-1, 4, 2)
    names = [str(reading.name) for _, reading in faces for _ in range(2)]
    return index.names(cuts(image, ends, index.box, index.size), names).reshape(-1, 2)


def ends_of(spots: Sequence[Spot]) -> Floats:
    """(cards, 2, 4, 2): corners of each as it is, and held the other way up."""
    return np.stack([[spot.corners, spot.turned().corners] for spot in spots])


def without_mistaken(image: Image, told: Sequence[Told], index: Index) -> list[Told]:
    """Without cards that are another one, its corners misjudged: an open card shows its index, and what seems open,
    is not plainly read and lacks its own, or a joker's rim, is the card that its index names beneath it, or what seems
    a joker there is it."""
    one, other, shared = overlaps(corners_of(told))
    mostly = shared.mean(axis=1) >= MOSTLY
    mistaken, doubtful = set(), set()
    for a, b in zip(one[mostly].tolist(), other[mostly].tolist(), strict=True):
        (spot, upper), (_, lower) = told[a], told[b]
        if spot.visible < SEEMS_OPEN or upper.face != "up" or upper.confidence >= PLAINLY:
            continue
        if lower.name == TWICE != upper.name:
            mistaken.add(b)
        elif lower.face == "up" and BY_INDEX < lower.confidence >= upper.confidence:
            doubtful.add(a)
    if doubtful:
        asked = sorted(doubtful)
        seeming = [told[k] for k in asked]
        jokers = np.array([reading.name == TWICE for _, reading in seeming])
        no_rim = ~open_round(image, corners_of(seeming))
        lacking = np.where(jokers, no_rim, unmarked(image, seeming, index))
        mistaken |= {k for k, lacks in zip(asked, lacking.tolist(), strict=True) if lacks}
    return [one for k, one in enumerate(told) if k not in mistaken]


def meeting(told: Sequence[Told], asked: NDArray[np.bool_] | None = None) -> tuple[Numbers, Numbers]:
    """Pairs of cards that overlap; if only some are asked about, the first of each is one of those."""
    if asked is not None and not asked.any():
        return np.empty(0, np.intp), np.empty(0, np.intp)
    one, other, shared = overlaps(corners_of(told), asked)
    enough = shared.sum(axis=1) >= LEAST_SHARED
    return one[enough], other[enough]


def unread_elsewhere(told: Sequence[Told], found: Sequence[Told]) -> list[Told]:
    """What was told, without cards that could not be read and lie where one was found."""
    if not found:
        return list(told)
    one, other, shared = overlaps(np.concatenate([corners_of(told), corners_of(found)]))
    there = set(one[(other >= len(told)) & shared.any(axis=1)].tolist())
    return [card for k, card in enumerate(told) if card[1].name is not None or k not in there]


def too_large(told: Sequence[Told], spot: Spot) -> bool:
    """Whether a card is larger than the known faces: it may be two."""
    faces = [one for one in told if one[1].face == "up" and one[1].name]
    usual = size_of(corners_of(faces)) if faces else (np.inf, np.inf)
    return bool((np.array(size_of(spot.corners[None])) > LARGER * np.array(usual)).any())


def corners_of(told: Sequence[Told]) -> Floats:
    return np.array([spot.corners for spot, _ in told]).reshape(-1, 4, 2)


def _known(told: Sequence[Told]) -> Floats:
    return known_well([reading for _, reading in told])


def _worth(told: Sequence[Told]) -> float:
    """How much of it the deck knows: a face once, however little of it is open, and of a back what is, if it is
    beyond doubt, or among known faces beyond that of the finder."""
    among_faces = sum(r.face == "up" and r.confidence >= AMONG for _, r in told) >= KNOWN_FACES
    faces: dict[str | None, float] = {}
    backs = 0.0
    for (spot, reading), known in zip(told, _known(told).tolist(), strict=True):
        if reading.face == "up":
            faces[reading.name] = max(faces.get(reading.name, 0.0), known)
        elif known >= AMONG or (among_faces and known >= BESIDE and spot.sure >= SURE_BACK):
            backs += known * spot.visible
    return backs + sum(faces.values())
