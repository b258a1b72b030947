"""Blank cards that bear a faint drawing after all: a back with a pale pattern is told by its fine lines.

They are looked for on the whole picture of the card, and wherever they may lie: on small pictures they are lost, and
the rims of dark cards on dark tables are hard to find.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.cards.learned import BLOWN, BOX, SIZE, LearnedDeck, side_of
from referee.vision.cards.reading import Reading
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Image, Spot, cut
from referee.vision.cards.tangles import Told

OPEN, LEAST_PX = 0.6, 2000
"""How much of a card must be open, and on how many pixels of its picture nothing is lost to glare."""
DRAWN = 0.25
"""How far the fine lines of a card and a drawing go along if it is that: of blank cards up to 0.18."""
FINE_PX, DARK = 4.0, 8.0
"""What changes over more than this is light; and darker than this little is told apart."""
RIM_PX, ASIDE_PX = 5, 8
"""What is left out along the rims, and how far aside the drawing may lie,"""
SIZES = (0.94, 0.97, 1.0, 1.03, 1.06)
"""and how much larger it may be."""
AT_MOST, BESIDE = 0.89, 0.5
"""How sure a card is that its fine lines tell, at most, and beside what they go along."""


def with_faint(image: Image, told: Sequence[Told], deck: LearnedDeck) -> list[Told]:
    """What was told, with the faint drawings that open blank cards bear after all."""
    if not deck.faint:
        return list(told)
    blank = {deck.names[k]: _likest(deck, k) for k in deck.blank}
    return [
        (spot, _drawn(image, spot, reading, deck, blank[reading.name]) if reading.name in blank else reading)
        for spot, reading in told
    ]


def _likest(deck: LearnedDeck, blank: int) -> int:
    """Of the faint cards the one that is most of the colour of a blank one."""
    looks = deck.close.mean(axis=2)
    return min(deck.faint, key=lambda k: float(np.abs(looks[k] - looks[blank]).sum()))


def _drawn(image: Image, spot: Spot, reading: Reading, deck: LearnedDeck, faint: int) -> Reading:
    if spot.visible < OPEN:
        return reading
    picture = cut(image, spot.corners, BOX, SIZE)
    lines = _Lines.of(picture, _where_it_shows(picture, spot))
    if lines is None:
        return reading
    upright, turned = (lines.along(p) for p in (deck.pictures[faint], deck.pictures[faint][::-1, ::-1]))
    along = max(upright, turned)
    if along < DRAWN:
        return reading
    name = deck.names[faint]
    return Reading(name, side_of(name), round(min(AT_MOST, BESIDE + along), 4), turned=turned > upright)


def _where_it_shows(picture: Image, spot: Spot) -> Floats:
    """1 where a card is open and not in a glare, and away from its rims."""
    shows = (cv2.resize(spot.seen.astype(np.float32), SIZE) > OPEN) & (picture.min(axis=2) < BLOWN)
    inner = np.zeros(SIZE[::-1], np.float32)
    inner[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX] = 1
    return np.asarray(inner * shows, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """The fine lines of a card where it shows."""

    fine: Floats
    where: Floats

    @classmethod
    def of(cls, picture: Image, where: Floats) -> "_Lines | None":
        many = float(where.sum())
        if many < LEAST_PX:
            return None
        fine = _fine(picture)
        return cls(np.asarray((fine - (fine * where).sum() / many) * where, np.float32), where)

    def along(self, drawing: Image) -> float:
        """How far they go along with those of a drawing, wherever it lies and how large it is: up to 1."""
        return max(self._along(_fitted(_fine(drawing), size)) for size in SIZES)

    def _along(self, lines: Floats) -> float:
        """The correlation at the place where it is best."""
        both, alone, square = (
            cv2.matchTemplate(of, part, cv2.TM_CCORR)
            for of, part in ((lines, self.fine), (lines, self.where), (lines * lines, self.where))
        )
        spread = np.maximum(square - alone**2 / self.where.sum(), 1e-6)
        return float((both / np.sqrt(spread * max(1e-9, float((self.fine**2).sum())))).max())


def _fine(picture: Image) -> Floats:
    light = np.log(picture.astype(np.float32).mean(axis=2) + DARK)
    return np.asarray(light - cv2.GaussianBlur(light, (0, 0), FINE_PX), np.float32)


def _fitted(lines: Floats, size: float) -> Floats:
    """Lines made so much larger, with room to lie aside all round."""
    w, h = (n + 2 * ASIDE_PX for n in SIZE)
    grow = np.array([[size, 0, (w - size * SIZE[0]) / 2], [0, size, (h - size * SIZE[1]) / 2]])
    return np.asarray(cv2.warpAffine(lines, grow, (w, h)), np.float32)
