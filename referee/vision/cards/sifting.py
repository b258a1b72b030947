"""Cards of a learned deck under hands: of what is seen where one may lie, only what its own picture explains counts.

A hand on a card covers it with colours and lines of its own, and nobody knows which bits are the hand's. But for each
card that may lie there its picture tells: what it does not explain, in the room's light, is something else. Lines that
run along with the drawing on all the rest, as those of no other card do, and a rim, make it a card.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from referee.vision.cards.comparing import CLOSE
from referee.vision.cards.explaining import Explained
from referee.vision.cards.flaps import steps_show
from referee.vision.cards.learned import BOX, SIZE, LearnedDeck, side_of
from referee.vision.cards.ownership import Ownership
from referee.vision.cards.peeling import as_spot
from referee.vision.cards.reading import Reading
from referee.vision.cards.refining import rim_support
from referee.vision.cards.sides import Floats
from referee.vision.cards.sought import Place, Search, with_sought
from referee.vision.cards.spot import Image, Quad, cut
from referee.vision.cards.tangles import Told
from referee.vision.cards.tracing import drawing_of, lines_of, moved, shifted
from referee.vision.cards.votes import Votes

TRIED, PEAKS, CLOSELY = 48, 2, 4
"""Places that are looked at, how many each drawing may have at one turn, and of how many the outline is set right."""
HINTED = 0.2
"""How much of a card that could not be read lies on such a patch."""
LEAST = 150
"""Fewer bits than this, of those compared, tell nothing."""
FAR_PX, FAR_DEG = (-3.0, 0.0, 3.0), (-4.0, 0.0, 4.0)
"""How far off a place may be, in pixels of the compared picture and in degrees."""
STEPS_PX, STEPS_DEG = (1.5, 0.75, 0.4), (1.5, 0.75, 0.4)
"""Steps in which it is then set right."""
LIKELY = 0.15
"""How far a card must go along with its drawing before that."""
ALONG, APART, RIM = 0.33, 0.12, 0.5
"""How far a card goes along with its drawing on what that explains, by how much less with any other card's, and how
clear its rim is."""
SURE = 0.8
"""How sure such a card is."""


def with_sifted(image: Image, told: Sequence[Told], deck: LearnedDeck, votes: Votes) -> list[Told]:
    """What was told, with the cards that are found by their drawings, or by what hands leave of them, instead of those
    in doubt there."""
    return with_sought(image, told, deck, votes, _Sifting)


class _Sifting(Search):
    """Looks for cards of which nobody knows what is open."""

    tried, peaks = TRIED, PEAKS

    def __init__(self, image: Image, votes: Votes, size: tuple[float, float], deck: LearnedDeck) -> None:
        super().__init__(image, votes, size, deck)
        self.sieve = Sieve(image, self.deck)

    def chosen(self, places: Sequence[Place], whose: Ownership) -> Told | None:
        """The card that the deck knows as it is, or on what its drawing explains."""
        return super().chosen(places[: Search.tried], whose) or self._sifted(places, whose)

    def _sifted(self, places: Sequence[Place], whose: Ownership) -> Told | None:
        """The card that goes along farthest with its drawing, if there is no doubt."""
        places = [*places, *self._hinted(whose)]
        along = [self.sieve.along(place.corners, place.number) for place in places]
        likely = [places[k] for k in np.argsort(along)[::-1][:CLOSELY].tolist() if along[k] >= LIKELY]
        lain = [(*self.sieve.set_right(one.corners, one.number), one.number) for one in likely]
        for best, corners, number in sorted(lain, key=lambda one: -one[0]):
            if best >= ALONG and self._is_there(corners, number, best, whose):
                name = self.deck.names[number % len(self.deck.names)]
                turned = number >= len(self.deck.names)
                return as_spot(corners, whose), Reading(name, side_of(name), SURE, turned=turned)
        return None

    def _is_there(self, corners: Quad, number: int, along: float, whose: Ownership) -> bool:
        """Whether the card has a rim, and no other goes along as far."""
        rim = float(rim_support(self.image, corners[None], whose)[0])
        if rim < RIM or not steps_show(self.image, corners, self.known):
            return False
        return along - self.sieve.next_best(corners, number) >= APART

    def _hinted(self, whose: Ownership) -> list[Place]:
        """Every drawing where a card lies that could not be read, either way up."""
        there = [one for one in self.hints if as_spot(one, whose).visible >= HINTED]
        return [Place(0.0, number, corners) for corners in there for number, *_ in self._drawings]


class Sieve:
    """Tells how far cards go along with the drawings of a deck where these explain what is seen."""

    def __init__(self, image: Image, deck: LearnedDeck) -> None:
        self.image, self.names = image, deck.names
        self._explained = Explained(deck)
        upright = [drawing_of(picture) for picture in deck.pictures]
        self._drawings = [*upright, *(one[::-1, ::-1] for one in upright)]

    def along(self, corners: Quad, number: int) -> float:
        """The same for one drawing, from 0 to 1: the more, the more of it is open."""
        return self._along(cut(self.image, corners, BOX, SIZE), number)

    def next_best(self, corners: Quad, number: int) -> float:
        """How far the card goes along with the drawing of any other name."""
        patch, name = cut(self.image, corners, BOX, SIZE), self.names[number % len(self.names)]
        others = (k for k in range(len(self._drawings)) if self.names[k % len(self.names)] != name)
        return max((self._along(patch, k) for k in others), default=0.0)

    def set_right(self, corners: Quad, number: int) -> tuple[float, Quad]:
        """How far the card goes along with a drawing in the best place near to this, and that place."""
        tries = (_moved(corners, x, y, deg) for x in FAR_PX for y in FAR_PX for deg in FAR_DEG)
        best = max(((self.along(one, number), one) for one in tries), key=lambda one: one[0])
        for px, deg in zip(STEPS_PX, STEPS_DEG, strict=True):
            for step in ((px, 0.0, 0.0), (0.0, px, 0.0), (0.0, 0.0, deg)):
                for way in (-1.0, 1.0):
                    tried = _moved(best[1], *(way * part for part in step))
                    best = max(best, (self.along(tried, number), tried), key=lambda one: one[0])
        return best

    def _along(self, patch: Image, number: int) -> float:
        bits = self._explained.bits(patch, number)
        if np.count_nonzero(bits) < LEAST:
            return 0.0
        lines = lines_of(np.asarray(cv2.resize(patch, CLOSE, interpolation=cv2.INTER_AREA)))
        return _goes_along(lines[bits], self._drawings[number][bits]) * float(np.sqrt(bits.mean()))


def _goes_along(one: Floats, other: Floats) -> float:
    return float((one * other).sum() / np.sqrt((one * one).sum() * (other * other).sum() + 1e-9))


def _moved(corners: Quad, right_px: float, down_px: float, turn_deg: float) -> Quad:
    return shifted(moved(corners, 1.0, turn_deg), np.array((right_px, down_px)))
