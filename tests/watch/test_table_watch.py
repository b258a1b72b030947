"""The watch tells each thing once, and only after hands are out and the picture is still."""

from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np
import pytest

from hardware.frames import Frame
from referee.card_happenings import CardMoved, CardPlaced, CardTaken, CardTapped, CardTurned, Happening
from referee.types import Card, Point
from referee.watch.cards import compare
from referee.watch.table import TableWatch
from tests.watch.stage import Eyes, Laid, film, paint

A = Laid("red", (150.0, 180.0))
B = Laid("blue", (400.0, 180.0))
H = TypeVar("H", bound=Happening)


def watched(*scenes: tuple[tuple[Laid, ...], bool]) -> list[Happening]:
    """Scenes of 14 still frames; before a scene marked True a hand comes in for six frames."""
    eyes = Eyes()
    watch = TableWatch(eyes, eyes.see_dice, die_px=20.0)
    script: list[tuple[tuple[Laid, ...], bool]] = []
    for cards, visited in scenes:
        script += [(cards, True)] * (10 if visited else 0) + [(cards, False)] * 14
    found: list[Happening] = []
    pictures = [
        paint(cards, (300.0, 330.0 - 12 * (k % 20)) if hand else None, noise=k + 1)
        for k, (cards, hand) in enumerate(script)
    ]
    for frame, (cards, _) in zip(film(pictures), script, strict=True):
        eyes.cards = cards
        found += watch.feed(frame)
    return found


def seen_late(
    before: tuple[Laid, ...],
    seen: tuple[Laid, ...],
    after: tuple[Laid, ...],
    seen_after: tuple[Laid, ...] | None = None,
) -> list[Happening]:
    """A table on which the eyes see only some of the cards, before a hand comes or after."""
    eyes = Eyes(seen, reads=True)
    watch = TableWatch(eyes, eyes.see_dice, die_px=20.0)
    pictures = [paint(before, noise=k + 1) for k in range(14)]
    pictures += [paint(after, (300.0, 330.0 - 12 * k), noise=k + 20) for k in range(10)]
    pictures += [paint(after, noise=k + 40) for k in range(16)]
    found: list[Happening] = []
    for frame in film(pictures):
        found += watch.feed(frame)
        eyes.cards = seen if frame.index < 13 else seen_after or after
    return found


def broken_off(after_hand: int, hand: bool = False) -> list[Happening]:
    """A card is laid, and the film ends so many frames after the hand has left, or while it rests on the table."""
    eyes = Eyes()
    watch = TableWatch(eyes, eyes.see_dice, die_px=20.0)
    pictures = [paint((A,), noise=k + 1) for k in range(14)]
    pictures += [paint((A, B), (300.0, 330.0 - 12 * k), noise=k + 20) for k in range(10)]
    rests = (300.0, 222.0) if hand else None
    pictures += [paint((A, B), rests, noise=k + 40) for k in range(after_hand)]
    found: list[Happening] = []
    for frame in film(pictures):
        eyes.cards = (A,) if frame.index < 14 else (A, B)
        found += watch.feed(frame)
    return [*found, *watch.finish(), *watch.finish()]


def kinds(found: list[Happening]) -> list[type]:
    return [type(h) for h in found]


def told_once(found: list[Happening], kind: type[H]) -> H:
    """The only thing that happened, which is of this kind."""
    assert kinds(found) == [kind]
    (told,) = found
    assert isinstance(told, kind)
    return told


def test_a_still_table_tells_nothing() -> None:
    assert watched(((A, B), False)) == []


def test_a_card_laid_down_is_placed_once() -> None:
    found = watched(((A,), False), ((A, B), True))
    told = told_once(found, CardPlaced)
    assert told.card.name == "blue"


def test_a_card_only_carried_past_is_never_told() -> None:
    assert watched(((A,), False), ((A,), True)) == []


def test_a_card_that_is_gone_is_taken_once() -> None:
    found = watched(((A, B), False), ((A,), True))
    told = told_once(found, CardTaken)
    assert told.card.name == "blue"


def test_a_turned_card_keeps_its_identity() -> None:
    found = watched(((A, B), False), ((A, Laid("back", B.at)), True))
    told = told_once(found, CardTurned)
    assert told.was is not None
    assert told.was.name == "blue" and told.card.id == told.was.id


def test_a_turned_card_is_turned_even_if_it_was_overlooked_before() -> None:
    found = seen_late((A, Laid("back", B.at)), (A,), (A, B))
    told = told_once(found, CardTurned)
    assert told.was is not None
    assert told.was.name == "back" and told.card.name == "blue"


def test_a_turned_card_is_turned_even_if_its_other_side_is_overlooked() -> None:
    found = seen_late((A, B), (A, B), (A, Laid("back", B.at)), seen_after=(A,))
    told = told_once(found, CardTurned)
    assert told.was is not None
    assert told.was.name == "blue" and told.card.name == "back"


def test_a_card_taken_away_is_taken_although_its_place_was_looked_at_again() -> None:
    assert kinds(seen_late((A, B), (A, B), (A,))) == [CardTaken]


def test_a_card_overlooked_before_that_lies_as_it_lay_is_not_told() -> None:
    assert seen_late((A, B), (A,), (A, B)) == []


def test_a_new_card_is_placed_although_the_place_was_looked_at_again() -> None:
    assert kinds(seen_late((A,), (A,), (A, B))) == [CardPlaced]


def test_a_card_turned_by_a_quarter_in_its_place_is_tapped_not_moved() -> None:
    found = watched(((A, B), False), ((A, Laid("blue", B.at, sideways=True)), True))
    told = told_once(found, CardTapped)
    assert told.tapped


def test_a_card_laid_elsewhere_is_moved_from_where_it_lay() -> None:
    found = watched(((A, B), False), ((A, Laid("blue", (520.0, 100.0))), True))
    told = told_once(found, CardMoved)
    assert told.was.corners_px == B.card().corners_px


def test_a_card_under_a_newcomer_is_covered_not_taken() -> None:
    over = Laid("white", (B.at[0] + 10, B.at[1]))
    eyes_see_only_the_upper = ((A, over), True)
    found = watched(((A, B), False), eyes_see_only_the_upper)
    told = told_once(found, CardPlaced)
    assert len(told.covers) == 1


def test_a_face_down_card_carried_off_and_laid_open_is_moved_and_turned() -> None:
    found = watched(((A, Laid("back", B.at)), False), ((A, Laid("white", (520.0, 90.0))), True))
    assert kinds(found) == [CardMoved, CardTurned]


def test_the_hands_way_in_is_known() -> None:
    found = watched(((A,), False), ((A, B), True))
    assert found[0].at.hand_px is not None
    x, y = found[0].at.hand_px
    assert abs(x - 300) < 25 and y > 340


def test_nothing_is_told_while_a_hand_rests_motionless_on_the_table() -> None:
    eyes = Eyes((A,))
    watch = TableWatch(eyes, eyes.see_dice, die_px=20.0)
    still = [paint((A,), noise=k + 1) for k in range(20)]
    resting = [paint((A, B), (400.0, 150.0), noise=k + 1) for k in range(25)]
    for frame in film(still):
        watch.feed(frame)
    eyes.cards = (A, B)
    later = (type(f)(f.index + 20, f.t_ns + 700_000_000, f.image) for f in film(resting))
    assert [h for f in later for h in watch.feed(f)] == []


def test_one_card_gone_and_one_come_not_surely_read_are_one_card_moved() -> None:
    gone = replace(Laid("blue", B.at).card(), confidence=0.5)
    came = Laid("red", (520.0, 90.0)).card()
    everything_changed = np.full((180, 320), 255, np.uint8)
    (change,) = compare([gone], [came], everything_changed).changes
    assert change.was is not None and change.now is not None
    assert change.was.name == change.now.name == "red"


def crosswise(card: Card) -> Card:
    """The same card a quarter turn on, about its middle."""
    xs, ys = zip(*card.corners_px, strict=True)
    x, y = sum(xs) / 4, sum(ys) / 4
    turned = tuple((x - (b - y), y + (a - x)) for a, b in card.corners_px)
    return replace(card, corners_px=turned, turn_deg=card.turn_deg + 90)


def drawn(*cards: Card) -> np.ndarray:
    """A mask at half size that is set where these cards lie."""
    mask = np.zeros((180, 320), np.uint8)
    for card in cards:
        cv2.fillPoly(mask, [np.round(np.array(card.corners_px) / 2).astype(np.int32)], 255)
    return mask


def test_a_card_turned_crosswise_where_it_lay_and_read_unsurely_is_still_that_card() -> None:
    lay = crosswise(replace(A.card(), name="10S", confidence=0.6))
    elsewhere = Laid("blue", B.at).card()
    now = replace(A.card(), name="8S")
    found = compare([lay], [now, elsewhere], drawn(lay, now, elsewhere))
    turned = next(c for c in found.changes if c.was is not None)
    assert turned.now is not None and turned.now.name == "8S"
    assert found.kept == []


def test_a_card_under_one_laid_crosswise_is_kept_while_its_ends_look_as_they_did() -> None:
    lay = crosswise(A.card())
    now = replace(A.card(), name="8S")
    found = compare([lay], [now], drawn(now))
    assert found.kept == [lay]


def test_a_twin_laid_beside_a_card_is_new_although_the_card_itself_hardly_changed() -> None:
    x, y = A.at
    lay, seen_again, twin = A.card(), Laid("red", (x - 4.0, y)).card(), Laid("red", (x + 60.0, y)).card()
    changed = drawn(twin)
    (_, top), (right, bottom) = lay.corners_px[0], lay.corners_px[2]
    changed[int(top / 2) : int(bottom / 2), int(right / 2) - 1 : int(right / 2) + 1] = 255
    found = compare([lay], [twin, seen_again], changed)
    assert [card.id for card in found.kept] == [lay.id]
    assert [change.was for change in found.changes] == [None]


@pytest.mark.parametrize("taken", [False, True])
def test_a_card_under_a_resting_hand_is_not_taken_until_the_hand_is_off_it(taken: bool) -> None:
    cards = (Laid("red", (150.0, 150.0)), Laid("white", (300.0, 200.0)))
    left = cards[:1] if taken else cards
    eyes = Eyes(cards)
    watch = TableWatch(eyes, eyes.see_dice, die_px=20.0)
    shown: list[tuple[tuple[Laid, ...], tuple[Laid, ...], Point | None]] = [(cards, cards, None)] * 20
    shown += [(cards, cards[:1], (300.0, 330.0 - 20 * k)) for k in range(10)]
    shown += [(cards, cards[:1], (300.0, 140.0))] * 70 + [(left, left, None)] * 70
    told: list[tuple[int, Happening]] = []
    for k, (lying, seen, hand) in enumerate(shown):
        eyes.cards = seen
        told += [(k, h) for h in watch.feed(Frame(k, k * 66_000_000, paint(lying, hand, noise=k % 7 + 1)))]
    assert [type(h) for _, h in told] == ([CardTaken] if taken else [])
    assert all(k > 100 for k, _ in told)


def test_a_card_laid_just_before_the_film_ends_is_told_once() -> None:
    assert kinds(broken_off(after_hand=7)) == [CardPlaced]


def test_nothing_is_told_of_a_film_that_ends_while_things_move() -> None:
    assert broken_off(after_hand=2) == []


def test_nothing_is_told_of_a_film_that_ends_with_a_hand_on_the_table() -> None:
    assert broken_off(after_hand=7, hand=True) == []
