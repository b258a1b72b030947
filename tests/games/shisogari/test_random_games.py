"""Whole games of Shisogari by honest players with real cards."""

import json
import random

import pytest

from referee.codec import to_plain
from referee.games.shisogari import GAME
from referee.games.shisogari.cards import colour_of
from referee.types import MASTER, TABLE, Audience, Code
from tests.games.shisogari.company import Company

AUDIENCES = (TABLE, MASTER, *(Audience("seat", seat) for seat in "ABCD"))


def _check_counts(company: Company) -> None:
    """The referee's counts are those of the real hands, and no card is lost."""
    for seat, cards in company.hands.items():
        hand = company.state.hand[seat]
        if company.state.phase != "SETUP":
            assert sum(colour_of(c) == "white" for c in cards) == hand.white
            assert sum(colour_of(c) == "black" for c in cards) == hand.black
    held = sum(map(len, company.hands.values())) + 2 * len(company.pairs) + len(company.spread)
    assert held + (company.state.phase == "RESOLVE") == 20


def _check_end(company: Company) -> None:
    state = company.state
    assert state.winner is not None
    assert state.audit == (), "honest players, and yet a breach"
    if state.count is None:
        assert state.winner == "vampire"
        assert any(not hand.size for hand in state.hand.values())


@pytest.mark.parametrize("seed", range(50))
def test_an_honest_game_comes_to_an_end_without_a_breach(seed: int) -> None:
    company = Company(seed)
    while company.state.phase != "GAME_OVER":
        plain = company.step()
        _check_counts(company)
        event = GAME.event(plain)
        assert GAME.event(json.loads(json.dumps(GAME.plain(event)))) == event
        assert GAME.load(json.loads(json.dumps(GAME.dump(company.state)))) == company.state
    _check_end(company)


@pytest.mark.soak
def test_two_thousand_honest_games_come_to_an_end() -> None:
    longest = 0
    for seed in range(2000):
        company = Company(10_000 + seed)
        company.play()
        _check_counts(company)
        _check_end(company)
        longest = max(longest, company.state.actions)
    print(f"longest game: {longest} actions")


def test_an_event_out_of_place_changes_nothing() -> None:
    told = [GAME.event(Company(seed).step()) for seed in range(5)]
    for seed in range(10):
        company = Company(seed)
        while company.state.phase != "GAME_OVER":
            told.append(GAME.event(company.step()))
    rng = random.Random(1)
    for seed in range(20, 30):
        company = Company(seed)
        while company.state.phase != "GAME_OVER":
            company.step()
            for event in rng.sample(told, 10):
                judged = GAME.judge(company.state, event)
                refused = any(r.code in (Code.ILLEGAL, Code.CORRECT) for r in judged.rulings)
                assert not refused or judged.state is company.state
                assert judged.rulings


@pytest.mark.parametrize("seed", range(30))
def test_before_the_reveal_nothing_shown_or_stored_tells_more_than_backs_and_open_pairs(seed: int) -> None:
    """The same public moves with other hidden cards look exactly the same."""
    company = Company(seed)
    while company.state.phase not in ("REVEAL", "GAME_OVER"):
        company.step()
        stored = GAME.dump(company.state)
        assert not stored["roles_shown"] and stored["kin"] is None and not stored["audit"]
        seen = {json.dumps({**to_plain(GAME.view(company.state, a)), "audience": None}) for a in AUDIENCES}
        assert len(seen) == 1
        text = json.dumps([stored, *map(to_plain, company.said)]) + seen.pop()
        assert "blood" not in text.lower() and "blank" not in text.lower()
