"""Questions that change nothing."""

from referee.errors import BadEvent
from referee.game import Plain
from referee.games.shisogari.cards import THRESHOLD, set_up
from referee.games.shisogari.questions import possible_deals
from referee.games.shisogari.state import State


def answer(state: State, plain: Plain) -> object:
    """`setup` (n), `threshold` (n), `pairs_needed` (n, kin), `can_act`."""
    args = plain.get("args")
    told: Plain = {**plain, **args} if isinstance(args, dict) else plain
    match told.get("name"):
        case "setup":
            return set_up(_players(state, told))
        case "threshold":
            return THRESHOLD[_players(state, told)]
        case "pairs_needed":
            return _pairs_needed(_players(state, told), told.get("kin", 0))
        case "can_act":
            return bool(possible_deals(state))
    raise BadEvent(
        f"no question called {told.get('name')!r}; questions: setup, threshold, pairs_needed, can_act"
    )


def _pairs_needed(players: int, kin: object) -> int:
    if not isinstance(kin, int) or not 0 <= kin < players:
        raise BadEvent(f"kin is {kin!r}, not a number of players")
    return THRESHOLD[players] - (players - 1 - kin)


def _players(state: State, told: Plain) -> int:
    players = told.get("n", len(state.players))
    if not isinstance(players, int) or players not in THRESHOLD:
        raise BadEvent(f"n is {players!r}; Shisogari takes 4 or 5 players")
    return players
