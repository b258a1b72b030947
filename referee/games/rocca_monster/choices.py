"""What may be declared now in Rocca Monster."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from referee.games.rocca_monster.rules import mayor_may_act
from referee.games.rocca_monster.state import State, dead, living, living_families, named
from referee.games.rocca_monster.votes import still_to_answer, voters
from referee.types import Ask, Choice

SEEN = ("setup_seen", "die_found", "die_rolled", "member_turned", "vote_set", "vote_lifted")
"""What the camera tells by itself."""
FACES_OF_A_DIE = ("1", "2", "3", "4", "5", "6")


def choices(state: State) -> tuple[Choice, ...]:
    """Ordered as people would look for it."""
    return tuple(replace(c, seen=c.event in SEEN) for c in _BY_PHASE[state.phase](state))


def _setup(state: State) -> tuple[Choice, ...]:
    members = {m: "plain" for seat in state.players for m in named(seat)}
    fields = {"members": members, "voting_cards": len(state.players), "die": "centre"}
    special = [face for face in ("mayor", "police") if getattr(state.opts, face)]
    asks = tuple(Ask(face, "choice", tuple(members)) for face in special)
    return (Choice("setup_seen", "Everything lies ready", fields, asks),)


def _night(state: State) -> tuple[Choice, ...]:
    if state.asleep:
        return (Choice("night_end", "The count is over: wake up"),)
    return (Choice("night_begin", "Everybody sleeps"),)


def _evening(state: State) -> tuple[Choice, ...]:
    if state.asleep:
        return (Choice("evening_end", "The prayer is over"),)
    return (Choice("evening_begin", "Everybody prays"),)


def _morning(state: State) -> tuple[Choice, ...]:
    return (
        Choice("die_found", "The die lies on a villager", asks=(Ask("where", "choice", living(state)),)),
        Choice("die_found", "The die lies in the middle", {"where": "centre"}),
        Choice("die_found", "It is not clear where the die lies", {"where": "ambiguous"}),
        *(
            Choice("die_found", f"The die lies on the grave of {m}", {"where": f"grave:{m}"})
            for m in dead(state)
        ),
    )


def _roll(state: State) -> tuple[Choice, ...]:
    if state.rolled is not None:
        return (_turn(state, state.die_on or "", "is dead: it is turned"),)
    return (*_rolled(state), *_mayor(state))


def _rolled(state: State) -> tuple[Choice, ...]:
    owner = state.members[state.die_on or ""].owner
    return (
        Choice("die_rolled", f"{owner} rolled", {"by": owner}, (Ask("value", "number", FACES_OF_A_DIE),)),
        Choice("die_rolled", "The die leans or fell off the table", {"by": owner, "value": None}),
    )


def _mayor(state: State) -> tuple[Choice, ...]:
    if not mayor_may_act(state):
        return ()
    own = state.members[state.die_on or ""].owner
    other = state.sw.mayor_target == "other_family"
    to = tuple(
        m for m in living(state) if m != state.die_on and not (other and state.members[m].owner == own)
    )
    moved = (
        (Choice("mayor_redirect", "The Mayor moves the die", asks=(Ask("to", "choice", to),)),) if to else ()
    )
    return (*moved, Choice("mayor_declined", "The Mayor leaves the die"))


def _turn(state: State, member: str, why: str) -> Choice:
    bodies = ["villager", "monster"]
    bodies += [b for b in ("vampire", "healer") if getattr(state.opts, b)]
    asks = (Ask("body", "choice", tuple(bodies)),)
    return Choice("member_turned", f"{member} {why}", {"member": member, "up": False}, asks)


def _day(state: State) -> tuple[Choice, ...]:
    on = Ask("member", "choice", living(state))
    lay = tuple(Choice("vote_set", f"{s} votes for", {"seat": s}, (on,)) for s in voters(state))
    lift = tuple(
        Choice("vote_lifted", f"{s} takes the vote back", {"seat": s, "member": m})
        for s, m in state.voters.items()
    )
    close = (Choice("vote_close", "Close the vote"),) if state.votes else ()
    return (*lay, *close, *lift, *_claims(state))


def _claims(state: State) -> tuple[Choice, ...]:
    if not state.opts.vampire:
        return ()
    if state.claim is None:
        label = "claims: all living families are vampires"
        return tuple(Choice("vampire_claim", f"{s} {label}", {"seat": s}) for s in living_families(state))
    answer = (Ask("yes", "choice", ("yes", "no")),)
    return tuple(
        Choice("clan_confirm", f"{s} answers the claim", {"seat": s}, answer) for s in still_to_answer(state)
    )


def _execution(state: State) -> tuple[Choice, ...]:
    return (_turn(state, state.condemned or "", "is turned over"),)


def _prayer(state: State) -> tuple[Choice, ...]:
    if state.rolled is not None:
        back = {"member": state.die_on, "up": True}
        return (Choice("member_turned", f"{state.die_on} is turned back", back),)
    if state.die_on is not None:
        return _rolled(state)
    graves = tuple(
        Choice("die_found", f"The die lies on the grave of {m}", {"where": f"grave:{m}"}) for m in dead(state)
    )
    return (*graves, Choice("die_found", "The die lies on no grave", {"where": "centre"}))


def _game_over(state: State) -> tuple[Choice, ...]:
    hidden = [m for m, member in state.members.items() if member.revealed is None]
    return tuple(_turn(state, m, "is turned for everybody to see") for m in hidden)


_BY_PHASE: Mapping[str, Callable[[State], tuple[Choice, ...]]] = {
    "SETUP": _setup,
    "NIGHT": _night,
    "MORNING": _morning,
    "ROLL": _roll,
    "DAY": _day,
    "EXECUTION": _execution,
    "EVENING": _evening,
    "PRAYER_ROLL": _prayer,
    "GAME_OVER": _game_over,
}
