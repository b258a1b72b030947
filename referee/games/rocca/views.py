"""What people see of Rocca, and what they may declare."""

from referee.games.rocca.say import count
from referee.games.rocca.shot import QUESTIONS, doubt_code, is_clear
from referee.games.rocca.state import Phase, State
from referee.types import Ask, Audience, Choice, Code, Seat, View

PHASE_WORDS = {
    Phase.SETUP: "set-up",
    Phase.PRACTICE: "practice",
    Phase.ANTE: "ante",
    Phase.DROP: "drop",
    Phase.AIM: "aim and shoot",
    Phase.SHOT: "too close to call",
    Phase.SETTLE: "settle the bowls",
    Phase.ANNOUNCE: "announce",
    Phase.GAME_OVER: "game over",
}


def view(state: State, audience: Audience) -> View:
    """Nothing is secret in Rocca: everybody sees the same."""
    return View(
        audience,
        headline=_headline(state),
        scores=tuple((seat, _score(state, seat)) for seat in state.players),
        lines=_lines(state),
        prompt=_prompt(state),
        choices=choices(state),
    )


def _headline(state: State) -> str:
    if state.phase != Phase.GAME_OVER:
        return f"{state.turn}: {'not seen' if _is_unseen(state) else PHASE_WORDS[state.phase]}"
    if state.winner is None:
        return "Game over"
    return f"{state.winner} wins" if isinstance(state.winner, str) else f"A draw: {', '.join(state.winner)}"


def _is_unseen(state: State) -> bool:
    """Whether the players are asked about what the camera could not see."""
    review = state.review
    if review is None or review.shot is None:
        return False
    return doubt_code(review.shot, review.questions[0]) is Code.UNSEEN


def _score(state: State, seat: Seat) -> str:
    return str(state.bowls[seat]) if seat in state.active else "out"


def _lines(state: State) -> tuple[str, ...]:
    said = [f"{count(state.board)} on the board"]
    said += [f"{state.won} won this turn"] if state.won else []
    said += [f"{state.hand} in {state.turn}'s hand"] if state.hand else []
    said += [f"{state.aside} put aside (splash)"] if state.aside else []
    return (", ".join(said),)


def _prompt(state: State) -> str:
    match state.phase:
        case Phase.SETUP:
            return f"{count(state.sw.start_pieces)} into every bowl, the board empty. {state.turn} begins."
        case Phase.PRACTICE:
            return "Practice: nothing counts."
        case Phase.ANTE:
            owing = ", ".join(state.ante_due or state.active)
            return f"{count(state.ante_size)} each to {state.turn}: {owing}."
        case Phase.DROP:
            return f"{state.turn} drops {count(state.hand)}, all together."
        case Phase.AIM:
            return _aim_prompt(state)
        case Phase.SHOT:
            return QUESTIONS[state.review.questions[0]][1] if state.review else ""
        case Phase.SETTLE:
            return f"Do the bowls hold {', '.join(f'{s} {state.bowls[s]}' for s in state.active)}?"
        case Phase.ANNOUNCE:
            return f"{state.turn} may announce a total."
    return ""


def _aim_prompt(state: State) -> str:
    if state.pending_removal:
        return "Take the won piece off the board."
    if state.call_required:
        return f"{state.turn}, please point at the gate."
    return "Hit the last piece, or stop." if is_clear(state) else "Shoot between two pieces, or stop."


# --- Choices -------------------------------------------------------------------------------------------


def choices(state: State) -> tuple[Choice, ...]:
    """What may be declared now; what the camera tells by itself comes after what only people can."""
    by_phase = {
        Phase.SETUP: _setup,
        Phase.PRACTICE: _practice,
        Phase.ANTE: _antes,
        Phase.DROP: _drops,
        Phase.AIM: _aims,
        Phase.SHOT: _answers,
        Phase.SETTLE: _settles,
        Phase.ANNOUNCE: _announces,
        Phase.GAME_OVER: _none,
    }
    return (*by_phase[state.phase](state), *_clock(state))


def _setup(state: State) -> tuple[Choice, ...]:
    bowls = dict.fromkeys(state.players, state.sw.start_pieces)
    first = (Ask("first", "seat", state.players),)
    return (
        Choice("setup_seen", f"{count(state.sw.start_pieces)} in every bowl", {"bowls": bowls}),
        Choice("game_configured", "Somebody else begins", asks=first),
        Choice("practice_on", "Practise first"),
    )


def _practice(_state: State) -> tuple[Choice, ...]:
    return (Choice("practice_off", "End the practice"),)


def _none(_state: State) -> tuple[Choice, ...]:
    return ()


def _antes(state: State) -> tuple[Choice, ...]:
    return tuple(
        Choice("ante_paid", f"{seat} pays {n}", {"seat": seat, "n": n}) for seat, n in state.ante_due.items()
    )


def _drops(state: State) -> tuple[Choice, ...]:
    lying = state.board + state.hand
    whole = {"on_board_after": lying, "off": 0, "at_once": True}
    counts = (Ask("on_board_after", "number"), Ask("off", "number"))
    return (
        Choice("drop", f"Dropped: all {lying} on the board", whole, seen=True),
        Choice("drop", "Dropped with a splash", {"at_once": True}, counts, seen=True),
        Choice("drop", "Not dropped together", {**whole, "at_once": False}, seen=True),
    )


def _aims(state: State) -> tuple[Choice, ...]:
    end = Choice("end_turn", f"{state.turn} ends the turn", {"seat": state.turn})
    if state.pending_removal:
        return (Choice("piece_collected", "The won piece is off the board", {"n": 1}, seen=True), end)
    shots = _clear_shots() if is_clear(state) else (*_calls(state), *_gate_shots())
    return (end, *shots, *_fouls(), _claim(state))


def _calls(state: State) -> tuple[Choice, ...]:
    others = tuple(seat for seat in state.active if seat != state.turn)
    pair = (Ask("a", "text"), Ask("b", "text"))
    return (
        Choice("gate_called", f"{state.turn} calls a gate", {"seat": state.turn}, pair, seen=True),
        Choice("obvious_agreed", "The gate is obvious"),
        Choice("call_requested", "Ask for a call", asks=(Ask("seat", "seat", others),)),
    )


def _gate_shots() -> tuple[Choice, ...]:
    return (
        _shot("Shot: through", through=True),
        _shot("Shot: through, another piece hit", through=True, other_contact=["?"]),
        _shot("Foul: not through", through=False),
        _shot("Foul: hit a gate piece", through=True, gate_contact=True),
        _shot("Foul: lay in the gate", through=True, start_inside=True),
        _shot("Too close to call"),
    )


def _clear_shots() -> tuple[Choice, ...]:
    return (_shot("Shot: hit the last piece", hit_last=True), _shot("Foul: missed it", hit_last=False))


def _fouls() -> tuple[Choice, ...]:
    fine = {"through": True, "hit_last": True}
    off = (Ask("off", "pieces"),)
    return (
        _shot("Foul: touched two pieces", **fine, hand_pieces=2),
        _shot("Foul: not one motion", **fine, motion="multiple"),
        _shot("Foul: touched before it stopped", **fine, touched_moving=True),
        Choice("shot_result", "Foul: pieces fell off", fine, off, seen=True),
    )


def _shot(label: str, **facts: object) -> Choice:
    return Choice("shot_result", label, facts, seen=True)


def _claim(state: State) -> Choice:
    clauses = tuple(f"RO-{n}" for n in range(46, 54))
    return Choice(
        "foul_claimed",
        "Claim a foul",
        asks=(Ask("seat", "seat", state.active), Ask("clause", "choice", clauses)),
    )


def _answers(state: State) -> tuple[Choice, ...]:
    if state.review is None:
        return ()
    question = state.review.questions[0]
    everybody = {"question": question, "seats": list(state.active)}
    return (
        Choice("review_answer", "Yes", {**everybody, "answer": True}),
        Choice("review_answer", "No", {**everybody, "answer": False}),
    )


def _settles(state: State) -> tuple[Choice, ...]:
    bowls = {seat: state.bowls[seat] for seat in state.active}
    return (Choice("bowls_verified", "The bowls are right", {"bowls": bowls}),)


def _announces(state: State) -> tuple[Choice, ...]:
    seats = state.active if state.sw.win_window == "any_turn_end" else (state.turn,)
    total = (Ask("n", "number"),)
    said = tuple(
        Choice("win_announced", f"{seat} announces a total", {"seat": seat}, total)
        for seat in seats
        if seat in state.active
    )
    return (Choice("announce_closed", "Next player"), *said)


def _clock(state: State) -> tuple[Choice, ...]:
    if not state.sw.chess_clock or state.phase in (Phase.SETUP, Phase.PRACTICE, Phase.GAME_OVER):
        return ()
    return (Choice("clock_expired", f"{state.turn}'s time is up", {"seat": state.turn}),)
