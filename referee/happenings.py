"""What physically happened on a Rocca board, in board millimetres: the eyes write it, the bench's readers read it."""

from dataclasses import dataclass
from typing import Literal

from referee.types import Outline, Point

Doubt = bool | None
"""None: the camera could not resolve it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece that lies elsewhere than before."""

    id: int
    start_px: Point
    start_mm: Point
    end_px: Point | None
    """None when it is gone from the picture."""
    end_mm: Point | None
    distance_mm: float
    sigma_mm: float
    by: Literal["hand", "shooter", "piece", "unknown"] = "unknown"


@dataclass(frozen=True, slots=True)
class PostSeen:
    """One piece of a gate during the shot."""

    id: int
    start_px: Point
    gap_mm: float
    """Least free space between it and the shooter on its way."""
    moved_mm: float
    moved_sigma_mm: float
    touched: Doubt
    """By the shooter; not by a third piece."""
    likely_touched: bool


@dataclass(frozen=True, slots=True)
class GateSeen:
    """How the shot stood to one gate."""

    posts: tuple[PostSeen, PostSeen]
    start_margin_mm: float
    """Free space between the shooter and the band before the shot, negative when it lay inside."""
    clearance_mm: float | None
    """Space between the shooter at rest and the band, negative when it has not come out; None when it fell off."""
    sigma_mm: float
    crossed: bool
    """Between the posts, in by one long side and out by the other."""
    missed: bool
    """Never in the gate at all."""
    band_mm: Outline

    @property
    def ids(self) -> tuple[int, int]:
        return (self.posts[0].id, self.posts[1].id)


@dataclass(frozen=True, slots=True)
class Pointed:
    """Fingers rested over two pieces one after the other, or over both."""

    frames: tuple[int, int]
    t_ns: int
    a: int
    b: int


@dataclass(frozen=True, slots=True)
class ShotSeen:
    """The fact sheet of one shot."""

    frames: tuple[int, int]
    """First touch and rest."""
    t_ns: int
    shooter: Moved
    path_mm: Outline
    """Where the shooter's centre was, from its start to its rest."""
    path_frames: tuple[int, ...]
    """The frame of each of these places."""
    on_board_before: int
    gates: tuple[GateSeen, ...]
    """The called gate, or those the shot may have gone for, likeliest first."""
    called: tuple[int, int] | None
    moved: tuple[Moved, ...]
    """All pieces but the shooter that lie elsewhere now."""
    contacts: tuple[tuple[int, int], ...]
    """Pieces the shooter met, in order: (shooter, other)."""
    off: tuple[int, ...]
    hand_pieces: tuple[int, ...]
    hand_two: Doubt
    """Whether the hand touched a second piece."""
    hand_contact_ms: float | None
    """How long the hand stayed with the shooter after its first movement; None when hidden."""
    guided: Doubt
    touched_moving: Doubt
    hit_last: Doubt
    """With two pieces on the board: whether the other one was hit."""
    unseen: tuple[str, ...] = ()
    """What the camera could not resolve, in words for the table."""
    unknown: bool = False
    """Nobody knows which of the pieces that moved was shot."""


@dataclass(frozen=True, slots=True)
class PiecesDropped:
    frames: tuple[int, int]
    t_ns: int
    on_board: int
    off_board: int
    at_once: bool


@dataclass(frozen=True, slots=True)
class PieceTaken:
    frames: tuple[int, int]
    t_ns: int
    ids: tuple[int, ...]
    px: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class BoardDisturbed:
    """Pieces moved, but nobody shot."""

    frames: tuple[int, int]
    t_ns: int
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SightLost:
    """From the first of these frames on nothing could be told."""

    frames: tuple[int, int]
    t_ns: int
    why: str


@dataclass(frozen=True, slots=True)
class SightBack:
    """The table lies open again, and has been looked at."""

    frames: tuple[int, int]
    """Of the first picture at rest."""
    t_ns: int
    changed: str = ""
    """What lies otherwise than before, and nobody saw why; empty when all is as it was."""


Sighted = SightLost | SightBack
Happening = ShotSeen | PiecesDropped | PieceTaken | BoardDisturbed | Pointed | Sighted
