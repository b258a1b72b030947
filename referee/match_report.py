"""A match to look at: score curve, shot map, each player's shots, fouls by kind, the closest calls with pictures."""

import base64
from collections import Counter
from html import escape
from typing import Any

from hardware.cameras.footage import FootageCamera
from referee.above import from_above
from referee.film import Film, as_jpeg
from referee.footage import Recording
from referee.marks import clause_words
from referee.match_drawings import from_above_shapes, score_curve, shot_map
from referee.pages import part
from referee.pages.words import Words
from referee.review import Review
from referee.reviewing import review_recording
from referee.veil import veiled

CLOSEST = 4
Plain = dict[str, Any]


def report_page(recording: Recording, language: str = "en") -> str:
    """The report as one HTML file."""
    review = review_recording(recording)
    plain = review.plain
    words = Words(language, plain["game"], plain["seats"])
    parts = {
        "Scores": score_curve(plain.get("curve") or [], plain["seats"], words),
        "Shots on the board": shot_map(plain, words),
        "Each player": _players(plain, words),
        "Fouls by kind": _fouls(plain, words),
        "Closest calls": _closest(recording, review, words),
        "All rulings": _rulings(plain, words),
    }
    body = _head(plain, words) + "".join(_section(words(title), part) for title, part in parts.items())
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{escape(plain["title"])}: '
        f'{escape(recording.name)}</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{part('report.css')}</style></head><body><main>{body}</main></body></html>\n"
    )


def _section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>" if body else ""


def _head(plain: Plain, words: Words) -> str:
    scores = "".join(
        f"<li>{escape(words.said(seat))} <b>{escape(words.said(score))}</b></li>"
        for seat, score in plain["scores"]
    )
    return (
        f'<h1>{escape(plain["title"])}</h1><p class="headline">{escape(words.said(plain["headline"]))}</p>'
        f'<ul class="scores">{scores}</ul>'
    )


def shots_by_seat(plain: Plain) -> dict[str, list[Plain]]:
    """Whose shot each was, as the ruling about it says."""
    shooter = {m["shot"]: m["seat"] for m in plain["marks"] if m.get("shot") is not None and m["seat"]}
    shots: dict[str, list[Plain]] = {seat: [] for seat in plain["seats"]}
    for k, shot in enumerate(plain["shots"]):
        shots.setdefault(shooter.get(k, "?"), []).append(shot)
    return {seat: mine for seat, mine in shots.items() if mine}


def _players(plain: Plain, words: Words) -> str:
    rows = ""
    for seat, shots in shots_by_seat(plain).items():
        count = Counter(shot["verdict"] for shot in shots)
        margins = [abs(m) for s in shots if (m := s["facts"]["clearance_mm"]) is not None]
        nearest = f"{min(margins):.1f} mm" if margins else "–"
        good = count["through"] + count["clear"]
        cells = (len(shots), good, count["foul"], count["review"] + count["unseen"], nearest)
        rows += f"<tr><th>{escape(seat)}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    heads = ("Shots", "Good", "Fouls", "Asked", "Finest margin")
    head = "".join(f"<th>{words(title)}</th>" for title in heads)
    return f"<table><tr><th></th>{head}</tr>{rows}</table>" if rows else ""


def _fouls(plain: Plain, words: Words) -> str:
    kinds = Counter(c for shot in plain["shots"] if shot["verdict"] == "foul" for c in shot["clauses"])
    say = clause_words(plain["game"])
    rows = "".join(
        f"<tr><td>{count}×</td><th>{escape(clause)}</th><td>{escape(words.clause(clause, say(clause)))}</td></tr>"
        for clause, count in kinds.most_common()
    )
    return f"<table>{rows}</table>" if rows else ""


def closest_calls(plain: Plain) -> list[Plain]:
    """The shots whose margin was smallest against its own error."""
    seen = [s for s in plain["shots"] if s["facts"]["clearance_mm"] is not None and s["window_mm"]]
    return sorted(
        seen, key=lambda s: abs(s["facts"]["clearance_mm"]) / (s["facts"]["clearance_sigma_mm"] or 1)
    )


def _closest(recording: Recording, review: Review, words: Words) -> str:
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
        because = words.said(shot["because"])
        told = f"{facts['clearance_mm']:+.1f} ± {facts['clearance_sigma_mm']:.1f} mm: {because}"
        drawn = from_above_shapes(shot, shot["closest"] >= shot["frames"][1])
        picture = f'<div class="above"><img alt="" src="data:image/jpeg;base64,{jpeg}">{drawn}</div>'
        figures += f"<figure>{picture}<figcaption>{escape(told)}</figcaption></figure>"
    film.close()
    return f'<div class="calls">{figures}</div>' if figures else ""


def _rulings(plain: Plain, words: Words) -> str:
    rows = "".join(
        f"<tr><td>{m['number']}</td><th>{escape(words.code(m['code']))}</th>"
        f"<td>{escape(words.said(m['because']))}</td>"
        f"<td>{_ids(m)}</td></tr>"
        for m in plain["marks"]
        if not m["quiet"]
    )
    return f"<table>{rows}</table>" if rows else f"<p>{words('Nothing was ruled.')}</p>"


def _ids(mark: Plain) -> str:
    """A clause's name is not broken at the end of a line."""
    return ", ".join(f"<span>{escape(clause['id'])}</span>" for clause in mark["clauses"])
