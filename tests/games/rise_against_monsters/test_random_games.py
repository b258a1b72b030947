"""Whole games of Rise against Monsters by random players with a real deck."""

import json
import random
import re

import pytest

from referee.codec import to_plain
from referee.games.rise_against_monsters import GAME
from referee.types import MASTER, TABLE, Code
from tests.games.harness import Step, check_promises, check_refusal
from tests.games.rise_against_monsters.lands import Lands, all_cards, any_lands, open_cards

CARD = re.compile(r"\b(?:[CHSD](?:10|[2-9JQKA])|JK)(?:#\d+)?")


def _check_cards(lands: Lands) -> None:
    """Every card is somewhere, and only once; the deck's count is the real deck's."""
    state = lands.state
    seen = open_cards(state)
    assert state.deck_n == len(lands.deck)
    assert sorted([*seen, *lands.deck]) == sorted(all_cards(state))


def _check_lawful(step: Step) -> None:
    check_refusal(step)
    refused = [r for r in step.rulings if r.code in (Code.ILLEGAL, Code.CORRECT)]
    assert not refused, f"offered and then refused: {step.event} {refused}"


@pytest.mark.parametrize("seed", range(50))
def test_a_random_game_comes_to_an_end_and_keeps_every_promise(seed: int) -> None:
    lands = any_lands(seed)
    for number, step in enumerate(lands.steps()):
        _check_lawful(step)
        if number % 25 == 0:
            _check_cards(lands)
            check_promises(GAME, lands.seats, step)
    assert lands.state.outcome is not None


@pytest.mark.soak
def test_two_thousand_random_games_come_to_an_end() -> None:
    longest, won = 0, 0
    for seed in range(2000):
        lands = any_lands(10_000 + seed)
        events = 0
        for step in lands.steps():
            _check_lawful(step)
            events += 1
        _check_cards(lands)
        longest, won = max(longest, events), won + (lands.state.outcome == "players_win")
    print(f"longest game: {longest} events; {won} of 2000 won")
    assert won


def test_an_event_out_of_place_changes_nothing_and_breaks_nothing() -> None:
    told = [step.event for seed in range(6) for step in any_lands(seed).steps()]
    rng = random.Random(3)
    for seed in range(60, 64):
        for number, step in enumerate(any_lands(seed).steps()):
            for event in rng.sample(told, 3) if number % 3 == 0 else ():
                judged = GAME.judge(step.after, event)
                refused = any(r.code in (Code.ILLEGAL, Code.CORRECT) for r in judged.rulings)
                assert judged.rulings
                assert not refused or judged.state is step.after


def test_no_card_of_the_deck_is_stored_or_shown_before_it_is_drawn() -> None:
    lands = any_lands(7)
    for number, step in enumerate(lands.steps()):
        if number % 20 == 0:
            shown = [to_plain(GAME.view(step.after, audience)) for audience in (TABLE, MASTER)]
            text = json.dumps([GAME.dump(step.after), [to_plain(r) for r in step.rulings], shown])
            assert not set(CARD.findall(text)) & set(lands.deck)
