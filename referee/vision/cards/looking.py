"""Ask the finder at the size of picture at which it knows cards best."""

import numpy as np

from referee.vision.cards.grouping import MANY, Heap, gather, weighted_median
from referee.vision.cards.spot import Image
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
PLAIN_PX, PLAIN, ALL_BUT = (30, 74), 0.85, 0.98
"""Lengths of cards that may be told at a glance; how open each must be and how agreed its votes, and the share of all
votes that must be for one of them."""
FITS = 0.9
"""Cards cover at most about this share of a picture, counted side by side."""

Look = tuple[Votes, list[Heap]]


def best_look(image: Image) -> Look:
    """What the finder says of the size of picture at which it knows the cards on this one best."""
    longer = max(image.shape[:2])
    middle = look_at(resized(image, image, MIDDLE_PX / longer), MIDDLE_PX / longer)
    if _plain(middle):
        return middle
    far = resized(image, image, FAR_PX / longer)
    best = look_at(far, FAR_PX / longer)
    if _convincing(best):
        return best
    near = resized(image, far if longer > FAR_PX else image, NEAR_PX / longer)
    best = max(best, middle, look_at(near, NEAR_PX / longer), key=_worth)
    if not best[1] or _is_good(best[1]):
        return best
    scale = min(best[0].scale * BEST_PX / _length(best[1]), LARGEST_PX / longer)
    again = look_at(resized(image, image, scale), scale)
    return again if _worth(again) > WORSE * _worth(best) else best


def farther_look(image: Image, look: Look) -> Look | None:
    """A look as at a table of cards, unless this was one."""
    scale = FAR_PX / max(image.shape[:2])
    return look_at(resized(image, image, scale), scale) if look[0].scale < 0.9 * scale else None


def nearer_looks(image: Image, look: Look) -> list[Look]:
    """Looks at smaller pictures, for larger cards."""
    longer = max(image.shape[:2])
    scales = [px / longer for px in (MIDDLE_PX, NEAR_PX)]
    return [look_at(resized(image, image, s), s) for s in scales if s < 0.9 * look[0].scale]


def careful_look(image: Image, scale: float) -> Look:
    """A look at the picture at `scale`, both ways up: slow, but it tells cards on cards apart."""
    scale = min(scale, LARGEST_PX / max(image.shape[:2]))
    return look_at(resized(image, image, scale), scale, both_ways=True)


def _plain(look: Look) -> bool:
    """Whether a table of cards that all lie open was seen: then a glance tells as much as a longer look."""
    votes, heaps = look
    return (
        len(heaps) >= MANY
        and PLAIN_PX[0] <= _length(heaps) <= PLAIN_PX[1]
        and all(min(_filled(heap), heap.agreement) >= PLAIN for heap in heaps)
        and sum(len(heap.members) for heap in heaps) >= ALL_BUT * len(votes)
    )


def _convincing(look: Look) -> bool:
    """Whether the cards seen are of the size that the finder knows well, and look like whole cards together."""
    votes, heaps = look
    share = _worth(look) * (votes.scale * STRIDE) ** 2 / max(1.0, sum(4 * h.long * h.short for h in heaps))
    return _is_good(heaps) and share >= CONVINCING


def look_at(small: Image, scale: float, both_ways: bool = False) -> Look:
    votes = votes_on(small, scale, both_ways)
    return votes, gather(votes)


def _length(heaps: list[Heap]) -> float:
    """Typical length of a card; heaps count by their votes, so that strays do not."""
    if not heaps:
        return 0.0
    return 2 * weighted_median(
        np.array([h.long for h in heaps]), np.array([float(len(h.members)) for h in heaps])
    )


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
