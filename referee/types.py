"""The words the eyes, the bench and the house share. Standard library only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Literal, TypeVar

Point = tuple[float, float]
Outline = tuple[Point, ...]
Seat = str
S = TypeVar("S")


# --- What the bench says -----------------------------------------------------------------------------


class Code(StrEnum):
    """What kind of ruling it is."""

    OK = "OK"
    INFO = "INFO"
    PROMPT = "PROMPT"
    """Input is needed."""
    ILLEGAL = "ILLEGAL"
    """Refused; the state is unchanged."""
    CORRECT = "CORRECT"
    """The table must be put right; the state is unchanged."""
    FOUL = "FOUL"
    REVIEW = "REVIEW"
    """Too close to call; the players decide."""
    UNSEEN = "UNSEEN"
    ASSUME = "ASSUME"
    """A default ruling was applied; said once a game."""
    ELIMINATED = "ELIMINATED"
    SCORE = "SCORE"
    WIN = "WIN"
    LOSS = "LOSS"
    DRAW = "DRAW"
    AUDIT = "AUDIT"
    """A breach found when hidden things were turned up."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may see a thing: the table (everybody), one seat, or the Game Master."""

    kind: Literal["table", "seat", "master"]
    seat: Seat | None = None

    def __post_init__(self) -> None:
        if (self.kind == "seat") != (self.seat is not None):
            raise ValueError(f"an audience of kind {self.kind!r} with seat {self.seat!r}")

    def __str__(self) -> str:
        return self.seat if self.seat is not None else self.kind


TABLE = Audience("table")
MASTER = Audience("master")


@dataclass(frozen=True, slots=True)
class Ruling:
    """One verdict: what, by which clauses, about whom, and why in one sentence for the table."""

    code: Code
    clauses: tuple[str, ...]
    because: str
    seat: Seat | None = None
    seats: tuple[Seat, ...] = ()
    """When it concerns several (a draw)."""
    audience: Audience = TABLE
    frames: tuple[int, int] | None = None
    """First and last frame of the proof."""
    corrects: int | None = None
    """The journal number of the ruling this one replaces."""


@dataclass(frozen=True, slots=True)
class Judged(Generic[S]):
    """What judging one event gives. A refused event gives the very same state object."""

    state: S
    rulings: tuple[Ruling, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing to ask for before a choice is an event."""

    name: str
    kind: Literal["seat", "number", "choice", "text", "pieces"]
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """Something a player may declare now: a button."""

    event: str
    label: str
    fields: Mapping[str, object] = field(default_factory=dict)
    """What is settled already."""
    asks: tuple[Ask, ...] = ()
    seen: bool = False
    """The camera tells this by itself; people only where there is none, or where it failed."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Something the referee says or does by the clock, counted from the event before it."""

    after_ms: int
    say: str = ""
    event: str = ""
    """Name of the event that the clock causes."""


@dataclass(frozen=True, slots=True)
class Ticking:
    """A player's clock that runs now, and what is told when it is empty."""

    seat: Seat
    limits_ms: Mapping[Seat, int]
    """What everybody has in all."""
    event: str

    @property
    def limit_ms(self) -> int:
        return self.limits_ms[self.seat]


@dataclass(frozen=True, slots=True)
class Shape:
    """Something to draw on the board, in board millimetres."""

    kind: Literal["outline", "path", "band", "label", "zone"]
    points: Outline
    label: str = ""
    style: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """What one audience sees, built up from nothing."""

    audience: Audience
    headline: str
    scores: tuple[tuple[str, str], ...] = ()
    lines: tuple[str, ...] = ()
    prompt: str = ""
    choices: tuple[Choice, ...] = ()
    board: tuple[Shape, ...] = ()


# --- What the eyes see in one frame ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    id: int
    px: Point
    """Centre in raw camera pixels."""
    mm: Point
    outline_mm: Outline
    """Footprint from straight above, counter-clockwise."""
    moving: bool = False
    on_board: bool = True
    sigma_mm: float = 0.0
    """Standard error of the centre and of each side of the outline."""


@dataclass(frozen=True, slots=True)
class Hand:
    outline_px: Outline
    fingertips_px: tuple[Point, ...]
    seat: Seat | None = None


Face = Literal["up", "down", "unknown"]


@dataclass(frozen=True, slots=True)
class Card:
    id: int
    name: str | None
    """None when it could not be read; face down: the back's name."""
    face: Face
    corners_px: Outline
    mm: Point | None
    turn_deg: float
    confidence: float
    visible: float = 1.0
    lies_on: tuple[int, ...] = ()
    """Ids of the cards of this picture that it partly covers."""


@dataclass(frozen=True, slots=True)
class Die:
    id: int
    value: int | None
    px: Point
    mm: Point | None
    settled: bool
    confidence: float
    cocked: bool = False
    """It leans: nobody may say what it shows."""
    edge_px: float = 0.0
    """About; 0 when nobody measured it."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Facts of one frame."""

    frame: int
    t_ns: int
    pieces: tuple[Piece, ...] = ()
    hands: tuple[Hand, ...] = ()
    cards: tuple[Card, ...] = ()
    dice: tuple[Die, ...] = ()
    sharpness: float | None = None
    pose_error_mm: float | None = None
