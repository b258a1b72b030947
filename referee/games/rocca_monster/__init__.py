"""Rocca Monster: a monster hides in one villager; by night it attacks, by day the village votes."""

from dataclasses import replace

from referee.codec import plain_event, read_event
from referee.game import Game, Plain
from referee.games.rocca_monster.answers import answer
from referee.games.rocca_monster.choices import choices
from referee.games.rocca_monster.events import (
    EVENTS,
    ClanConfirm,
    DieFound,
    EveningEnd,
    Event,
    MemberTurned,
    NightEnd,
)
from referee.games.rocca_monster.master import blind, script
from referee.games.rocca_monster.rules import is_turn_due, judge
from referee.games.rocca_monster.state import State, begin, dump, load
from referee.games.rocca_monster.views import view
from referee.types import TABLE, Audience


def _event(plain: Plain) -> Event:
    return read_event(EVENTS, plain)


def _heard(event: Event) -> Audience:
    """Who said no to the Vampire's claim is nobody else's business."""
    return Audience("seat", event.seat) if isinstance(event, ClanConfirm) else TABLE


def _undated(event: Event) -> bool:
    """Nothing may tell when or how the die came to its place in the dark."""
    return isinstance(event, DieFound | ClanConfirm)


def _kept(state: State, event: Event) -> Event | None:
    """Nothing of the dark but its end, and no back of a card that is no grave."""
    if state.asleep:
        return event if isinstance(event, NightEnd | EveningEnd) else None
    if isinstance(event, MemberTurned) and not is_turn_due(state, event):
        return replace(event, body=None)
    return event


GAME: Game[State, Event] = Game(
    name="rocca-monster",
    title="Rocca Monster",
    seats=(3, 6),
    begin=begin,
    load=load,
    dump=dump,
    event=_event,
    plain=plain_event,
    judge=judge,
    answer=answer,
    view=view,
    choices=choices,
    heard=_heard,
    blind=blind,
    script=script,
    kept=_kept,
    undated=_undated,
)
