"""The end of a round and of the game: who gets what, and who leads."""

from collections.abc import Mapping
from dataclasses import replace

from referee.games.monster_my_neighbour.cards import GENERAL_CARDS, MONSTERS, ROUNDS, Card
from referee.games.monster_my_neighbour.state import Result, State
from referee.types import Code, Judged, Ruling, Seat
from referee.verdicts import prompt

RESULT_CLAUSES: Mapping[Result, tuple[str, ...]] = {
    "escaped": ("MH-49", "MH-16"),
    "caught": ("MH-50", "MH-16"),
    "betrayed": ("MH-51", "MH-37"),
    "exposed": ("MH-17", "G-16"),
    "nobody": ("MH-16", "G-12"),
}


def points(
    part: tuple[Seat, ...],
    result: Result,
    monster: Seat | None,
    friends: tuple[Seat, ...] = (),
    catcher: Seat | None = None,
    vampire: bool = False,
) -> dict[Seat, int]:
    """Victory points of one round for every seat."""
    losers = {monster, *friends}
    if result == "nobody":
        return dict.fromkeys(part, 0)
    if result == "escaped":
        won = {s: 2 if s in losers else 0 for s in part}
        return {**won, **({monster: 3} if vampire and monster is not None else {})}
    forced = {s: 0 if s in losers else 1 for s in part}
    caught = result == "caught" and catcher is not None and catcher not in losers
    return {**forced, **({catcher: 2} if caught and catcher is not None else {})}


def end_round(
    state: State, result: Result, because: str, monster: Seat | None, card: Card | None, catcher: Seat | None
) -> Judged[State]:
    """Score the round; the Monster is set aside."""
    won = points(state.part, result, monster, state.friends, catcher, card == "monster:vampire")
    scored = replace(
        state,
        phase="ROUND_END",
        turn=None,
        pending=None,
        round_result=result,
        round_points=won,
        vp=added(state.vp, won),
        monsters_used=min(MONSTERS, state.monsters_used + 1),
    )
    clauses = RESULT_CLAUSES[result] + (
        ("MH-26",) if card == "monster:vampire" and result == "escaped" else ()
    )
    said = Ruling(Code.SCORE, clauses, f"{because} {spoken(won)}")
    return Judged(scored, (said, *_audit(state)))


def added(vp: Mapping[Seat, int], won: Mapping[Seat, int]) -> dict[Seat, int]:
    return {s: n + won.get(s, 0) for s, n in vp.items()}


def spoken(won: Mapping[Seat, int]) -> str:
    some = [f"{s} {n}" for s, n in won.items() if n]
    return f"{', '.join(some)}." if some else "Nobody scores."


def _audit(state: State) -> tuple[Ruling, ...]:
    if not state.sw.round_audit or not state.skipped:
        return ()
    because = f"{', '.join(state.skipped)} began with a card face down: show that it is a Hunter."
    return (prompt(because, "MH-42", "G-11"),)


def next_round(state: State) -> State:
    """All cards but the Monster go back to the general deck; a new Monster is used."""
    reshuffled = state.monsters_used >= MONSTERS
    extra = state.phase == "GAME_OVER"
    part = leaders(state) if extra and state.sw.extra_players == "tied" else state.part
    return replace(
        state,
        round=state.round + 1,
        phase="ROUND_SETUP",
        part=part,
        turn=None,
        last=None,
        turns=dict.fromkeys(state.players, 0),
        hand_n=dict.fromkeys(state.players, 0),
        played=dict.fromkeys(state.players, ()),
        skipped=(),
        hunters_played=0,
        villagers_played=0,
        friends=(),
        general_n=GENERAL_CARDS,
        monster_deck_n=MONSTERS if reshuffled else MONSTERS - state.monsters_used,
        monsters_used=0 if reshuffled else state.monsters_used,
        pending=None,
        round_result=None,
        round_points={},
        winner=None,
        winners=(),
    )


def leaders(state: State) -> tuple[Seat, ...]:
    """Who has most points."""
    most = max(state.vp.values())
    return tuple(s for s in state.players if state.vp[s] == most)


def after_round(state: State) -> Judged[State]:
    """The next round, or the end of the game."""
    if state.round < ROUNDS:
        return Judged(next_round(state))
    first = leaders(state)
    most = state.vp[first[0]]
    over = replace(state, phase="GAME_OVER", turn=None, winners=first)
    if len(first) == 1:
        because = f"{first[0]} wins with {most} points."
        return Judged(replace(over, winner=first[0]), (Ruling(Code.WIN, ("MH-54",), because, first[0]),))
    because = f"{' and '.join(first)} share the victory with {most} points; or play an extra round."
    return Judged(over, (Ruling(Code.DRAW, ("MH-55", "MH-54"), because, seats=first),))
