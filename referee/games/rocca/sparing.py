"""Kinds of foul that the table ignores are not asked about: what is in doubt of them was as it should be."""

from collections.abc import Collection
from dataclasses import replace

from referee.games.rocca.events import Event, ShotResult
from referee.games.rocca.shot import OF_THE_HAND, decided, in_doubt
from referee.games.rocca.state import State

ABOUT = {
    "RO-46": ("hand_pieces",),
    "RO-47": ("motion",),
    "RO-48": ("meant", "start_inside", "through"),
    "RO-49": ("hit_last",),
    "RO-50": ("gate_contact", "jump"),
    "RO-52": ("touched_moving",),
}
"""Kind of foul -> the questions about it."""
AS_IT_SHOULD = ("through", "hit_last")
"""Questions to which yes is the answer without a foul."""


def spared(state: State, event: Event, kinds: Collection[str]) -> Event:
    """The event without doubts about these kinds of foul; what is sure stays."""
    if not isinstance(event, ShotResult) or (event.unseen and event.piece is None):
        return event  # of a shot of which nobody knows the shooter there is nothing to leave out
    ignored = {question for kind in kinds for question in ABOUT.get(kind, ())}
    shot = event
    for question in in_doubt(state, event):
        if question in ignored:
            shot = decided(shot, question, question in AS_IT_SHOULD)
    unseen = event.unseen if shot.unseen or _asks_about_the_hand(state, shot) else ()
    return replace(shot, unseen=unseen)


def _asks_about_the_hand(state: State, shot: ShotResult) -> bool:
    return any(question in OF_THE_HAND for question in in_doubt(state, shot))
