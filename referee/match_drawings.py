"""The drawings of reports and bundles as SVG: scores over a match, shots on the board, what lay round a gate."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from referee.pages.words import Words

COLOURS = ("#1d5c48", "#a4242b", "#2b5ea8", "#8a5a00", "#6b3fa0", "#0f7c86", "#b0467c", "#5a625c")
VERDICTS = {
    "#17633f": ("through", "clear"),
    "#a4242b": ("foul",),
    "#c98300": ("review",),
    "#5a625c": ("unseen",),
}
KEY = {
    "#17633f": "good",
    "#a4242b": "foul",
    "#c98300": "too close to call",
    "#5a625c": "not seen",
}
WIDTH, HEIGHT, LETTER = 560, 190, 18
Plain = dict[str, Any]
Spot = tuple[float, float]


def score_curve(curve: Sequence[Plain], seats: Sequence[str], words: Words) -> str:
    """One line per player over the match; empty with fewer than two moments."""
    points = [{s: float(v) for s, v in at["scores"] if s in seats and _is_number(v)} for at in curve]
    points = [p for p in points if p]
    if len(points) < 2:
        return ""
    marks = _marks(min(min(p.values()) for p in points), max(max(p.values()) for p in points))
    ways = {seat: _steps(points, seat, k, marks) for k, seat in enumerate(seats)}
    ways = {seat: way for seat, way in ways.items() if way}
    names = _apart({seat: way[-1][1] for seat, way in ways.items()})
    colour = {seat: COLOURS[k % len(COLOURS)] for k, seat in enumerate(seats)}
    drawn = "".join(
        f'<polyline points="{_points(way)}" fill="none" stroke="{colour[seat]}" stroke-width="3"/>'
        f'<text x="{WIDTH + 10}" y="{names[seat] + LETTER / 3:.0f}" fill="{colour[seat]}">{escape(seat)}</text>'
        for seat, way in ways.items()
    )
    wide = 10 + LETTER * max(len(seat) for seat in ways) * 0.65
    box = f"-40 {-LETTER} {WIDTH + 50 + wide:.0f} {max([HEIGHT, *names.values()]) + 2 * LETTER:.0f}"
    return (
        f'<svg viewBox="{box}" role="img" aria-label="{words("Scores over the match")}">{_grid(marks)}{drawn}</svg>'
        f'<p class="hint">{words("from ruling to ruling")}</p>'
    )


def _is_number(value: str) -> bool:
    return value.replace(".", "", 1).removeprefix("-").isdigit()


def _marks(low: float, high: float) -> list[float]:
    """Round numbers that hold all scores between them, five at most."""
    step = next(s for k in range(9) for s in (10**k, 2 * 10**k, 5 * 10**k) if high - low <= 4 * s)
    first, last = int(low // step), int(-(-high // step))
    return [float(step * k) for k in range(first, max(last, first + 1) + 1)]


def _height(score: float, marks: Sequence[float]) -> float:
    return HEIGHT * (marks[-1] - score) / (marks[-1] - marks[0])


def _steps(points: Sequence[Mapping[str, float]], seat: str, k: int, marks: Sequence[float]) -> list[Spot]:
    """A score stays until it jumps; lines of the same score lie side by side."""
    seen = [
        (WIDTH * n / (len(points) - 1), _height(p[seat], marks) + 3 * k)
        for n, p in enumerate(points)
        if seat in p
    ]
    jumps = [spot for (_, before), (x, now) in pairwise(seen) for spot in ((x, before), (x, now))]
    return [*seen[:1], *jumps]


def _apart(heights: Mapping[str, float]) -> dict[str, float]:
    """Names beside the ends of their lines, none over another."""
    placed: dict[str, float] = {}
    lowest = float("-inf")
    for seat, height in sorted(heights.items(), key=lambda entry: entry[1]):
        lowest = placed[seat] = max(height, lowest + LETTER)
    return placed


def _grid(marks: Sequence[float]) -> str:
    return "".join(
        f'<line class="grid" x1="0" x2="{WIDTH}" y1="{_height(m, marks):.0f}" y2="{_height(m, marks):.0f}"/>'
        f'<text class="mark" x="-10" y="{_height(m, marks) + LETTER / 3:.0f}" text-anchor="end">{m:g}</text>'
        for m in marks
    )


def shot_map(plain: Plain, words: Words) -> str:
    """Every shot's way on the board, numbered in order."""
    board = plain.get("board_mm")
    if not board or not plain["shots"]:
        return ""
    xs, ys = [p[0] for p in board], [-p[1] for p in board]
    box = f"{min(xs) - 10} {min(ys) - 10} {max(xs) - min(xs) + 20} {max(ys) - min(ys) + 20}"
    ways = "".join(_way(shot, k) for k, shot in enumerate(plain["shots"], 1))
    seen = {_colour(shot) for shot in plain["shots"]}
    key = "".join(
        f'<li><i style="background:{c}"></i>{words(word)}</li>' for c, word in KEY.items() if c in seen
    )
    return (
        f'<svg class="map" viewBox="{box}" role="img" aria-label="{words("Shots on the board")}">'
        f'<polygon points="{_flipped(board)}" class="board"/>{ways}</svg><ul class="key">{key}</ul>'
    )


def _colour(shot: Plain) -> str:
    return next((c for c, verdicts in VERDICTS.items() if shot["verdict"] in verdicts), "#5a625c")


def _way(shot: Plain, number: int) -> str:
    places = [step["mm"] for step in shot["way"]]
    if not places:
        return ""
    colour, (x, y) = _colour(shot), places[-1]
    at_rest = f'<polygon points="{_flipped(shot["end_mm"])}" fill="{colour}"/>' if shot.get("end_mm") else ""
    band = f'<polygon class="band" points="{_flipped(shot["band_mm"])}"/>' if shot.get("band_mm") else ""
    return (
        f'{band}<polyline points="{_flipped(places)}" fill="none" stroke="{colour}" stroke-width="2.5"/>{at_rest}'
        f'<text x="{x}" y="{-y + 4}" text-anchor="middle" class="number">{number}</text>'
    )


def from_above_shapes(shot: Plain, at_rest: bool) -> str:
    """The gate's band and posts, and the shooter where it came to rest, over the enlarged picture."""
    left, low, right, high = shot["window_mm"]
    shapes = [("band", shot.get("band_mm")), *(("post", post) for post in shot.get("posts_mm") or ())]
    shapes += [("shooter", shot.get("end_mm"))] if at_rest else []
    drawn = "".join(
        f'<polygon class="{kind}" points="{_flipped(outline)}"/>' for kind, outline in shapes if outline
    )
    return f'<svg viewBox="{left} {-high} {right - left} {high - low}">{drawn}</svg>'


def _flipped(outline: Sequence[Sequence[float]]) -> str:
    """Upwards on the board is upwards in the drawing."""
    return " ".join(f"{x},{-y}" for x, y in outline)


def _points(way: Sequence[Spot]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in way)
