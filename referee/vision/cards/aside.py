"""Covered cards that are not read for certain are looked at a little aside, too: their corners may be off.

Where both ends of a card lie under others its rims are those of its neighbours, and it seems to lie a little farther
along. What most of the looks beside that place tell is right more often than what one tells.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from referee.vision.cards.reading import Reader, Reading
from referee.vision.cards.spot import Image, Spot
from referee.vision.cards.tangles import Told

ACROSS, ALONG = (-0.04, 0.0, 0.04), (-0.06, 0.0, 0.06)
"""How far aside is looked, in card widths and lengths."""
FOR_CERTAIN, OPEN = 0.89, (0.6, 0.9)
"""How sure a reading is at most that is not for certain, and how much of a card is open whose corners are in doubt and
whose face shows: a strip of a card is known by its index, which is where it is."""
AT_MOST = 0.85
"""How sure a card can be that only looks aside tell."""
ENOUGH = 1.5
"""What the confidence of looks that tell a name comes to at least: one alone is not enough."""


def with_looks_aside(image: Image, told: Sequence[Told], deck: Reader) -> list[Told]:
    """What was told, with what most looks aside tell of covered faces that are not read for certain."""
    known, found = {reading.name for _, reading in told}, []
    for spot, reading in told:
        doubtful = (
            reading.face != "down"
            and reading.confidence <= FOR_CERTAIN
            and OPEN[0] <= spot.visible <= OPEN[1]
        )
        best = _aside(image, spot, deck) if doubtful else None
        found.append((spot, reading if best is None or best.name in known else best))
        known.add(found[-1][1].name)
    return found


def _aside(image: Image, spot: Spot, deck: Reader) -> Reading | None:
    """The face that most looks tell of a card and beside it, if enough do."""
    a, b, _, d = spot.corners
    looks = [replace(spot, corners=spot.corners + x * (b - a) + y * (d - a)) for x in ACROSS for y in ALONG]
    by_name: defaultdict[str | None, list[Reading]] = defaultdict(list)
    for one in deck.read(image, looks):
        if one.face == "up":
            by_name[one.name].append(one)
    if not by_name:
        return None
    most = max(by_name.values(), key=_sum)
    if _sum(most) < ENOUGH:
        return None
    best = max(most, key=lambda one: one.confidence)
    return replace(best, confidence=min(AT_MOST, best.confidence))


def _sum(readings: Sequence[Reading]) -> float:
    return sum(one.confidence for one in readings)
