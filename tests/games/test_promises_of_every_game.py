"""What every game on the list promises, whatever its rules."""

import contextlib
import json
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.errors import BadEvent
from referee.game import Game
from referee.games import GAMES, find_game
from referee.house import Redo, Undo
from referee.ledger import Scroll
from referee.match import Match, open_match, resume_match
from referee.rulebook import read_rulebook
from referee.types import MASTER, TABLE, Audience, Code
from tests.games.random_play import Plain, can_go_on, next_event, seats_of

SLOW = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
every_game = pytest.mark.parametrize("name", GAMES)


def _random_match(
    game: Game[Any, Any], data: st.DataObject, most: int = 25
) -> tuple[Match[Any, Any], list[Plain]]:
    match = open_match(game, data.draw(seats_of(game)), {}, Scroll())
    told: list[Plain] = []
    for _ in range(data.draw(st.integers(0, most))):
        if not can_go_on(game, match.state, told):
            break
        plain = data.draw(next_event(game, match.state, told))
        if _tell(match, plain):
            told.append(plain)
    return match, told


def _tell(match: Match[Any, Any], plain: Plain) -> bool:
    """Whether the event could be told at all; one that cannot is refused at the door and written nowhere."""
    before, written = match.sitting, match.ledger.length()
    try:
        match.tell(plain)
    except BadEvent:
        assert match.sitting is before
        assert match.ledger.length() == written
        return False
    return True


@every_game
@SLOW
@given(data=st.data())
def test_a_refused_event_leaves_the_very_same_state(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    match, told = _random_match(game, data)
    if can_go_on(game, match.state, told):
        before = match.state
        plain = data.draw(next_event(game, before, told))
        with contextlib.suppress(BadEvent):
            judged = game.judge(before, game.event(plain))
            if {ruling.code for ruling in judged.rulings} == {Code.ILLEGAL}:
                assert judged.state is before


@every_game
@SLOW
@given(data=st.data())
def test_folding_the_journal_gives_the_live_state(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    match, _ = _random_match(game, data)
    assert resume_match(game, match.ledger).state == match.state


@every_game
@SLOW
@given(data=st.data())
def test_undo_followed_by_redo_changes_nothing(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    match, _ = _random_match(game, data)
    before = match.sitting
    if match.feed(Undo())[0].code != Code.ILLEGAL:
        match.feed(Redo())
    assert match.sitting == before
    assert resume_match(game, match.ledger).sitting == before


@every_game
@SLOW
@given(data=st.data())
def test_states_and_events_survive_json(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    match, told = _random_match(game, data)
    assert game.load(json.loads(json.dumps(game.dump(match.state)))) == match.state
    for plain in told:
        event = game.event(plain)
        assert game.event(json.loads(json.dumps(game.plain(event)))) == event


@every_game
@SLOW
@given(data=st.data())
def test_every_audience_has_a_view_at_every_moment(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    match, _ = _random_match(game, data)
    for audience in (TABLE, MASTER, Audience("seat", "A")):
        view = game.view(match.state, audience)
        assert view.audience == audience
        assert view.headline


@every_game
def test_every_switch_of_the_rulebook_has_the_default_the_game_uses(name: str) -> None:
    game = find_game(name)
    seats = tuple("ABCDEFGH"[: game.seats[1]])
    begun = cast(dict[str, dict[str, object]], game.dump(game.begin(seats, {})))
    used = {k: v for k, v in {**begun["sw"], **begun.get("opts", {})}.items() if v is not None}
    book = read_rulebook(GAMES[name])
    assert {switch.name: switch.default for switch in book.switches} == used


@every_game
def test_the_rulebook_has_words_for_every_clause_once(name: str) -> None:
    ids = [clause.id for clause in read_rulebook(GAMES[name]).clauses]
    assert len(ids) == len(set(ids)) > 20


@every_game
def test_an_event_of_no_game_is_refused_in_one_sentence(name: str) -> None:
    with pytest.raises(BadEvent, match="no event called 'castling'"):
        find_game(name).event({"ev": "castling"})
