"""A judged shot as people look at it again: where everything was, frame by frame, in pixels and millimetres."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from calibration.profile import Profile
from referee.geometry import band, clearance_mm, gap_mm
from referee.happenings import GateSeen
from referee.report import ShotReport
from referee.types import Outline, Piece, Point

Plain = dict[str, Any]
Board = tuple[tuple[Piece, ...], tuple[Piece, ...]]
CLOSE_TIMES = 3.0
"""A margin below so many tolerances is shown with both readings."""
ROOM_MM = 14.0
"""Around gate and shooter in the enlarged view."""
PROBABLE = math.sqrt(2)
IF_SO = {
    "hand_pieces": ("The hand touched a second piece.", "RO-46"),
    "motion": ("The hand pushed the shooter along.", "RO-47"),
    "touched_moving": ("The hand touched the shooter before it stopped.", "RO-52"),
    "foul": ("What nobody saw was a foul.", "RO-45"),
}
"""What the players may say to a question that no number answers, and the clause it comes under."""


def shot_story(report: ShotReport, board: Board, profile: Profile) -> Plain:
    """Everything to be drawn and told about one shot."""
    before, after = board
    start, end = _by_id(before, report.shot.shooter.id), _by_id(after, report.shot.shooter.id)
    way = _way(report, board, profile)
    return {
        **report.as_json(),
        "outlines": [_drawn(p, profile) for p in before],
        "after": [_drawn(p, profile) for p in after],
        "band_mm": _rounded(report.gate.band_mm) if report.gate else None,
        "band_px": pixels(report.gate.band_mm, profile) if report.gate else None,
        "posts": list(report.gate.ids) if report.gate else [],
        "start_mm": _rounded(start.outline_mm) if start else None,
        "end_mm": _rounded(end.outline_mm) if end else None,
        "way": way,
        "touches": _touches(report, before),
        "closest": closest_frame(report, way),
        "window_mm": _window(report, start, end),
        "readings": readings(report),
    }


def pixels(outline: Outline, profile: Profile) -> list[list[float]]:
    """An outline on the board in raw pixels."""
    if not outline:
        return []
    px: list[list[float]] = np.round(profile.to_pixels(np.array(outline)), 1).tolist()
    return px


def closest_frame(report: ShotReport, way: list[Plain]) -> int:
    """The frame that decides: nearest to a post when a touch is the question, at rest otherwise."""
    touched = "RO-50" in report.clauses or (report.gate and any(p.touched is None for p in report.gate.posts))
    seen = [step for step in way if step["gap_mm"] is not None]
    if touched and seen:
        return int(min(seen, key=lambda step: step["gap_mm"])["frame"])
    return report.shot.frames[1]


def readings(report: ShotReport) -> list[Plain]:
    """Both sides of a question, each with what follows and, where it is a close one, how likely its number makes it."""
    if report.question in IF_SO:
        so, clause = IF_SO[report.question]
        fine = {"if": "What nobody saw was as it should be.", "then": "A legal shot."}
        return [fine, {"if": so, "then": "A foul.", "clauses": [clause]}]
    gate = report.gate
    if gate is None or gate.clearance_mm is None or gate.missed:
        return []
    facts = report.as_json()["facts"]
    if abs(gate.clearance_mm) > CLOSE_TIMES * max(float(facts["tolerance_mm"] or 0), 0.1):
        return []
    through = 0.5 + 0.5 * math.erf(gate.clearance_mm / max(gate.sigma_mm, 0.05) / PROBABLE)
    return [
        {
            "if": "The shooter is wholly through the band.",
            "then": "A legal shot.",
            "likely": round(through, 3),
        },
        {
            "if": "A part of it still lies in the band.",
            "then": "A foul.",
            "clauses": ["RO-48"],
            "likely": round(1 - through, 3),
        },
    ]


def _way(report: ShotReport, board: Board, profile: Profile) -> list[Plain]:
    shot = report.shot
    start = _by_id(board[0], shot.shooter.id)
    steps = list(zip(shot.path_frames, shot.path_mm, strict=True))
    outlines = [_carried(start.outline_mm, start.mm, mm) if start else () for _, mm in steps]
    end = _by_id(board[1], shot.shooter.id)
    if end is not None and outlines:
        outlines[-1] = end.outline_mm
    margins = _margins(outlines, report.gate, board[0], start)
    return [
        {
            "frame": frame,
            "mm": [round(v, 1) for v in mm],
            "px": pixels((mm,), profile)[0],
            "outline_px": pixels(outline, profile),
            "clearance_mm": clear,
            "gap_mm": gap,
        }
        for (frame, mm), outline, (clear, gap) in zip(steps, outlines, margins, strict=True)
    ]


def _margins(
    outlines: list[Outline], gate: GateSeen | None, before: tuple[Piece, ...], start: Piece | None
) -> list[tuple[float | None, float | None]]:
    """Clearance from the band and free space to the nearest post, step by step."""
    posts = [p for i in (gate.ids if gate else ()) if (p := _by_id(before, i))]
    if start is None or len(posts) != 2:
        return [(None, None)] * len(outlines)
    round_both = band(posts[0].outline_mm, posts[1].outline_mm, start.outline_mm)
    return [
        (
            round(clearance_mm(outline, round_both), 2),
            round(min(gap_mm(outline, post.outline_mm) for post in posts), 2),
        )
        for outline in outlines
    ]


def _carried(outline: Outline, middle: Point, to: Point) -> Outline:
    dx, dy = to[0] - middle[0], to[1] - middle[1]
    return tuple((x + dx, y + dy) for x, y in outline)


def _touches(report: ShotReport, before: tuple[Piece, ...]) -> list[Plain]:
    met = [other for _, other in report.shot.contacts]
    told = [p.id for p in report.gate.posts if p.touched] if report.gate else []
    moved = {m.id: m.distance_mm for m in report.shot.moved}
    return [
        {"id": i, "px": list(piece.px), "moved_mm": _finite(moved.get(i)), "post": i in told}
        for i in dict.fromkeys([*told, *met])
        if (piece := _by_id(before, i))
    ]


def _finite(value: float | None) -> float | None:
    return round(value, 2) if value is not None and math.isfinite(value) else None


def _window(report: ShotReport, start: Piece | None, end: Piece | None) -> list[float] | None:
    """What to enlarge, on the board: gate and shooter at rest with some room."""
    outlines = [p.outline_mm for p in (end or start,) if p is not None]
    outlines += [report.gate.band_mm] if report.gate else []
    points = [point for outline in outlines for point in outline]
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    low, high = (min(xs) - ROOM_MM, min(ys) - ROOM_MM), (max(xs) + ROOM_MM, max(ys) + ROOM_MM)
    return [round(v, 1) for v in (*low, *high)]


def _by_id(pieces: Iterable[Piece], wanted: int) -> Piece | None:
    return next((p for p in pieces if p.id == wanted), None)


def _drawn(piece: Piece, profile: Profile) -> Plain:
    return {
        "id": piece.id,
        "px": list(piece.px),
        "outline_px": pixels(piece.outline_mm, profile),
        "outline_mm": _rounded(piece.outline_mm),
    }


def _rounded(outline: Outline) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in outline]
