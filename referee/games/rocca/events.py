"""What can happen in Rocca: one small class per event, fields as in the rules digest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from referee.codec import by_name
from referee.games.rocca.switches import Switches
from referee.types import Seat

PieceId = int | str
Pair = tuple[PieceId, PieceId]


@dataclass(frozen=True, slots=True)
class GameConfigured:
    players: tuple[Seat, ...] | None = None
    first: Seat | None = None
    sw: Switches | None = None
    assistive_tool: tuple[Seat, ...] | None = None


@dataclass(frozen=True, slots=True)
class SetupSeen:
    bowls: Mapping[Seat, int]
    board: int | None = None
    """Pieces on the board, when they were counted too."""


@dataclass(frozen=True, slots=True)
class PracticeOn:
    pass


@dataclass(frozen=True, slots=True)
class PracticeOff:
    pass


@dataclass(frozen=True, slots=True)
class TurnBegin:
    seat: Seat


@dataclass(frozen=True, slots=True)
class AntePaid:
    seat: Seat
    n: int


@dataclass(frozen=True, slots=True)
class Drop:
    on_board_after: int
    off: int = 0
    at_once: bool = True


@dataclass(frozen=True, slots=True)
class GateCalled:
    seat: Seat
    a: PieceId
    b: PieceId


@dataclass(frozen=True, slots=True)
class CallRequested:
    seat: Seat


@dataclass(frozen=True, slots=True)
class ObviousAgreed:
    pass


@dataclass(frozen=True, slots=True)
class ShotResult:
    """One fact sheet per shot, told when everything rests; None is "could not be told"."""

    piece: PieceId | None = None
    start_inside: bool | None = False
    through: bool | None = None
    gate: Pair | None = None
    """The pair that was crossed, or nearly."""
    gate_contact: bool | None = False
    other_contact: tuple[PieceId, ...] = ()
    off: tuple[PieceId, ...] = ()
    hand_pieces: int | None = 1
    hands: int | None = 1
    motion: Literal["single", "multiple", "guided"] | None = "single"
    tool: bool | None = False
    touched_moving: bool | None = False
    touched_other_moving: bool = False
    """The hand met another moving piece before all came to rest."""
    jumped: bool = False
    """Seen from above it passed over a gate piece without moving it."""
    hit_last: bool | None = None
    margin_mm: float | None = None
    """Clearance from the band; negative when it is not out of it."""
    tol_mm: float | None = None
    """The camera's own tolerance for this shot."""
    instead: Pair | None = None
    """Another gate that may have been meant, and that it went through without a fault."""
    unseen: tuple[str, ...] = ()
    """What the camera could not see of it, in words for the table."""


@dataclass(frozen=True, slots=True)
class ReviewAnswer:
    question: str
    answer: bool
    seats: tuple[Seat, ...] = ()
    """Who agreed; nobody named means the table as a whole."""


@dataclass(frozen=True, slots=True)
class FoulClaimed:
    seat: Seat
    clause: str


@dataclass(frozen=True, slots=True)
class PieceCollected:
    n: int = 1


@dataclass(frozen=True, slots=True)
class EndTurn:
    seat: Seat


@dataclass(frozen=True, slots=True)
class BowlsVerified:
    bowls: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class WinAnnounced:
    seat: Seat
    n: int


@dataclass(frozen=True, slots=True)
class AnnounceClosed:
    pass


@dataclass(frozen=True, slots=True)
class IdleTouch:
    seat: Seat | None = None
    pieces: tuple[PieceId, ...] | int = ()


@dataclass(frozen=True, slots=True)
class BowlCovered:
    seat: Seat


@dataclass(frozen=True, slots=True)
class ClockExpired:
    seat: Seat


Event = (
    GameConfigured
    | SetupSeen
    | PracticeOn
    | PracticeOff
    | TurnBegin
    | AntePaid
    | Drop
    | GateCalled
    | CallRequested
    | ObviousAgreed
    | ShotResult
    | ReviewAnswer
    | FoulClaimed
    | PieceCollected
    | EndTurn
    | BowlsVerified
    | WinAnnounced
    | AnnounceClosed
    | IdleTouch
    | BowlCovered
    | ClockExpired
)
EVENTS: dict[str, type[Event]] = {
    **by_name(GameConfigured, SetupSeen, PracticeOn, PracticeOff, TurnBegin, AntePaid, Drop),
    **by_name(GateCalled, CallRequested, ObviousAgreed, ShotResult, ReviewAnswer, FoulClaimed),
    **by_name(PieceCollected, EndTurn, BowlsVerified, WinAnnounced, AnnounceClosed, IdleTouch),
    **by_name(BowlCovered, ClockExpired),
}
