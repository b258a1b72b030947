"""RO-64: whose time counts."""

from referee.games.rocca.state import Phase, State
from referee.types import Ticking

RUNS = (Phase.ANTE, Phase.DROP, Phase.AIM)
"""Not while everybody answers a question, counts bowls or listens to an announcement."""


def clock(state: State) -> Ticking | None:
    """The clock of the player whose turn it is, while it is up to that player to go on."""
    if state.clock_ms is None or state.phase not in RUNS or state.turn not in state.active:
        return None
    return Ticking(state.turn, state.clock_ms, "clock_expired")
