"""Deaths and revivals: what is counted, and who wins, in the order of the rules."""

from dataclasses import replace

from referee.games.rocca_monster.state import (
    Body,
    Member,
    State,
    Winner,
    dead,
    deaths_that_count,
    living,
    with_member,
)
from referee.types import Code, Judged, Ruling
from referee.verdicts import info


def bury(state: State, member: str, body: Body, *, executed: bool) -> Judged[State]:
    """Turn a villager into a grave and ask, in order, what that means."""
    before = state.members[member]
    state = with_member(state, member, replace(before, alive=False, revealed=body))
    state = replace(state, graves=state.graves + 1, deaths=state.deaths + 1, die_on=None, rolled=None)
    over = _over(state, member, body, executed)
    if over is not None:
        return over
    said = [_grave_said(state, member, executed)]
    state, woken = _healer(state, body)
    state, lost = _powers_lost(state, before)
    return Judged(state, (*said, *woken, *lost))


def _over(state: State, member: str, body: Body, executed: bool) -> Judged[State] | None:
    questions = (_found, _half_dead) if state.sw.monster_check_first else (_half_dead, _found)
    for question in questions:
        over = question(state, member, body, executed)
        if over is not None:
            return over
    return None


def _found(state: State, member: str, body: Body, executed: bool) -> Judged[State] | None:
    if body not in ("monster", "vampire"):
        return None
    if not executed and state.sw.self_kill == "continues":
        return None
    clauses = ("RM-32", "RM-35", "G-17") if executed else ("RM-35", "RM-36", "G-05")
    because = f"{member} was the {body.capitalize()}: the villagers win."
    return win(state, "villagers", because, *clauses, "G-06")


def _half_dead(state: State, member: str, _body: Body, _executed: bool) -> Judged[State] | None:
    count = deaths_that_count(state)
    if count < state.threshold:
        return None
    said = f"{member} is number {count} of {state.threshold} dead"
    if state.opts.vampire:
        because = f"{said}: the Vampire and its clan win, or the Monster; the turned card tells which."
        return win(state, "vampire", because, "RM-57", "RM-34")
    return win(state, "monster", f"{said}: the Monster wins.", "RM-34")


def win(state: State, winner: Winner, because: str, *clauses: str) -> Judged[State]:
    """The end of the game."""
    over = replace(
        state, phase="GAME_OVER", winner=winner, die_on=None, rolled=None, claim=None, condemned=None
    )
    return Judged(over, (Ruling(Code.WIN, clauses, because),))


def _grave_said(state: State, member: str, executed: bool) -> Ruling:
    how = "was innocent" if executed else "is dead"
    because = f"{member} {how}: {deaths_that_count(state)} of {state.threshold}."
    return info(because, *(("RM-33", "RM-34") if executed else ("RM-24", "RM-34")))


def _healer(state: State, body: Body) -> tuple[State, tuple[Ruling, ...]]:
    if body == "healer" and state.opts.healer:
        gone = replace(state, healer_dead=True, healer_awake=False)
        return gone, (info("The Healer is dead: there is no Evening any more.", "RM-50"),)
    if not state.opts.healer or state.healer_dead or state.healer_awake:
        return state, ()
    if deaths_that_count(state) < (state.third or 0):
        return state, ()
    because = (
        f"{deaths_that_count(state)} are dead, one third: the Healer wakes, an Evening follows each day."
    )
    return replace(state, healer_awake=True), (info(because, "RM-45", "RM-46"),)


def _powers_lost(state: State, villager: Member) -> tuple[State, tuple[Ruling, ...]]:
    if villager.face == "mayor" and not state.mayor_used and not state.mayor_lost:
        lost = info("The Mayor is dead and his power with him.", "RM-40")
        return replace(state, mayor_lost=True), (lost,)
    if villager.face == "police" and state.police_alive:
        lost = info("The Police is dead: his family rolls like everybody.", "RM-42")
        return replace(state, police_alive=False), (lost,)
    return state, ()


def revive(state: State, member: str) -> Judged[State]:
    """Turn a grave back into a villager."""
    villager = replace(state.members[member], alive=True, revealed=None)
    state = replace(with_member(state, member, villager), graves=state.graves - 1)
    state, back = _powers_back(state, villager)
    because = f"{member} lives again: {state.graves} graves."
    return Judged(state, (info(because, "RM-48", "RM-49"), *back))


def _powers_back(state: State, villager: Member) -> tuple[State, tuple[Ruling, ...]]:
    if villager.face == "mayor" and state.sw.mayor_revive and state.mayor_lost:
        return replace(state, mayor_lost=False), (info("The Mayor has his power again.", "RM-39", "G-11"),)
    if villager.face == "police" and state.sw.police_revive and not state.police_alive:
        return replace(state, police_alive=True), (info("The Police protects again.", "RM-42", "G-11"),)
    return state, ()


def turn_up_after_the_game(state: State, member: str, body: Body) -> Judged[State]:
    """The bodies may be turned when all is over; two Monsters, or none, are a breach found late."""
    state = with_member(state, member, replace(state.members[member], revealed=body))
    shown = [m.revealed for m in state.members.values()]
    hunted = sum(1 for b in shown if b in ("monster", "vampire"))
    if state.winner in ("monster", "vampire") and body in ("monster", "vampire"):
        state = replace(state, winner=body)
    said = info(
        f"{member} was {'a villager' if body == 'villager' else 'the ' + body.capitalize()}.", "RM-07"
    )
    if hunted > 1 or (hunted == 0 and None not in shown):
        breach = f"{hunted} of {len(living(state) + dead(state))} bodies were the Monster, not exactly one."
        return Judged(state, (said, Ruling(Code.AUDIT, ("RM-07",), breach)))
    return Judged(state, (said,))
