"""A card that sticks out from beneath another is told; bare table, a hand and a misplaced outline are not."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from referee.types import Face
from referee.vision.cards import beneath, eyes
from referee.vision.cards.finding import find_by
from referee.vision.cards.hiding import hiding_places
from referee.vision.cards.layers import lying_on
from referee.vision.cards.looking import Look
from referee.vision.cards.reading import Reader, Reading
from referee.vision.cards.refining import edges_along
from referee.vision.cards.sides import Floats, sides_of
from referee.vision.cards.spot import GRID, Image, Quad, Spot
from referee.vision.cards.strange import Strange
from referee.vision.cards.tangles import Told
from tests.decks.cards_drawn import SIZE, face, green_table, lay
from tests.instead import instead

LENGTH = 110.0
Place = tuple[tuple[float, float], float]
"""A card's middle and its turn."""
ABOVE: Place = ((600, 350), 5)
CROSSED: Place = ((606, 344), 82)
SHIFTED: Place = ((626, 322), 8)


class Deck:
    """Says the same of every card."""

    index = None

    def __init__(self, name: str | None = None, side: Face = "unknown", confidence: float = 0.0) -> None:
        self.reading = Reading(name, side, confidence)

    def read(self, _: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        return (self.reading,) * len(spots)

    def accustomed(self, _image: Image, _spots: Sequence[Spot]) -> Reader:
        return self


def dark() -> Image:
    """A black card with a thin white line round it."""
    card = np.full((SIZE[1], SIZE[0], 3), 40, np.uint8)
    cv2.rectangle(card, (14, 14), (SIZE[0] - 15, SIZE[1] - 15), (200, 200, 200), 3)
    return card


def white_table() -> Image:
    return np.asarray(np.random.default_rng(3).integers(236, 252, (720, 1280, 3)), np.uint8)


def striped_table(width: int = 40, colour: tuple[int, int, int] = (50, 60, 150)) -> Image:
    table = green_table()
    for x in range(0, 1280, 200):
        table[:, x : x + width] = colour
    return table


def wooden_table() -> Image:
    """Boards with a grain along them."""
    noise = np.random.default_rng(4).normal(0, 1, (720, 1280)).astype(np.float32)
    grain = cv2.GaussianBlur(noise, (0, 0), sigmaX=40, sigmaY=1.5)
    light = np.clip(1 + 2.5 * grain, 0.6, 1.4)[..., None]
    table = np.array((70, 110, 150)) * light
    table[::140] *= 0.5
    return np.asarray(np.clip(table, 0, 255), np.uint8)


def corners(place: Place) -> Quad:
    """Where `lay` puts a card."""
    middle, turn_deg = place
    t = np.radians(turn_deg)
    up, right = np.array([-np.sin(t), -np.cos(t)]), np.array([np.cos(t), -np.sin(t)])
    high, wide = up * LENGTH / 2, right * LENGTH / 2 * SIZE[0] / SIZE[1]
    return np.array([high - wide, high + wide, wide - high, -wide - high]) + middle


def told(place: Place) -> Told:
    return Spot(corners(place), np.ones(GRID[::-1], bool), 1.0), Reading("dark", "up", 1.0)


def put(table: Image, *cards: tuple[Image, Place]) -> Image:
    """The table with these cards, the first lowest, as a camera shows it."""
    for card, (middle, turn_deg) in cards:
        lay(table, card, middle, turn_deg, LENGTH)
    return np.asarray(cv2.GaussianBlur(table, (0, 0), 0.8), np.uint8)


def grainy(image: Image, grain: float) -> Image:
    """The picture of a camera that sees little light."""
    noise = np.random.default_rng(7).normal(0, grain, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def added(image: Image, above: Sequence[Place] = (ABOVE,), deck: Reader | None = None) -> list[Told]:
    """What is told besides the cards that are known."""
    return eyes.by_the_table(image, [told(place) for place in above], deck or Deck())[len(above) :]


def off(spot: Spot, place: Place) -> float:
    """How far the farthest corner is from where it should be, in card lengths."""
    ways = (np.linalg.norm(way.corners - corners(place), axis=1).max() for way in (spot, spot.turned()))
    return float(min(ways)) / LENGTH


@pytest.mark.parametrize("place", [CROSSED, SHIFTED], ids=["crossed", "shifted"])
@pytest.mark.parametrize("table", [green_table, wooden_table, striped_table])
def test_a_card_under_another_is_told_and_lies_beneath_it(table: Callable[[], Image], place: Place) -> None:
    image = put(table(), (face("sun"), place), (dark(), ABOVE))
    ((spot, _),) = added(image)
    assert off(spot, place) < 0.06
    assert 0.1 < spot.visible < 0.45
    assert lying_on([told(ABOVE)[0], spot]) == ((1,), ())


def test_a_card_is_told_beneath_one_whose_rim_is_faint_on_one_side() -> None:
    card = dark()
    card[: SIZE[1] // 12] = (54, 80, 42)
    image = put(green_table(), (face("sun"), CROSSED), (card, ABOVE))
    clear = edges_along(image, sides_of(corners(ABOVE)[None])).mean(axis=2)[0]
    assert 0.4 < clear.min() < 0.65
    ((spot, _),) = added(image)
    assert off(spot, CROSSED) < 0.06


def test_every_card_under_another_is_told() -> None:
    second: Place = ((900, 350), 30)
    under: Place = ((902, 346), 118)
    image = put(
        green_table(), (face("sun"), CROSSED), (face("rose"), under), (dark(), ABOVE), (dark(), second)
    )
    found = [spot for spot, _ in added(image, (ABOVE, second))]
    assert len(found) == 2
    assert all(min(off(spot, place) for spot in found) < 0.06 for place in (CROSSED, under))


def test_the_reading_of_a_card_that_is_mostly_hidden_is_never_sure() -> None:
    image = put(green_table(), (face("sun"), CROSSED), (dark(), ABOVE))
    ((_, reading),) = added(image, deck=Deck("sun", "up", 1.0))
    assert (reading.name, reading.face) == ("sun", "up")
    assert reading.confidence < 0.9


def test_a_card_that_the_deck_does_not_know_is_told_unread() -> None:
    image = put(green_table(), (face("sun"), CROSSED), (dark(), ABOVE))
    ((_, reading),) = added(image)
    assert (reading.name, reading.face) == (None, "unknown")


def test_a_card_beneath_is_told_in_the_dark_too() -> None:
    pale = np.full((SIZE[1], SIZE[0], 3), 255, np.uint8)
    cv2.rectangle(pale, (14, 14), (SIZE[0] - 15, SIZE[1] - 15), (120, 120, 120), 3)
    table = np.asarray(np.random.default_rng(3).integers(170, 180, (720, 1280, 3)), np.uint8)
    image = put(table, (pale, CROSSED), (dark(), ABOVE))
    ((spot, _),) = added(np.asarray(image * 0.25, np.uint8))
    assert off(spot, CROSSED) < 0.06


def test_what_seems_to_lie_beneath_several_cards_is_told_only_if_it_can_be_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sides: list[Place] = [((630, 350), 0), ((750, 350), 0)]
    between = told(((690, 350), 90))[0]
    image = put(green_table(), *((dark(), place) for place in sides))

    def found(_: object) -> list[Spot]:
        return [between]

    monkeypatch.setattr(beneath._Uppers, "beneath", found)
    assert not added(image, sides)
    assert [reading.name for _, reading in added(image, sides, Deck("sun", "up", 0.8))] == ["sun"]


@pytest.mark.parametrize("width", [12, 40, 76])
def test_a_stripe_of_the_table_is_no_card_beneath(width: int) -> None:
    for turn_deg in (0, 35, 90):
        above = (600.0 + width, 350.0), float(turn_deg)
        assert not added(put(striped_table(width, (225, 235, 240)), (dark(), above)), (above,))


def test_a_back_is_not_believed_on_bare_wood() -> None:
    above: list[Place] = [((x, 350), turn_deg) for x, turn_deg in ((250, 0), (600, 40), (950, 88))]
    image = put(wooden_table(), *((dark(), place) for place in above))
    assert not added(image, above, Deck("back", "down", 1.0))


def test_what_is_of_the_tables_colour_is_no_card_beneath() -> None:
    plain = np.full((SIZE[1], SIZE[0], 3), 244, np.uint8)
    assert not added(put(white_table(), (plain, CROSSED), (dark(), ABOVE)))


def test_marks_that_the_table_has_elsewhere_too_are_no_card_beneath() -> None:
    table, rng = green_table(), np.random.default_rng(6)
    long, wide = (LENGTH * k / 2 for k in (1, SIZE[0] / SIZE[1]))
    middles = [(int(x), int(y)) for x in range(80, 1280, 190) for y in (90, 220, 480, 610)]
    for x, y in [*middles, (600, 350)]:
        bars = table[round(y - long) : round(y + long), round(x - wide) : round(x + wide)]
        for bar in (bars[:24], bars[-24:]):
            bar[:] = rng.integers(225, 245, bar.shape)
    above: Place = ((600, 350), 90)
    assert not added(put(table, (dark(), above)), (above,))


@pytest.mark.parametrize("grain", [0, 12])
@pytest.mark.parametrize("from_", [(600, 719), (0, 350), (900, 0)], ids=["below", "left", "above"])
def test_a_hand_beside_a_card_is_no_card(from_: tuple[int, int], grain: float) -> None:
    table = put(green_table(), (dark(), ABOVE))
    skin = (120, 150, 205)
    way = np.array(from_) - (600, 350)
    palm = np.array((600, 350)) + way / np.linalg.norm(way) * 0.8 * LENGTH
    cv2.line(table, from_, palm.astype(int).tolist(), skin, 60)
    cv2.circle(table, palm.astype(int).tolist(), 45, skin, -1)
    for swing in (-0.5, -0.15, 0.2):
        turn = np.array([[np.cos(swing), -np.sin(swing)], [np.sin(swing), np.cos(swing)]])
        tip = palm - turn @ way / np.linalg.norm(way) * 0.85 * LENGTH
        cv2.line(table, palm.astype(int).tolist(), tip.astype(int).tolist(), skin, 17)
    assert not added(grainy(table, grain))


@pytest.mark.parametrize("turn_deg", [0, 20, 45, 90])
def test_a_slip_of_paper_as_wide_as_a_card_but_longer_is_no_card(turn_deg: float) -> None:
    table = green_table()
    wide = round(LENGTH * SIZE[0] / SIZE[1])
    table[350 : 350 + round(1.3 * LENGTH), 600 - wide // 2 : 600 + wide // 2] = (200, 225, 235)
    above = (600.0, 350.0), turn_deg
    assert not added(grainy(put(table, (dark(), above)), 14), (above,))


@pytest.mark.parametrize("shift", [(14, 0), (0, 18), (-12, 12)])
def test_a_card_whose_outline_is_off_is_not_told_twice(shift: tuple[int, int]) -> None:
    (x, y), turn_deg = ABOVE
    image = put(green_table(), (face("sun"), ABOVE))
    assert not added(image, [((x + shift[0], y + shift[1]), turn_deg)])


@pytest.mark.parametrize("gap", [0.1, 0.15, 0.2, 0.25])
def test_the_table_in_the_shade_between_two_cards_is_no_card(gap: float) -> None:
    one: Place = ((600, 350), 0)
    other: Place = ((600 + LENGTH * (SIZE[0] / SIZE[1] + gap), 350), 0)
    table = green_table()
    table[295:405, 600 : round(other[0][0])] //= 3
    assert not added(put(table, (face("sun"), one), (face("leaf"), other)), (one, other))


def test_where_no_table_is_seen_nothing_is_added() -> None:
    image = put(green_table(), (face("sun"), CROSSED), (dark(), ABOVE))
    near = np.ascontiguousarray(image[270:430, 520:680])
    spot, reading = told(ABOVE)
    here = Spot(spot.corners - (520, 270), spot.seen, spot.sure), reading
    assert len(eyes.by_the_table(near, [here], Deck())) == 1
    assert eyes.by_the_table(near, [], Deck()) == []


def test_cards_that_lie_apart_cost_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []

    def search(near: Strange, corners: Floats, upper: int, shape: float) -> Floats:
        searched.append(upper)
        return hiding_places(near, corners, upper, shape)

    instead(monkeypatch, beneath, hiding_places)(search)
    apart: list[Place] = [((x, y), x / 10) for x in (200, 500, 800, 1100) for y in (150, 400)]
    for table in (green_table(), striped_table()):
        assert not added(put(table, *((face("leaf"), place) for place in apart)), apart)
        assert not searched
    assert added(put(green_table(), (face("sun"), CROSSED), (dark(), ABOVE)))
    assert searched


def test_a_still_is_searched_for_cards_beneath_and_play_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    image = put(green_table(), (face("sun"), CROSSED), (dark(), ABOVE))

    def one(
        look: Look, image: Image, deck: Reader | None = None, where: Image | None = None, far: bool = False
    ) -> tuple[Spot, ...]:
        return (told(ABOVE)[0],)

    instead(monkeypatch, eyes, find_by)(one)
    deck = Deck("dark", "up", 1.0)
    assert [card.lies_on for card in eyes.find_cards(image, deck)] == [(1,), ()]
    assert len(eyes.find_cards(image, deck, at_play=True)) == 1


def test_what_goes_on_beyond_the_rim_of_the_picture_is_a_hand() -> None:
    above: Place = ((1210, 350), 5)
    image = put(green_table(), (face("sun"), ((1240, 330), 88)), (dark(), above))
    assert added(image, [above]) == []
    inside: Place = ((1180, 350), 5)
    whole = put(green_table(), (face("sun"), ((1186, 344), 82)), (dark(), inside))
    assert len(added(whole, [inside])) == 1
