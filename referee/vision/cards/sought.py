"""Cards of a learned deck that are looked for by their drawings, where the finder sees some and none is known.

A hand or another card on it hides where a card ends, but not what is drawn on the rest: wherever the lines of a drawing
run along with those of the picture, and the deck knows the card that would lie there, it does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.vision.cards.comparing import CLOSE, Floats
from referee.vision.cards.drawings import is_drawn
from referee.vision.cards.flaps import steps_show
from referee.vision.cards.learned import BOX, LearnedDeck
from referee.vision.cards.ownership import Cells, Ownership
from referee.vision.cards.peeling import EMPTY, LEFT, TAKEN, as_spot, patches
from referee.vision.cards.refining import edges_along, rim_support
from referee.vision.cards.sides import sides_of
from referee.vision.cards.spot import Image, Quad
from referee.vision.cards.tangles import Told, corners_of, share_on
from referee.vision.cards.tracing import drawing_of, lines_of
from referee.vision.cards.unravelling import size_of
from referee.vision.cards.votes import STRIDE, Votes

KNOWN_FACE, KNOWN_BACK = 0.85, 0.9
"""How well a card is read that is left where it is."""
PERHAPS = -1.0
"""What the finder says of cells that may be on a card."""
LEAST, MOST = 0.2, 6.0
"""How many cards such cells in one piece may be."""
TURN_DEG, WAYS_DEG = 10, (-5.0, 0.0, 5.0)
"""Turns that differ by less than the first are one; how far it may be off."""
OFTEN, TURNS = 0.1, 3
"""Which share of the cells must tell a turn, and how many are tried, each with the one across."""
LEAST_OPEN = 0.2
"""How much of a card is open at least."""
TRIED = 8
"""Places that are read, the likeliest first."""
APART = 0.25
"""in card widths: nearer ones are the same place."""
ALONG, READ, RIM = 0.31, 0.6, 0.4
"""How far card and drawing go along, how well the deck knows it, and how clear its rim is."""
PLAINLY, FAINT_RIM = 0.42, 0.2
"""The first and the last where there is little doubt that it is this drawing: hands hide rims."""
ALL_ROUND = 0.3
"""How clear its rim is all round it, whatever covers it: a hand has no straight sides."""
AT_MOST = 0.85
"""How sure such a card can be."""
SHARED = 0.4
"""A card in doubt of which this share is found to be another one is none."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a drawing may lie."""

    along: float
    """How far lines go along, the more the more of the card is open."""
    number: int
    """Of the drawing, counted on for those upside down."""
    corners: Quad


def with_sought(
    image: Image, told: Sequence[Told], deck: LearnedDeck, votes: Votes, way: type["Search"] | None = None
) -> list[Told]:
    """What was told, with the cards that are found by their drawings, in one way, instead of those in doubt there."""
    known, doubtful = [one for one in told if _is_known(one)], [one for one in told if not _is_known(one)]
    if not known:
        return list(told)
    search = (way or Search)(
        image, votes, size_of(corners_of(known)), deck.accustomed(image, [s for s, _ in known])
    )
    search.known = corners_of(known)
    search.hints = [spot.corners for spot, reading in doubtful if reading.name is None]
    cells = Ownership(np.zeros(votes.shape, np.intp), STRIDE / votes.scale)
    left = (votes.said > PERHAPS) & ~cells.inside_any(corners_of(known))
    found: list[Told] = []
    for patch in patches(left, search.size, cells.cell_px):
        found += search.cards_on(patch)
    if not found:
        return list(told)
    there = corners_of(found)
    return [*known, *(one for one in doubtful if share_on(one[0], there) < SHARED), *found]


def _is_known(told: Told) -> bool:
    _, reading = told
    return reading.confidence >= (KNOWN_FACE if reading.face == "up" else KNOWN_BACK)


def _is_there(along: float, rim: float, all_round: float) -> bool:
    least = FAINT_RIM if along >= PLAINLY else RIM
    return along >= ALONG and rim >= least and all_round >= ALL_ROUND


class Search:
    """Looks for drawings of a deck on patches of one picture."""

    hints: Sequence[Quad] = ()
    """Where cards lie that could not be read,"""
    known: Floats = np.empty((0, 4, 2), np.float32)
    """and that are known."""
    tried, peaks = TRIED, 1
    """How many places are looked at closely, and how many each drawing may have at one turn."""

    def __init__(self, image: Image, votes: Votes, size: tuple[float, float], deck: LearnedDeck) -> None:
        self.image, self.votes, self.size, self.deck = image, votes, size, deck
        self._card, self._axes = votes.on_card, votes.axis_rad
        drawn = [_half(drawing_of(picture)) for picture in deck.pictures]
        ways = enumerate([*drawn, *(np.ascontiguousarray(one[::-1, ::-1]) for one in drawn)])
        self._drawings = [(k, one, (one * one).sum(axis=2)) for k, one in ways if is_drawn(deck.lines[k])]
        """The number of each, its lines, and how strong they are."""

    def cards_on(self, patch: Cells) -> list[Told]:
        """The cards on a patch, the plainest first, each on what the ones before leave."""
        cell_px = STRIDE / self.votes.scale
        one = self.size[0] * self.size[1] / cell_px**2
        found: list[Told] = []
        while LEAST * one <= patch.sum() <= MOST * one:
            card = self._best_on(patch)
            if card is None:
                break
            found.append(card)
            patch = patch & ~Ownership(patch.astype(np.intp), cell_px).inside(card[0].corners)
        return found

    def _best_on(self, patch: Cells) -> Told | None:
        whose = Ownership(
            np.where(patch, LEFT, np.where(self._card, TAKEN, EMPTY)), STRIDE / self.votes.scale
        )
        places = self._places(patch, whose)
        return self.chosen(places, whose) if places else None

    def chosen(self, places: Sequence[Place], whose: Ownership) -> Told | None:
        """The likeliest place at which the deck knows the card, and that has a rim."""
        spots = [as_spot(place.corners, whose) for place in places]
        corners = np.stack([place.corners for place in places])
        rims = rim_support(self.image, corners, whose)
        all_round = edges_along(self.image, sides_of(corners)).mean(axis=(1, 2))
        readings = self.deck.read(self.image, spots)
        for place, spot, reading, *rim in zip(places, spots, readings, rims, all_round, strict=True):
            count = len(self.deck.names)
            same = reading.name == self.deck.names[place.number % count]
            there = same and reading.confidence >= READ and _is_there(place.along, *rim)
            if there and steps_show(self.image, place.corners, self.known):
                sure = min(AT_MOST, reading.confidence)
                turned = place.number >= count
                return spot, replace(reading, confidence=sure, turned=turned)
        return None

    def _places(self, patch: Cells, whose: Ownership) -> list[Place]:
        """Where drawings may lie on the patch, the likeliest first, and each place once."""
        found = sorted(
            (place for turn in self._turns(patch) for place in self._at_turn(patch, whose, turn)),
            key=lambda place: -place.along,
        )
        kept: list[Place] = []
        for place in found:
            if not any(_same(place, other, APART * self.size[1]) for other in kept):
                kept.append(place)
            if len(kept) == self.tried:
                break
        return kept

    def _turns(self, patch: Cells) -> Iterator[float]:
        """Turns in degrees of the long axis that the finder tells of the patch's cells, and those across."""
        said = np.degrees(self._axes[patch & self._card]) % 180
        often = np.bincount((said / TURN_DEG).astype(int) % (180 // TURN_DEG), minlength=180 // TURN_DEG)
        for k in np.argsort(-often)[:TURNS].tolist():
            if often[k] < max(1.0, OFTEN * len(said)):
                return
            off = (said - (k + 0.5) * TURN_DEG + 90) % 180 - 90
            turn = (k + 0.5) * TURN_DEG + float(np.median(off[np.abs(off) < TURN_DEG]))
            for way in WAYS_DEG:
                yield from (turn + way, turn + way + 90)

    def _at_turn(self, patch: Cells, whose: Ownership, turn_deg: float) -> Iterator[Place]:
        """The best places of each drawing at one turn."""
        frame = _Frame(patch, whose.cell_px, self.size, np.radians(turn_deg))
        open_ = frame.mask(patch, whose.cell_px)
        seen = _half(lines_of(frame.picture(self.image)) * open_[..., None])
        open_ = _half(open_)
        strong = cv2.matchTemplate((seen * seen).sum(axis=2), _ONES, cv2.TM_CCORR)
        share = np.clip(cv2.matchTemplate(open_, _ONES, cv2.TM_CCORR) / _ONES.size, 0, 1)
        for k, drawing, strength in self._drawings:
            both = cv2.matchTemplate(seen, drawing, cv2.TM_CCORR)
            its = cv2.matchTemplate(open_, strength, cv2.TM_CCORR)
            along = both / np.sqrt(np.maximum(strong * its, 1e-2)) * np.sqrt(share)
            along[share < LEAST_OPEN] = 0
            for y, x in _tops(along, self.peaks):
                yield Place(float(along[y, x]), k, frame.corners(2.0 * x, 2.0 * y))


class _Frame:
    """The surroundings of a patch, turned so that cards stand upright in it, as large as drawings are compared."""

    def __init__(self, patch: Cells, cell_px: float, size: tuple[float, float], turn: float) -> None:
        rows, columns = np.nonzero(patch)
        points = (np.stack([columns, rows], axis=1) + 0.5) * cell_px - 0.5
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        down = np.array([np.cos(turn), np.sin(turn)])
        across = np.array([down[1], -down[0]])
        x0, y0, x1, y1 = BOX
        step = np.array([(x1 - x0) * size[1] / CLOSE[0], (y1 - y0) * size[0] / CLOSE[1]])
        reach = np.abs((points - middle) @ np.stack([across, down], axis=1)).max(axis=0) / step
        self._shape = tuple((2 * np.ceil(reach + 0.65 * np.array(CLOSE))).astype(int).tolist())
        self._axes = np.stack([across, down], axis=1) * step
        self._corner = middle - self._axes @ ((np.array(self._shape) - 1) / 2)

    def picture(self, image: Image) -> Image:
        move = np.column_stack([self._axes, self._corner])
        out = cv2.warpAffine(image, move, self._shape, flags=_BACK, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(out, np.uint8)

    def mask(self, cells: Cells, cell_px: float) -> Floats:
        move = np.column_stack([self._axes / cell_px, (self._corner + 0.5) / cell_px - 0.5])
        out = cv2.warpAffine(cells.astype(np.float32), move, self._shape, flags=_BACK)
        return np.asarray(out > 0.5, np.float32)

    def corners(self, x: float, y: float) -> Quad:
        """The card whose compared part begins there."""
        return np.asarray((_WHOLE + np.array([x, y])) @ self._axes.T + self._corner)


def _tops(field: Floats, many: int) -> list[tuple[int, int]]:
    """Where it is highest, and where else it is higher than all round."""
    if many > 1:
        field = np.where(field >= cv2.dilate(field, _PEAK), field, 0)
    highest = np.argsort(-field, axis=None)[:many] if many > 1 else [field.argmax()]
    return [(int(y), int(x)) for y, x in (divmod(int(at), field.shape[1]) for at in highest)]


_PEAK = np.ones((7, 7), np.uint8)


def _whole() -> Floats:
    """The corners of a whole card, from where its compared part begins."""
    x0, y0, x1, y1 = BOX
    part = np.array([x1 - x0, y1 - y0])
    unit = (np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) - (x0, y0)) / part
    return np.asarray(unit * CLOSE - 0.5)


_WHOLE = _whole()
_BACK = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
_ONES = np.ones((CLOSE[1] // 2, CLOSE[0] // 2), np.float32)


def _half(layer: Floats) -> Floats:
    """Half as wide and high: enough to tell where to look closely."""
    h, w = (n // 2 for n in layer.shape[:2])
    return np.asarray(cv2.resize(layer, (w, h), interpolation=cv2.INTER_AREA), np.float32)


def _same(one: Place, other: Place, near_px: float) -> bool:
    return one.number == other.number and bool(np.abs(one.corners - other.corners).max() < near_px)
