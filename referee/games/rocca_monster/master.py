"""The referee as Game Master: what it says, and when. The count is always of the same length."""

from referee.games.rocca_monster.state import State
from referee.types import Cue

NIGHT_CALL = "Night. Everybody sleeps: eyes shut, heads down, ears covered."
MORNING_CALL = "Morning. Everybody wakes up."
EVENING_CALL = "Time to pray. Shut your eyes, lower your heads and say a prayer."
PRAYER_END_CALL = "The prayer is over. Open your eyes."
COUNT = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def script(state: State) -> tuple[Cue, ...]:
    """What to say from now on, and the event that ends the count; the same on every night."""
    if not state.asleep:
        return ()
    ends = "night_end" if state.phase == "NIGHT" else "evening_end"
    return (*_count(state), Cue(state.sw.count_seconds * 1000, event=ends))


def _count(state: State) -> tuple[Cue, ...]:
    """Aloud, unless a player is the Game Master and counts with the others."""
    if state.gm != "referee":
        return ()
    step_ms = state.sw.count_seconds * 1000 // len(COUNT)
    return tuple(Cue(i * step_ms, f"{word}.") for i, word in enumerate(COUNT))


def blind(state: State) -> bool:
    """Eyes are shut: nothing may be captured, read or written down."""
    return state.asleep


def headline(state: State) -> str:
    """The phase in the Game Master's words."""
    if state.phase in ("NIGHT", "EVENING"):
        return _dark(state)
    spoken = {
        "SETUP": "Set up the village",
        "MORNING": "Morning: where does the die lie?",
        "DAY": f"Day {state.day}: find the Monster",
        "EXECUTION": f"{state.condemned} is executed",
        "ROLL": _rolling(state),
        "PRAYER_ROLL": "The prayer: whose grave is it?" if state.die_on is None else _rolling(state),
        "GAME_OVER": _won(state),
    }
    return spoken[state.phase]


def _dark(state: State) -> str:
    if state.phase == "NIGHT":
        return "Night" if state.asleep else "Night falls"
    return "Prayer" if state.asleep else "Evening comes"


def _rolling(state: State) -> str:
    owner = state.members[state.die_on].owner if state.die_on is not None else ""
    if state.rolled is None:
        return f"{owner} rolls for {state.die_on}"
    return f"{state.die_on} {'dies' if state.phase == 'ROLL' else 'lives again'}"


def _won(state: State) -> str:
    if state.winner == "vampire":
        return "The Vampire and its clan win"
    return "The villagers win" if state.winner == "villagers" else "The Monster wins"
