"""Monster My Neighbour: one hand holds the Monster, and nobody can be sure whose for long."""

from dataclasses import replace

from referee.codec import plain_event, read_event
from referee.game import Game, Plain
from referee.games.monster_my_neighbour.answers import answer, score_round
from referee.games.monster_my_neighbour.choices import choices
from referee.games.monster_my_neighbour.events import EVENTS, DogDiscard, Event, FriendAnswer, HunterAnswer
from referee.games.monster_my_neighbour.rules import judge
from referee.games.monster_my_neighbour.state import State, begin, dump, load
from referee.games.monster_my_neighbour.views import view


def _event(plain: Plain) -> Event:
    return read_event(EVENTS, plain)


def _undated(event: Event) -> bool:
    """How long somebody thought about an answer is nobody's business."""
    return isinstance(event, HunterAnswer | DogDiscard | FriendAnswer)


def _kept(_state: State, event: Event) -> Event:
    """Only a Monster that is shown has a name; any other card of an answer is not kept."""
    if isinstance(event, HunterAnswer | DogDiscard) and not event.monster:
        return replace(event, card=None)
    return event


GAME: Game[State, Event] = Game(
    name="monster-my-neighbour",
    title="Monster My Neighbour",
    seats=(3, 8),
    begin=begin,
    load=load,
    dump=dump,
    event=_event,
    plain=plain_event,
    judge=judge,
    answer=answer,
    view=view,
    choices=choices,
    entered=score_round,
    undated=_undated,
    kept=_kept,
)
