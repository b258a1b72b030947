"""A piece that is gone slid off the board only if it was seen to, and not the hand that carried it off."""

import math

import pytest

from referee.types import Piece
from referee.watch.movers import Mover, Place
from referee.watch.slid_off import slid_off

FRAME_NS = 16_666_667
BOARD = ((-100.0, -100.0), (100.0, -100.0), (100.0, 100.0), (-100.0, 100.0))
LAY = Piece(1, (0.0, 0.0), (0.0, 0.0), ((-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)))


def gone(*seen: tuple[int, float, float]) -> Mover:
    """A piece that is gone, last seen in these frames, so far off, with so much space to the hand."""
    way = [Place(k, k * FRAME_NS, (far, 0.0), reach) for k, far, reach in seen]
    return Mover(LAY, None, None, tuple(way), ())


@pytest.mark.parametrize("reach", [(20.0, 42.0, 61.0), (math.inf, math.inf, math.inf)])
def test_a_piece_seen_running_off_fell_whether_the_hand_stays_behind_or_is_not_seen_at_all(
    reach: tuple[float, float, float],
) -> None:
    assert slid_off(gone((50, 80.0, reach[0]), (51, 102.0, reach[1]), (52, 121.0, reach[2])), BOARD)


def test_what_is_left_in_the_picture_of_a_hand_that_goes_out_of_it_is_no_piece_that_fell() -> None:
    """Seen under a camera that trembles: the piece lay in the hand for 45 frames."""
    assert not slid_off(gone((90, 88.0, 20.4), (91, 112.0, math.inf), (92, 125.0, math.inf)), BOARD)
