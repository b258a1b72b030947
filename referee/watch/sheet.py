"""Put the fact sheet of a shot together."""

import math
from dataclasses import replace

from referee.geometry import gap_mm, path_gap_mm
from referee.happenings import Doubt, GateSeen, Moved, ShotSeen
from referee.types import Outline, Piece
from referee.vision.steps import Steps
from referee.watch.bounces import bounced_off
from referee.watch.changes import Changes
from referee.watch.gates import aimed_gates, look_at_gate, shift_of
from referee.watch.missing import in_doubt, lost_ns
from referee.watch.movers import Mover
from referee.watch.scenes import Scene
from referee.watch.second_touch import by_hand
from referee.watch.shots import (
    LONG_UNSEEN_NS,
    Strike,
    hidden,
    shooter_of,
    started,
    strays,
    strike,
    timed_path,
)

HIT_MM = 1.0
"""The last other piece is hit when it moves more than this (G-12)."""
STIRRED_MM, STIRRED_GAP_MM = 0.3, 3.0
"""One that moved so much, and that the shooter came so near to, may have been hit."""
AGAINST_MM = 1.0
"""Nobody sees whether two that come so near to one another touch."""
MET_MM = 4.0


def shot_sheet(
    scene: Scene,
    changes: Changes,
    slid: tuple[Mover, ...],
    pieces: tuple[Piece, ...],
    called: tuple[int, int] | None,
    frame_ns: int,
) -> Steps[ShotSeen]:
    """Everything the camera can say about one shot."""
    shooter = shooter_of(slid, called)
    assert shooter is not None
    others = tuple(m for m in slid if m.id != shooter.id)
    missing_ns = lost_ns(scene, slid, frame_ns)
    alone = not others and not _leans(shooter, pieces)
    hit = in_doubt(strike(shooter, frame_ns, missing_ns, alone), missing_ns)
    if strays(shooter):
        # Nothing is known of its way, nor of the hand that hid it.
        shooter = replace(shooter, places=())
        hit = replace(hit, contact_ms=None, guided=None, touched_moving=None)
    timed = timed_path(shooter, hit.frame)
    path = tuple(mm for _, mm in timed)
    lost = missing_ns > LONG_UNSEEN_NS
    second = {m.id: None if lost else by_hand(m, shooter, frame_ns) for m in others}
    handled = tuple(i for i, touched in second.items() if touched)
    gates = yield from _gates(shooter, path, others, changes, pieces, called, handled)
    yield
    return ShotSeen(
        frames=(hit.frame, scene.after.frames[0]),
        t_ns=scene.after.t_ns,
        shooter=_moved(shooter, "hand"),
        path_mm=path,
        path_frames=tuple(frame for frame, _ in timed),
        on_board_before=len(pieces),
        gates=gates,
        called=called,
        moved=tuple(_moved(m, "hand" if second[m.id] else "unknown") for m in others),
        contacts=_contacts(shooter, path, tuple(m for m in others if m.id not in handled), frame_ns),
        off=tuple(m.id for m in slid if m.end is None),
        hand_pieces=(shooter.id, *handled),
        hand_two=_any(tuple(second.values())),
        hand_contact_ms=hit.contact_ms,
        guided=hit.guided,
        touched_moving=hit.touched_moving,
        hit_last=_hit_last(shooter, path, changes, others, pieces),
        unseen=("frames of the shot are missing",) if lost else _unseen(hit, shooter, scene, frame_ns),
        unknown=lost and bool(others),
    )


def _leans(shooter: Mover, pieces: tuple[Piece, ...]) -> bool:
    """Whether it came to rest so near to another piece that this may have stopped it, heavy as it is."""
    end = shooter.end
    others = (piece for piece in pieces if piece.id != shooter.id)
    return end is not None and any(gap_mm(end.outline_mm, o.outline_mm) < MET_MM for o in others)


def _any(answers: tuple[Doubt, ...]) -> Doubt:
    return True if True in answers else None if None in answers else False


def _moved(mover: Mover, by: str) -> Moved:
    return Moved(
        id=mover.id,
        start_px=mover.start.px,
        start_mm=mover.start.mm,
        end_px=mover.end_px,
        end_mm=mover.end.mm if mover.end else None,
        distance_mm=math.dist(mover.start.mm, mover.end.mm) if mover.end else math.inf,
        sigma_mm=math.hypot(mover.start.sigma_mm, mover.end.sigma_mm if mover.end else 0.0),
        by="hand" if by == "hand" else "unknown",
    )


def _gates(
    shooter: Mover,
    path: Outline,
    others: tuple[Mover, ...],
    changes: Changes,
    pieces: tuple[Piece, ...],
    called: tuple[int, int] | None,
    handled: tuple[int, ...],
) -> Steps[tuple[GateSeen, ...]]:
    """The called gate, or those the shot may have gone for; nobody aims through what the hand itself moves."""
    rest = tuple(p for p in pieces if p.id != shooter.id)
    if called is not None:
        posts = [p for p in rest if p.id in called]
        pairs = [(posts[0], posts[1])] if len(posts) == 2 else []
    else:
        pairs = yield from aimed_gates(shooter, path, tuple(p for p in rest if p.id not in handled))
    gates = []
    for a, b in pairs:
        yield
        gates.append(moved_by_hand(look_at_gate(a, b, shooter, path, others, changes), handled))
    return tuple(gates)


def moved_by_hand(gate: GateSeen, handled: tuple[int, ...]) -> GateSeen:
    """Of a post that the hand itself moved nobody knows whether the shooter touched it, too."""
    one, other = (
        replace(post, touched=None if post.touched else post.touched, likely_touched=False)
        if post.id in handled
        else post
        for post in gate.posts
    )
    return replace(gate, posts=(one, other))


def _contacts(
    shooter: Mover, path: Outline, others: tuple[Mover, ...], frame_ns: int
) -> tuple[tuple[int, int], ...]:
    """Of those that the hand did not move the pieces the shooter met, in the order in which they began to move."""
    bounced = bounced_off(shooter, others, frame_ns)
    met = [
        (started(m, frame_ns)[0], m.id)
        for m in others
        if m.id in bounced or path_gap_mm(shooter.start.outline_mm, path, m.start.outline_mm) < MET_MM
    ]
    return tuple((shooter.id, other) for _, other in sorted(met))


def _hit_last(
    shooter: Mover, path: Outline, changes: Changes, others: tuple[Mover, ...], pieces: tuple[Piece, ...]
) -> Doubt:
    """With one other piece on the board: whether the shooter moved it."""
    rest = [p for p in pieces if p.id != shooter.id]
    if len(rest) != 1:
        return None
    moved, _ = shift_of(rest[0], changes, (shooter, *others))
    return was_hit(
        moved,
        path_gap_mm(shooter.start.outline_mm, path, rest[0].outline_mm),
        gap_mm(shooter.start.outline_mm, rest[0].outline_mm),
    )


def was_hit(moved_mm: float, path_gap: float, start_gap: float) -> Doubt:
    """Whether the last other piece was hit: one that stops against it may move it by a hair, and is asked about.

    Where the two touched from the beginning that tells nothing: then it must be seen to move.
    """
    if moved_mm > HIT_MM:
        return True
    if path_gap > STIRRED_GAP_MM:
        return False
    against = path_gap < AGAINST_MM <= start_gap
    return None if moved_mm >= STIRRED_MM or against else False


def _unseen(hit: Strike, shooter: Mover, scene: Scene, frame_ns: int) -> tuple[str, ...]:
    why = []
    if not shooter.places or hidden(shooter, frame_ns):
        why.append("a hand hid the shooter's way")
    if scene.cut:
        why.append("the beginning of the passage was too long ago")
    if hit.contact_ms is None and hit.guided is None:
        why.append("a hand hid how the shooter was struck")
    return tuple(why)
