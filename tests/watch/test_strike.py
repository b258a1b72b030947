"""What is seen of a piece at the moment of the strike, when hand and piece are one blob."""

import numpy as np

from referee.watch.following import Sighting
from referee.watch.tracks import without_the_hand

HOME, RADIUS = np.zeros(2), 8.0
FREE, AT_THE_HAND = 30.0, 1.0


def seen(*places: tuple[float, float, float]) -> list[Sighting]:
    """x, y and the space to the hand, a frame each."""
    return [Sighting(k, k * 16, np.array([x, y]), reach, 1.0) for k, (x, y, reach) in enumerate(places)]


def test_a_finger_beside_the_way_is_not_taken_for_the_piece() -> None:
    way = seen((-22, -18, AT_THE_HAND), (14, 16, AT_THE_HAND), (20, 22, FREE), (25, 28, FREE))
    assert without_the_hand(way, HOME, RADIUS) == way[1:]


def test_what_leads_straight_away_from_the_hand_is_kept() -> None:
    way = seen((9, 0, AT_THE_HAND), (18, 0, AT_THE_HAND), (26, 0, FREE))
    assert without_the_hand(way, HOME, RADIUS) == way


def test_a_piece_that_bounces_back_clear_of_the_hand_has_gone_the_long_way() -> None:
    way = seen((60, 0, FREE), (20, 0, FREE), (15, 0, FREE))
    assert without_the_hand(way, HOME, RADIUS) == way


def test_a_way_never_seen_stays_unseen() -> None:
    assert without_the_hand([], HOME, RADIUS) == []
