"""Shisogari, Vampire and Hunters: the bench."""

from referee.game import Game
from referee.games.shisogari.answers import answer
from referee.games.shisogari.events import Event, read, tell
from referee.games.shisogari.rules import judge
from referee.games.shisogari.state import State, begin, dump, load
from referee.games.shisogari.views import choices, view

GAME: Game[State, Event] = Game(
    name="shisogari",
    title="Shisogari",
    seats=(4, 5),
    begin=begin,
    load=load,
    dump=dump,
    event=read,
    plain=tell,
    judge=judge,
    answer=answer,
    view=view,
    choices=choices,
)
