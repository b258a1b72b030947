"""Round pieces seen from above: RO-34 to RO-36."""

from math import cos, hypot, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.rocca.track import Circle, Gate, classify
from referee.types import Point

GATE = Gate(Circle(0, 0, 8), Circle(60, 0, 8))


def _passage(*path: Point, at_rest: bool = False) -> object:
    return classify(GATE, 8, path, 1.0, at_rest).through


def test_wholly_beyond_the_band_is_through() -> None:
    passage = classify(GATE, 8, [(30, -40), (30, 40)], 1.0)
    assert (passage.through, passage.margin_mm, passage.eligible, passage.gate_contact) == (
        True,
        24,
        True,
        False,
    )


def test_still_inside_the_band_is_not_through() -> None:
    passage = classify(GATE, 8, [(30, -40), (30, 10)], 1.0)
    assert (passage.through, passage.margin_mm) == (False, -6)


@pytest.mark.parametrize("y", [15.0, 15.5, 16.0, 16.9, 17.0])
def test_a_sliver_is_for_the_players(y: float) -> None:
    assert _passage((30, -40), (30, y)) == "REVIEW"


def test_round_the_end_is_not_through() -> None:
    assert _passage((30, -40), (-40, -40), (-40, 40), (30, 40)) is False


def test_through_and_back_was_through_unless_the_rest_counts() -> None:
    back = ((30.0, -40.0), (30.0, 40.0), (30.0, 5.0))
    assert _passage(*back) is True
    assert _passage(*back, at_rest=True) is False


def test_through_and_back_out_of_the_entry_side_rests_on_the_wrong_side() -> None:
    back = ((30.0, -40.0), (30.0, 10.0), (30.0, -40.0))
    assert _passage(*back) is False


def test_touching_the_band_at_the_start_is_for_the_players() -> None:
    passage = classify(GATE, 8, [(30, -16), (30, 40)], 1.0)
    assert (passage.start_inside, passage.eligible) == ("REVIEW", "REVIEW")


@pytest.mark.parametrize(("x", "contact"), [(10.0, True), (16.0, True), (16.3, "REVIEW"), (16.6, False)])
def test_a_gate_piece_is_hit_nearly_hit_or_passed(x: float, contact: object) -> None:
    assert classify(GATE, 8, [(x, -40), (x, 40)], 1.0).gate_contact == contact


@given(
    turn=st.floats(0, 2 * pi),
    dx=st.floats(-500, 500),
    dy=st.floats(-500, 500),
    y=st.floats(18, 200),
    x=st.floats(20, 40),
)
def test_the_answer_does_not_depend_on_where_the_gate_lies(
    turn: float, dx: float, dy: float, x: float, y: float
) -> None:
    def moved(p: Point) -> Point:
        return p[0] * cos(turn) - p[1] * sin(turn) + dx, p[0] * sin(turn) + p[1] * cos(turn) + dy

    gate = Gate(Circle(*moved((0, 0)), 8), Circle(*moved((60, 0)), 8))
    passage = classify(gate, 8, [moved((x, -40)), moved((x, y))], 1.0)
    assert passage.through is True
    assert passage.margin_mm == pytest.approx(y - 16, abs=1e-4)


@given(r=st.floats(2, 20), length=st.floats(45, 120), x=st.floats(-60, 180), y=st.floats(-80, 80))
def test_the_distance_to_the_band_of_unequal_pieces_is_that_of_its_outline(
    r: float, length: float, x: float, y: float
) -> None:
    """The hull of two circles is all circles between them: the nearest of many gives the distance."""
    gate = Gate(Circle(0, 0, r), Circle(length, 0, 8))
    between = [(t / 400, length * t / 400) for t in range(401)]
    nearest = min(hypot(x - at, y) - (r + (8 - r) * t) for t, at in between)
    if nearest > 0:
        assert gate.distance((x, y)) == pytest.approx(nearest, abs=0.1)
