"""From what was seen on the board to the events of Rocca."""

from dataclasses import replace

from referee.games.rocca.events import Drop, Event, GateCalled, IdleTouch, PieceCollected, ShotResult
from referee.games.rocca.shot import examine, is_clear, not_through_alone
from referee.games.rocca.state import Phase, State
from referee.happenings import (
    BoardDisturbed,
    Doubt,
    GateSeen,
    Happening,
    PiecesDropped,
    PieceTaken,
    Pointed,
    ShotSeen,
)

UNKNOWN = "nobody knows which piece was shot"
SURE = 2.5
"""Standard errors beyond which a margin decides."""
TOLERANCE_MM = 1.0
"""A margin this small is for the players' eyes (RO-36)."""
MOST_RIVALS = 2
"""Gates beside the likeliest that a shot may have been meant for."""
START_TOLERANCE_MM = 0.6
"""An overlap before the shot shows in two resting pieces: it is known better than a crossing."""


def tolerance_mm(gate: GateSeen) -> float:
    """Never below what the error of the measure may hide."""
    return max(TOLERANCE_MM, SURE * gate.sigma_mm)


def read(happening: Happening, state: State) -> tuple[Event, ...]:
    """The events a happening stands for, in the likeliest reading."""
    if isinstance(happening, ShotSeen):
        return read_shot(happening, state)
    if isinstance(happening, PiecesDropped):
        return (Drop(happening.on_board, happening.off_board, happening.at_once),)
    if isinstance(happening, PieceTaken):
        won = state.pending_removal or state.phase == Phase.SETTLE
        return (PieceCollected(len(happening.ids)) if won else IdleTouch(None, happening.ids),)
    if isinstance(happening, Pointed):
        return (GateCalled(state.turn, happening.a, happening.b),) if state.phase == Phase.AIM else ()
    if isinstance(happening, BoardDisturbed):
        return (IdleTouch(None, happening.ids),)
    return ()


def read_shot(shot: ShotSeen, state: State) -> tuple[Event, ...]:
    """The call, when one was seen and not yet told, and the fact sheet."""
    called = shot.called
    known = state.gate_call if isinstance(state.gate_call, tuple) else None
    call = (GateCalled(state.turn, *called),) if called and called != known and state.board > 2 else ()
    return (*call, fact_sheet(shot, state))


def fact_sheet(shot: ShotSeen, state: State) -> ShotResult:
    """What the camera tells of a shot: by the likeliest gate, and with another one that may have been meant."""
    first = shot_result(shot, shot.gates[0] if shot.gates else None)
    if is_clear(state) or not not_through_alone(examine(state, first)):
        return first
    rivals = (shot_result(shot, gate) for gate in shot.gates[1 : 1 + MOST_RIVALS])
    meant = next((rival for rival in rivals if _is_good(state, rival)), None)
    return replace(first, instead=meant.gate if meant else None)


def _is_good(state: State, shot: ShotResult) -> bool:
    found = examine(state, shot)
    return not found.fouls and not found.questions


def shot_result(shot: ShotSeen, gate: GateSeen | None) -> ShotResult:
    """The fact sheet with regard to one gate; None stands for what could not be told."""
    if shot.unknown:
        return _of_some_piece(shot)
    through, margin = _through(gate)
    return ShotResult(
        piece=shot.shooter.id,
        start_inside=_start_inside(gate) if gate else False,
        through=through,
        gate=gate.ids if gate else None,
        gate_contact=_gate_contact(gate) if gate else False,
        other_contact=tuple(other for _, other in shot.contacts if not gate or other not in gate.ids),
        off=shot.off,
        hand_pieces=None if shot.hand_two is None else len(shot.hand_pieces),
        motion=None if shot.guided is None else "guided" if shot.guided else "single",
        touched_moving=shot.touched_moving,
        hit_last=shot.hit_last,
        margin_mm=None if margin is None else round(margin, 2),
        tol_mm=round(tolerance_mm(gate), 2) if gate else None,
        unseen=shot.unseen,
    )


def _of_some_piece(shot: ShotSeen) -> ShotResult:
    """All that is known when nobody knows which piece was shot: what fell off the board."""
    return ShotResult(
        start_inside=None,
        gate_contact=None,
        off=shot.off,
        hand_pieces=None,
        motion=None,
        touched_moving=None,
        unseen=shot.unseen or (UNKNOWN,),
    )


def _through(gate: GateSeen | None) -> tuple[Doubt, float | None]:
    """Whether the shooter came through, and the margin when the margin decides."""
    if gate is None or gate.missed:
        return False, None
    if gate.clearance_mm is None:
        return gate.crossed, None
    if not gate.crossed and gate.clearance_mm > tolerance_mm(gate):
        return False, None
    return gate.clearance_mm > 0, gate.clearance_mm


def _start_inside(gate: GateSeen) -> Doubt:
    sure = max(START_TOLERANCE_MM, SURE * gate.sigma_mm)
    return None if abs(gate.start_margin_mm) < sure else gate.start_margin_mm < 0


def _gate_contact(gate: GateSeen) -> Doubt:
    touched = [post.touched for post in gate.posts]
    return True if True in touched else None if None in touched else False
