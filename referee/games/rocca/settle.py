"""How a turn ends: who gets which pieces, who is out, who wins (RO-15, RO-54 to RO-64)."""

from collections.abc import Mapping
from dataclasses import replace

from referee.games.rocca.say import count, rule
from referee.games.rocca.state import Out, Phase, State, is_solo, round_from
from referee.types import Code, Judged, Ruling, Seat


def shares(pool: int, receivers: int) -> tuple[int, ...]:
    """RO-55: one piece at a time round the circle until nothing is left."""
    if receivers == 0:
        return ()
    each, more = divmod(pool, receivers)
    return tuple(each + (k < more) for k in range(receivers))


def hand_out(pool: int, order: tuple[Seat, ...]) -> dict[Seat, int]:
    return dict(zip(order, shares(pool, len(order)), strict=True))


def added(first: Mapping[Seat, int], second: Mapping[Seat, int]) -> dict[Seat, int]:
    """Both sums together, seat by seat."""
    return {seat: first.get(seat, 0) + second.get(seat, 0) for seat in {**first, **second}}


# --- Three ways a turn ends ----------------------------------------------------------------------------


def stop(state: State) -> State:
    """RO-57: what was won goes into the own bowl; splash pieces alone go round."""
    return _settled(state, added({state.turn: state.won}, hand_out(state.aside, _splash_order(state))))


def foul(state: State, fallen: int = 0) -> State:
    """RO-54, RO-55: nothing won is kept; won, fallen and splash pieces go round."""
    order = _foul_order(state)
    pool = state.won + fallen
    if state.sw.splash_merge:
        given = hand_out(pool + state.aside, order)
    else:
        given = added(hand_out(pool, order), hand_out(state.aside, _splash_order(state)))
    return _settled(replace(state, board=state.board - fallen), given)


def _settled(state: State, given: Mapping[Seat, int]) -> State:
    """The turn is over: bowls as they will be, the rest of the turn forgotten."""
    return replace(
        state,
        phase=Phase.SETTLE,
        bowls=added(state.bowls, given),
        deltas={seat: n for seat, n in given.items() if n},
        won=0,
        aside=0,
        gate_call=None,
        call_required=False,
        warned=False,
        review=None,
        last_good=None,
    )


def _foul_order(state: State) -> tuple[Seat, ...]:
    return _rotation(state, state.sw.fouler_in_rotation)


def _splash_order(state: State) -> tuple[Seat, ...]:
    return _rotation(state, state.sw.splash_includes_dropper)


def _rotation(state: State, own_seat_too: bool) -> tuple[Seat, ...]:
    order = round_from(state, state.turn)
    return order if own_seat_too or len(order) == 1 else order[:-1]


def spoken(deltas: Mapping[Seat, int]) -> str:
    """ "B +2, C +1": what each bowl gets."""
    return ", ".join(f"{seat} +{n}" for seat, n in deltas.items()) or "Nothing to hand out"


# --- Who is out ----------------------------------------------------------------------------------------


def eliminate(state: State, seat: Seat, reason: Out, pool: int, distribute: bool) -> State:
    """One seat is out; `pool` (its bowl and what it held) goes round from its left, or out of the game."""
    active = tuple(s for s in state.active if s != seat)
    state = replace(state, active=active, out=(*state.out, reason), bowls={**state.bowls, seat: 0})
    if not distribute or not active:
        return replace(state, removed=state.removed + pool)
    given = hand_out(pool, round_from(state, seat))
    deltas = {s: n for s, n in given.items() if n}
    return replace(state, bowls=added(state.bowls, given), deltas=deltas)


def last_one_left(state: State) -> Judged[State]:
    """G-09: nobody else is in the game."""
    (seat,) = state.active
    state = replace(state, phase=Phase.GAME_OVER, ante_due={})
    if not state.sw.last_player_wins:
        return Judged(
            state, (rule(Code.DRAW, "Only one player is left; by the house rule nobody wins.", "G-09"),)
        )
    won = rule(Code.WIN, f"{seat} is the last player in the game and wins.", "G-09", "RO-15", seat=seat)
    return Judged(replace(state, winner=seat), (won,))


def all_short(state: State) -> Judged[State]:
    """G-09: nobody who remains can pay."""
    best = max(state.bowls[s] for s in state.active)
    most = tuple(s for s in state.active if state.bowls[s] == best)
    over = replace(state, phase=Phase.GAME_OVER, ante_due={})
    if state.sw.all_short == "most_pieces" and len(most) == 1:
        because = f"Nobody can pay the ante; {most[0]} has the most pieces and wins."
        return Judged(replace(over, winner=most[0]), (rule(Code.WIN, because, "G-09", seat=most[0]),))
    seats = state.active if state.sw.all_short == "draw" else most
    because = f"Nobody can pay the ante of {count(state.ante_size)}: a draw."
    return Judged(replace(over, winner=seats), (Ruling(Code.DRAW, ("G-09", "RO-15"), because, seats=seats),))


# --- Solitaire -----------------------------------------------------------------------------------------


def solo_over(state: State, won: bool, because: str) -> Judged[State]:
    """RO-63: the board is empty, or it will not be."""
    assert is_solo(state)
    (seat,) = state.players
    over = replace(state, phase=Phase.GAME_OVER, review=None, gate_call=None, winner=seat if won else None)
    return Judged(over, (rule(Code.WIN if won else Code.LOSS, because, "RO-63", seat=seat),))
