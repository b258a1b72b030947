"""Promises of the calibration by four known points."""

import numpy as np
import pytest

from calibration.points import from_points
from calibration.profile import Profile
from hardware.errors import TableError

CORNERS = ((0.0, 300.0), (400.0, 300.0), (400.0, 0.0), (0.0, 0.0))


def tilted(degrees: float) -> Profile:
    turn = np.radians(180 - degrees)
    R = np.array([[1, 0, 0], [0, np.cos(turn), -np.sin(turn)], [0, np.sin(turn), np.cos(turn)]])
    t = -R @ np.array([200.0, 150.0 - 500 * np.tan(np.radians(degrees)), 500.0])
    rows = tuple(tuple(map(float, row)) for row in R)
    K = ((900.0, 0.0, 640.0), (0.0, 900.0, 360.0), (0.0, 0.0, 1.0))
    return Profile((1280, 720), K, (0.0,) * 5, rows, tuple(map(float, t)), None, 0.1, 0.1, 0.3)


@pytest.mark.parametrize("degrees", [0.0, 8.0, 25.0])
def test_places_between_the_points_are_measured_in_millimetres(degrees: float) -> None:
    camera = tilted(degrees)
    px = camera.to_pixels(np.array(CORNERS))
    known = from_points(
        tuple((tuple(p), mm) for p, mm in zip(px.tolist(), CORNERS, strict=True)), (1280, 720)
    )
    inside = np.array([[200.0, 150.0], [50.0, 40.0], [350.0, 260.0]])
    assert np.abs(known.to_board(camera.to_pixels(inside)) - inside).max() < 0.5
    assert known.board_outline_mm is not None
    assert known.plane_error_mm > 0.5


def test_mirrored_and_flat_points_are_refused() -> None:
    px = tilted(0).to_pixels(np.array(CORNERS)).tolist()
    mirrored = tuple((tuple(p), (x, -y)) for p, (x, y) in zip(px, CORNERS, strict=True))
    with pytest.raises(TableError, match="mirrored"):
        from_points(mirrored, (1280, 720))
    with pytest.raises(TableError, match="span"):
        from_points((((0, 0), (0, 0)),) * 4, (1280, 720))
