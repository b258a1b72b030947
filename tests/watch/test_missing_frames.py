"""What is said of a shot of which the camera lost frames."""

import numpy as np
import pytest

from referee.games.rocca.reading import shot_result
from referee.happenings import Moved, ShotSeen
from referee.vision.glimpses import Sketch
from referee.watch.following import HalfFrame
from referee.watch.missing import in_doubt, lost_ns
from referee.watch.movers import Mover, Place
from referee.watch.scenes import Scene, Still
from referee.watch.shots import Strike, strike
from tests.watch.test_strike import FRAME_NS, piece

EMPTY = np.zeros((2, 2, 3), np.uint8)


def scene(*lost: int) -> Scene:
    """Thirty frames without those that were lost."""
    kept = [k for k in range(30) if k not in lost]
    drawn = Sketch((0, 0, 0, 0), np.zeros((0, 0), np.uint8), 1.0)
    since = np.diff([-1, *kept]) * FRAME_NS
    frames = (
        HalfFrame(k, k * FRAME_NS, EMPTY, (0, 0), drawn, int(ns)) for k, ns in zip(kept, since, strict=True)
    )
    still = Still((0, 0), 0, EMPTY, EMPTY)
    return Scene(still, still, tuple(frames))


def slid(first: int, last: int) -> Mover:
    """A piece that lay until the first frame and slid until the last."""
    lay = [Place(k, k * FRAME_NS, (0.0, 0.0), 20.0) for k in range(first + 1)]
    way = [Place(k, k * FRAME_NS, (10.0 * (k - first), 0.0), 20.0) for k in range(first + 1, last + 1)]
    end = piece(10.0 * (last - first))
    return Mover(piece(0.0), end, end.px, tuple(lay + way), tuple(lay))


@pytest.mark.parametrize(
    ("lost", "frames"), [((), 0), (range(12, 22), 10), (range(2, 8), 0), (range(25, 29), 0)]
)
def test_only_frames_lost_while_a_piece_moved_are_missed(lost: tuple[int, ...], frames: int) -> None:
    assert lost_ns(scene(*lost), (slid(10, 20),), FRAME_NS) == frames * FRAME_NS


def test_of_a_hand_in_lost_frames_nothing_is_said() -> None:
    touched = Strike(0, 0, 40.0, False, True)
    assert in_doubt(touched, 0) == touched
    assert in_doubt(touched, 100_000_000).touched_moving is None
    blind = in_doubt(touched, 300_000_000)
    assert (blind.guided, blind.touched_moving) == (None, None)


def test_a_touch_that_may_have_been_short_in_lost_frames_is_no_push() -> None:
    start, end = piece(0.0), piece(70.0)
    way = [Place(15 + k, (15 + k) * FRAME_NS, (50.0 + 0.8 * k, 0.0), 3.0) for k in range(5)]
    mover = Mover(start, end, end.px, tuple(way), (Place(0, 0, (0.0, 0.0), 5.0),), left_ns=0)
    assert strike(mover, FRAME_NS).guided is True
    assert strike(mover, FRAME_NS, lost_ns=8 * FRAME_NS).guided is None


def test_which_of_several_pieces_was_shot_is_not_guessed() -> None:
    moved = Moved(1, (0.0, 0.0), (0.0, 0.0), None, None, 50.0, 0.3)
    shot = ShotSeen(
        (0, 9), 0, moved, (), (), 5, (), None, (moved,), ((1, 2),), (), (1,), None, None, None, None, None,
        ("frames of the shot are missing",), unknown=True,
    )  # fmt: skip
    result = shot_result(shot, None)
    assert (result.through, result.gate_contact, result.motion, result.piece) == (None, None, None, None)
