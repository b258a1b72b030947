"""The ruling on one shot: ordered questions to its fact sheet (RO-26 to RO-53)."""

from dataclasses import dataclass

from referee.games.rocca.events import Pair, ShotResult
from referee.games.rocca.state import State

Finding = tuple[str, ...]
"""Clauses, the foul's own first."""


@dataclass(frozen=True, slots=True)
class Verdict:
    fouls: tuple[Finding, ...] = ()
    reasons: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    """What the players must decide before there is a verdict."""

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(c for finding in self.fouls for c in finding))


def is_clear(state: State) -> bool:
    """RO-42: with two pieces left the shot is at the last one, not through a gate."""
    return state.board == 2


def is_uncalled(state: State) -> bool:
    """RO-33, G-04: no pair was called; whether "obvious" counts as a call is a house rule."""
    obvious = state.gate_call == "obvious" and state.sw.obvious_counts_as_called
    return not isinstance(state.gate_call, tuple) and not obvious


def is_other_gate(state: State, gate: Pair | None) -> bool:
    called = state.gate_call
    return isinstance(called, tuple) and gate is not None and set(map(str, gate)) != set(map(str, called))


def examine(state: State, shot: ShotResult) -> Verdict:
    """All fouls of a shot; or, when none is sure, what is too close to call."""
    about = _clear_fouls if is_clear(state) else _gate_fouls
    found = [*_hand_fouls(state, shot), *about(state, shot), *_aftermath_fouls(state, shot)]
    if found:
        return Verdict(tuple(clauses for clauses, _ in found), tuple(reason for _, reason in found))
    return Verdict(questions=_questions(state, shot))


# --- Fouls, each with its reason -----------------------------------------------------------------------

Found = list[tuple[Finding, str]]


def _hand_fouls(state: State, shot: ShotResult) -> Found:
    found: Found = []
    if (shot.hand_pieces or 0) >= 2:
        found.append((("RO-46",), f"the hand touched {shot.hand_pieces} pieces"))
    elif shot.touched_other_moving and state.sw.touch_other_moving_foul:
        found.append((("RO-46", "G-25"), "the hand touched another piece that was still moving"))
    if reason := _unclean(state, shot):
        found.append(reason)
    return found


def _unclean(state: State, shot: ShotResult) -> tuple[Finding, str] | None:
    if shot.motion == "multiple":
        return ("RO-47", "RO-28"), "it was not one motion"
    if shot.motion == "guided":
        return ("RO-47", "RO-29"), "the piece was pushed along"
    if (shot.hands or 0) > 1 and state.sw.two_hands_foul:
        return ("RO-47", "RO-30"), "two hands were used"
    if shot.tool and state.turn not in state.assistive_tool:
        return ("RO-47", "RO-30"), "something else than the hand was used"
    return None


def _gate_fouls(state: State, shot: ShotResult) -> Found:
    found: Found = []
    if reason := _not_through(state, shot):
        found.append(reason)
    if shot.gate_contact:
        found.append((("RO-50", "RO-38"), "the shooter hit a gate piece"))
    elif shot.jumped and state.sw.jump == "foul":
        found.append((("RO-50", "G-15"), "the shooter jumped over a gate piece"))
    if shot.other_contact and is_uncalled(state):
        found.append((("RO-51",), "the shooter hit a piece although no gate was called"))
    return found


def _not_through(state: State, shot: ShotResult) -> tuple[Finding, str] | None:
    if shot.start_inside:
        return ("RO-48", "RO-34"), "the shooter lay partly inside the gate"
    if is_other_gate(state, shot.gate):
        return ("RO-48", "RO-32"), "it was not the gate that was called"
    if shot.through is False and not _is_close(state, shot):
        return ("RO-48", "RO-35"), f"the shooter did not come through the gate{_by(shot)}"
    return None


def _clear_fouls(_state: State, shot: ShotResult) -> Found:
    return [(("RO-49",), "the shooter missed the last piece")] if shot.hit_last is False else []


def _aftermath_fouls(state: State, shot: ShotResult) -> Found:
    found: Found = []
    if shot.touched_moving:
        found.append((("RO-52",), "the shooter was touched before it stopped"))
    if shot.off and not _clear_counts_all_the_same(state, shot):
        fell = "a piece" if len(shot.off) == 1 else f"{len(shot.off)} pieces"
        found.append((("RO-53",), f"{fell} fell off the board"))
    return found


def _clear_counts_all_the_same(state: State, shot: ShotResult) -> bool:
    return is_clear(state) and shot.hit_last is True and state.sw.clear_beats_off


def _by(shot: ShotResult) -> str:
    return "" if shot.margin_mm is None else f" ({shot.margin_mm:+.1f} mm)"


# --- Too close to call ---------------------------------------------------------------------------------

QUESTIONS = {
    "start_inside": (("RO-36", "RO-34"), "Did the shooter lie partly inside the gate?"),
    "through": (("RO-36", "RO-35"), "Is the shooter wholly through the gate?"),
    "gate_contact": (("RO-38", "RO-50"), "Did the shooter hit a gate piece?"),
    "jump": (("G-15", "RO-38"), "Did the shooter touch the gate piece that it jumped over?"),
    "hit_last": (("RO-43", "RO-49"), "Did the shooter hit the last piece?"),
    "foul": (("RO-45",), "Was it a foul?"),
}
"""Question -> its clauses and its words."""


def _questions(state: State, shot: ShotResult) -> tuple[str, ...]:
    if is_clear(state):
        return ("hit_last",) if shot.hit_last is None else ()
    asked = {
        "start_inside": shot.start_inside is None,
        "through": shot.through is None or _is_close(state, shot),
        "gate_contact": shot.gate_contact is None,
        "jump": shot.jumped and state.sw.jump == "review",
    }
    return tuple(name for name, doubtful in asked.items() if doubtful)


def _is_close(state: State, shot: ShotResult) -> bool:
    """RO-36: the margin is inside the tolerance."""
    tolerance = state.tol_mm if shot.tol_mm is None else shot.tol_mm
    return shot.margin_mm is not None and abs(shot.margin_mm) <= tolerance
