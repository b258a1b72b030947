"""What the referee says about one shot: verdict, clauses, numbers, and one sentence."""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

from referee.games.rocca.events import ShotResult
from referee.games.rocca.reading import fact_sheet, shot_result, tolerance_mm
from referee.games.rocca.shot import FOULS, Verdict, doubt_code, doubts, examine
from referee.games.rocca.state import State
from referee.happenings import GateSeen, Moved, PostSeen, ShotSeen
from referee.types import Code

Word = Literal["through", "clear", "foul", "review", "unseen"]


@dataclass(frozen=True, slots=True)
class ShotReport:
    """One shot, ruled."""

    shot: ShotSeen
    gate: GateSeen | None
    kind: Literal["gate", "clear"]
    verdict: Word
    clauses: tuple[str, ...]
    because: str
    confidence: float
    question: str = ""
    """What the players are asked first, by its name."""

    def as_json(self) -> dict[str, Any]:
        """The contract's shape."""
        return {
            "frames": list(self.shot.frames),
            "kind": self.kind,
            "verdict": self.verdict,
            "clauses": list(self.clauses),
            "shooter": _shooter(self.shot.shooter),
            "gate": [_post(p) for p in self.gate.posts] if self.gate else None,
            "facts": _facts(self.shot, self.gate),
            "because": self.because,
            "confidence": self.confidence,
        }


def report_shot(shot: ShotSeen, state: State) -> ShotReport:
    """The shot as the bench rules it, with the numbers behind it."""
    state = _at_the_strike(state, shot)
    kind: Literal["gate", "clear"] = "clear" if state.board == 2 else "gate"
    sheet = fact_sheet(shot, state)
    found = examine(state, sheet)
    gate = shot.gates[0] if shot.gates else None
    word = _word(sheet, found, kind)
    clauses = tuple(c for c in found.clauses if c in FOULS)
    because = _because(shot, sheet, found, word)
    sure = _confidence(shot, gate, word, clauses)
    return ShotReport(shot, gate, kind, word, clauses, because, sure, next(iter(found.questions), ""))


def _at_the_strike(state: State, shot: ShotSeen) -> State:
    """The state this shot was made in; while an earlier one waits for the players, the eyes alone know it."""
    if state.review is not None:
        state = replace(state, review=None, board=shot.on_board_before, gate_call=None)
    return state if shot.called is None else replace(state, gate_call=shot.called)


def _word(sheet: ShotResult, found: Verdict, kind: Literal["gate", "clear"]) -> Word:
    if found.fouls:
        return "foul"
    if found.questions:
        return "unseen" if doubt_code(sheet, found.questions[0]) is Code.UNSEEN else "review"
    return "clear" if kind == "clear" else "through"


def _because(shot: ShotSeen, sheet: ShotResult, found: Verdict, word: Word) -> str:
    gate = shot.gates[0] if shot.gates else None
    if word == "foul":
        return _with_numbers(", and ".join(found.reasons), shot, gate, found.clauses)
    if found.questions == ("meant",):
        return _which_gate(shot, sheet)
    if found.questions:
        return _close(gate, found.questions) or "; ".join(doubts(sheet)) or "too close to call"
    return "the last piece was hit" if word == "clear" else _by_how_much(gate)


def _which_gate(shot: ShotSeen, sheet: ShotResult) -> str:
    """Two readings that differ are a question."""
    rival = next(gate for gate in shot.gates if gate.ids == sheet.instead)
    missed = "the shooter did not come through the gate"
    return f"which gate was meant? by one {missed}; by another {_by_how_much(rival)}"


def _by_how_much(gate: GateSeen | None) -> str:
    if gate is None or gate.clearance_mm is None:
        return "the shooter went through"
    return f"the shooter is through with {gate.clearance_mm:.1f} ± {gate.sigma_mm:.1f} mm to spare"


def _with_numbers(reason: str, shot: ShotSeen, gate: GateSeen | None, clauses: tuple[str, ...]) -> str:
    if gate is not None and "RO-50" in clauses:
        moved = max((p.moved_mm for p in gate.posts if p.touched), default=0.0)
        told = f"it moved {moved:.1f} mm" if math.isfinite(moved) else "it is gone"
        reason = reason.replace("the shooter hit a gate piece", f"the shooter touched a gate piece ({told})")
    if "RO-47" in clauses and shot.hand_contact_ms is not None:
        reason += f" (for about {shot.hand_contact_ms / 1000:.2f} s)"
    return reason


def _close(gate: GateSeen | None, questions: tuple[str, ...]) -> str:
    words = []
    if "through" in questions and gate is not None and gate.clearance_mm is not None:
        words.append(f"too close to call: {gate.clearance_mm:+.1f} ± {gate.sigma_mm:.1f} mm from the band")
    if "start_inside" in questions and gate is not None:
        words.append(f"it lay {gate.start_margin_mm:+.1f} mm from the band before the shot")
    if "gate_contact" in questions and gate is not None:
        words.append(_nearest_touch(gate))
    if "hit_last" in questions:
        words.append("the last piece may have been hit")
    return "; ".join(words)


def _nearest_touch(gate: GateSeen) -> str:
    post = min(gate.posts, key=lambda p: p.gap_mm)
    moved = f"{post.moved_mm:.2f} mm" if math.isfinite(post.moved_mm) else "away"
    return f"a gate piece may have been touched: passed at {max(post.gap_mm, 0):.1f} mm, it moved {moved}"


def _confidence(shot: ShotSeen, gate: GateSeen | None, word: Word, clauses: tuple[str, ...]) -> float:
    """How likely the verdict is right, from the margin in units of its error."""
    if word in ("review", "unseen"):
        return 0.5
    sure = 0.99
    measured = gate is not None and gate.clearance_mm is not None and not gate.missed
    if measured and clauses in ((), ("RO-48",)):
        assert gate is not None
        assert gate.clearance_mm is not None
        sure = min(
            sure, 0.5 + 0.5 * math.erf(abs(gate.clearance_mm) / max(gate.sigma_mm, 0.05) / math.sqrt(2))
        )
    return round(sure - 0.05 * bool(shot.unseen), 3)


def _shooter(moved: Moved) -> dict[str, object]:
    return {
        "id": moved.id,
        "start_mm": list(moved.start_mm),
        "end_mm": None if moved.end_mm is None else list(moved.end_mm),
        "start_px": list(moved.start_px),
        "end_px": None if moved.end_px is None else list(moved.end_px),
    }


def _post(post: PostSeen) -> dict[str, object]:
    return {"id": post.id, "start_px": list(post.start_px)}


def _facts(shot: ShotSeen, gate: GateSeen | None) -> dict[str, object]:
    result = shot_result(shot, gate)
    return {
        "start_inside": result.start_inside,
        "through": result.through,
        "clearance_mm": None if gate is None else _number(gate.clearance_mm),
        "clearance_sigma_mm": None if gate is None else _number(gate.sigma_mm),
        "tolerance_mm": None if gate is None else _number(tolerance_mm(gate)),
        "gate_gap_mm": None if gate is None else [_number(max(p.gap_mm, 0.0)) for p in gate.posts],
        "gate_moved_mm": None if gate is None else [_number(p.moved_mm) for p in gate.posts],
        "contacts": [list(pair) for pair in shot.contacts],
        "hand_pieces": list(shot.hand_pieces),
        "motion": result.motion,
        "hand_contact_ms": _number(shot.hand_contact_ms),
        "touched_moving": shot.touched_moving,
        "off": list(shot.off),
        "hit_last": shot.hit_last,
        "unseen": list(shot.unseen),
    }


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, 3)
