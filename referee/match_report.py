"""A match to look at: score curve, shot map, each player's shots, fouls by kind, the closest calls with pictures."""

import base64
from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from hardware.cameras.footage import FootageCamera
from referee.above import from_above
from referee.film import Film, as_jpeg
from referee.footage import Recording
from referee.marks import clause_words
from referee.pages import part
from referee.review import Review
from referee.reviewing import review_recording
from referee.veil import veiled

COLOURS = ("#1d5c48", "#a4242b", "#2b5ea8", "#8a5a00", "#6b3fa0", "#0f7c86", "#b0467c", "#5a625c")
CLOSEST = 4
VERDICT_COLOURS = {"through": "#17633f", "clear": "#17633f", "foul": "#a4242b", "review": "#c98300"}
Plain = dict[str, Any]


def report_page(recording: Recording) -> str:
    """The report as one HTML file."""
    review = review_recording(recording)
    plain = review.plain
    parts = [
        _head(plain),
        _section("Scores", score_curve(plain.get("curve") or [], plain["seats"])),
        _section("Shots on the board", _shot_map(plain)),
        _section("Each player", _players(plain)),
        _section("Fouls by kind", _fouls(plain)),
        _section("Closest calls", _closest(recording, review)),
        _section("All rulings", _rulings(plain)),
    ]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(plain["title"])}: '
        f'{escape(recording.name)}</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{part('report.css')}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def _section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>" if body else ""


def _head(plain: Plain) -> str:
    scores = "".join(f"<li>{escape(seat)} <b>{escape(score)}</b></li>" for seat, score in plain["scores"])
    return (
        f'<h1>{escape(plain["title"])}</h1><p class="headline">{escape(plain["headline"])}</p>'
        f'<ul class="scores">{scores}</ul>'
    )


def score_curve(curve: Sequence[Plain], seats: Sequence[str]) -> str:
    """One line per player over the match; empty with fewer than two moments."""
    points = [{s: v for s, v in at["scores"] if s in seats and _is_number(v)} for at in curve]
    points = [p for p in points if p]
    if len(points) < 2:
        return ""
    top = max(max(map(float, p.values())) for p in points) or 1
    width, height = 720, 240
    lines = "".join(_line(points, seat, k, top, width, height) for k, seat in enumerate(seats))
    box = f"-30 -10 {width + 110} {height + 20}"
    return f'<svg viewBox="{box}" role="img" aria-label="Scores over the match">{lines}</svg>'


def _is_number(value: str) -> bool:
    return value.replace(".", "", 1).removeprefix("-").isdigit()


def _line(points: Sequence[Plain], seat: str, k: int, top: float, width: int, height: int) -> str:
    places = [
        (width * n / (len(points) - 1), height - height * float(p[seat]) / top)
        for n, p in enumerate(points)
        if seat in p
    ]
    if not places:
        return ""
    colour, (x, y) = COLOURS[k % len(COLOURS)], places[-1]
    drawn = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    name = f'<text x="{x + 8:.0f}" y="{y + 5 + 4 * (k % 3 - 1):.0f}" fill="{colour}">{escape(seat)}</text>'
    return f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="3"/>{name}'


def _shot_map(plain: Plain) -> str:
    board = plain.get("board_mm")
    if not board or not plain["shots"]:
        return ""
    xs, ys = [p[0] for p in board], [-p[1] for p in board]
    box = f"{min(xs) - 10} {min(ys) - 10} {max(xs) - min(xs) + 20} {max(ys) - min(ys) + 20}"
    edge = " ".join(f"{x},{-y}" for x, y in board)
    ways = "".join(_way(shot, k) for k, shot in enumerate(plain["shots"], 1))
    key = "through (green), foul (red), too close to call (amber)"
    return (
        f'<svg class="map" viewBox="{box}" role="img" aria-label="Shots on the board"><polygon points="{edge}" '
        f'class="board"/>{ways}</svg><p class="hint">{key}</p>'
    )


def _way(shot: Plain, number: int) -> str:
    places = [step["mm"] for step in shot["way"]]
    if not places:
        return ""
    colour = VERDICT_COLOURS.get(shot["verdict"], "#5a625c")
    drawn = " ".join(f"{x},{-y}" for x, y in places)
    x, y = places[-1]
    return (
        f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2.5"/>'
        f'<circle cx="{x}" cy="{-y}" r="5" fill="{colour}"/><text x="{x + 7}" y="{-y}" font-size="11">{number}</text>'
    )


def shots_by_seat(plain: Plain) -> dict[str, list[Plain]]:
    """Whose shot each was, as the ruling about it says."""
    shooter = {m["shot"]: m["seat"] for m in plain["marks"] if m.get("shot") is not None and m["seat"]}
    shots: dict[str, list[Plain]] = {seat: [] for seat in plain["seats"]}
    for k, shot in enumerate(plain["shots"]):
        shots.setdefault(shooter.get(k, "?"), []).append(shot)
    return {seat: mine for seat, mine in shots.items() if mine}


def _players(plain: Plain) -> str:
    rows = ""
    for seat, shots in shots_by_seat(plain).items():
        count = Counter(shot["verdict"] for shot in shots)
        margins = [abs(m) for s in shots if (m := s["facts"]["clearance_mm"]) is not None]
        nearest = f"{min(margins):.1f} mm" if margins else "–"
        good = count["through"] + count["clear"]
        cells = (len(shots), good, count["foul"], count["review"] + count["unseen"], nearest)
        rows += f"<tr><th>{escape(seat)}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    head = "<tr><th></th><th>Shots</th><th>Good</th><th>Fouls</th><th>Asked</th><th>Finest margin</th></tr>"
    return f"<table>{head}{rows}</table>" if rows else ""


def _fouls(plain: Plain) -> str:
    kinds = Counter(c for shot in plain["shots"] if shot["verdict"] == "foul" for c in shot["clauses"])
    say = clause_words(plain["game"])
    rows = "".join(
        f"<tr><td>{count}×</td><th>{escape(clause)}</th><td>{escape(say(clause))}</td></tr>"
        for clause, count in kinds.most_common()
    )
    return f"<table>{rows}</table>" if rows else ""


def closest_calls(plain: Plain) -> list[Plain]:
    """The shots whose margin was smallest against its own error."""
    seen = [s for s in plain["shots"] if s["facts"]["clearance_mm"] is not None and s["window_mm"]]
    return sorted(
        seen, key=lambda s: abs(s["facts"]["clearance_mm"]) / (s["facts"]["clearance_sigma_mm"] or 1)
    )


def _closest(recording: Recording, review: Review) -> str:
    if review.profile is None or not review.plain["shots"]:
        return ""
    film = Film(FootageCamera(str(recording.footage.video)), lambda k, image: veiled(image, k, review.veils))
    figures = ""
    for shot in closest_calls(review.plain)[:CLOSEST]:
        image = film.image(shot["closest"])
        if image is None:
            continue
        jpeg = base64.b64encode(
            as_jpeg(from_above(image, review.profile, tuple(shot["window_mm"]), 480))
        ).decode()
        facts = shot["facts"]
        words = f"{facts['clearance_mm']:+.1f} ± {facts['clearance_sigma_mm']:.1f} mm: {shot['because']}"
        picture = f'<img alt="" src="data:image/jpeg;base64,{jpeg}">'
        figures += f"<figure>{picture}<figcaption>{escape(words)}</figcaption></figure>"
    film.close()
    return f'<div class="calls">{figures}</div>' if figures else ""


def _rulings(plain: Plain) -> str:
    rows = "".join(
        f"<tr><td>{m['number']}</td><th>{escape(m['code'])}</th><td>{escape(m['because'])}</td>"
        f"<td>{', '.join(escape(c['id']) for c in m['clauses'])}</td></tr>"
        for m in plain["marks"]
        if not m["quiet"]
    )
    return f"<table>{rows}</table>" if rows else "<p>Nothing was ruled.</p>"
