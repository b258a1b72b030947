"""What is kept of all that was found: pieces, and no shadows of pieces."""

import numpy as np

from referee.vision.choosing import SHADOW_WORTH, best_of, fit, without_shadows
from referee.vision.ovals import RAYS, TOWARDS, Oval
from referee.vision.reading import Reading


def oval(x: float, radius: float, edge: float, shade: float) -> Oval:
    return Oval(np.array([x, 0.0]), np.full(RAYS, radius), edge, np.ones(RAYS, bool), shade)


def test_a_dark_sliver_beside_a_piece_is_its_shadow() -> None:
    piece, shadow = oval(0, 20, edge=0.6, shade=0.3), oval(27, 9, edge=0.5, shade=-0.6)
    assert without_shadows([piece, shadow]) == [piece]


def test_a_clear_dark_piece_is_no_shadow_of_something_hardly_seen() -> None:
    piece, blur = oval(0, 18, edge=0.8, shade=-0.4), oval(30, 30, edge=0.13, shade=0.0)
    assert piece in without_shadows([piece, blur])


def test_a_dark_thing_without_a_shadow_is_doubted_once() -> None:
    dark = oval(30, 12, edge=0.8, shade=-0.5)
    reading = Reading((dark.points,), shadow_below=-0.2)
    assert fit(reading, [dark], scale=1.5, way=np.array([1.0, 0.0]))[0] >= SHADOW_WORTH * dark.edge


def test_a_pale_piece_beside_a_dark_one_is_not_left_out() -> None:
    rows, columns = np.mgrid[0:40, 0:80]
    pale = (np.hypot(columns - 55, rows - 20) < 9).astype(np.uint8)
    dark, both = [20 + 9 * TOWARDS], [20 + 9 * TOWARDS, [55, 20] + 9 * TOWARDS]
    reading = Reading((dark[0],), tinted=pale)
    assert reading.explaining(dark) < 0.6
    assert reading.explaining(both) > 0.95


def test_a_narrow_gleam_beside_a_piece_is_no_piece() -> None:
    rows, columns = np.mgrid[0:40, 0:80]
    gleam = ((np.abs(columns - 33) < 3) & (np.abs(rows - 20) < 8)).astype(np.uint8)
    assert Reading((20 + 9 * TOWARDS,), tinted=gleam).explaining([20 + 9 * TOWARDS]) == 1


def test_what_is_as_wide_as_a_piece_is_not_left_out_for_a_shadow() -> None:
    rows, columns = np.mgrid[0:40, 0:80]
    both = (np.hypot(columns - 20, rows - 20) < 10) | (np.hypot(columns - 39, rows - 20) < 9)
    crescent = (np.hypot(columns - 20, rows - 20) < 10) | (np.hypot(columns - 25, rows - 20) < 10)
    one = [20 + 10 * TOWARDS]
    assert Reading((one[0],), clear=both.astype(np.uint8)).covering(one) < 0.7
    assert Reading((one[0],), clear=crescent.astype(np.uint8)).covering(one) == 1


def test_the_clearest_ovals_of_several_readings_make_up_a_heap() -> None:
    left, right = oval(100, 15, edge=0.9, shade=-1.0), oval(131, 15, edge=0.9, shade=-1.0)
    torn = oval(120, 17, edge=0.4, shade=-1.0)
    readings = [Reading((left.points, torn.points)), Reading((torn.points, right.points))]
    found = best_of(readings, [[left, torn], [torn, right]], scale=1.5, way=None)
    assert {o.centre[0] for o in found} == {100, 131}
