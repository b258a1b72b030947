"""The evidence as one HTML file that opens in any browser without us."""

import json
from html import escape
from typing import Any

from referee.evidence import Evidence
from referee.match_drawings import from_above_shapes
from referee.pages import part
from referee.pages.words import Words
from referee.verifying import BLANK, page_with_seal

TONES = {"FOUL": "bad", "ILLEGAL": "bad", "CORRECT": "bad", "OK": "good", "SCORE": "good", "WIN": "good"}


def evidence_page(evidence: Evidence, language: str = "en") -> str:
    """The whole page, sealed; what is sealed in it as data is English in every language."""
    told = evidence.told
    words = Words(language, told["game"], told.get("seats") or ())
    data = json.dumps(evidence.sealed(), ensure_ascii=False).replace("</", "<\\/")
    body = "".join(
        [_ruling(told, words), _clip(evidence, words), _shot(evidence, words), _foundation(told, words)]
    )
    page = f"""<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="seal" content="{BLANK}">
<title>{escape(told["title"])}: {words("ruling")} {told["ruling"]["number"]}</title>
<style>{part("evidence.css")}</style></head>
<body><main>{body}</main>
<script type="application/json" id="evidence">{data}</script><script>{part("evidence.js")}</script></body></html>
"""
    return page_with_seal(page)


def _ruling(told: dict[str, Any], words: Words) -> str:
    ruling = told["ruling"]
    clauses = "".join(
        f"<p><b>{escape(c['id'])}</b> {escape(words.clause(c['id'], c['text']))}</p>"
        for c in ruling["clauses"]
    )
    seat = f" · {escape(ruling['seat'])}" if ruling["seat"] else ""
    tone = TONES.get(ruling["code"], "ask")
    return (
        f"<h1>{escape(told['title'])}: {words('ruling')} {ruling['number']}{seat}</h1>"
        f'<section class="ruling {tone}"><b>{escape(words.code(ruling["code"]))}</b>'
        f'<p class="because">{escape(words.said(ruling["because"]))}</p>{clauses}</section>'
    )


def _clip(evidence: Evidence, words: Words) -> str:
    if not evidence.clip:
        return f"<p>{words('No picture of this may be shown.')}</p>"
    last = len(evidence.clip) - 1
    return (
        f'<section><img id="film" alt="{words("The recorded frames")}"><p class="row"><button id="play">▶</button>'
        f'<input id="scrub" type="range" min="0" max="{last}" value="0" aria-label="{words("Frame")}">'
        f'<select id="speed" aria-label="{words("Speed")}">'
        '<option value="0.05">0.05×</option><option value="0.1">0.1×</option>'
        '<option value="0.25" selected>0.25×</option><option value="0.5">0.5×</option><option value="1">1×</option>'
        f'</select><span id="which" data-word="{words("frame")}"></span></p></section>'
    )


def _shot(evidence: Evidence, words: Words) -> str:
    shot = evidence.told["shot"]
    if shot is None:
        return ""
    readings = "".join(
        f"<li>{_likely(reading)}{escape(words.said(reading['if']))} "
        f"{escape(words.said(reading['then']))}</li>"
        for reading in shot["readings"]
    )
    both = f"<h2>{words('Both readings')}</h2><ul>{readings}</ul>" if readings else ""
    table = f"<h2>{words('Numbers')}</h2><table>{_numbers(shot, words)}</table>"
    return f"<section>{table}{both}{_above(evidence, shot, words)}</section>"


def _likely(reading: dict[str, Any]) -> str:
    """In bold, where a number makes one reading likelier than the other."""
    return f"<b>{reading['likely']:.0%}</b> " if "likely" in reading else ""


def _numbers(shot: dict[str, Any], words: Words) -> str:
    facts = shot["facts"]
    rows = [("Verdict", words(shot["verdict"])), ("Certainty", f"{shot['confidence']:.0%}")]
    if facts["clearance_mm"] is not None:
        sigma = facts["clearance_sigma_mm"]
        rows.append(("Clearance from the band", f"{facts['clearance_mm']:+.2f} ± {sigma:.2f} mm"))
        rows.append(("Decided only beyond", f"{facts['tolerance_mm']:.2f} mm"))
    if facts["gate_gap_mm"]:
        rows.append(("Space to the gate pieces", _mm(facts["gate_gap_mm"])))
        rows.append(("Gate pieces moved", _mm(facts["gate_moved_mm"])))
    if facts["hand_contact_ms"] is not None:
        rows.append(("Hand with the shooter", f"{facts['hand_contact_ms']:.0f} ms"))
    return "".join(f"<tr><th>{escape(words(name))}</th><td>{escape(value)}</td></tr>" for name, value in rows)


def _mm(values: list[float | None]) -> str:
    return " / ".join("–" if v is None else f"{v:.2f}" for v in values) + " mm"


def _above(evidence: Evidence, shot: dict[str, Any], words: Words) -> str:
    if evidence.deciding is None:
        return ""
    drawn = from_above_shapes(shot, shot["closest"] >= evidence.told["ruling"]["frames"][1])
    title = f"{words('Frame')} {shot['closest']} {words('from straight above')}"
    return (
        f'<h2>{title}</h2><div class="above"><img id="deciding" '
        f'alt="{words("The deciding frame from straight above")}">{drawn}</div>'
    )


def _foundation(told: dict[str, Any], words: Words) -> str:
    quality, journal = told["calibration"], told["journal"]
    rows = [
        (
            "Calibration",
            f"{quality['reprojection_px']} px, {quality['plane_error_mm']} mm {words('on the table')}",
        ),
        ("Smallest margin decided", f"{quality['smallest_margin_mm']} mm"),
        ("Journal", _sealed(told, words) if journal else words("none: judged from the footage")),
        ("Footage", ", ".join(f"{name} {seal[:16]}…" for name, seal in told["footage"].items())),
        ("Recording", told["recording"]),
        ("Version", f"Table Referee {told['version']}"),
    ]
    cells = "".join(f"<tr><th>{escape(words(n))}</th><td>{escape(str(v))}</td></tr>" for n, v in rows)
    check = f"<p>{words('referee verify tells whether any of this was changed.')}</p>"
    return f"<section><h2>{words('What it rests on')}</h2><table>{cells}</table>{check}</section>"


def _sealed(told: dict[str, Any], words: Words) -> str:
    journal, number = told["journal"], told["ruling"]["number"]
    return f"{words('entry')} {number}/{journal['entries']}, {words('sealed')} {journal['head']}"
