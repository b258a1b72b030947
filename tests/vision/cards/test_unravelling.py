"""Cards that lie on one another: each is found by its rim, and told by what shows of it."""

import cv2
import numpy as np
import pytest

from referee.decks.printed.suits import standard_faces
from referee.types import Card
from referee.vision.cards import nets
from referee.vision.cards.covering import open_parts
from referee.vision.cards.eyes import find_cards
from referee.vision.cards.learned import LearnedDeck, small
from referee.vision.cards.ownership import Ownership
from referee.vision.cards.rims import proposals
from referee.vision.cards.spot import Image, grids_px
from referee.vision.cards.standard import StandardDeck
from tests.decks.cards_drawn import COLOURS, SIZE, back, face, lay
from tests.instead import instead

LENGTH = 105
WIDTH = LENGTH * SIZE[0] / SIZE[1]


@pytest.fixture(scope="module")
def deck() -> LearnedDeck:
    return LearnedDeck((*COLOURS, "back"), tuple(small(p) for p in (*map(face, COLOURS), back())))


def felt(size: tuple[int, int] = (1280, 720)) -> Image:
    grain = np.random.default_rng(3).normal(0, 4, (size[1], size[0], 1))
    return np.clip(np.array((60, 95, 40)) + grain, 0, 255).astype(np.uint8)


def lone_cards(table: Image) -> None:
    for x in (150, 320, 490):
        lay(table, face("sun"), (x, 560), 0, LENGTH)


def at(cards: tuple[Card, ...], x: float, y: float) -> Card:
    """The card whose middle is here."""
    middles = [np.mean(card.corners_px, axis=0) - (x, y) for card in cards]
    (here,) = [c for c, off in zip(cards, middles, strict=True) if np.hypot(*off) < 0.08 * LENGTH]
    return here


@pytest.mark.parametrize(("off", "turn"), [((38, -10), -30), ((45, -25), -24), ((20, 45), 80)])
def test_a_card_under_one_that_lies_askew_is_told(
    deck: LearnedDeck, off: tuple[float, float], turn: float
) -> None:
    table = felt()
    lone_cards(table)
    lay(table, face("sea"), (800, 250), 4, LENGTH)
    lay(table, back(), (800 + off[0], 250 + off[1]), turn, LENGTH)
    cards = find_cards(table, deck)
    lower, upper = at(cards, 800, 250), at(cards, 800 + off[0], 250 + off[1])
    assert [lower.name, upper.name] == ["sea", "back"]
    assert upper.lies_on == (lower.id,)
    assert upper.visible > 0.9 > lower.visible
    assert len(cards) == 5


@pytest.mark.parametrize(("said", "found"), [(-0.5, True), (-6.0, False)])
def test_a_sliver_that_the_finder_doubts_is_told_by_its_rim_and_face(
    deck: LearnedDeck, monkeypatch: pytest.MonkeyPatch, said: float, found: bool
) -> None:
    table = felt()
    lone_cards(table)
    lay(table, face("sea"), (800, 250), 0, LENGTH)
    lay(table, back(), (842, 250), 0, LENGTH)
    sliver = slice(round((800 - 0.6 * WIDTH) * 0.6 / 4), round((842 - WIDTH / 2) * 0.6 / 4))
    run = nets.run

    def in_doubt(name: str, batch: nets.Tensor) -> nets.Tensor:
        out = run(name, batch)
        if name == "finder":
            above = out[0, 0, 27:48, sliver]
            np.minimum(above, said, out=above)
        return out

    instead(monkeypatch, nets, run)(in_doubt)
    assert ("sea" in [card.name for card in find_cards(table, deck)]) == found


def test_the_rim_alone_proposes_a_card_where_it_lies() -> None:
    table = felt((300, 300))
    lay(table, face("leaf"), (150, 150), 32, LENGTH)
    card = (np.abs(table.astype(int) - (60, 95, 40)).sum(axis=2) > 90).astype(np.float32)
    middles = proposals(table, card, card, LENGTH, WIDTH).mean(axis=1)
    assert np.hypot(*(middles - 150).T).min() < 0.04 * LENGTH


def test_only_what_no_other_card_covers_is_open() -> None:
    lower = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], float)
    corners = np.stack([lower, lower + np.array((30, 0))])
    owner = np.zeros((12, 14), int)
    owner[:, 4:] = 1
    cells = Ownership(owner, 8.0)
    lower, upper = open_parts(corners, cells.at(grids_px(corners)))
    assert lower.mean() == pytest.approx(0.5)
    assert upper.all()


def test_asked_about_a_place_the_eyes_tell_of_the_cards_there_alone(deck: LearnedDeck) -> None:
    table = felt()
    lone_cards(table)
    everything = find_cards(table, deck)
    one = min(everything, key=lambda c: c.corners_px[0])
    x, y = np.mean(one.corners_px, axis=0) / 2
    place = np.zeros((360, 640), np.uint8)
    place[int(y) - 4 : int(y) + 5, int(x) - 4 : int(x) + 5] = 255
    told = find_cards(table, deck, where=place)
    assert [c.name for c in told] == [one.name]
    assert len(everything) > 1


@pytest.mark.parametrize(("lower", "upper"), [("AC", "AD"), ("AH", "AS"), ("AD", "9H")])
def test_two_white_cards_alone_on_a_table_are_two(lower: str, upper: str) -> None:
    """No third card tells their size."""
    faces, shake = standard_faces(), np.random.default_rng(1)
    table = np.clip(np.array((38, 36, 40)) + shake.normal(0, 4, (504, 378, 1)), 0, 255).astype(np.uint8)
    lay(table, faces[lower], (150, 250), -14, 200)
    lay(table, faces[upper], (225, 245), 3, 200)
    table = np.asarray(cv2.GaussianBlur(table, (0, 0), 0.7), np.uint8)
    assert {c.name for c in find_cards(table, StandardDeck())} == {lower, upper}
