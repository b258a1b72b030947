"""Indices that show where no card was told that has one there: each is of a card of its own.

In a fan the looks settle for too few cards, and what is open of one that was missed counts as part of another's. But
nothing is printed like an index: where one is plain its card lies, on the card within whose outline it shows.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.vision.cards.anchors import SAME_PLACE, belongs, index_middles, inside_of, ways_to_lie
from referee.vision.cards.covering import covered
from referee.vision.cards.reading import Reader, Reading
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image, Spot
from referee.vision.cards.tangles import TWICE, Told, corners_of

AT_MOST = 0.85
"""How sure such a card can be: the looks did not see it."""


def with_unclaimed(image: Image, told: Sequence[Told], deck: Reader, cards: Sequence[Floats]) -> list[Told]:
    """What was told, and the cards whose indices show and were not told; those beneath them are read again.

    Of each such card the corners are given as every look laid them.
    """
    known = list(told)
    for ways in cards:
        one = _read(image, ways, known, deck)
        if one is not None:
            known = [*_beneath(image, known, one[0], deck), one]
    return known


def _read(image: Image, cards: Floats, told: Sequence[Told], deck: Reader) -> Told | None:
    """The card of an index as it is read best; none if it is told already, or has no rim, or no name."""
    corners = corners_of(told)
    if belongs(corners, index_middles(cards), SAME_PLACE).any():
        return None
    ways = ways_to_lie(image, cards)
    if len(ways) == len(cards):
        return None
    spots = [_spot(way, corners) for way in ways]
    spot, reading = max(zip(spots, deck.read(image, spots), strict=True), key=lambda one: one[1].confidence)
    known = {reading.name for _, reading in told if reading.name != TWICE}
    return None if reading.face != "up" or reading.name in known else (spot, _less_sure(reading))


def _less_sure(reading: Reading) -> Reading:
    return replace(reading, confidence=min(reading.confidence, AT_MOST))


def _spot(corners: Floats, others: Floats) -> Spot:
    """A card that lies on those within whose outlines its index shows, and beneath others."""
    shows = inside_of(others, index_middles(corners[None]))[:, 0]
    exact = np.asarray(corners, np.float64)
    return Spot(exact, ~covered(exact, others[~shows]), 1.0)


def _beneath(image: Image, told: Sequence[Told], upper: Spot, deck: Reader) -> list[Told]:
    """What was told, less of it open where it lies beneath the upper card."""
    shows = inside_of(corners_of(told), index_middles(upper.corners[None]))[:, 0]
    return [
        _less_open(image, one, upper, deck) if under else one for one, under in zip(told, shows, strict=True)
    ]


def _less_open(image: Image, told: Told, upper: Spot, deck: Reader) -> Told:
    spot, reading = told
    less = replace(spot, seen=spot.seen & ~covered(spot.corners, upper.corners[None]))
    again = deck.read(image, [less])[0]
    return less, again if again.name else reading
