"""From the first aim to the end of the turn: calls, shots, reviews, claims (RO-26 to RO-58)."""

from dataclasses import replace

from referee.games.rocca.events import (
    CallRequested,
    EndTurn,
    FoulClaimed,
    GateCalled,
    IdleTouch,
    PieceCollected,
    ReviewAnswer,
    ShotResult,
)
from referee.games.rocca.say import correct, count, refuse, rule
from referee.games.rocca.settle import foul, solo_over, spoken, stop
from referee.games.rocca.shot import (
    FOULS,
    OF_THE_HAND,
    QUESTIONS,
    decided,
    doubt_code,
    doubts,
    examine,
    is_clear,
)
from referee.games.rocca.state import Phase, Review, State, is_solo
from referee.types import Code, Judged

# --- Calling the gate ----------------------------------------------------------------------------------


def call_gate(state: State, event: GateCalled) -> Judged[State]:
    """RO-32."""
    if event.seat != state.turn:
        return refuse(state, f"It is {state.turn}'s turn, not {event.seat}'s.", "RO-11", seat=event.seat)
    if is_clear(state):
        return refuse(state, "Two pieces make no gate for a third: hit the last one, or stop.", "RO-42")
    if str(event.a) == str(event.b):
        return refuse(state, "A gate is two different pieces.", "RO-26")
    if waiting := {str(p) for p in state.pending_removal} & {str(event.a), str(event.b)}:
        return correct(state, f"Piece {', '.join(waiting)} is won: take it off the board first.", "RO-39")
    called = replace(state, gate_call=(event.a, event.b), call_required=False)
    return Judged(called, (rule(Code.OK, "Gate called.", "RO-32", seat=event.seat),))


def request_call(state: State, event: CallRequested) -> Judged[State]:
    """RO-33: any opponent may ask for a call before the strike."""
    if event.seat == state.turn or event.seat not in state.active:
        return refuse(state, "Only an opponent who is in the game asks for a call.", "RO-33", seat=event.seat)
    if is_clear(state):
        return refuse(state, "Two pieces are left: there is no gate to call.", "RO-42")
    if isinstance(state.gate_call, tuple):
        return Judged(state, (rule(Code.INFO, "The gate is called already.", "RO-32"),))
    asked = rule(Code.PROMPT, f"{state.turn}, please point at the gate.", "RO-32", seat=state.turn)
    return Judged(replace(state, call_required=True, gate_call=None), (asked,))


def agree_obvious(state: State) -> Judged[State]:
    """RO-33: the opponents accept that the gate is obvious."""
    if is_clear(state):
        return refuse(state, "Two pieces are left: there is no gate to call.", "RO-42")
    if isinstance(state.gate_call, tuple):
        return Judged(state, (rule(Code.INFO, "The gate is called already.", "RO-32"),))
    agreed = replace(state, gate_call="obvious", call_required=False)
    return Judged(agreed, (rule(Code.OK, "The gate is obvious: no call is needed.", "RO-33"),))


# --- The shot ------------------------------------------------------------------------------------------


def shoot(state: State, shot: ShotResult) -> Judged[State]:
    """RO-26 to RO-53: what stops a shot from counting first, then its ruling."""
    if state.pending_removal:
        return correct(
            state, "A won piece still lies on the board: take it off first.", "RO-39", seat=state.turn
        )
    if state.board < 2:
        return refuse(state, f"No shot is possible with {count(state.board)} on the board.", "G-10")
    if len(shot.off) > state.board:
        return correct(
            state, f"{count(len(shot.off))} off the board, but only {state.board} were on it.", "RO-53"
        )
    if state.call_required and not is_clear(state):
        return _shot_without_asked_call(state)
    return rule_shot(state, shot)


def _shot_without_asked_call(state: State) -> Judged[State]:
    """G-26: a warning and the shot again; then a foul."""
    if state.sw.uncalled_after_request == "warn" and not state.warned:
        because = "A call was asked for: put the pieces back, point at the gate and shoot again."
        warning = rule(Code.CORRECT, because, "RO-32", "RO-33", "G-26", seat=state.turn)
        return Judged(replace(state, warned=True), (warning,))
    return _foul(state, ("RO-48", "RO-32", "G-26"), "the call that was asked for was not made", 0)


def rule_shot(state: State, shot: ShotResult) -> Judged[State]:
    verdict = examine(state, shot)
    if verdict.fouls:
        return _foul(state, verdict.clauses, ", and ".join(verdict.reasons), len(shot.off))
    if verdict.questions:
        return _ask(replace(state, phase=Phase.SHOT, review=Review(verdict.questions, shot)))
    return _clear(state, shot) if is_clear(state) else _through(state, shot)


def _through(state: State, shot: ShotResult) -> Judged[State]:
    """RO-39, RO-40: the shooter is won, and the player chooses."""
    clauses = ["RO-39", "RO-35"]
    clauses += ["RO-33"] if not isinstance(state.gate_call, tuple) else []
    clauses += ["RO-37"] if shot.other_contact else []
    margin = "" if shot.margin_mm is None else f" by {shot.margin_mm:.1f} mm"
    good = replace(
        state,
        phase=Phase.AIM,
        board=state.board - 1,
        won=state.won + 1,
        pending_removal=() if shot.piece is None else (shot.piece,),
        last_good=shot.piece,
        gate_call=None,
        call_required=False,
        warned=False,
        review=None,
    )
    because = f"Through{margin}. {good.won} won, {good.board} on the board."
    return Judged(good, (rule(Code.OK, because, *clauses, seat=state.turn),))


def _clear(state: State, shot: ShotResult) -> Judged[State]:
    """RO-43, RO-44: both pieces are won and the turn is over."""
    won = replace(state, board=0, won=state.won + 2, review=None)
    ok = rule(Code.OK, "Hit: the board is cleared.", "RO-43", "RO-44", seat=state.turn)
    if is_solo(state):
        over = solo_over(won, True, "The board is empty without a single foul.")
        return Judged(over.state, (ok, *over.rulings))
    over_ = stop(won)
    bowl = rule(Code.INFO, f"{state.turn} puts {count(won.won)} into the bowl.", "RO-57", seat=state.turn)
    fallen = {str(p) for p in shot.off}
    lying = tuple(p for p in (shot.piece, *shot.other_contact) if p is not None and str(p) not in fallen)
    return Judged(replace(over_, pending_removal=lying[:2]), (ok, bowl))


def _foul(state: State, clauses: tuple[str, ...], reason: str, fallen: int) -> Judged[State]:
    """RO-45, RO-54: one end of the turn and one distribution, however many fouls."""
    if is_solo(state):
        lost = replace(state, board=state.board - fallen, aside=state.aside + fallen)
        over = solo_over(lost, False, "A foul: the board was not cleared.")
        return Judged(
            over.state, (rule(Code.FOUL, f"Foul: {reason}.", *clauses, seat=state.turn), *over.rulings)
        )
    over_ = foul(state, fallen)
    because = f"Foul: {reason}. {spoken(over_.deltas)}."
    return Judged(replace(over_, pending_removal=()), (rule(Code.FOUL, because, *clauses, seat=state.turn),))


# --- Close calls and claims ----------------------------------------------------------------------------


def _ask(state: State) -> Judged[State]:
    """RO-36: the players decide what is too close to call, and what nobody saw."""
    review = state.review
    assert review is not None
    question = review.questions[0]
    clauses, words = QUESTIONS[question]
    if review.shot is None:
        clauses = clauses if review.claim is None else (review.claim, *clauses)
        because = f"Look at board level. {words}"
        return Judged(state, (rule(Code.REVIEW, because, *clauses, seat=state.turn),))
    said = *_why_asked(review.shot, question), words, *_both_readings(state, review.shot, question)
    asked = rule(doubt_code(review.shot, question), " ".join(said), *clauses, seat=state.turn)
    return Judged(state, (asked,))


def _why_asked(shot: ShotResult, question: str) -> tuple[str, ...]:
    if question in OF_THE_HAND or question == "foul":
        why = "; ".join(doubts(shot))
        return (f"Not seen: {why}." if shot.unseen else f"Not sure: {why}.",)
    close = () if shot.margin_mm is None else (f"Too close to call: {shot.margin_mm:+.1f} mm.",)
    return () if question == "meant" else (*close, "Look at board level.")


def _both_readings(state: State, shot: ShotResult, question: str) -> tuple[str, ...]:
    """What follows from either answer, where the question itself does not say it."""
    if question == "foul":
        return ()
    yes, no = (_what_follows(state, decided(shot, question, answer)) for answer in (True, False))
    return f"Yes: {yes}.", f"No: {no}."


def _what_follows(state: State, shot: ShotResult) -> str:
    then = examine(state, shot)
    return "a foul" if then.fouls else "one more question" if then.questions else "a good shot"


def claim_foul(state: State, event: FoulClaimed) -> Judged[State]:
    """A foul that the camera did not see: the shooter may own up, others ask the table."""
    if event.clause not in FOULS:
        return refuse(state, f"{event.clause} is no foul; fouls are {FOULS[0]} to {FOULS[-1]}.", "RO-45")
    if event.seat not in state.active:
        return refuse(state, f"{event.seat} is not in the game.", "RO-15", seat=event.seat)
    if event.seat == state.turn:
        return _foul(_take_back_last(state), (event.clause,), f"{event.seat} owns up", 0)
    review = Review(("foul",), claim=event.clause)
    return _ask(replace(state, phase=Phase.SHOT, review=review))


def _take_back_last(state: State) -> State:
    """The last good shot was none: its shooter lies on the board again (G-24)."""
    if state.last_good is None or state.won == 0:
        return state
    return replace(state, won=state.won - 1, board=state.board + 1, last_good=None, pending_removal=())


def answer_review(state: State, event: ReviewAnswer) -> Judged[State]:
    review = state.review
    if review is None:
        return refuse(state, "There is no question to answer.", "RO-36")
    if event.question not in review.questions:
        return refuse(state, f"The question is {review.questions[0]!r}, not {event.question!r}.", "RO-36")
    if not _is_agreed(state, event):
        return Judged(state, (rule(Code.PROMPT, "The players must agree on the answer.", "RO-36"),))
    if review.shot is None:
        return _answer_claim(state, review, event.answer)
    return _answer_shot(state, review, review.shot, event)


def _is_agreed(state: State, event: ReviewAnswer) -> bool:
    """Nobody named means the table as a whole; else all opponents of the shooter at least."""
    return not event.seats or all(s in event.seats for s in state.active if s != state.turn)


def _answer_claim(state: State, review: Review, is_foul: bool) -> Judged[State]:
    state = replace(state, phase=Phase.AIM, review=None)
    if is_foul:
        assert review.claim is not None
        return _foul(_take_back_last(state), (review.claim,), "the players agree on it", 0)
    return Judged(state, (rule(Code.OK, "The players agree: no foul.", "RO-36", seat=state.turn),))


def _answer_shot(state: State, review: Review, shot: ShotResult, event: ReviewAnswer) -> Judged[State]:
    if event.question == "foul" and event.answer:
        aiming = replace(state, phase=Phase.AIM, review=None)
        return _foul(aiming, ("RO-45",), "the players agree on it", len(shot.off))
    known = decided(shot, event.question, event.answer)
    left = tuple(q for q in review.questions if q != event.question)
    if left and not examine(state, known).fouls:
        return _ask(replace(state, review=Review(left, known)))
    return rule_shot(replace(state, phase=Phase.AIM, review=None), known)


# --- Hands on the table, and the end of the turn ---------------------------------------------------------


def collect(state: State, event: PieceCollected) -> Judged[State]:
    """RO-39: won pieces are lifted off the board."""
    waiting = len(state.pending_removal)
    if event.n > waiting or event.n < 1:
        because = f"{count(waiting)} won lay on the board, not {event.n}: put the rest back."
        return correct(state, because, "RO-39", "RO-58")
    taken = replace(state, pending_removal=state.pending_removal[event.n :])
    return Judged(
        taken, (rule(Code.OK, f"{count(event.n)} laid beside the bowl.", "RO-39", seat=state.turn),)
    )


def end_turn(state: State, event: EndTurn) -> Judged[State]:
    """RO-40, RO-41, RO-57, G-01."""
    if event.seat != state.turn:
        return refuse(state, f"It is {state.turn}'s turn, not {event.seat}'s.", "RO-11", seat=event.seat)
    if state.sw.must_shoot_once and state.won == 0 and not is_solo(state):
        return refuse(state, "The turn ends only after a good shot.", "RO-40", "G-01", seat=event.seat)
    if is_solo(state):
        return solo_over(state, False, f"{count(state.board)} left on the board.")
    over = stop(state)
    because = f"{state.turn} ends the turn. {spoken(over.deltas)}."
    return Judged(over, (rule(Code.OK, because, "RO-41", "RO-57", seat=state.turn),))


def idle_touch(state: State, event: IdleTouch) -> Judged[State]:
    """RO-58, G-17: pieces moved outside a shot are put back; a foul only by the house rule."""
    if state.sw.idle_touch_foul and event.seat == state.turn and state.phase == Phase.AIM:
        return _foul(state, ("RO-58", "G-17"), "pieces were moved outside a shot", 0)
    return correct(
        state, "Pieces were moved outside a shot: put them back.", "RO-58", "G-17", seat=event.seat
    )
