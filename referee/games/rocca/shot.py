"""The ruling on one shot: ordered questions to its fact sheet (RO-26 to RO-53)."""

from dataclasses import dataclass, replace

from referee.games.rocca.events import Pair, ShotResult
from referee.games.rocca.state import State
from referee.types import Code

Finding = tuple[str, ...]
"""Clauses, the foul's own first."""


FOULS = tuple(f"RO-{n}" for n in range(46, 54))


@dataclass(frozen=True, slots=True)
class Verdict:
    fouls: tuple[Finding, ...] = ()
    reasons: tuple[str, ...] = ()
    """Of the fouls."""
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
    fouls = Verdict(tuple(clauses for clauses, _ in found), tuple(reason for _, reason in found))
    if fouls.fouls and shot.instead is not None and not_through_alone(fouls):
        return Verdict(questions=("meant",))
    return fouls if fouls.fouls else Verdict(questions=_questions(state, shot))


def not_through_alone(verdict: Verdict) -> bool:
    """Whether all that is wrong with a shot is the gate it did not go through."""
    return tuple(c for c in verdict.clauses if c in FOULS) == ("RO-48",)


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


# --- Too close to call, or not seen ----------------------------------------------------------------------

QUESTIONS = {
    "meant": (("RO-32", "RO-33"), "Was the gate meant that the shooter went through?"),
    "start_inside": (("RO-36", "RO-34"), "Did the shooter lie partly inside the gate?"),
    "through": (("RO-36", "RO-35"), "Is the shooter wholly through the gate?"),
    "gate_contact": (("RO-38", "RO-50"), "Did the shooter hit a gate piece?"),
    "jump": (("G-15", "RO-38"), "Did the shooter touch the gate piece that it jumped over?"),
    "hit_last": (("RO-43", "RO-49"), "Did the shooter hit the last piece?"),
    "hand_pieces": (("RO-46",), "Did the hand touch a second piece?"),
    "motion": (("RO-47", "RO-29"), "Did the hand push the shooter along?"),
    "touched_moving": (("RO-52",), "Did the hand touch the shooter before it stopped?"),
    "foul": (("RO-45",), "Was it a foul?"),
}
"""Question -> its clauses and its words."""
OF_THE_HAND = {
    "hand_pieces": "the hand may have touched a second piece",
    "motion": "the hand may have pushed the piece along",
    "touched_moving": "the hand may have touched the shooter before it stopped",
}
"""Questions that no ruler answers, and why they are asked."""


def doubt_code(shot: ShotResult, question: str) -> Code:
    """UNSEEN where the camera knows that it could not see, REVIEW where it saw and cannot say."""
    return Code.UNSEEN if shot.unseen and question in (*OF_THE_HAND, "foul") else Code.REVIEW


def doubts(shot: ShotResult) -> tuple[str, ...]:
    """Why the players are asked about the hand, or about the shot as a whole."""
    return shot.unseen or tuple(OF_THE_HAND[name] for name in _about_the_hand(shot))


def _questions(state: State, shot: ShotResult) -> tuple[str, ...]:
    if shot.unseen and shot.piece is None:
        return ("foul",)  # nobody knows which piece was shot: there is nothing to ask about one
    close = _close_calls(state, shot)
    hand = _about_the_hand(shot)
    if len(hand) > 1 or (shot.unseen and not close and not hand):
        hand = ("foul",)
    return (*close, *hand)


def in_doubt(state: State, shot: ShotResult) -> tuple[str, ...]:
    """Every question that may come to be asked about a shot, though perhaps not at first."""
    meant = () if shot.instead is None else ("meant",)
    return (*meant, *_close_calls(state, shot), *_about_the_hand(shot))


def _about_the_hand(shot: ShotResult) -> tuple[str, ...]:
    return tuple(name for name in OF_THE_HAND if getattr(shot, name) is None)


def _close_calls(state: State, shot: ShotResult) -> tuple[str, ...]:
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


# --- The players' answers --------------------------------------------------------------------------------


def decided(shot: ShotResult, question: str, answer: bool) -> ShotResult:
    """The fact sheet with the players' answer in it; their word replaces the margin."""
    match question:
        case "meant":
            return _for_the_other_gate(shot) if answer else replace(shot, instead=None)
        case "through":
            return replace(shot, through=answer, margin_mm=None)
        case "jump":
            return replace(shot, jumped=False, gate_contact=answer)
        case "start_inside":
            return replace(shot, start_inside=answer)
        case "gate_contact":
            return replace(shot, gate_contact=answer)
        case "hit_last":
            return replace(shot, hit_last=answer)
        case "hand_pieces":
            return replace(shot, hand_pieces=2 if answer else 1, unseen=())
        case "motion":
            return replace(shot, motion="guided" if answer else "single", unseen=())
        case "touched_moving":
            return replace(shot, touched_moving=answer, unseen=())
    return _as_if_seen(shot)


def _for_the_other_gate(shot: ShotResult) -> ShotResult:
    return replace(
        shot,
        gate=shot.instead,
        instead=None,
        start_inside=False,
        through=True,
        gate_contact=False,
        other_contact=(),
        margin_mm=None,
    )


def _as_if_seen(shot: ShotResult) -> ShotResult:
    """The players say that it was no foul: what nobody saw was as it should be."""
    return replace(
        shot,
        start_inside=shot.start_inside or False,
        through=shot.through is not False,
        gate_contact=shot.gate_contact or False,
        hit_last=shot.hit_last is not False,
        hand_pieces=shot.hand_pieces or 1,
        motion=shot.motion or "single",
        touched_moving=shot.touched_moving or False,
        unseen=(),
    )
