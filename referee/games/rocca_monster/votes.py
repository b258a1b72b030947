"""Daytime: the voting cards, their count, and the Vampire's claim."""

from collections.abc import Mapping
from dataclasses import replace

from referee.games.rocca_monster.deaths import win
from referee.games.rocca_monster.events import ClanConfirm, VampireClaim, VoteClose, VoteLifted, VoteSet
from referee.games.rocca_monster.state import Claim, State, living_families
from referee.types import Audience, Judged, Seat
from referee.verdicts import correct, illegal, info, prompt, unchanged


def voters(state: State) -> tuple[Seat, ...]:
    """Seats whose voting card counts."""
    return state.players if state.sw.dead_family_votes else living_families(state)


def tally(votes: Mapping[str, int]) -> str:
    return ", ".join(f"{m} {n}" for m, n in sorted(votes.items(), key=lambda v: (-v[1], v[0])))


def leaders(votes: Mapping[str, int]) -> tuple[str, ...]:
    most = max(votes.values(), default=0)
    return tuple(sorted(m for m, n in votes.items() if n == most and n > 0))


# --- Cards laid and lifted ---------------------------------------------------------------------------


def lay(state: State, event: VoteSet) -> Judged[State]:
    """A voting card came to rest on a villager."""
    villager = state.members.get(event.member)
    if villager is None or not villager.alive:
        what = "a grave" if villager is not None else "no villager"
        because = f"{event.member} is {what}: votes lie on living villagers."
        return unchanged(state, correct(because, "RM-27", seat=event.seat))
    if event.seat is not None and event.seat not in voters(state):
        because = f"{event.seat} has no living villager and does not vote here."
        return unchanged(state, correct(because, "RM-27", "G-08", seat=event.seat))
    lifted = _without(state, event.seat, state.voters.get(event.seat or ""))
    if sum(lifted.votes.values()) >= len(voters(state)):
        because = f"There are only {len(voters(state))} voting cards."
        return unchanged(state, correct(because, "RM-13", "RM-27", seat=event.seat))
    return _told(_with(lifted, event.seat, event.member), event.seat)


def lift(state: State, event: VoteLifted) -> Judged[State]:
    """A voting card was taken away again."""
    theirs = event.seat is None or state.voters.get(event.seat, event.member) == event.member
    if not state.votes.get(event.member) or not theirs:
        because = f"No such voting card lies on {event.member}."
        return unchanged(state, illegal(because, "RM-29", seat=event.seat))
    return _told(_without(state, event.seat, event.member), event.seat)


def _with(state: State, seat: Seat | None, member: str) -> State:
    votes = {**state.votes, member: state.votes.get(member, 0) + 1}
    told = {**state.voters, seat: member} if seat is not None else state.voters
    return replace(state, votes=votes, voters=told)


def _without(state: State, seat: Seat | None, member: str | None) -> State:
    if member is None:
        return state
    votes = {**state.votes, member: state.votes.get(member, 0) - 1}
    told = {s: m for s, m in state.voters.items() if s != seat}
    return replace(state, votes={m: n for m, n in votes.items() if n > 0}, voters=told)


def _told(state: State, seat: Seat | None) -> Judged[State]:
    because = f"Votes: {tally(state.votes)}." if state.votes else "No votes lie on the table."
    return Judged(state, (info(because, "RM-27", "RM-29", seat=seat),))


# --- The result --------------------------------------------------------------------------------------


def close(state: State, _event: VoteClose) -> Judged[State]:
    """Who is executed, if the votes say it."""
    missing = len(voters(state)) - sum(state.votes.values())
    if missing > 0:
        cards = "1 voting card is" if missing == 1 else f"{missing} voting cards are"
        return unchanged(state, illegal(f"{cards} not on a living villager yet.", "RM-27"))
    first = leaders(state.votes)
    if len(first) > 1:
        because = f"Tie between {' and '.join(first)}: keep talking."
        return unchanged(state, illegal(because, "RM-31"))
    votes = state.votes[first[0]]
    if state.sw.vote_rule == "absolute" and 2 * votes <= len(voters(state)):
        because = f"{first[0]} has {votes} of {len(voters(state))} votes, not more than half: keep talking."
        return unchanged(state, illegal(because, "RM-30", "G-07"))
    because = f"{first[0]} has most votes ({votes}) and is executed; the owner turns the body over."
    owner = state.members[first[0]].owner
    condemned = replace(state, phase="EXECUTION", condemned=first[0], claim=None)
    return Judged(condemned, (info(because, "RM-30", "RM-32", seat=owner),))


# --- All living families are vampires ----------------------------------------------------------------


def claim(state: State, event: VampireClaim) -> Judged[State]:
    """The Vampire says that all living families are its own."""
    if not state.opts.vampire:
        return unchanged(
            state, illegal("There is no Vampire in this game.", "RM-58", "RM-53", seat=event.seat)
        )
    if event.seat not in living_families(state):
        because = f"{event.seat} has no living villager and cannot claim the village."
        return unchanged(state, illegal(because, "RM-58", seat=event.seat))
    if state.claim is not None:
        because = f"{state.claim.by} has claimed the village; that is answered first."
        return unchanged(state, illegal(because, "RM-58", seat=event.seat))
    claimed = replace(state, claim=Claim(event.seat))
    asked = still_to_answer(claimed)
    if not asked:
        return _confirmed(claimed)
    because = f"{event.seat} claims that all living families are vampires; {', '.join(asked)} answer."
    return Judged(claimed, (prompt(because, "RM-58", "G-18", seat=event.seat),))


def still_to_answer(state: State) -> tuple[Seat, ...]:
    if state.claim is None:
        return ()
    done = (state.claim.by, *state.claim.answered)
    return tuple(s for s in living_families(state) if s not in done)


def confirm(state: State, event: ClanConfirm) -> Judged[State]:
    """An answer to the claim. Nobody hears who said no."""
    if state.claim is None or event.seat not in still_to_answer(state):
        because = f"{event.seat} is not asked anything about the Vampire's clan now."
        return unchanged(state, illegal(because, "RM-58", seat=event.seat))
    heard = Claim(state.claim.by, (*state.claim.answered, event.seat), state.claim.all_yes and event.yes)
    state = replace(state, claim=heard)
    if still_to_answer(state):
        noted = info("Your answer is noted.", "RM-58", "G-18", seat=event.seat)
        return Judged(state, (replace(noted, audience=Audience("seat", event.seat)),))
    if heard.all_yes:
        return _confirmed(state)
    because = "The claim is not confirmed by all: the game goes on, without a penalty."
    return Judged(replace(state, claim=None), (info(because, "RM-58", "G-18"),))


def _confirmed(state: State) -> Judged[State]:
    because = "All living families are vampires: the Vampire and its clan win."
    return win(state, "vampire", because, "RM-58", "RM-56", "G-18")
