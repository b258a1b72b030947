"""What physically happened with cards and dice on a table: the words between the eyes and the readers of the games."""

from dataclasses import dataclass

from referee.types import Card, Die, Point


@dataclass(frozen=True, slots=True)
class Moment:
    """When a thing was complete: the hands gone and the picture still."""

    frame: int
    t_ns: int
    began: int
    """First frame of the proof."""
    hand_px: Point | None = None
    """Where at the picture's edge the hand came in; None when no hand was seen."""
    hand_mm: Point | None = None


@dataclass(frozen=True, slots=True)
class CardPlaced:
    at: Moment
    card: Card
    covers: tuple[int, ...] = ()
    """Ids of the cards under it."""
    touches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CardTurned:
    """The other side of a card is up now."""

    at: Moment
    card: Card
    was: Card | None
    """As it lay before; None when its other side was only seen under the hand."""


@dataclass(frozen=True, slots=True)
class CardTapped:
    """A card was turned by a quarter where it lies."""

    at: Moment
    card: Card
    was: Card
    tapped: bool
    """False: it stands upright to its owner again."""
    touches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CardMoved:
    at: Moment
    card: Card
    was: Card
    covers: tuple[int, ...] = ()
    touches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CardTaken:
    at: Moment
    card: Card
    """As it lay."""


@dataclass(frozen=True, slots=True)
class DieSettled:
    at: Moment
    die: Die
    rolled: bool
    """It tumbled free of any hand before it came to rest."""
    on: int | None = None
    """Id of the card it lies on."""


@dataclass(frozen=True, slots=True)
class DieCocked:
    at: Moment
    die: Die
    on: int | None = None


@dataclass(frozen=True, slots=True)
class DieTaken:
    at: Moment
    die: Die


CardHappening = CardPlaced | CardTurned | CardTapped | CardMoved | CardTaken
DieHappening = DieSettled | DieCocked | DieTaken
Happening = CardHappening | DieHappening
