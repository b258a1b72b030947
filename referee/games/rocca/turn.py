"""From an empty board to the drop: set-up, practice, ante, drop (RO-06 to RO-25)."""

from dataclasses import replace

from referee.games.rocca.events import AntePaid, Drop, GameConfigured, SetupSeen, TurnBegin
from referee.games.rocca.say import after, and_also, correct, count, refuse, rule
from referee.games.rocca.settle import all_short, eliminate, foul, last_one_left, spoken, stop
from referee.games.rocca.state import MOST_PLAYERS, Out, Phase, State, ante_for, begin, is_solo, round_from
from referee.types import Code, Judged, Ruling, Seat

# --- Set-up --------------------------------------------------------------------------------------------


def configure(state: State, event: GameConfigured) -> Judged[State]:
    """RO-01, RO-10: who plays, who begins, by which house rules."""
    players = state.players if event.players is None else event.players
    if not 1 <= len(players) <= MOST_PLAYERS or len(set(players)) != len(players):
        return refuse(state, f"Rocca takes 1 to 6 players, not {', '.join(players) or 'none'}.", "RO-01")
    first = event.first or players[0]
    if first not in players:
        return refuse(state, f"No player sits at {first}.", "RO-10")
    sw = event.sw or state.sw
    tools = state.assistive_tool if event.assistive_tool is None else event.assistive_tool
    fresh = begin(players, {name: getattr(sw, name) for name in sw.__dataclass_fields__})
    fresh = replace(fresh, turn=first, assistive_tool=tools, tol_mm=state.tol_mm)
    return Judged(
        fresh, (rule(Code.OK, f"{count(len(players), 'player')}. {first} begins.", "RO-10", seat=first),)
    )


def see_setup(state: State, event: SetupSeen) -> Judged[State]:
    """RO-06, RO-08: the board empty and the bowls full."""
    want = state.sw.start_pieces
    wrong = [f"{s} has {event.bowls.get(s, 'none')}" for s in state.players if event.bowls.get(s) != want]
    if wrong:
        return correct(state, f"Every bowl starts with {count(want)}: {', '.join(wrong)}.", "RO-08")
    on_board = state.board if event.board is None else event.board
    if on_board:
        return correct(state, f"The board starts empty: {count(on_board)} on it.", "RO-06")
    said = f"{count(want)} each, the board is empty. {len(state.players)} players. {state.turn} begins."
    ready = replace(state, phase=Phase.ANTE, bowls=dict.fromkeys(state.players, want), board=0)
    return Judged(ready, (rule(Code.OK, said, "RO-08"),))


# --- Ante ----------------------------------------------------------------------------------------------


def next_turn(state: State) -> State:
    """RO-59: the next player clockwise who is still in the game; a new ante is due."""
    return replace(
        state,
        phase=Phase.ANTE,
        turn=round_from(state, state.turn)[0],
        ante_due={},
        pending_removal=(),
        gate_call=None,
        call_required=False,
        warned=False,
        last_good=None,
    )


def begin_turn(state: State, event: TurnBegin) -> Judged[State]:
    """RO-13 to RO-15: who cannot pay is out; then the antes are due."""
    if event.seat != state.turn:
        return refuse(
            state, f"It is {state.turn}'s turn, not {event.seat}'s.", "RO-59", "RO-11", seat=event.seat
        )
    if state.ante_due:
        return Judged(state, (rule(Code.INFO, f"{state.turn}'s turn has begun already.", "RO-13"),))
    return _check_antes(state, ante_for(state.active), ())


def _check_antes(state: State, ante: int, said: tuple[Ruling, ...]) -> Judged[State]:
    """G-07 to G-09: all seats together, before any piece moves; again when the ante has doubled."""
    state = replace(state, ante_size=ante)
    short = tuple(seat for seat in state.active if state.bowls[seat] < ante)
    if short == state.active:
        return after(said, all_short(state))
    if not short:
        return after(said, _ask_antes(state))
    for seat in short:
        state = _out_by_ante(state, seat)
        said += (rule(Code.ELIMINATED, f"{seat} cannot pay {count(ante)} and is out.", "RO-15", seat=seat),)
    if len(state.active) == 1:
        return after(said, last_one_left(state))
    if state.turn not in state.active:
        return _pass_on(state, said)
    doubles = state.sw.double_ante_from == "immediately" and ante_for(state.active) != ante
    return _check_antes(state, ante_for(state.active) if doubles else ante, said)


def _out_by_ante(state: State, seat: Seat) -> State:
    keep = state.sw.leftovers == "distribute"
    return eliminate(state, seat, Out(seat, "ante"), state.bowls[seat], keep)


def _pass_on(state: State, said: tuple[Ruling, ...]) -> Judged[State]:
    """G-08: the turn player is out, so the turn passes left with a fresh ante."""
    state = next_turn(state)
    info = rule(Code.INFO, f"The turn passes to {state.turn}.", "RO-59", "G-08", seat=state.turn)
    return Judged(state, (*said, info))


def _ask_antes(state: State) -> Judged[State]:
    due = dict.fromkeys(state.active, state.ante_size)
    each = "Two players left: two pieces" if state.ante_size == 2 else "One piece"
    because = f"{state.turn}'s turn. {each} each to {state.turn}."
    clauses = ("RO-13", "RO-14") if state.ante_size == 2 else ("RO-13",)
    return Judged(replace(state, ante_due=due), (rule(Code.INFO, because, *clauses, seat=state.turn),))


def pay_ante(state: State, event: AntePaid) -> Judged[State]:
    """RO-13: what left one bowl for the turn player; the first ante begins a turn that was not announced."""
    if not state.ante_due:
        begun = begin_turn(state, TurnBegin(state.turn))
        owes = begun.state.phase == Phase.ANTE and event.seat in begun.state.ante_due
        return after(begun.rulings, pay_ante(begun.state, event)) if owes else begun
    if event.seat not in state.active:
        because = f"{event.seat} is not in the game and pays nothing: put it back."
        return correct(state, because, "RO-15", *_ante_clauses(state), seat=event.seat)
    due = state.ante_due.get(event.seat, 0)
    if event.n != due:
        because = (
            f"{event.seat} owes {count(due)}, not {event.n}." if due else f"{event.seat} has paid already."
        )
        return correct(state, because, *_ante_clauses(state), seat=event.seat)
    return _paid(state, event)


def _ante_clauses(state: State) -> tuple[str, ...]:
    return ("RO-14", "RO-13") if state.ante_size == 2 else ("RO-13",)


def _paid(state: State, event: AntePaid) -> Judged[State]:
    due = {seat: n for seat, n in state.ante_due.items() if seat != event.seat}
    bowls = {**state.bowls, event.seat: state.bowls[event.seat] - event.n}
    state = replace(state, bowls=bowls, hand=state.hand + event.n, ante_due=due)
    if due:
        return Judged(state, (rule(Code.OK, f"{event.seat} has paid.", "RO-13", seat=event.seat),))
    return all_paid(state)


def all_paid(state: State) -> Judged[State]:
    because = f"All antes are in: {state.turn} drops {count(state.hand)}."
    return Judged(replace(state, phase=Phase.DROP), (rule(Code.OK, because, "RO-19", seat=state.turn),))


# --- Drop ----------------------------------------------------------------------------------------------


def drop(state: State, event: Drop) -> Judged[State]:
    """RO-19 to RO-24, G-10, G-18."""
    if not event.at_once and state.sw.split_drop == "redo":
        return correct(
            state, "All pieces must be dropped together: drop again.", "RO-21", "G-18", seat=state.turn
        )
    before = state.board + state.hand
    if event.on_board_after < 0 or event.off < 0 or event.on_board_after + event.off != before:
        because = (
            f"{count(before)} should lie on the board or beside it, "
            f"not {event.on_board_after} and {event.off}: look for the rest."
        )
        return correct(state, because, "RO-19", "RO-23")
    if is_solo(state) and event.on_board_after < 2:
        return correct(state, "Fewer than two pieces stayed on the board: drop again.", "RO-63", "G-10")
    return _dropped(replace(state, board=event.on_board_after, aside=state.aside + event.off, hand=0), event)


def _dropped(state: State, event: Drop) -> Judged[State]:
    said = [rule(Code.INFO, f"{count(state.board)} on the board.", "RO-19")]
    if event.off:
        said.append(rule(Code.INFO, f"Splash: {count(event.off)} put aside, no foul.", "RO-23", "RO-24"))
    if not event.at_once:
        over = foul(state)
        because = f"Foul: the pieces were not dropped together. {spoken(over.deltas)}."
        return Judged(over, (*said, rule(Code.FOUL, because, "RO-21", "G-18", seat=state.turn)))
    if state.board < 2:
        over = stop(state)
        because = f"No shot is possible with {count(state.board)}: the turn ends. {spoken(over.deltas)}."
        return and_also(Judged(over, tuple(said)), rule(Code.INFO, because, "G-10", "RO-25"))
    return Judged(replace(state, phase=Phase.AIM), tuple(said))
