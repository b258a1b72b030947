"""A piece that no still shows lies where it was seen to slide to its rest."""

import numpy as np

from referee.vision.glimpses import Glimpse
from referee.watch.faint import resting, slid
from referee.watch.following import Sighting, Trail
from tests.vision import table

RADIUS, FRAME_NS = 7.0, 16_666_667
REST = np.array([150.0, 120.0])


def blob(x: float, y: float, radius: float = RADIUS - 1) -> Glimpse:
    """A loose round thing."""
    rows, columns = np.mgrid[0:240, 0:320]
    inside = np.hypot(columns - x, rows - y) <= radius
    return Glimpse((), np.column_stack([columns[inside], rows[inside]]).astype(float))


def trail(*x: float, reach: float = 40.0) -> Trail:
    """Followed back from its rest."""
    found = Trail(REST, RADIUS)
    found.sightings = [
        Sighting(k, -k * FRAME_NS, np.array([at, 120.0]), reach, 0.8) for k, at in enumerate(x)
    ]
    return found


def test_what_rests_on_the_board_in_the_last_frames_may_be_a_piece() -> None:
    profile = table.profile()
    (spot,) = resting([blob(80, 120), *[blob(150, 120)] * 3], RADIUS, profile)
    assert np.abs(spot - REST).max() < 1
    assert resting([blob(x, 120) for x in (120, 130, 140, 150)], RADIUS, profile) == []
    assert resting([blob(12, 120)] * 3, RADIUS, profile) == [], "beside the board"
    assert resting([blob(150, 120, 25)] * 3, RADIUS, profile) == [], "larger than any piece"


def test_only_what_slid_there_is_a_piece() -> None:
    assert slid(trail(150, 149, 146, 140, 130, 115, 95, 70))
    assert not slid(trail(*[150.0] * 8)), "it lay there all the time"
    assert not slid(trail(150, 149, 146, 140, 130, 115, 95, 70, reach=1.0)), (
        "a hand was beside it all the way"
    )
