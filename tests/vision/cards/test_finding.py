"""Cards on drawn tables: where they lie, how they are turned, which lies on which, and that nothing is invented."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from referee.decks.printed.suits import standard_faces
from referee.vision.cards import finding, looking
from referee.vision.cards.eyes import find_cards, turn_deg
from referee.vision.cards.finding import find
from referee.vision.cards.grouping import Heap
from referee.vision.cards.layers import lying_on
from referee.vision.cards.looking import room
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import Image, Spot
from referee.vision.cards.standard import StandardDeck
from referee.vision.cards.tangles import TWICE
from referee.vision.cards.votes import Votes, resized, votes_on
from tests.decks.cards_drawn import COLOURS, SIZE, face, lay
from tests.instead import instead

LENGTH = 105
WIDTH = LENGTH * SIZE[0] / SIZE[1]


def felt(size: tuple[int, int] = (1280, 720)) -> Image:
    grain = np.random.default_rng(3).normal(0, 4, (size[1], size[0], 1))
    return np.clip(np.array((60, 95, 40)) + grain, 0, 255).astype(np.uint8)


def stripes() -> Image:
    table = felt()
    for x in range(0, 1280, 160):
        table[:, x : x + 60] = (110, 60, 30)
        table[:, x + 90 : x + 100] = (60, 110, 190)
    return table


def place_of(spots: tuple[Spot, ...], x: float, y: float) -> int:
    return int(np.argmin([np.hypot(*(spot.corners.mean(axis=0) - (x, y))) for spot in spots]))


def nearest(spots: tuple[Spot, ...], x: float, y: float) -> Spot:
    return spots[place_of(spots, x, y)]


def test_every_card_is_found_where_it_lies() -> None:
    table = felt()
    places = {(300, 200): 10, (640, 380): 75, (1000, 250): -40, (420, 560): 0}
    for name, (place, turn) in zip(COLOURS, places.items(), strict=True):
        lay(table, face(name), place, turn, LENGTH)
    spots = find(table)
    assert len(spots) == len(places)
    for x, y in places:
        assert np.hypot(*(nearest(spots, x, y).corners.mean(axis=0) - (x, y))) < 2


@pytest.mark.parametrize("turn", [0, 17, 45, 88])
def test_the_turn_of_a_card_is_right_to_a_degree(turn: float) -> None:
    table = felt()
    for x in (300, 640, 980):
        lay(table, face("sea"), (x, 360), turn, LENGTH)
    for spot in find(table):
        seen = turn_deg(spot.corners * (1, -1))
        assert abs((seen - turn + 90) % 180 - 90) <= 1


def test_cards_in_a_row_that_touch_are_told_apart() -> None:
    table = felt()
    middles = [300 + i * WIDTH for i in range(6)]
    for i, x in enumerate(middles):
        lay(table, face(list(COLOURS)[i % 4]), (x, 300), 0, LENGTH)
    spots = find(table)
    assert len(spots) == len(middles)
    assert max(abs(nearest(spots, x, 300).corners.mean(axis=0)[0] - x) for x in middles) < 0.05 * LENGTH


def test_a_card_that_lies_on_another_is_said_to() -> None:
    table = felt()
    lay(table, face("leaf"), (600, 360), 0, LENGTH)
    lay(table, face("rose"), (650, 400), 0, LENGTH)
    for x in (200, 350, 900, 1050):
        lay(table, face("sun"), (x, 360), 0, LENGTH)
    spots = find(table)
    on = lying_on(spots)
    upper = place_of(spots, 650, 400)
    lower = place_of(spots, 600, 360)
    assert [on[upper], on[lower]] == [(lower,), ()]
    assert spots[upper].visible > 0.9 > spots[lower].visible


def test_big_cards_of_a_near_camera_are_found() -> None:
    table = felt((504, 378))
    lay(table, face("sun"), (130, 190), 8, 240)
    lay(table, face("rose"), (360, 180), -12, 240)
    assert len(find(table)) == 2


def wood(seed: int, size: tuple[int, int] = (960, 540)) -> Image:
    """Dark wood whose grain has edges as long as a card's."""
    rough = np.random.default_rng(seed).normal(0, 1, (size[1], size[0])).astype(np.float32)
    grain = cv2.GaussianBlur(rough, (0, 0), sigmaX=60, sigmaY=1.6)
    wood = np.clip(np.array((40, 60, 85)) + grain[..., None] / grain.std() * 28, 0, 255)
    return np.asarray(wood, np.uint8)


@pytest.mark.parametrize("turn", [2, 5])
def test_near_cards_are_outlined_by_their_own_rims_and_not_by_the_grain_or_a_neighbour(turn: int) -> None:
    table = wood(turn)
    places = [(200, 150), (400, 155), (205, 400), (430, 390)]
    for name, place in zip(standard_faces().values(), places, strict=False):
        lay(table, name, place, turn, 230)
    spots = find(table, StandardDeck())
    for x, y in places:
        corners = nearest(spots, x, y).corners
        assert np.hypot(*(corners.mean(axis=0) - (x, y))) < 2
        assert abs(np.linalg.norm(corners[3] - corners[0]) - 230) < 4


def test_a_near_card_whose_pips_were_taken_for_cards_is_found_after_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = felt((504, 378))
    lay(table, standard_faces()["10D"], (250, 190), 84, 260)
    first = looking.look_at(resized(table, table, 2.0), 2.0)
    instead(monkeypatch, finding, looking.best_look)(lambda image: first)
    assert [card.name for card in find_cards(table, StandardDeck())] == ["10D"]


class SeesJokers(StandardDeck):
    """Reads what is smaller than the near cards of a picture as jokers."""

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        small = [np.linalg.norm(spot.corners[3] - spot.corners[0]) < 150 for spot in spots]
        read = super().read(image, spots)
        return tuple(Reading(TWICE, "up", 0.9) if s else r for s, r in zip(small, read, strict=True))


def test_near_cards_whose_parts_look_like_many_jokers_are_found_after_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = felt((504, 378))
    for name, x in (("10D", 140), ("7C", 360)):
        lay(table, standard_faces()[name], (x, 190), 4, 260)
    first = looking.look_at(resized(table, table, 2.0), 2.0)
    instead(monkeypatch, finding, looking.best_look)(lambda image: first)
    lengths = [np.linalg.norm(spot.corners[3] - spot.corners[0]) for spot in find(table, SeesJokers())]
    assert lengths == pytest.approx([260, 260], rel=0.02)


def widths_asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of every picture that the finder is asked about from now on, how wide it is."""
    widths: list[int] = []

    def look(small: Image, scale: float, both_ways: bool) -> Votes:
        widths.append(small.shape[1])
        return votes_on(small, scale, both_ways)

    monkeypatch.setattr(looking, "votes_on", look)
    return widths


def test_a_table_of_open_cards_is_told_at_a_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    table, asked = felt((1920, 1080)), widths_asked(monkeypatch)
    places = [(250 + 280 * (k % 6), 250 + 280 * (k // 6)) for k in range(18)]
    for k, place in enumerate(places):
        lay(table, face(list(COLOURS)[k % len(COLOURS)]), place, 12.0 * k, 165)
    spots = find(table)
    assert asked == [looking.MIDDLE_PX]
    assert len(spots) == len(places)
    for x, y in places:
        assert np.hypot(*(nearest(spots, x, y).corners.mean(axis=0) - (x, y))) < 1.2


def test_cards_that_lie_on_one_another_get_a_longer_look(monkeypatch: pytest.MonkeyPatch) -> None:
    table, asked = felt((1920, 1080)), widths_asked(monkeypatch)
    for k in range(12):
        lay(table, face(list(COLOURS)[k % len(COLOURS)]), (300 + 100 * k, 500), 20.0 * k, 165)
    find(table)
    assert looking.FAR_PX in asked


def test_cards_on_stripes_are_found() -> None:
    table = stripes()
    places = [(260, 200), (640, 380), (1000, 250)]
    for name, place in zip(COLOURS, places, strict=False):
        lay(table, face(name), place, 20, LENGTH)
    assert len(find(table)) == len(places)


@pytest.mark.parametrize("what", ["felt", "stripes", "noise", "checks", "black", "white"])
def test_a_table_without_cards_has_none(what: str) -> None:
    rng = np.random.default_rng(1)
    squares = np.kron(np.indices((18, 32)).sum(axis=0) % 2, np.ones((40, 40)))[..., None] * 120 + 60
    tables = {
        "felt": felt(),
        "stripes": stripes(),
        "noise": rng.integers(0, 256, (720, 1280, 3), np.uint8),
        "checks": np.broadcast_to(squares, (720, 1280, 3)).astype(np.uint8),
        "black": np.zeros((720, 1280, 3), np.uint8),
        "white": np.full((720, 1280, 3), 255, np.uint8),
    }
    assert find_cards(tables[what], StandardDeck()) == ()


@pytest.mark.parametrize("side", [(40, 40), (33, 700), (900, 35)])
def test_a_tiny_or_narrow_picture_is_looked_at_in_peace(side: tuple[int, int]) -> None:
    assert find(np.full((*side, 3), 90, np.uint8)) == ()


def test_a_brighter_picture_shows_the_same_cards() -> None:
    table = felt()
    lay(table, face("sun"), (400, 300), 30, LENGTH)
    lay(table, face("sea"), (800, 400), 100, LENGTH)
    bright = np.asarray(cv2.convertScaleAbs(table, alpha=1.25, beta=8), np.uint8)
    assert len(find(bright)) == len(find(table)) == 2


@pytest.mark.parametrize(("count", "believed"), [(2, 1.0), (9, 0.5)])
def test_cards_that_would_not_fit_into_the_picture_are_doubted(count: int, believed: float) -> None:
    none = np.zeros((0, 2))
    votes = Votes(
        none.astype(int), none, none, none, none[:, 0], none[:, 0], np.zeros((27, 48), np.float32), 0.15
    )
    heap = Heap(np.arange(0), np.zeros(2), 0.0, 35.0, 25.0, 0.0, 1.0)
    assert room((votes, [heap] * count)) <= believed
    assert (room((votes, [heap] * count)) == 1.0) == (count == 2)
