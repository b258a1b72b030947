"""Learn a deck by being shown it: cards are laid down one after another or in rows, and each is answered at once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from hardware.frames import Frame
from referee.errors import TableError
from referee.vision.board import Window
from referee.vision.cards.finding import find
from referee.vision.cards.learned import BOX, SIZE, LearnedDeck, look_of, unlike
from referee.vision.cards.spot import Image, Spot, cut
from referee.vision.still import Watchman

OPEN = 0.93
"""A card is learned when this much of it is open."""
LEAST_PX = 60
"""Length of a card on the picture below which its drawing is lost."""
LEAST_SHARPNESS = 0.8
"""Strength of a card's clearest edges beside the contrast of its drawing."""
FAINT = 6.0
"""Contrast below which a card is blank and has no edges to judge by."""
BLOWN, MOST_BLOWN = 250, 0.12
"""A pixel this bright has lost its drawing, and the share of a card that may have."""
KNOWN = 0.09
"""A card that differs less than this from a learned one is that one."""
ZOOMS = (0.95, 1.0, 1.05)
"""A rim may have been found a little inside or outside of where it was the first time."""
REST_NS = 400_000_000
"""Nobody moves for so long before the table is looked at."""
SAME_PLACE = 0.25
"""A card that moved less than this (in card lengths) lies where it lay."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the table says about one card that was shown."""

    name: str | None
    """None: it was not learned, and why is in the sentence."""
    sentence: str


@dataclass(slots=True)
class Showing:
    """A deck on its way to being learned."""

    wanted: tuple[str, ...] = ()
    """Names in the order in which the cards are shown; without them they are counted."""
    names: list[str] = field(default_factory=list)
    pictures: list[Image] = field(default_factory=list)
    _answered: list[Spot] = field(default_factory=list)
    """Cards of the last still; what lies as it lay is not answered again."""

    def look(self, image: Image) -> tuple[Answer, ...]:
        """Answer for every card of a still picture that is new on the table."""
        spots = in_rows([spot for spot in find(image) if spot.visible >= OPEN])
        fresh = [spot for spot in spots if not any(_lies_as(spot, old) for old in self._answered)]
        answers = [(spot, self._answer(image, upright(spot))) for spot in fresh]
        bad = [spot for spot, answer in answers if answer.name is None]
        self._answered = [spot for spot in spots if not any(spot is other for other in bad)]
        return tuple(answer for _, answer in answers)

    @property
    def is_complete(self) -> bool:
        """Whether every card that was named beforehand has been shown."""
        return bool(self.wanted) and len(self.names) >= len(self.wanted)

    def deck(self) -> LearnedDeck:
        if not self.names:
            raise TableError(
                "no card was shown that could be learned; lay them one by one, open and in good light"
            )
        if len(self.names) < len(self.wanted):
            missing = ", ".join(self.wanted[len(self.names) :])
            raise TableError(f"{len(self.names)} of {len(self.wanted)} cards were shown; missing: {missing}")
        return LearnedDeck(tuple(self.names), tuple(self.pictures))

    def _answer(self, image: Image, spot: Spot) -> Answer:
        why = fault(image, spot)
        if why:
            return Answer(None, f"the card {_where(image, spot)} {why}; lay it again")
        picture = cut(image, spot.corners, BOX, SIZE)
        twin = self._known([cut(image, spot.corners, _zoomed(zoom), SIZE) for zoom in ZOOMS])
        if twin is not None:
            return Answer(twin, f"{twin} again, known already")
        if self.is_complete:
            return Answer(
                None,
                f"the card {_where(image, spot)} is one more than the {len(self.wanted)} that were named",
            )
        name = self.wanted[len(self.names)] if self.wanted else f"card_{len(self.names) + 1}"
        self.names.append(name)
        self.pictures.append(picture)
        return Answer(
            name, f"{name} understood ({len(self.names)}{f' of {len(self.wanted)}' if self.wanted else ''})"
        )

    def _known(self, cuts: Sequence[Image]) -> str | None:
        if not self.pictures:
            return None
        known = [look_of(picture) for picture in self.pictures]
        apart = np.min([unlike(look_of(one), known) for one in cuts], axis=0)
        best = int(apart.argmin())
        return self.names[best] if apart[best] < KNOWN else None


def _zoomed(zoom: float) -> tuple[float, float, float, float]:
    """The part of a card that is learned, cut a little larger or smaller."""
    near, far = 0.5 + (BOX[0] - 0.5) * zoom, 0.5 + (BOX[2] - 0.5) * zoom
    return near, near, far, far


def watch(frames: Iterable[Frame], showing: Showing) -> Iterator[Answer]:
    """Answers as cards are shown, until all are or the camera ends."""
    watchman: Watchman | None = None
    looked = False
    for frame in frames:
        if watchman is None:
            height, width = frame.image.shape[:2]
            watchman = Watchman(Window(0, 0, width, height))
        still = watchman.look(frame.image, frame.t_ns)
        if still.moved:
            looked = False
        elif not looked and still.rests_ns >= REST_NS:
            looked = True
            yield from showing.look(frame.image)
            if showing.is_complete:
                return


def in_rows(spots: Sequence[Spot]) -> list[Spot]:
    """As a person reads: rows from the top, each from the left."""
    left = sorted(spots, key=lambda spot: float(spot.corners[:, 1].mean()))
    rows: list[list[Spot]] = []
    for spot in left:
        y = float(spot.corners[:, 1].mean())
        if rows and y - float(rows[-1][0].corners[:, 1].mean()) < 0.5 * _length(spot):
            rows[-1].append(spot)
        else:
            rows.append([spot])
    return [spot for row in rows for spot in sorted(row, key=lambda s: float(s.corners[:, 0].mean()))]


def upright(spot: Spot) -> Spot:
    """The card with the end that is farther up the picture for its top; lying cards face left."""
    up = spot.corners[0] + spot.corners[1] - spot.corners[2] - spot.corners[3]
    return spot if up[1] < -1e-6 or (abs(up[1]) <= 1e-6 and up[0] < 0) else spot.turned()


def fault(image: Image, spot: Spot) -> str | None:
    """What is wrong with the picture of a card, if anything is."""
    if _length(spot) < LEAST_PX:
        return f"is only {_length(spot):.0f} pixels long, come nearer"
    picture = cut(image, spot.corners, BOX, SIZE)
    if float((picture.min(axis=2) >= BLOWN).mean()) > MOST_BLOWN and picture.std() > 20:
        return "shines"
    edges = cv2.Laplacian(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.CV_32F)
    contrast = float(picture.std())
    if contrast > FAINT and float(np.percentile(np.abs(edges), 99)) < LEAST_SHARPNESS * contrast:
        return "is blurred"
    return None


def _length(spot: Spot) -> float:
    return float(np.linalg.norm(spot.corners[3] - spot.corners[0]))


def _lies_as(spot: Spot, old: Spot) -> bool:
    away = np.linalg.norm(spot.corners.mean(axis=0) - old.corners.mean(axis=0))
    return bool(away < SAME_PLACE * _length(spot))


def _where(image: Image, spot: Spot) -> str:
    x, y = spot.corners.mean(axis=0) / (image.shape[1], image.shape[0])
    down = "at the top" if y < 1 / 3 else "at the bottom" if y > 2 / 3 else "in the middle"
    return f"{down} {'left' if x < 1 / 3 else 'right' if x > 2 / 3 else ''}".rstrip()
