"""A piece struck so hard that a slow camera sees it three times before it is off the board."""

import cv2
import numpy as np

from hardware.frames import Image
from referee.types import Point
from referee.vision.glimpses import Glimpse, Sketch
from referee.watch.flight import flown, way_off
from referee.watch.following import HalfFrame, Sighting, Trail

FRAME_NS, HOME, RADIUS = 33_333_333, np.array([60.0, 160.0]), 8.0
BLANK: Image = np.zeros((1, 1, 3), np.uint8)


def frames(count: int) -> list[HalfFrame]:
    empty = Sketch((0, 0, 0, 0), np.zeros((0, 0), np.uint8), 1.0)
    return [HalfFrame(k, k * FRAME_NS, BLANK, (0, 0), empty) for k in range(count)]


def sight(*blobs: Point, radius: float = RADIUS) -> Glimpse:
    mask = np.zeros((240, 320), np.uint8)
    for x, y in blobs:
        cv2.circle(mask, (round(x), round(y)), round(radius), 255, -1)
    spots = cv2.findNonZero(mask)
    return Glimpse((), np.zeros((0, 2)) if spots is None else spots.reshape(-1, 2).astype(np.float64))


def home(lain_ns: int) -> Trail:
    trail = Trail(HOME, RADIUS)
    trail.lain_ns = lain_ns
    return trail


FLIGHT = (sight(), sight((85, 130)), sight((110, 100)), sight((133, 72)), sight((154, 47)))


def test_a_piece_that_flies_off_at_once_is_seen_on_its_way() -> None:
    way = flown(frames(5), FLIGHT, home(0))
    assert [s.index for s in way] == [1, 2, 3, 4]
    assert np.linalg.norm(way[-1].spot - (154, 47)) < 1


def test_things_in_a_line_that_does_not_come_from_its_place_are_none_of_its_way() -> None:
    aside = [sight(), *(sight((85 + 25 * k, 220 - 4 * k)) for k in range(4))]
    assert flown(frames(5), aside, home(0)) == []


def test_nothing_flies_while_the_piece_still_lies_there() -> None:
    assert flown(frames(5), FLIGHT, home(3 * FRAME_NS)) == []


def test_what_goes_faster_and_faster_is_a_hand_that_leaves() -> None:
    hand = (sight(), sight((80, 140)), sight((95, 125)), sight((125, 95)), sight((180, 40)))
    assert flown(frames(5), hand, home(0)) == []


def test_specks_and_sleeves_are_no_piece() -> None:
    specks = [sight((85 + 24 * k, 130 - 28 * k), radius=3) for k in range(4)]
    assert flown(frames(5), [sight(), *specks], home(0)) == []


def test_a_finger_that_was_followed_meanwhile_is_not_the_piece_that_flew_off_in_plain_sight() -> None:
    flight, lay = flown(frames(5), FLIGHT, home(0)), Sighting(0, 0, HOME, 50.0, 1.0)
    trail = home(0)
    trail.sightings = [
        lay,
        *(Sighting(k, k * FRAME_NS, HOME + np.array([20.0, 5.0 * k]), 9.0, 1.0) for k in range(1, 5)),
    ]
    assert way_off(trail, flight) == [lay, *flight]
    assert way_off(trail, flight[:3]) == trail.sightings, "three blobs are in line by chance"


def test_a_piece_that_was_followed_on_its_flight_keeps_all_that_was_seen_of_it() -> None:
    flight = flown(frames(5), FLIGHT, home(0))
    trail = home(0)
    trail.sightings = [*flight, Sighting(6, 6 * FRAME_NS, np.array([190.0, 5.0]), 50.0, 0.5)]
    assert way_off(trail, flight) == trail.sightings
