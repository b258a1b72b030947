"""From the settled bowls to the next turn or the end: verification, announcement, the chess clock (RO-60 to RO-64)."""

from dataclasses import replace

from referee.games.rocca.events import BowlsVerified, ClockExpired, WinAnnounced
from referee.games.rocca.say import after, and_also, correct, count, refuse, rule
from referee.games.rocca.settle import eliminate, last_one_left, solo_over, spoken
from referee.games.rocca.state import Out, Phase, State, is_solo, win_at
from referee.games.rocca.turn import all_paid
from referee.types import Code, Judged, Seat


def verify_bowls(state: State, event: BowlsVerified) -> Judged[State]:
    """The bowls on the table are what the settlement made them."""
    wrong = [
        f"{s} has {event.bowls.get(s, 'no count')}, should have {state.bowls[s]}"
        for s in state.active
        if event.bowls.get(s) != state.bowls[s]
    ]
    if wrong:
        return correct(state, f"The bowls are not right: {'; '.join(wrong)}.", "RO-55", "RO-57")
    settled = replace(state, phase=Phase.ANNOUNCE, pending_removal=())
    return _win_by_count(Judged(settled, (rule(Code.OK, "The bowls are right.", "RO-57"),)))


def _win_by_count(judged: Judged[State]) -> Judged[State]:
    """RO-61 softened by house rules: a reminder, or a win without a word."""
    state = judged.state
    has_enough = state.turn in state.active and state.bowls[state.turn] >= win_at(state)
    if has_enough and state.sw.auto_win:
        return after(judged.rulings, _win(state, state.turn, "has"))
    if has_enough and state.sw.remind_win:
        return and_also(judged, rule(Code.PROMPT, f"{state.turn}, say your total.", "RO-61", seat=state.turn))
    return judged


def announce(state: State, event: WinAnnounced) -> Judged[State]:
    """RO-60, RO-61, G-05."""
    may_be_any = state.sw.win_window == "any_turn_end" and event.seat in state.active
    if event.seat != state.turn and not may_be_any:
        because = f"Only {state.turn} can win now: a total counts at the end of the own turn."
        return refuse(state, because, "RO-61", "G-05", seat=event.seat)
    if event.seat not in state.active:
        return refuse(state, f"{event.seat} is out of the game.", "RO-61", seat=event.seat)
    has = state.bowls[event.seat]
    if event.n != has:
        return refuse(state, f"{event.seat} says {event.n} but has {has}.", "RO-60", seat=event.seat)
    if has < win_at(state):
        return refuse(state, f"{count(has)} are too few: {win_at(state)} win.", "RO-60", seat=event.seat)
    return _win(state, event.seat, "announces")


def _win(state: State, seat: Seat, how: str) -> Judged[State]:
    over = replace(state, phase=Phase.GAME_OVER, winner=seat)
    because = f"{seat} {how} {state.bowls[seat]}: {seat} wins."
    return Judged(over, (rule(Code.WIN, because, "RO-61", "RO-60", seat=seat),))


# --- The chess clock -----------------------------------------------------------------------------------


def expire_clock(state: State, event: ClockExpired) -> Judged[State]:
    """RO-64, G-19: out of the game; what the player holds goes round, or out of the game."""
    if not state.sw.chess_clock:
        return refuse(state, "This game is played without a clock.", "RO-64", seat=event.seat)
    if event.seat not in state.active:
        return refuse(state, f"{event.seat} is not in the game.", "RO-64", seat=event.seat)
    if is_solo(state):
        return solo_over(state, False, "The time is up and the board is not cleared.")
    gone = _out_by_clock(state, event.seat)
    because = f"{event.seat}'s time is up: out of the game. {spoken(gone.deltas)}."
    said = (rule(Code.ELIMINATED, because, "RO-64", "G-19", seat=event.seat),)
    if len(gone.active) == 1:
        return after(said, last_one_left(gone))
    if event.seat == state.turn:
        return Judged(_turn_cut_short(gone), said)
    return after(said, _without_antes_of(gone, event.seat))


def _out_by_clock(state: State, seat: Seat) -> State:
    pool, held = state.bowls[seat], state
    if seat == state.turn:
        pool += state.won + state.aside + state.hand
        held = replace(state, won=0, aside=0, hand=0)
    return eliminate(held, seat, Out(seat, "clock"), pool, state.sw.timeout_pieces == "distribute")


def _turn_cut_short(state: State) -> State:
    return replace(
        state,
        phase=Phase.SETTLE,
        ante_due={},
        gate_call=None,
        call_required=False,
        warned=False,
        review=None,
        pending_removal=(),
        last_good=None,
    )


def _without_antes_of(state: State, seat: Seat) -> Judged[State]:
    if seat not in state.ante_due:
        return Judged(state)
    due = {s: n for s, n in state.ante_due.items() if s != seat}
    state = replace(state, ante_due=due)
    return Judged(state) if due else all_paid(state)
