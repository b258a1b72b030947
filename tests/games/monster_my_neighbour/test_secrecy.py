"""Hands, answers and face-down cards are nowhere to be found."""

import json

import pytest

from referee.codec import to_plain
from referee.errors import BadEvent
from referee.games.monster_my_neighbour import GAME
from referee.games.monster_my_neighbour.cards import CARDS, Card
from referee.games.monster_my_neighbour.events import DogDiscard, Event, HunterAnswer
from referee.match import Match
from referee.types import Audience
from tests.games.harness import audiences, shown
from tests.games.monster_my_neighbour.neighbours import any_neighbours
from tests.games.monster_my_neighbour.telling import Told, aims, plays, table

SEATS = ("A", "B", "C", "D")
FIRST, LAST, T_NS = 77_777, 88_888, 123_456_789


def _after(card: str, answer: Event) -> tuple[object, ...]:
    """All that anybody hears, sees or can read after this answer."""
    match = Match(GAME, table())
    match.tell(plays("A", card))
    match.tell(aims("A", "C"))
    said = match.feed(answer, frames=(FIRST, LAST), t_ns=T_NS)
    journal = json.dumps([to_plain(entry.note) for entry in match.ledger.whole()])
    return said, journal, *(shown(GAME, match.state, a) for a in audiences(SEATS))


@pytest.mark.parametrize("hidden", [c for c in CARDS if not c.startswith("monster:")])
def test_no_card_of_an_answer_without_effect_is_kept(hidden: Card) -> None:
    for card, answer in (("hunter", HunterAnswer), ("dog", DogDiscard)):
        assert _after(card, answer("C", False, hidden)) == _after(card, answer("C", False))


def test_how_long_somebody_thought_is_not_written() -> None:
    for card, answer in (("hunter", HunterAnswer), ("dog", DogDiscard)):
        journal = str(_after(card, answer("C", False))[1])
        assert answer.__name__[:3].lower() in journal
        assert not [n for n in (FIRST, LAST, T_NS) if str(n) in journal]


def test_a_face_down_card_has_no_name() -> None:
    match = Match(GAME, table())
    for event in (plays("A", "dog"), aims("A", "C"), {"ev": "dog_discard", "seat": "C", "monster": False}):
        match.tell(event)
    assert "(face down)" in shown(GAME, match.state, Audience("seat", "C"))


def test_what_is_shown_does_not_depend_on_the_hands() -> None:
    """Honest games: every word that anybody sees names only cards that lie face up."""
    for seed in range(6):
        players = any_neighbours(seed)
        for step in players.steps():
            up = {laid.card for pile in step.after.played.values() for laid in pile if laid.up}
            said = json.dumps([r.because for r in step.rulings]).lower()
            lines = json.dumps([GAME.view(step.after, a).lines for a in audiences(players.seats)]).lower()
            hidden = {c for c in CARDS if c.startswith("monster:")} - up
            seen_before = {laid.card for pile in step.before.played.values() for laid in pile}
            for card in hidden - seen_before:
                assert card.removeprefix("monster:") not in said + lines


def test_a_state_with_hidden_hands_in_it_is_refused() -> None:
    with pytest.raises(BadEvent, match="no field 'hidden'"):
        GAME.load({"hidden": {"B": ["monster:goomiho"]}})


def test_the_answer_is_asked_on_the_targets_own_screen() -> None:
    match = Match(GAME, table())
    told: list[Told] = [plays("A", "hunter"), aims("A", "C")]
    for event in told:
        match.tell(event)
    asked = {str(a): bool(match.view(a).choices) for a in audiences(SEATS)}
    assert asked == {"table": True, "master": True, "A": False, "B": False, "C": True, "D": False}
    assert "Hide protects" in match.view(Audience("seat", "C")).prompt
    assert "Hide" not in match.view(Audience("seat", "B")).prompt
