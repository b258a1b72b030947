"""Rocca: flicking stones through gates."""

from referee.codec import plain_event, read_event, to_plain
from referee.game import Game, Plain
from referee.games.rocca.clock import clock
from referee.games.rocca.events import EVENTS, Event
from referee.games.rocca.overturn import overturn
from referee.games.rocca.questions import answer
from referee.games.rocca.rules import follow, judge
from referee.games.rocca.sparing import spared
from referee.games.rocca.state import MOST_PLAYERS, State, begin, load
from referee.games.rocca.views import choices, view


def _read(plain: Plain) -> Event:
    return read_event(EVENTS, plain)


GAME: Game[State, Event] = Game(
    name="rocca",
    title="Rocca",
    seats=(1, MOST_PLAYERS),
    begin=begin,
    load=load,
    dump=to_plain,
    event=_read,
    plain=plain_event,
    judge=judge,
    answer=answer,
    view=view,
    choices=choices,
    follow=follow,
    clock=clock,
    overturn=overturn,
    fouls=("RO-46", "RO-47", "RO-48", "RO-49", "RO-50", "RO-51", "RO-52", "RO-53"),
    spared=spared,
)
