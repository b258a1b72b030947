"""How a shot stood to a gate, with two witnesses for every touch: the way's clearance, and whether the post moved."""

import math
from itertools import combinations

from referee.geometry import (
    Band,
    band,
    centroid,
    clearance_mm,
    comes_near,
    crossing,
    path_gap_mm,
    start_margin_mm,
)
from referee.happenings import Doubt, GateSeen, PostSeen
from referee.types import Outline, Piece
from referee.vision.steps import Steps
from referee.watch.changes import TREMBLING_SIGMA_MM, Changes
from referee.watch.movers import Mover
from referee.watch.shots import path_of

STIRRED_MM = 0.10
"""Below this a piece has not moved: stills agree to half of it."""
STIRRED_SIGMAS = 1.6
"""The same in standard errors, where a camera that trembled makes them larger."""
SHOVED_MM = 0.6
"""Above this something surely moved it."""
WAY_SIGMA_MM = 0.8
"""How well the way of a blurred piece is known."""

PAIRS_A_STEP = 12


def look_at_gate(
    a: Piece, b: Piece, shooter: Mover, path: Outline, others: tuple[Mover, ...], changes: Changes
) -> GateSeen:
    """Everything the ruling needs to know about the gate a, b."""
    round_both = band(a.outline_mm, b.outline_mm, shooter.start.outline_mm)
    way = crossing(path, round_both)
    posts = tuple(_post(p, shooter, path, others, changes) for p in (a, b))
    clear = clearance_mm(shooter.end.outline_mm, round_both) if shooter.end else None
    return GateSeen(
        posts=(posts[0], posts[1]),
        start_margin_mm=start_margin_mm(shooter.start.outline_mm, round_both),
        clearance_mm=clear,
        sigma_mm=_sigma(a, b, shooter),
        crossed=way.through or (way.between and clear is not None and clear > 0),
        missed=way.missed,
        band_mm=round_both.hull,
    )


def _sigma(a: Piece, b: Piece, shooter: Mover) -> float:
    """The error of the rim that rests nearest, and that of the worse post."""
    rest = shooter.end or shooter.start
    return math.hypot(rest.sigma_mm, max(a.sigma_mm, b.sigma_mm))


def _post(
    post: Piece, shooter: Mover, path: Outline, others: tuple[Mover, ...], changes: Changes
) -> PostSeen:
    gap = path_gap_mm(shooter.start.outline_mm, path, post.outline_mm)
    moved, sigma = shift_of(post, changes, (shooter, *others))
    third = min(
        (path_gap_mm(o.start.outline_mm, path_of(o), post.outline_mm) for o in others if o.id != post.id),
        default=math.inf,
    )
    touched, likely = touch(gap, moved, third, sigma)
    return PostSeen(post.id, post.px, gap, moved, sigma, touched, likely)


def shift_of(piece: Piece, changes: Changes, movers: tuple[Mover, ...]) -> tuple[float, float]:
    """How far a piece lies from where it lay, and how sure that is."""
    for kept in changes.kept:
        if kept.before.id == piece.id:
            return kept.shift_mm, kept.sigma_mm
    for mover in movers:
        if mover.id == piece.id and mover.end is not None:
            return math.dist(mover.start.mm, mover.end.mm), 0.3
    return math.inf, 0.0


def touch(gap_mm: float, moved_mm: float, third_mm: float, sigma_mm: float = 0.0) -> tuple[Doubt, bool]:
    """Whether the shooter touched a post: (sure answer or None, likelier answer)."""
    near, third_near = gap_mm < 4 * WAY_SIGMA_MM, third_mm < 4 * WAY_SIGMA_MM
    if moved_mm > SHOVED_MM:
        if third_near and not near:
            return False, False
        if third_near:
            return None, gap_mm < third_mm
        return (True, True) if gap_mm < 8 * WAY_SIGMA_MM else (None, True)
    if moved_mm > max(STIRRED_MM, STIRRED_SIGMAS * min(sigma_mm, TREMBLING_SIGMA_MM)):
        return _stirred(gap_mm, third_near)
    return (False, False) if gap_mm > -WAY_SIGMA_MM else (None, False)


def _stirred(gap_mm: float, third_near: bool) -> tuple[Doubt, bool]:
    """A post that moved by a hair: a graze when the shooter passed right beside it, its own creeping when far off."""
    if gap_mm > 3 * WAY_SIGMA_MM:
        return False, False
    if gap_mm < WAY_SIGMA_MM and not third_near:
        return True, True
    return None, gap_mm < 1.5 * WAY_SIGMA_MM


def aimed_gates(shooter: Mover, path: Outline, posts: tuple[Piece, ...]) -> Steps[list[tuple[Piece, Piece]]]:
    """Gates an uncalled shot may have gone for: crossed ones first, the nearer and narrower the likelier."""
    ranked: list[tuple[float, tuple[Piece, Piece]]] = []
    onward = _longer(path)
    near = [
        (a, b)
        for a, b in combinations(posts, 2)
        if len(onward) < 2 or comes_near(onward, a.outline_mm, b.outline_mm)
    ]
    for k, (a, b) in enumerate(near):
        if k % PAIRS_A_STEP == PAIRS_A_STEP - 1:
            yield
        gate = band(a.outline_mm, b.outline_mm, shooter.start.outline_mm)
        way = crossing(onward, gate)
        if not way.missed:
            ranked.append((_distance(shooter, gate) + 0.6 * math.dist(a.mm, b.mm), (a, b)))
    ranked.sort(key=lambda entry: entry[0])
    return [pair for _, pair in ranked[:4]]


def _longer(path: Outline) -> Outline:
    """The way carried on past its end: a shot that fell short was going somewhere."""
    if len(path) < 2:
        return path
    (x0, y0), (x1, y1) = path[0], path[-1]
    return (*path, (x1 + (x1 - x0) * 0.5, y1 + (y1 - y0) * 0.5))


def _distance(shooter: Mover, gate: Band) -> float:
    start = centroid(shooter.start.outline_mm)
    middle = tuple((p + q) / 2 for p, q in zip(*gate.posts, strict=True))
    return math.dist(start, middle)
