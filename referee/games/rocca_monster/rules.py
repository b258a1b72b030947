"""The judge of Rocca Monster: night, morning, roll, day, execution, evening, prayer.

Every phase is one function that answers every event; what is not allowed returns the very same state.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from referee.games.rocca_monster import deaths, votes
from referee.games.rocca_monster.dice import MIRACLE, WORDS, rolls_again, saving_rolls, standing
from referee.games.rocca_monster.events import (
    ClanConfirm,
    DieFound,
    DieRolled,
    EveningBegin,
    EveningEnd,
    Event,
    MayorDeclined,
    MayorRedirect,
    MemberTurned,
    NightBegin,
    NightEnd,
    SetupSeen,
    VampireClaim,
    VoteClose,
    VoteLifted,
    VoteSet,
)
from referee.games.rocca_monster.master import EVENING_CALL, MORNING_CALL, NIGHT_CALL, PRAYER_END_CALL
from referee.games.rocca_monster.setup import judge_setup
from referee.games.rocca_monster.state import Body, State, deaths_that_count, holder_of
from referee.types import Judged, Ruling
from referee.verdicts import assume, correct, illegal, info, prompt, unchanged


def judge(state: State, event: Event) -> Judged[State]:
    """What `event` means at this table."""
    if isinstance(event, VampireClaim | ClanConfirm) and state.phase != "DAY" and not state.asleep:
        return unchanged(state, illegal("The clan is claimed in daytime.", "RM-58", "G-18"))
    return PHASES[state.phase](state, event)


def is_turn_due(state: State, event: MemberTurned) -> bool:
    """May the body of this villager be read now?"""
    if state.phase == "GAME_OVER":
        return True
    due = state.condemned if state.phase == "EXECUTION" else state.die_on
    return event.member == due and (state.phase == "EXECUTION" or state.rolled is not None)


# --- Night -------------------------------------------------------------------------------------------


def _night(state: State, event: Event) -> Judged[State]:
    match event:
        case NightBegin() if not state.asleep:
            return Judged(replace(state, asleep=True), (info(NIGHT_CALL, "RM-16", "RM-17"),))
        case NightEnd():
            return Judged(replace(state, phase="MORNING", asleep=False), (info(MORNING_CALL, "RM-20"),))
    return unchanged(state, illegal("It is night: nothing is read before the wake-up call.", "RM-17"))


def _nightfall(state: State) -> State:
    """The next night is due; what belonged to the day is put away."""
    return replace(
        state,
        phase="NIGHT",
        asleep=False,
        day=state.day + 1,
        die_on=None,
        rolled=None,
        night_repeats=0,
        votes={},
        voters={},
        condemned=None,
        mayor_declined=False,
        claim=None,
    )


# --- Morning -----------------------------------------------------------------------------------------


def _morning(state: State, event: Event) -> Judged[State]:
    match event:
        case DieFound(where) if where in state.members and state.members[where].alive:
            return _attacked(state, where)
        case DieFound(where) if _is_place(state, where):
            return _nobody_attacked(state)
        case DieFound(where):
            return unchanged(state, illegal(f"There is no villager called {where}.", "RM-21"))
        case MayorRedirect() | MayorDeclined():
            because = "Nobody moves the die before it is seen where the night left it."
            return unchanged(state, illegal(because, "RM-39"))
    return unchanged(state, illegal("First it is seen where the die lies.", "RM-21"))


def _is_place(state: State, where: str) -> bool:
    return where in ("centre", "ambiguous") or where.removeprefix("grave:") in state.members


def _attacked(state: State, victim: str) -> Judged[State]:
    owner = state.members[victim].owner
    state = replace(state, phase="ROLL", die_on=victim, rolled=None, mayor_declined=False)
    said = [info(f"The die lies on {victim}: {owner} rolls for it.", "RM-21", seat=owner)]
    if mayor_may_act(state):
        because = f"{owner}'s Mayor may move the die to another family once, before the roll."
        said.append(prompt(because, "RM-39", "G-10", seat=owner))
    return Judged(state, tuple(said))


def _nobody_attacked(state: State) -> Judged[State]:
    """The same words whatever the reason, so that they hint at nobody."""
    if state.sw.no_attack == "repeat_once" and state.night_repeats == 0:
        again = replace(state, phase="NIGHT", asleep=False, night_repeats=1)
        because = "The die lies on no living villager: put it in the middle, the night is repeated once."
        return Judged(again, (correct(because, "RM-21", "RM-18", "G-09"),))
    because = "The die lies on no living villager: a day without a victim."
    return Judged(replace(state, phase="DAY"), (info(because, "RM-21", "RM-18", "G-09"),))


# --- The roll of the attacked ------------------------------------------------------------------------


def mayor_may_act(state: State) -> bool:
    """The attacked family has a living Mayor whose power is not used."""
    return _why_no_mayor(state) is None


def _why_no_mayor(state: State) -> Ruling | None:
    mayor = holder_of(state, "mayor")
    if mayor is None or state.die_on is None:
        return illegal("There is no Mayor in this game.", "RM-39")
    if state.mayor_used:
        return illegal("The Mayor has used his power: it works once a game.", "RM-39")
    if state.mayor_lost or not state.members[mayor].alive:
        return illegal("The Mayor died before he used his power: it is gone.", "RM-39", "RM-40")
    if state.members[mayor].owner != state.members[state.die_on].owner:
        return illegal(f"{state.die_on} is not of the Mayor's family: only he may move the die.", "RM-39")
    if state.rolled is not None or state.mayor_declined:
        return illegal("The Mayor moves the die before the roll, or not at all.", "RM-39", "G-10")
    return None


def _roll(state: State, event: Event) -> Judged[State]:
    match event:
        case MayorRedirect(to):
            return _redirect(state, to)
        case MayorDeclined():
            no = _why_no_mayor(state)
            if no is not None:
                return unchanged(state, no)
            declined = replace(state, mayor_declined=True)
            return Judged(declined, (info("The Mayor leaves the die where it is.", "RM-39"),))
        case DieRolled() if state.rolled is None:
            return _attack_rolled(state, event)
        case MemberTurned() if state.rolled is not None:
            return _buried(state, event)
        case MemberTurned():
            return unchanged(state, correct("Nothing is turned before the roll.", "RM-21", "RM-25"))
        case DieFound() if state.rolled is None:
            because = f"Only the Mayor's player may move the die: put it back on {state.die_on}."
            return unchanged(state, illegal(because, "RM-39"))
    if state.rolled is not None:
        because = f"{state.die_on} is dead: turn its face and its body over first."
        return unchanged(state, correct(because, "RM-24"))
    return unchanged(state, illegal(f"First the owner of {state.die_on} rolls.", "RM-21"))


def _redirect(state: State, to: str) -> Judged[State]:
    no = _why_no_mayor(state) or _why_not_there(state, to)
    if no is not None:
        return unchanged(state, no)
    owner = state.members[to].owner
    because = f"The Mayor moves the die from {state.die_on} to {to}: {owner} rolls for it."
    moved = replace(state, die_on=to, mayor_used=True)
    return Judged(moved, (info(because, "RM-39", "G-10", seat=owner),))


def _why_not_there(state: State, to: str) -> Ruling | None:
    target = state.members.get(to)
    if target is None or not target.alive:
        what = "a grave" if target is not None else "no villager"
        return illegal(f"{to} is {what}: the die goes to a living villager.", "RM-39", "G-10")
    own = target.owner == state.members[state.die_on or ""].owner
    if to == state.die_on or (own and state.sw.mayor_target == "other_family"):
        return illegal(f"{to} is of the Mayor's own family: the die goes to another.", "RM-39", "G-10")
    return None


def _attack_rolled(state: State, event: DieRolled) -> Judged[State]:
    victim = state.die_on or ""
    owner = state.members[victim].owner
    value = _rolled(event, owner)
    if isinstance(value, Ruling):
        return unchanged(state, value)
    if rolls_again(state, value):
        because = f"{WORDS[value]}: {owner} rolls again for {victim}."
        return unchanged(state, prompt(because, "RM-23", "G-01", seat=owner))
    protected = () if standing(state, victim) == "villager" else ("RM-41", "G-02")
    if value in saving_rolls(state, victim):
        safe = info(f"{WORDS[value]}: {victim} survives.", "RM-23", "RM-25", *protected, seat=owner)
        return Judged(replace(state, phase="DAY", die_on=None), (*_assumed(state, value), safe))
    count = f"{deaths_that_count(state) + 1} of {state.threshold}"
    because = f"{WORDS[value]}: {victim} dies, {count}; {owner} turns its face and its body over."
    return Judged(replace(state, rolled=value), (prompt(because, "RM-22", "RM-24", *protected, seat=owner),))


def _rolled(event: DieRolled, owner: str) -> int | Ruling:
    """The value, or why it does not count."""
    if event.by is not None and event.by != owner:
        return illegal(f"{owner} rolls, not {event.by}.", "RM-21", "G-19", seat=event.by)
    if event.value is None:
        because = f"The die leans or fell off the table: {owner} rolls again."
        return prompt(because, "G-19", "RM-21", seat=owner)
    return event.value


def _assumed(state: State, value: int) -> tuple[Ruling, ...]:
    if value < 5 or state.sw.attack_table not in ("3to6", "mild"):
        return ()
    because = "The rules do not name 5 and 6 for an attack; here they save (house rule attack_table)."
    return (assume(because, "G-01"),)


def _buried(state: State, event: MemberTurned) -> Judged[State]:
    body = _turned(event, state.die_on or "", "RM-24")
    if isinstance(body, Ruling):
        return unchanged(state, body)
    judged = deaths.bury(state, event.member, body, executed=False)
    if judged.state.phase == "GAME_OVER":
        return judged
    return Judged(replace(judged.state, phase="DAY"), judged.rulings)


def _turned(event: MemberTurned, due: str, clause: str) -> Body | Ruling:
    """What the body of the dead shows, or what is wrong with the turning."""
    if event.member != due or event.up:
        return correct(f"Turn nothing but face and body of {due}, picture side up.", clause)
    if event.body is None:
        return prompt(f"The body of {due} could not be read: say what it shows.", clause)
    return event.body


# --- Day and execution -------------------------------------------------------------------------------


def _day(state: State, event: Event) -> Judged[State]:
    match event:
        case VoteSet():
            return votes.lay(state, event)
        case VoteLifted():
            return votes.lift(state, event)
        case VoteClose():
            return votes.close(state, event)
        case VampireClaim():
            return votes.claim(state, event)
        case ClanConfirm():
            return votes.confirm(state, event)
        case MemberTurned():
            because = f"Turn {event.member} back: nobody dies by day before the vote is closed."
            return unchanged(state, correct(because, "RM-25", "RM-32"))
    return unchanged(state, illegal("It is day: talk and vote.", "RM-26"))


def _execution(state: State, event: Event) -> Judged[State]:
    due = state.condemned or ""
    if not isinstance(event, MemberTurned):
        return unchanged(state, illegal(f"First {due} is executed: turn the body over.", "RM-32"))
    body = _turned(event, due, "RM-32")
    if isinstance(body, Ruling):
        return unchanged(state, body)
    judged = deaths.bury(state, due, body, executed=True)
    if judged.state.phase == "GAME_OVER":
        return judged
    if judged.state.healer_awake:
        evening = replace(judged.state, phase="EVENING", condemned=None, votes={}, voters={})
        return Judged(evening, judged.rulings)
    return Judged(_nightfall(judged.state), judged.rulings)


# --- Evening and prayer ------------------------------------------------------------------------------


def _evening(state: State, event: Event) -> Judged[State]:
    match event:
        case EveningBegin() if not state.asleep:
            return Judged(replace(state, asleep=True), (info(EVENING_CALL, "RM-46"),))
        case EveningEnd():
            awake = replace(state, phase="PRAYER_ROLL", asleep=False, die_on=None, rolled=None)
            return Judged(awake, (info(PRAYER_END_CALL, "RM-48"),))
    return unchanged(state, illegal("It is the hour of prayer: nothing is read before its end.", "RM-46"))


def _prayer(state: State, event: Event) -> Judged[State]:
    match event:
        case DieFound(where) if state.die_on is None:
            return _prayed_for(state, where)
        case DieRolled() if state.die_on is not None and state.rolled is None:
            return _prayer_rolled(state, event)
        case MemberTurned() if state.rolled is not None:
            return _revived(state, event)
    if state.rolled is not None:
        because = f"{state.die_on} lives again: turn its face and its body back first."
        return unchanged(state, correct(because, "RM-48"))
    if isinstance(event, MemberTurned):
        return unchanged(state, correct("Nothing is turned back before the roll.", "RM-48"))
    return unchanged(state, illegal("First the die tells who is prayed for.", "RM-47", "RM-48"))


def _prayed_for(state: State, where: str) -> Judged[State]:
    name = where.removeprefix("grave:")
    if not _is_place(state, where):
        return unchanged(state, illegal(f"There is no villager called {where}.", "RM-47"))
    if name not in state.members or state.members[name].alive:
        because = "The die lies on no grave: nobody is revived."
        return Judged(_nightfall(state), (info(because, "RM-47", "G-15"),))
    owner = state.members[name].owner
    because = f"The die lies on the grave of {name}: {owner} rolls for it."
    return Judged(replace(state, die_on=name), (info(because, "RM-47", "RM-48", seat=owner),))


def _prayer_rolled(state: State, event: DieRolled) -> Judged[State]:
    name = state.die_on or ""
    owner = state.members[name].owner
    value = _rolled(event, owner)
    if isinstance(value, Ruling):
        return unchanged(state, value)
    if value not in MIRACLE:
        because = f"{WORDS[value]}: no miracle, {name} stays dead."
        return Judged(_nightfall(state), (info(because, "RM-48", seat=owner),))
    because = f"{WORDS[value]}: a miracle; turn face and body of {name} back."
    return Judged(replace(state, rolled=value), (prompt(because, "RM-48", seat=owner),))


def _revived(state: State, event: MemberTurned) -> Judged[State]:
    if event.member != state.die_on or not event.up:
        because = f"Turn back nothing but face and body of {state.die_on}."
        return unchanged(state, correct(because, "RM-48"))
    judged = deaths.revive(state, event.member)
    return Judged(_nightfall(judged.state), judged.rulings)


# --- The end -----------------------------------------------------------------------------------------


def _game_over(state: State, event: Event) -> Judged[State]:
    if isinstance(event, MemberTurned) and event.member in state.members and event.body is not None:
        return deaths.turn_up_after_the_game(state, event.member, event.body)
    return unchanged(state, illegal("The game is over.", "RM-35" if state.winner == "villagers" else "RM-34"))


PHASES: Mapping[str, Callable[[State, Event], Judged[State]]] = {
    "SETUP": lambda state, event: (
        judge_setup(state, event)
        if isinstance(event, SetupSeen)
        else unchanged(state, illegal("First the table is set up.", "RM-05"))
    ),
    "NIGHT": _night,
    "MORNING": _morning,
    "ROLL": _roll,
    "DAY": _day,
    "EXECUTION": _execution,
    "EVENING": _evening,
    "PRAYER_ROLL": _prayer,
    "GAME_OVER": _game_over,
}
