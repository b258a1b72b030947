"""Whether a hand moved two pieces, or one of them and that the other."""

from dataclasses import replace

from referee.types import Piece, Point
from referee.vision.steps import at_once
from referee.watch.changes import Changes
from referee.watch.movers import Mover, Place
from referee.watch.second_touch import by_hand
from referee.watch.sheet import shot_sheet
from tests.watch.test_missing_frames import scene
from tests.watch.test_strike import FRAME_NS, piece

BESIDE = replace(piece(17.0), id=2)
LAST_SEEN = (Place(0, -6 * FRAME_NS, BESIDE.mm, 5.0),)
"""Before the hand hid it."""


def sent(start: Piece, towards: Point, reach_mm: float) -> Mover:
    """A piece that leaves its place in the first frame, and the hand it leaves stays where it is."""
    x, y = start.mm
    way = [
        Place(k, k * FRAME_NS, (x + k * towards[0], y + k * towards[1]), reach_mm + 9 * (k - 1))
        for k in range(1, 5)
    ]
    here = Place(0, 0, start.mm, 2.0)
    return Mover(start, replace(start, mm=way[-1].mm), way[-1].mm, tuple(way), (here,), left_ns=0)


SHOOTER = sent(piece(0.0), (-10.0, -10.0), 9.0)


def test_of_two_neighbours_that_a_hand_sent_apart_between_two_frames_it_touched_both() -> None:
    other = replace(sent(BESIDE, (10.0, -10.0), 6.5), rested=LAST_SEEN)
    assert by_hand(other, SHOOTER, FRAME_NS) is True
    assert by_hand(replace(sent(BESIDE, (10.0, -10.0), 16.5), rested=LAST_SEEN), SHOOTER, FRAME_NS) is False


def test_what_the_hand_moved_was_not_met_by_the_shooter() -> None:
    nothing = Changes((), (), (), ())
    for reach_mm, met in ((6.5, ()), (16.5, ((1, 2),))):
        other = replace(sent(BESIDE, (10.0, -10.0), reach_mm), rested=LAST_SEEN)
        slid, lay = (SHOOTER, other), (SHOOTER.start, other.start)
        assert at_once(shot_sheet(scene(), nothing, slid, lay, None, FRAME_NS)).contacts == met


def test_what_stopped_at_another_piece_was_not_surely_held_by_the_hand() -> None:
    way = tuple(Place(k, k * FRAME_NS, (10.0 + 12 * k - 0.4 * k * k, 0.0), 30.0) for k in range(8))
    end = piece(way[-1].mm[0] + 6)
    last = Place(99, 400_000_000, end.mm, 40.0)
    mover = Mover(piece(0.0), end, end.px, (*way, last), (), left_ns=0)
    for away_mm, touched in ((17.0, None), (40.0, True)):
        other = replace(piece(end.mm[0] + away_mm), id=2)
        sheet = shot_sheet(
            scene(), Changes((), (), (), ()), (mover,), (mover.start, other), None, 400_000_000
        )
        assert at_once(sheet).touched_moving is touched
