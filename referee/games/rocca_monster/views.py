"""What each audience of Rocca Monster sees. All of the state is public but the answers to a claim."""

from referee.games.rocca_monster.choices import choices
from referee.games.rocca_monster.master import headline
from referee.games.rocca_monster.state import Member, State, deaths_that_count
from referee.games.rocca_monster.votes import still_to_answer, tally, voters
from referee.types import MASTER, Audience, Choice, Seat, View

GAME_MASTERS = ("night_begin", "evening_begin", "vote_close")
"""What the Game Master presses, and the table's page."""


def view(state: State, audience: Audience) -> View:
    """Built up for `audience` from nothing; the dark offers nothing, for the clock alone ends it."""
    if state.asleep:
        return View(audience, headline(state), prompt="Keep your eyes shut.")
    return View(
        audience,
        headline(state),
        scores=_scores(state),
        lines=tuple(_family_line(state, seat) for seat in state.players if state.members) + _lines(state),
        prompt=_prompt(state, audience),
        choices=tuple(c for c in choices(state) if _may_press(state, audience, c)),
    )


def _may_press(state: State, audience: Audience, choice: Choice) -> bool:
    """The table's page offers what the camera would see; a claim and its answers are a seat's own."""
    if choice.event in ("vampire_claim", "clan_confirm"):
        return audience.kind == "seat" and choice.fields.get("seat") == audience.seat
    if choice.event in GAME_MASTERS and audience.kind == "seat":
        return audience.seat == state.gm
    if choice.event in ("mayor_redirect", "mayor_declined") and audience.kind == "seat":
        return audience.seat == state.members[state.die_on or ""].owner
    return audience.kind != "seat" or choice.fields.get("seat", audience.seat) == audience.seat


def _scores(state: State) -> tuple[tuple[str, str], ...]:
    dead = f"{deaths_that_count(state)} of {state.threshold}"
    if state.third is None or state.healer_dead:
        return (("dead", dead),)
    return (("dead", dead), ("Healer", "awake" if state.healer_awake else f"wakes at {state.third}"))


def _family_line(state: State, seat: Seat) -> str:
    family = [f"{n} {_member(m)}" for n, m in state.members.items() if m.owner == seat]
    return f"{seat}: {', '.join(family)}"


def _member(member: Member) -> str:
    face = "" if member.face in ("plain", "custom") else f"{member.face.capitalize()}, "
    if not member.alive:
        return f"({face}grave of a {(member.revealed or 'villager').capitalize()})"
    if member.revealed is not None:
        return f"({face}{member.revealed.capitalize()})"
    return f"({face}alive)"


def _lines(state: State) -> tuple[str, ...]:
    lines = [f"The die lies on {state.die_on}."] if state.die_on is not None else []
    if state.phase in ("DAY", "EXECUTION") and state.votes:
        lines.append(f"Votes: {tally(state.votes)}.")
    if state.opts.mayor:
        spent = "used" if state.mayor_used else "gone" if state.mayor_lost else "ready"
        lines.append(f"The Mayor's power is {spent}.")
    if state.opts.police:
        lines.append(f"The Police {'protects his family' if state.police_alive else 'is dead'}.")
    return tuple(lines)


def _prompt(state: State, audience: Audience) -> str:
    if audience.seat is not None and audience.seat in still_to_answer(state):
        return "Are you of the Vampire's clan? Nobody sees your answer."
    if state.claim is not None:
        waiting = ", ".join(still_to_answer(state))
        return f"{state.claim.by} claims the village for the Vampire; {waiting} answer on their own screens."
    if audience == MASTER and state.phase == "NIGHT":
        return "Send everybody to sleep; the count ends by itself."
    if state.phase == "DAY":
        missing = len(voters(state)) - sum(state.votes.values())
        return f"{missing} of {len(voters(state))} voting cards are still to be laid." if missing > 0 else ""
    return _PROMPTS.get(state.phase, "")


_PROMPTS = {
    "SETUP": "Three villagers each, a voting card each, the die in the middle.",
    "NIGHT": "Is everybody ready to sleep?",
    "EVENING": "Is everybody ready to pray?",
    "EXECUTION": "The owner turns the body over.",
    "GAME_OVER": "You may turn all bodies over now.",
}
