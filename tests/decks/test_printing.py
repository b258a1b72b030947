import re
from pathlib import Path

import pytest

from referee.decks.printed import PRINTED, write_deck
from referee.decks.store import find_deck
from referee.errors import TableError
from referee.vision.cards.learned import LearnedDeck


@pytest.mark.parametrize("game", PRINTED)
def test_every_side_of_every_card_is_drawn(game: str) -> None:
    sides = PRINTED[game].draw()
    assert {name for card in PRINTED[game].cards for name in (card.front, card.back)} == set(sides)


@pytest.mark.parametrize("game", PRINTED)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_fronts_and_backs_alternate_page_by_page(tmp_path: Path, game: str, paper: str) -> None:
    out = tmp_path / "deck.pdf"
    cards = write_deck(game, out, paper)
    pages = re.findall(rb"/Type /Page /Parent", out.read_bytes())
    assert len(pages) == 2 * -(-cards // 9)


def test_the_standard_deck_has_52_cards_and_two_jokers(tmp_path: Path) -> None:
    assert write_deck("standard", tmp_path / "deck.pdf") == 54


def test_hidden_bodies_look_the_same_from_above() -> None:
    bodies = [card for card in PRINTED["rocca-monster"].cards if card.back.startswith("body_back")]
    assert {card.front for card in bodies} == {"body"}


@pytest.mark.parametrize("game", [name for name in PRINTED if name != "standard"])
def test_a_printed_deck_needs_no_learning(game: str) -> None:
    deck = find_deck(game)
    assert isinstance(deck, LearnedDeck)
    assert set(deck.names) == set(PRINTED[game].draw())


def test_an_unknown_deck_or_paper_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no deck to print called 'roca'"):
        write_deck("roca", tmp_path / "x.pdf")
    with pytest.raises(TableError, match="no paper called 'a5'"):
        write_deck("shisogari", tmp_path / "x.pdf", "a5")
