"""What a game is to the house: one value of functions, all pure."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from referee.types import TABLE, Audience, Choice, Cue, Judged, Seat, Ticking, View

Plain = Mapping[str, object]
"""JSON, as it comes."""

S = TypeVar("S")
E = TypeVar("E")


def _everybody(_event: object) -> Audience:
    return TABLE


def _nothing(_state: object) -> tuple[()]:
    return ()


def _whole(_state: object, event: E) -> E:
    return event


def _as_told(_state: object, event: E, _kinds: object) -> E:
    return event


def _never(_asked: object) -> bool:
    return False


def _no_event(_query: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Game(Generic[S, E]):
    name: str
    title: str
    seats: tuple[int, int]
    """Fewest and most players."""
    begin: Callable[[tuple[Seat, ...], Plain], S]
    """A fresh game from the seats (clockwise) and the house rules that differ from their defaults."""
    load: Callable[[Plain], S]
    """A state from JSON; missing fields take the value of a fresh game."""
    dump: Callable[[S], dict[str, object]]
    event: Callable[[Plain], E]
    """An event from JSON `{"ev": name, ...}`; raises BadEvent."""
    plain: Callable[[E], dict[str, object]]
    """The same event as JSON again."""
    judge: Callable[[S, E], Judged[S]]
    answer: Callable[[S, Plain], object]
    """A pure question (`query` of the rules digest): nothing changes."""
    view: Callable[[S, Audience], View]
    choices: Callable[[S], tuple[Choice, ...]]
    """What may be declared now, by anybody; ordered as people would look for it."""
    follow: Callable[[S], tuple[E, ...]] = _nothing
    """What the referee does next by itself (a turn begins); it is undone with what led to it."""
    overturn: Callable[[E, Plain], E] | None = None
    """The event as it must have been for the players' ruling `{"code", "clauses"}`; raises BadEvent."""
    heard: Callable[[E], Audience] = _everybody
    """Who may read this event in the journal."""
    script: Callable[[S], tuple[Cue, ...]] = _nothing
    """What the referee says and does by the clock from now on, until the state changes."""
    clock: Callable[[S], Ticking | None] = _no_event
    """Whose time counts in this state, where the game is played with a clock."""
    blind: Callable[[S], bool] = _never
    """Eyes are shut at the table: no picture may be taken."""
    kept: Callable[[S, E], E | None] = _whole
    """The event as it may be written down and judged: without what nobody may know; None: not at all."""
    undated: Callable[[E], bool] = _never
    """When this event happened, and on which pictures, is not written down."""
    entered: Callable[[Plain], E | None] = _no_event
    """The event that a question enters besides being answered (a round scored by hand)."""
    fouls: tuple[str, ...] = ()
    """Clauses that are kinds of foul: for each the players may say how far the referee goes by itself."""
    spared: Callable[[S, E, Collection[str]], E] = _as_told
    """The event without doubts about these kinds of foul, which nobody shall be asked about."""
