"""Cards that lie on one another are looked at until the deck knows them, and the better explanation holds."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.vision.cards import eyes
from referee.vision.cards.anchors import Indices
from referee.vision.cards.finding import find_again, find_by
from referee.vision.cards.looking import Look, best_look, look_at
from referee.vision.cards.reading import Index, Reader, Reading
from referee.vision.cards.sides import Floats
from referee.vision.cards.spot import GRID, Image, Spot
from referee.vision.cards.tangles import (
    Told,
    clearer,
    doubts,
    settled,
    without_mistaken,
    without_new_backs,
)
from referee.vision.cards.votes import STRIDE, Votes, resized, votes_on
from tests.decks.cards_drawn import face, green_table, lay
from tests.instead import instead
from tests.vision.cards.spots import card


def told(name: str, x: float, confidence: float, share: float = 1.0, side: str = "up") -> Told:
    return card(x, share), Reading(name, "up" if side == "up" else "down", confidence)


def names(cards: Sequence[Told]) -> list[str | None]:
    return [reading.name for _, reading in cards]


def test_a_fan_is_settled_only_when_every_card_is_known_for_certain() -> None:
    fan = [told("QD", 0, 1.0), told("5H", 30, 1.0)]
    assert settled(fan)
    assert not settled([*fan, told("9S", 60, 0.9)])
    assert not settled([*fan, told("9S", 100, 0.8)]), "a strip of another card may lie between"
    assert settled([*fan, told("9S", 300, 0.9)])
    assert settled([])


def test_a_card_in_doubt_is_not_settled_while_the_finder_sees_no_gap_to_the_next() -> None:
    apart = [told("QD", 0, 1.0), told("9S", 120, 0.85)]
    assert settled(apart)
    assert settled(apart, cells_between(0, 63, 120, 183)), "bare table lies between"
    assert not settled(apart, cells_between(0, 183)), "another card may lie between"
    assert settled([apart[0], told("9S", 120, 1.0)], cells_between(0, 183))
    assert settled(apart[1:], cells_between(0, 183)), "one alone is what it is"


def cells_between(*ends: int) -> Votes:
    """Votes of a finder that sees cards from the first to the second of these places across, and so on."""
    said = np.full((32, 64), -9.0, np.float32)
    for first, last in zip(ends[::2], ends[1::2], strict=True):
        said[5:27, first // STRIDE : last // STRIDE] = 9
    cell = np.argwhere(said > 0)
    pairs, ones = np.ones((len(cell), 2)), np.ones(len(cell))
    return Votes(cell, pairs, pairs, pairs, ones, ones, said, 1.0)


def test_a_card_beside_others_that_seems_open_is_known_in_full_or_something_lies_on_it() -> None:
    open_, covered = told("AS", 70, 0.96), told("AS", 70, 0.96, 0.7)
    assert not settled([told("QH", 0, 1.0), open_])
    assert settled([told("QH", 0, 1.0), covered])


def test_an_open_card_beside_another_shows_an_index_at_both_ends_or_something_lies_there() -> None:
    def shows(pictures: Image) -> Floats:
        return np.asarray(pictures.mean(axis=(1, 2, 3)) / 255)

    index = Index((0.0, 0.0, 0.2, 0.2), (12, 18), shows, lambda pictures, _: shows(pictures))
    fan = [told("9S", 0, 1.0), told("8H", 65, 1.0)]
    table = np.zeros((130, 200, 3), np.uint8)
    for spot, _ in fan:
        for x, y in spot.corners[[0, 2]].astype(int).tolist():
            cv2.rectangle(table, (x - 18, y - 24), (x + 18, y + 24), (255, 255, 255), -1)
    votes = votes_on(np.zeros_like(table), 1.0)
    assert not doubts(table, votes, fan, index).any()
    cv2.rectangle(table, (45, 80), (64, 110), (0, 0, 0), -1)
    assert doubts(table, votes, fan, index).any()
    assert not doubts(table, votes, fan[:1], index).any(), "a card that lies alone is what it is"
    assert doubts(table, votes, [told("9S", 0, 0.85)], index).any(), (
        "unless it is not plainly read: it may be two"
    )
    covered = [told("9S", 0, 1.0, 0.6), fan[1]]
    assert not doubts(table, votes, covered, index).any(), "the end of a covered card may be hidden"


def test_a_large_part_of_a_card_that_nobody_told_is_not_explained() -> None:
    table = green_table()
    for x in (300, 380):
        lay(table, face("sun"), (x, 300), 0, 110)
    votes = votes_on(np.asarray(table[::2, ::2]), 0.5)
    corners = np.array([[-39.4, -55], [39.4, -55], [39.4, 55], [-39.4, 55]])
    seen = np.ones((GRID[1], GRID[0]), bool)
    both = [(Spot(corners + np.array((x, 300)), seen, 1.0), Reading("sun", "up", 1.0)) for x in (300, 380)]
    assert not doubts(table, votes, both, None).any()
    where = np.argwhere(doubts(table, votes, both[:1], None)) * STRIDE / 0.5
    assert (where.min(axis=0) < (260, 280)).all(), "the whole tangle"
    assert (where.max(axis=0) > (340, 400)).all()
    assert not doubts(table, votes, [], None).any(), "nothing tells how large a card is"


def test_of_two_explanations_of_a_fan_the_better_known_holds() -> None:
    wrong = [told("JOKER", 10, 0.8)]
    right = [told("QD", 0, 0.99), told("5H", 30, 0.98)]
    assert names(clearer(wrong, right)) == ["QD", "5H"]
    assert names(clearer(right, wrong)) == ["QD", "5H"]


def test_a_second_look_at_one_heap_leaves_another_alone() -> None:
    first = [told("JOKER", 10, 0.8), told("9S", 300, 0.97)]
    second = [told("QD", 0, 0.99), told("5H", 30, 0.98), told("6S", 300, 0.7)]
    assert names(clearer(first, second)) == ["QD", "5H", "9S"]


def test_a_face_that_only_the_second_look_saw_may_hang_on_a_heap_by_another() -> None:
    first = [told("QD", 0, 0.99)]
    chain = [told("QD", 0, 0.99), told("5H", 45, 0.9), told("9S", 90, 0.85)]
    assert names(clearer(first, chain)) == ["QD", "5H", "9S"]


def test_a_covered_card_that_only_one_look_knew_is_told_whichever_look_knows_the_rest_better() -> None:
    covered = told("9S", 40, 0.88, share=0.0)
    covered = replace(covered[0], seen=card(40, 0.35).seen[:, ::-1]), covered[1]
    knew, did_not = [told("QD", 0, 0.9), covered], [told("QD", 1, 1.0), told("5H", -40, 0.99)]
    assert {*names(clearer(knew, did_not))} == {"QD", "5H", "9S"}
    doubtful = covered[0], replace(covered[1], confidence=0.8)
    assert {*names(clearer([knew[0], doubtful], did_not))} == {"QD", "5H"}
    elsewhere = told("9S", 20, 0.95)
    assert {*names(clearer([knew[0], elsewhere], did_not))} == {"QD", "5H"}, "most of it is the queen"


def test_a_back_in_doubt_does_not_make_an_explanation_better() -> None:
    first = [told("QD", 0, 0.99)]
    assert names(clearer(first, [told("QD", 0, 0.99), told("back", 20, 0.85, side="down")])) == ["QD"]


def test_a_covered_back_among_known_faces_makes_it_better_if_the_finder_is_sure() -> None:
    faces = [told("QD", 0, 0.99), told("5H", 50, 0.99)]
    back = told("back", 25, 0.85, 0.6, side="down")
    assert names(clearer(faces, [*faces, back])) == ["QD", "5H", "back"]
    faint = replace(back[0], sure=0.9), back[1]
    assert names(clearer(faces, [*faces, faint])) == ["QD", "5H"]


@pytest.mark.parametrize(
    ("upper", "lower", "left"),
    [
        (told("10S", 10, 0.79), told("9C", 40, 0.89, 0.25), ["9C"]),
        (told("JOKER", 10, 0.85), told("9C", 40, 0.89, 0.25), ["9C"]),
        (told("10S", 10, 0.99), told("9C", 40, 0.89, 0.25), ["10S", "9C"]),
        (told("10S", 10, 0.79), told("9C", 40, 0.85, 0.25), ["10S", "9C"]),
        (told("10S", 10, 0.79), told("JOKER", 40, 0.85, 0.25), ["10S"]),
        (told("10S", 10, 0.99), told("JOKER", 40, 0.85, 0.25), ["10S", "JOKER"]),
        (told("10S", 10, 0.79), told("9C", 80, 0.89, 0.25), ["10S", "9C"]),
        (told("10S", 10, 0.79, 0.8), told("9C", 40, 0.89, 0.25), ["10S", "9C"]),
    ],
)
def test_an_open_card_that_is_not_plain_and_lies_on_one_known_by_its_index_is_that_card(
    upper: Told, lower: Told, left: list[str]
) -> None:
    assert names(without_mistaken(green_table(), [upper, lower], showing(0.1))) == left


def test_an_open_card_that_shows_its_own_index_is_no_other_however_hard_it_is_to_read() -> None:
    """An ornate ace of spades at the end of a fan was taken for the next card."""
    fan = [told("AS", 10, 0.79), told("4C", 40, 0.89, 0.25)]
    assert names(without_mistaken(green_table(), fan, showing(0.8))) == ["AS", "4C"]


def test_a_joker_with_a_rim_all_round_lies_on_the_card_beneath_it() -> None:
    """A joker that a king was attached to was taken for the king, its corners misjudged."""
    joker, king = told("JOKER", 60, 0.85), told("KD", 90, 0.89, 0.25)
    table = green_table()
    assert names(without_mistaken(table, [joker, king], showing(0.1))) == ["KD"]
    cv2.fillConvexPoly(table, joker[0].corners.round().astype(np.int32), (240, 240, 240))
    assert names(without_mistaken(table, [joker, king], showing(0.1))) == ["JOKER", "KD"]


def showing(chance: float) -> Index:
    """Indices that show with this chance wherever they are looked for."""

    def everywhere(pictures: Image, *_: object) -> Floats:
        return np.full(len(pictures), chance)

    return Index((0.0, 0.0, 0.2, 0.3), (8, 12), everywhere, everywhere)


def test_where_all_is_known_another_look_adds_faces_but_no_backs() -> None:
    first = [told("QD", 0, 1.0), told("back", 200, 1.0, side="down")]
    second = [told("5H", 60, 1.0), told("back", 100, 1.0, side="down"), told("back", 205, 1.0, side="down")]
    assert without_new_backs(first, second) == [second[0], second[2]]


def test_one_face_told_twice_is_no_better_known() -> None:
    first = [told("QD", 0, 1.0)]
    assert names(clearer(first, [told("QD", 0, 1.0), told("QD", 20, 1.0)])) == ["QD"]


def test_what_only_the_second_look_saw_must_be_known_well() -> None:
    first = [told("JOKER", 10, 0.8)]
    fan = [told("QD", 0, 0.99), told("5H", 30, 0.98)]
    assert names(clearer(first, [*fan, told("KS", 300, 0.8)])) == ["QD", "5H"]
    assert names(clearer(first, [*fan, told("KS", 300, 0.99)])) == ["QD", "5H", "KS"]


def test_a_bit_of_back_beside_a_card_does_not_make_an_explanation_better() -> None:
    first = [told("QD", 0, 0.99)]
    assert names(clearer(first, [told("QD", 0, 0.96), told("back", 40, 0.85, share=0.2, side="down")])) == [
        "QD"
    ]


class Deck:
    """Knows every card as well as it was found."""

    index = None

    def read(self, _: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        return tuple(Reading(f"{spot.corners[0, 0]:.0f}", "up", float(spot.sure)) for spot in spots)

    def accustomed(self, _image: Image, _spots: Sequence[Spot]) -> Reader:
        return self


def looks(
    monkeypatch: pytest.MonkeyPatch, sure: Sequence[float], at_play: bool = False, apart: float = 30
) -> tuple[float, int]:
    """What is told of two cards that each look is `sure` of, and how often they were looked at again."""
    whole = np.ones(GRID[::-1], bool)
    pairs = [tuple(Spot(told("", x, 1.0)[0].corners, whole, s) for x in (30, 30 + apart)) for s in sure]
    again = iter(pairs[1:])
    scales: list[float] = []

    def first(
        look: Look, image: Image, deck: Reader | None = None, where: Image | None = None, far: bool = False
    ) -> tuple[Spot, ...]:
        return pairs[0]

    def next_(
        image: Image,
        deck: Reader,
        scale: float,
        where: Image | None = None,
        indices: Indices | None = None,
    ) -> tuple[Spot, ...]:
        scales.append(scale)
        return next(again)

    instead(monkeypatch, eyes, find_by)(first)
    instead(monkeypatch, eyes, find_again)(next_)
    # So near that no table is seen which could be told from the cards.
    cards = eyes.find_cards(np.zeros((130, 200, 3), np.uint8), Deck(), at_play=at_play)
    assert len(set(scales)) == len(scales)
    assert len(cards) == 2
    return cards[0].confidence, len(scales)


def test_cards_on_one_another_are_looked_at_until_they_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, (0.98,)) == (0.98, 0)
    assert looks(monkeypatch, (0.7, 0.72, 0.98)) == (0.98, 2)


def test_cards_that_lie_apart_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, (0.7, 0.97), apart=100) == (0.7, 0)


def test_at_play_one_look_must_do(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, (0.7, 0.97), at_play=True) == (0.7, 0)


def test_where_nothing_near_is_believed_cards_are_looked_for_far_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Large pale shapes had been taken for near cards, and a whole table of small ones passed without a word."""
    table = green_table()
    lay(table, face("sun"), (110, 130), 20, 64)
    near = look_at(resized(table, table, 0.2), 0.2)
    instead(monkeypatch, eyes, best_look)(lambda image: near)

    (sun,) = eyes.find_cards(table, Deck(), at_play=True)
    assert np.abs(np.mean(sun.corners_px, axis=0) - (110, 130)).max() < 5


def test_looked_at_both_ways_up_a_picture_on_its_head_says_the_same_of_its_cards() -> None:
    table = np.ascontiguousarray(green_table()[:256, :384])
    lay(table, face("sun"), (110, 130), 20, 64)
    head = np.ascontiguousarray(table[::-1, ::-1])
    one, other = (votes_on(picture, 1.0, both_ways=True) for picture in (table, head))
    middle, mirrored = (np.median(votes.centre, axis=0) for votes in (one, other))
    assert len(one) == len(other) > 0
    assert np.abs((383, 255) - mirrored - middle).max() < 0.05
