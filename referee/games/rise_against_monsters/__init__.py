"""Rise against Monsters: the bench."""

from referee.game import Game
from referee.games.rise_against_monsters.answers import answer
from referee.games.rise_against_monsters.choices import choices
from referee.games.rise_against_monsters.events import Event, read, tell
from referee.games.rise_against_monsters.loading import begin, dump, load
from referee.games.rise_against_monsters.rules import follow, judge
from referee.games.rise_against_monsters.state import State
from referee.games.rise_against_monsters.views import view

GAME: Game[State, Event] = Game(
    name="rise-against-monsters",
    title="Rise against Monsters",
    seats=(2, 7),
    begin=begin,
    load=load,
    dump=dump,
    event=read,
    plain=tell,
    judge=judge,
    answer=answer,
    view=view,
    choices=choices,
    follow=follow,
)
