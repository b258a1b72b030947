"""Two cards that were taken for one are told by their indices."""

from dataclasses import replace

import cv2
import numpy as np

from referee.decks.printed.suits import standard_faces
from referee.vision.cards.merged import with_parted
from referee.vision.cards.reading import Reading
from referee.vision.cards.spot import GRID, Image, Spot
from referee.vision.cards.standard import StandardDeck
from referee.vision.cards.tangles import Told
from referee.vision.cards.votes import Votes, cast_votes
from tests.decks.cards_drawn import SIZE, lay

LENGTH = 220
WIDTH = LENGTH * SIZE[0] / SIZE[1]
LOWER, UPPER = (150, 250), (195, 235)


def table(*cards: tuple[str, tuple[int, int]]) -> Image:
    felt = np.full((480, 360, 3), (50, 60, 40), np.uint8)
    for name, centre in cards:
        # Without an outline one white card cannot be seen on another.
        face = cv2.rectangle(
            standard_faces()[name].copy(), (0, 0), (SIZE[0] - 1, SIZE[1] - 1), (90, 90, 90), 4
        )
        lay(felt, np.asarray(face, np.uint8), centre, 0, LENGTH)
    return felt


def told(name: str, left: float, top: float, right: float, bottom: float) -> Told:
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)
    return Spot(corners, np.ones(GRID[::-1], bool), 1.0), Reading(name, "up", 0.99)


def votes_on(image: Image) -> Votes:
    return cast_votes(image, 64 / LENGTH)


def test_two_cards_that_were_taken_for_one_are_both_told_but_not_for_certain() -> None:
    both = table(("AC", LOWER), ("9H", UPPER))
    (x0, y1), (x1, y0) = LOWER, UPPER
    one = told("9H", x0 - WIDTH / 2 + 20, y0 - LENGTH / 2 + 10, x1 + WIDTH / 2, y1 + LENGTH / 2 - 10)
    parted = with_parted(both, [one], StandardDeck(), votes_on(both))
    assert {reading.name for _, reading in parted} == {"9H", "AC"}
    assert max(reading.confidence for _, reading in parted) < 0.9


def test_a_card_that_shows_its_indices_is_one() -> None:
    single, (x, y) = table(("9H", UPPER)), UPPER
    one = told("9H", x - WIDTH / 2, y - LENGTH / 2, x + WIDTH / 2, y + LENGTH / 2)
    assert with_parted(single, [one], StandardDeck(), votes_on(single)) == [one]


def test_a_card_whose_outline_is_wrong_stays_one_if_no_other_is_there() -> None:
    single, (x, y) = table(("9H", UPPER)), UPPER
    one = told("9H", x - WIDTH / 2 - 25, y - LENGTH / 2 - 10, x + WIDTH / 2 + 25, y + LENGTH / 2 + 10)
    assert [r.name for _, r in with_parted(single, [one], StandardDeck(), votes_on(single))] == ["9H"]


def test_among_many_cards_one_whose_outline_takes_in_a_strip_of_another_is_told_right() -> None:
    """On a table of cards a 6 was told as a 3: its outline lay a strip lower, round the card beneath it."""
    felt, length = np.full((420, 700, 3), (50, 60, 40), np.uint8), 150
    width = length * SIZE[0] / SIZE[1]
    beside = [
        ("5C", (80, 100)),
        ("KD", (200, 100)),
        ("9S", (320, 100)),
        ("4D", (440, 100)),
        ("QC", (560, 100)),
    ]
    upper, lower = (200, 300), (200, 338)
    for name, centre in [*beside, ("2S", lower), ("6H", upper)]:
        face = cv2.rectangle(
            standard_faces()[name].copy(), (0, 0), (SIZE[0] - 1, SIZE[1] - 1), (90, 90, 90), 4
        )
        lay(felt, np.asarray(face, np.uint8), centre, 0, length)

    def lying(name: str, x: float, y: float) -> Told:
        return told(name, x - width / 2, y - length / 2, x + width / 2, y + length / 2)

    spot, reading = lying("3H", 200, 322)
    taken = [*(lying(name, *centre) for name, centre in beside), (spot, replace(reading, confidence=0.92))]
    parted = with_parted(felt, taken, StandardDeck(), cast_votes(felt, 64 / length))
    assert {reading.name for _, reading in parted} == {*(name for name, _ in beside), "2S", "6H"}
