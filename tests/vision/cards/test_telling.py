"""What of the cards found on a picture is told, and how often a deck is asked."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from referee.decks.printed.suits import standard_faces
from referee.vision.cards import StandardDeck, eyes
from referee.vision.cards.anchors import Indices
from referee.vision.cards.finding import find_again, find_by
from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.looking import Look
from referee.vision.cards.ownership import Cells
from referee.vision.cards.reading import Index, Notes, Reader, Reading
from referee.vision.cards.spot import Image, Spot
from referee.vision.cards.standing_out import stands_out
from referee.vision.cards.tangles import Told, doubts
from referee.vision.cards.votes import Votes
from tests.decks.cards_drawn import COLOURS, back, face, lay
from tests.instead import instead
from tests.vision.cards.spots import card

TABLE = np.zeros((300, 300, 3), np.uint8)


class Deck:
    """Reads every card as the same one, and counts."""

    index: Index | None = None

    def __init__(self) -> None:
        self.asked = 0

    def read(self, _: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        self.asked += len(spots)
        return tuple(Reading("QD", "up", 0.95) for _ in spots)

    def accustomed(self, _image: Image, _spots: Sequence[Spot]) -> Reader:
        return self


def lay_out(monkeypatch: pytest.MonkeyPatch, *spots: Spot) -> list[Image]:
    """Let these be found at the first look; the pictures that it is given."""
    looked: list[Image] = []

    @instead(monkeypatch, eyes, find_by)
    def _(
        look: Look, image: Image, deck: Reader | None = None, where: Image | None = None, far: bool = False
    ) -> tuple[Spot, ...]:
        looked.append(image)
        return spots

    return looked


def found(monkeypatch: pytest.MonkeyPatch, *spots: Spot) -> list[float]:
    lay_out(monkeypatch, *spots)
    return [c.corners_px[0][0] for c in eyes.find_cards(TABLE, Deck())]


def test_a_sliver_that_shows_the_face_of_the_card_beside_it_is_no_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert found(monkeypatch, card(30), card(20, 0.25)) == [30]


def test_two_cards_of_one_name_that_lie_apart_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, card(100), card(20, 0.3)) == [100, 20]


def test_a_card_is_read_once_on_a_picture() -> None:
    deck = Deck()
    notes = Notes(deck)
    notes.read(TABLE, [card(10), card(90)])
    notes.read(TABLE, [card(90), card(150)])
    assert deck.asked == 3


def test_a_deck_without_some_cards_knows_the_others_as_well_as_before() -> None:
    names = (*COLOURS, "back")
    pictures = tuple(small(p) for p in (*map(face, COLOURS), back()))
    kept = LearnedDeck(names, pictures).only(lambda name: name != names[1])
    anew = LearnedDeck((names[0], *names[2:]), (pictures[0], *pictures[2:]))
    assert kept.names == anew.names
    assert np.array_equal(kept.rough, anew.rough)
    assert np.array_equal(kept.close, anew.close)


def test_the_table_between_two_cards_is_no_card() -> None:
    table = np.full((300, 400, 3), (90, 130, 160), np.uint8)
    left, between, right = (
        np.array([(x, 60), (x + 80, 60), (x + 80, 172), (x, 172)], float) for x in (40, 122, 204)
    )
    for open_ in (left, right):
        cv2.fillConvexPoly(table, open_.astype(np.int32), (235, 235, 235))
    every = np.ones(3, bool)
    assert stands_out(table, np.stack([left, between, right]), every).tolist() == [True, False, True]
    cv2.fillConvexPoly(table, between.astype(np.int32), (120, 160, 190))
    assert stands_out(table, np.stack([left, between, right]), every).all()


def test_nothing_is_said_of_a_card_with_cards_all_round() -> None:
    table = np.full((300, 400, 3), 200, np.uint8)
    places = [(x, y) for y in (0, 95, 190) for x in (40, 122, 204)]
    cards = np.array([[(x, y), (x + 80, y), (x + 80, y + 90), (x, y + 90)] for x, y in places], float)
    assert stands_out(table, cards, np.arange(9) == 4).all()


def test_a_stripe_of_the_table_is_no_card_because_of_its_two_edges() -> None:
    table = np.full((300, 400, 3), 200, np.uint8)
    table[:, 120:200] = (60, 40, 30)
    stripe = np.array([[(120, 80), (200, 80), (200, 190), (120, 190)]], float)
    asked = np.ones(1, bool)
    assert not stands_out(table, stripe, asked).any()
    table[80:190, 120:200] = (90, 70, 60)
    assert stands_out(table, stripe, asked).all()


def test_a_plainly_read_face_is_told_though_one_of_its_sides_lies_on_bare_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Reads(Deck):
        def __init__(self, confidence: float) -> None:
            super().__init__()
            self.confidence = confidence

        def read(self, _: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
            return tuple(Reading("fool", "up", self.confidence) for _ in spots)

    lay_out(monkeypatch, card(100, 0.8))
    told = [len(eyes.find_cards(TABLE, Reads(sure), at_play=True)) for sure in (0.92, 0.8)]
    assert told == [1, 0]


@pytest.mark.parametrize(("shows", "sure"), [(1.0, 0.95), (0.0, 0.89)])
def test_a_face_that_seems_open_and_lacks_its_indices_is_never_told_beyond_doubt(
    monkeypatch: pytest.MonkeyPatch, shows: float, sure: float
) -> None:
    class Marked(Deck):
        index = Index(
            (0.0, 0.0, 0.3, 0.3),
            (32, 48),
            lambda pictures: np.full(len(pictures), shows),
            lambda pictures, _: np.full(len(pictures), shows),
        )

    lay_out(monkeypatch, card(100))
    assert [c.confidence for c in eyes.find_cards(TABLE, Marked())] == [sure]


@pytest.mark.parametrize(("glare", "sure"), [(0.0, 0.99), (0.95, 0.89)])
def test_a_card_whose_drawing_is_lost_in_a_glare_is_never_told_beyond_doubt(
    monkeypatch: pytest.MonkeyPatch, glare: float, sure: float
) -> None:
    class Sure(LearnedDeck):
        def read(self, _: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
            return tuple(Reading("back", "down", 0.99) for _ in spots)

    table = TABLE.copy()
    lay(table, np.asarray(face("rose") * (1 - glare) + 250 * glare, np.uint8), (131.5, 64), 0, 88)
    deck = Sure(("rose", "back"), (small(face("rose")), small(back() // 2)))
    lay_out(monkeypatch, card(100))
    assert [c.confidence for c in eyes.find_cards(table, deck, at_play=True)] == [sure]


def test_a_card_that_nearly_fills_the_picture_is_read() -> None:
    near = np.full((420, 320, 3), (60, 80, 110), np.uint8)
    lay(near, standard_faces()["8C"], (160, 210), 4, 380)
    assert [c.name for c in eyes.find_cards(near, StandardDeck())] == ["8C"]


@pytest.mark.parametrize(("doubtful", "looks"), [(True, 3), (False, 0)])
def test_careful_looks_go_on_while_more_is_seen_than_was_told(
    monkeypatch: pytest.MonkeyPatch, doubtful: bool, looks: int
) -> None:
    scales = []

    def again(
        image: Image, deck: Reader, scale: float, where: Image | None = None, indices: Indices | None = None
    ) -> tuple[Spot, ...]:
        assert where is not None and where.all(), "only where it is in doubt"
        scales.append(scale)
        return ()

    def doubted(image: Image, votes: Votes, told: Sequence[Told], index: Index | None) -> Cells:
        return np.full(votes.shape, doubtful)

    lay_out(monkeypatch, card(30), card(120))
    instead(monkeypatch, eyes, find_again)(again)
    instead(monkeypatch, eyes, doubts)(doubted)
    assert len(eyes.find_cards(TABLE, Deck())) == 2
    assert len(scales) == looks


@pytest.mark.parametrize(("light", "seen"), [(60, 180), (100, 240), (160, 160)])
def test_a_picture_taken_in_the_dark_is_looked_at_with_more_light(
    monkeypatch: pytest.MonkeyPatch, light: int, seen: int
) -> None:
    looked = lay_out(monkeypatch)
    eyes.find_cards(np.full_like(TABLE, light), Deck(), at_play=True)
    assert [int(image.max()) for image in looked] == [seen]
