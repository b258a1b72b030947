from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.decks import learn, store
from referee.decks.learning import look_alikes
from referee.errors import TableError
from referee.vision.cards import StandardDeck
from tests.decks.cards_drawn import face, write_deck
from tests.instead import instead


@pytest.fixture(autouse=True)
def own_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instead(monkeypatch, store, store.shelf)(lambda: tmp_path / "shelf")


def test_a_card_is_called_after_its_picture(tmp_path: Path) -> None:
    deck = learn(write_deck(tmp_path / "deck"))
    assert set(deck.names) == {"sun", "sea", "leaf", "rose", "back"}


def test_a_second_picture_of_a_card_keeps_its_name(tmp_path: Path) -> None:
    folder = write_deck(tmp_path / "deck")
    cv2.imwrite(str(folder / "sun (2).png"), face("sun"))
    assert learn(folder).names.count("sun") == 2


def test_a_learned_deck_is_there_tomorrow(tmp_path: Path) -> None:
    deck = learn(write_deck(tmp_path / "deck"))
    store.save("ours", deck)
    again = store.load("ours")
    assert again.names == deck.names
    assert np.array_equal(again.pictures, deck.pictures)


@pytest.mark.parametrize("torn", [b"", b"PK\x03\x04 and no more"])
def test_a_kept_deck_that_is_torn_is_asked_for_again(tmp_path: Path, torn: bytes) -> None:
    store.save("ours", learn(write_deck(tmp_path / "deck"))).write_bytes(torn)
    with pytest.raises(TableError, match=r"the deck 'ours' cannot be read .*; learn it again"):
        store.find_deck("ours")


def test_the_standard_deck_needs_no_learning() -> None:
    assert isinstance(store.find_deck("standard"), StandardDeck)


def test_an_unknown_deck_is_refused_with_the_decks_there_are(tmp_path: Path) -> None:
    store.save("ours", learn(write_deck(tmp_path / "deck")))
    with pytest.raises(TableError, match=r"no deck called 'theirs'; decks: .*standard, ours"):
        store.find_deck("theirs")


@pytest.mark.parametrize("name", ["standard", "../ours", ""])
def test_a_deck_cannot_take_a_name_that_is_taken_or_a_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(TableError, match="cannot be called"):
        store.save(name, learn(write_deck(tmp_path / "deck")))


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no pictures of cards"):
        learn(tmp_path)


def test_a_picture_too_small_is_asked_for_again(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "sun.png"), cv2.resize(face("sun"), (30, 42)))
    with pytest.raises(TableError, match=r"sun.png is only 30 x 42 pixels"):
        learn(tmp_path)


def test_two_cards_that_look_alike_are_warned_of(tmp_path: Path) -> None:
    folder = write_deck(tmp_path / "deck")
    twin = face("sun")
    cv2.circle(twin, (280, 60), 4, (30, 30, 30), -1)
    cv2.imwrite(str(folder / "twin.png"), twin)
    assert [(pair.one, pair.other) for pair in look_alikes(learn(folder))] == [("sun", "twin")]
