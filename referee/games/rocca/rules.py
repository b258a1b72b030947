"""The bench for Rocca: which events count in which phase, and the law that no piece is lost.

Everything that changes the state of a game lives in `judge` and what it calls; an event that is
refused gives back the very same state.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from referee.games.rocca import aim, finish, turn
from referee.games.rocca.events import (
    AnnounceClosed,
    AntePaid,
    BowlCovered,
    BowlsVerified,
    CallRequested,
    ClockExpired,
    Drop,
    EndTurn,
    Event,
    FoulClaimed,
    GameConfigured,
    GateCalled,
    IdleTouch,
    ObviousAgreed,
    PieceCollected,
    PracticeOff,
    PracticeOn,
    ReviewAnswer,
    SetupSeen,
    ShotResult,
    TurnBegin,
    WinAnnounced,
)
from referee.games.rocca.say import after, correct, refuse, rule
from referee.games.rocca.state import Phase, State, pieces
from referee.types import Code, Judged

Rule = Callable[[State, Any], Judged[State]]


def judge(state: State, event: Event) -> Judged[State]:
    """The state after the event, and what the referee says to it."""
    judged = _rule_for(state, event)(state, event)
    if state.phase != Phase.SETUP and pieces(judged.state) != pieces(state):
        raise AssertionError(f"{pieces(state)} pieces became {pieces(judged.state)} by {event}")
    return judged


def follow(state: State) -> tuple[Event, ...]:
    """A turn begins by itself."""
    return (TurnBegin(state.turn),) if state.phase == Phase.ANTE and not state.ante_due else ()


def _rule_for(state: State, event: Event) -> Rule:
    if isinstance(event, BowlCovered) and state.phase != Phase.GAME_OVER:
        return _cover
    if isinstance(event, ClockExpired) and state.phase not in CLOCK_STANDS:
        return finish.expire_clock
    return PHASES[state.phase].get(type(event), _not_now)


# --- What belongs to no module of its own ----------------------------------------------------------------


def _practice_on(state: State, _event: PracticeOn) -> Judged[State]:
    said = rule(Code.INFO, "Practice: nothing counts.", "RO-07")
    return Judged(replace(state, phase=Phase.PRACTICE), (said,))


def _practice_off(state: State, _event: PracticeOff) -> Judged[State]:
    said = rule(Code.INFO, "Practice is over: empty the board and fill the bowls.", "RO-07", "RO-08", "G-20")
    return Judged(replace(state, phase=Phase.SETUP), (said,))


def _practice_shot(state: State, _event: Event) -> Judged[State]:
    return Judged(state, (rule(Code.INFO, "Practice: nothing counts.", "RO-07"),))


def _early_drop(state: State, _event: Drop) -> Judged[State]:
    owing = ", ".join(state.ante_due or state.active)
    return correct(state, f"Not all antes are in: {owing}. Take the pieces up again.", "RO-13")


def _early_shot(state: State, _event: ShotResult) -> Judged[State]:
    return refuse(state, "The pieces are dropped first: put everything back.", "RO-19", seat=state.turn)


def _collect_after_turn(state: State, _event: PieceCollected) -> Judged[State]:
    said = rule(Code.OK, "The won pieces are off the board.", "RO-44", "RO-57")
    return Judged(replace(state, pending_removal=()), (said,))


def _close_announcing(state: State, _event: AnnounceClosed) -> Judged[State]:
    following = turn.next_turn(state)
    because = f"No announcement. {following.turn} is next."
    return Judged(following, (rule(Code.INFO, because, "RO-59", "RO-61", seat=following.turn),))


def _begin_next(state: State, event: TurnBegin) -> Judged[State]:
    following = turn.next_turn(state)
    if event.seat != following.turn:
        because = f"{following.turn} is next, not {event.seat}."
        return refuse(state, because, "RO-59", "RO-11", seat=event.seat)
    return turn.begin_turn(following, event)


def _ante_closes_announcing(state: State, event: AntePaid) -> Judged[State]:
    """G-05: the window closes at the next player's first ante."""
    closed = _close_announcing(state, AnnounceClosed())
    return after(closed.rulings, turn.pay_ante(closed.state, event))


def _cover(state: State, event: BowlCovered) -> Judged[State]:
    return correct(state, f"{event.seat}'s bowl must be open to everybody's eyes.", "RO-09", seat=event.seat)


def _no_announcement(state: State, event: WinAnnounced) -> Judged[State]:
    because = "A total counts only when the own turn has just ended."
    if state.phase == Phase.SETTLE and event.seat == state.turn:
        because = "Settle the bowls first, then say the total."
    return refuse(state, because, "RO-61", "G-05", seat=event.seat)


def _not_now(state: State, event: Event) -> Judged[State]:
    seat = getattr(event, "seat", None)
    because, *clauses = NOT_NOW[state.phase]
    if isinstance(event, ReviewAnswer):
        because, clauses = "There is no question to answer.", ["RO-36"]
    return refuse(state, because, *clauses, seat=seat)


NOT_NOW = {
    Phase.SETUP: ("The game has not begun: fill the bowls first.", "RO-08", "RO-06"),
    Phase.PRACTICE: ("Practice: nothing counts.", "RO-07"),
    Phase.ANTE: ("The antes come first.", "RO-13"),
    Phase.DROP: ("The pieces are dropped first.", "RO-19"),
    Phase.AIM: ("This has no place while a player shoots.", "RO-40", "RO-11"),
    Phase.SHOT: ("The last shot is not ruled yet: answer the question first.", "RO-36"),
    Phase.SETTLE: ("The turn is over: settle the bowls; what lies on the board stays.", "RO-58"),
    Phase.ANNOUNCE: ("The turn is over.", "RO-59", "RO-61"),
    Phase.GAME_OVER: ("The game is over.", "RO-60"),
}
"""What is said to an event that has no place in a phase."""

CLOCK_STANDS = (Phase.SETUP, Phase.PRACTICE, Phase.GAME_OVER)

PHASES: Mapping[Phase, Mapping[type, Rule]] = {
    Phase.SETUP: {
        GameConfigured: turn.configure,
        SetupSeen: turn.see_setup,
        PracticeOn: _practice_on,
        WinAnnounced: _no_announcement,
    },
    Phase.PRACTICE: {
        PracticeOff: _practice_off,
        **dict.fromkeys((ShotResult, Drop, GateCalled, IdleTouch, PieceCollected), _practice_shot),
    },
    Phase.ANTE: {
        TurnBegin: turn.begin_turn,
        AntePaid: turn.pay_ante,
        Drop: _early_drop,
        IdleTouch: aim.idle_touch,
        WinAnnounced: _no_announcement,
    },
    Phase.DROP: {
        Drop: turn.drop,
        ShotResult: _early_shot,
        IdleTouch: aim.idle_touch,
        WinAnnounced: _no_announcement,
    },
    Phase.AIM: {
        GateCalled: aim.call_gate,
        CallRequested: aim.request_call,
        ObviousAgreed: lambda state, _event: aim.agree_obvious(state),
        ShotResult: aim.shoot,
        PieceCollected: aim.collect,
        EndTurn: aim.end_turn,
        FoulClaimed: aim.claim_foul,
        IdleTouch: aim.idle_touch,
        WinAnnounced: _no_announcement,
    },
    Phase.SHOT: {
        ReviewAnswer: aim.answer_review,
        PieceCollected: aim.collect,
        IdleTouch: aim.idle_touch,
        WinAnnounced: _no_announcement,
    },
    Phase.SETTLE: {
        BowlsVerified: finish.verify_bowls,
        PieceCollected: _collect_after_turn,
        IdleTouch: aim.idle_touch,
        WinAnnounced: _no_announcement,
    },
    Phase.ANNOUNCE: {
        WinAnnounced: finish.announce,
        AnnounceClosed: _close_announcing,
        TurnBegin: _begin_next,
        AntePaid: _ante_closes_announcing,
        IdleTouch: aim.idle_touch,
    },
    Phase.GAME_OVER: {},
}
"""The phase table of the rules: what counts when."""
