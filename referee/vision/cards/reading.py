"""What a deck says about the cards that were found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from referee.vision.cards.spot import Image, Spot


@dataclass(frozen=True, slots=True)
class Reading:
    """Which card it is."""

    name: str | None
    """None: a card, but it could not be read."""
    face: Literal["up", "down", "unknown"]
    confidence: float
    turned: bool = False
    """The spot's corners begin at the card's bottom right."""


class Reader(Protocol):
    """A deck as the eyes know it."""

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        """One reading for every spot."""
        ...
