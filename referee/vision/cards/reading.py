"""What a deck says about the cards that were found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from referee.types import Face
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import Box, Image, Spot

WELL_READ = 0.95
"""A face read this well is a card, whatever else speaks against it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Which card it is."""

    name: str | None
    """None: a card, but it could not be read."""
    face: Face
    confidence: float
    turned: bool = False
    """The spot's corners begin at the card's bottom right."""


UNREAD = Reading(None, "unknown", 0.0)
"""What is said of a card that could not be read."""


@dataclass(frozen=True, slots=True)
class Index:
    """How to look for the corner indices of a deck."""

    box: Box
    """Where it is on a card, in its widths and lengths,"""
    size: tuple[int, int]
    """and how large the picture of it is."""
    shows: Callable[[Image], Floats]
    """For pictures (n, height, width, 3) the chance that each shows an index, whichever,"""
    names: Callable[[Image, Sequence[str]], Floats]
    """and that each shows the index of a card of this name."""


class Reader(Protocol):
    """A deck as the eyes know it."""

    @property
    def index(self) -> Index | None:
        """None if its cards have no indices that are known."""
        ...

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        """One reading for every spot."""
        ...

    def accustomed(self, image: Image, spots: Sequence[Spot]) -> "Reader":
        """The deck in the light in which these cards lie."""
        ...


@dataclass(slots=True)
class Notes:
    """A deck that reads every card of one picture once."""

    deck: Reader
    _read: dict[tuple[bytes, bytes], Reading] = field(default_factory=dict)

    @property
    def index(self) -> Index | None:
        return self.deck.index

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        keys = [(spot.corners.tobytes(), spot.seen.tobytes()) for spot in spots]
        new = {key: spot for key, spot in zip(keys, spots, strict=True) if key not in self._read}
        self._read.update(zip(new, self.deck.read(image, list(new.values())), strict=True))
        return tuple(self._read[key] for key in keys)

    def accustomed(self, image: Image, spots: Sequence[Spot]) -> "Notes":
        """The same notes, from now on in this light."""
        self.deck = self.deck.accustomed(image, spots)
        return self
