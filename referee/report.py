"""What the referee says about one shot: verdict, clauses, numbers, and one sentence."""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

from referee.games.rocca.reading import shot_result, tolerance_mm
from referee.games.rocca.shot import examine
from referee.games.rocca.state import State
from referee.happenings import GateSeen, Moved, PostSeen, ShotSeen

Word = Literal["through", "clear", "foul", "review", "unseen"]
FOULS = tuple(f"RO-{n}" for n in range(46, 54))


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


@dataclass(frozen=True, slots=True)
class Reading:
    """The shot as it stands to one gate."""

    gate: GateSeen | None
    verdict: Word
    clauses: tuple[str, ...]
    because: str


def report_shot(shot: ShotSeen, state: State) -> ShotReport:
    """Rule the shot for every gate it may have gone for; two readings that differ are a question."""
    if shot.called is not None:
        state = _with_call(state, shot.called)
    kind: Literal["gate", "clear"] = "clear" if state.board == 2 else "gate"
    gates: tuple[GateSeen | None, ...] = shot.gates or (None,)
    readings = [_read(shot, gate, state, kind) for gate in (gates if kind == "gate" else gates[:1])]
    chosen = _choose(readings)
    return ShotReport(
        shot, chosen.gate, kind, chosen.verdict, chosen.clauses, chosen.because, _confidence(shot, chosen)
    )


def _with_call(state: State, called: tuple[int, int]) -> State:
    return replace(state, gate_call=called)


def _choose(readings: list[Reading]) -> Reading:
    """The likeliest reading, or a question when a rival one would be ruled otherwise."""
    first = readings[0]
    rival = next((r for r in readings[1:3] if r.verdict == "through"), None)
    if first.verdict == "foul" and rival is not None and first.clauses == ("RO-48",):
        because = f"which gate was meant? by one {first.because}; by another {rival.because}"
        return Reading(first.gate, "review", (), because)
    return first


def _read(shot: ShotSeen, gate: GateSeen | None, state: State, kind: str) -> Reading:
    found = examine(state, shot_result(shot, gate))
    if found.fouls:
        clauses = tuple(c for c in found.clauses if c in FOULS)
        return Reading(
            gate, "foul", clauses, _with_numbers(", and ".join(found.reasons), shot, gate, clauses)
        )
    if found.questions and not shot.unknown:
        return Reading(gate, "review", (), _close(gate, found.questions))
    if doubt := _doubt(shot):
        return Reading(gate, "unseen" if shot.unseen else "review", (), doubt)
    if kind == "clear":
        return Reading(gate, "clear", (), "the last piece was hit")
    return Reading(gate, "through", (), _by_how_much(gate))


def _doubt(shot: ShotSeen) -> str:
    """What the camera could not tell about the hand."""
    if shot.unseen:
        return "; ".join(shot.unseen)
    doubts = [
        (shot.hand_two, "the hand may have touched a second piece"),
        (shot.guided, "the hand may have pushed the piece along"),
        (shot.touched_moving, "the hand may have touched the shooter before it stopped"),
    ]
    return "; ".join(words for answer, words in doubts if answer is None)


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
    return "; ".join(words) or "too close to call"


def _nearest_touch(gate: GateSeen) -> str:
    post = min(gate.posts, key=lambda p: p.gap_mm)
    moved = f"{post.moved_mm:.2f} mm" if math.isfinite(post.moved_mm) else "away"
    return f"a gate piece may have been touched: passed at {max(post.gap_mm, 0):.1f} mm, it moved {moved}"


def _confidence(shot: ShotSeen, reading: Reading) -> float:
    """How likely the verdict is right, from the margin in units of its error."""
    if reading.verdict in ("review", "unseen"):
        return 0.5
    gate = reading.gate
    sure = 0.99
    if (
        gate is not None
        and gate.clearance_mm is not None
        and reading.clauses in ((), ("RO-48",))
        and not gate.missed
    ):
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
