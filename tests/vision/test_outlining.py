"""Outlines come to lie where pieces truly end, and say how well they do."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from shapely.geometry import LineString, Polygon

from referee.vision.board import Field, log_of
from referee.vision.outline import Traced
from referee.vision.outlining import Fellows, outlined
from referee.vision.ovals import RAYS, TOWARDS, Points, centroid
from referee.vision.steps import at_once
from tests.vision.shadowed import RADIUS, lying, rim, round_both, round_one

HERE, SIDE = Path(__file__).parent, 96
SHEETS = json.loads((HERE / "outlines.json").read_text())
"""Rendered pieces of boards that nothing learned from: four of each, as traced and as they are."""


def sheet(number: int) -> tuple[Field, Field, list[Traced], list[Points]]:
    """Picture over empty board and picture, both as logarithms, with what was traced there and the truth."""
    whole = cv2.imread(str(HERE / "outlines.png"))
    assert whole is not None
    picture, bare = (
        log_of(np.ascontiguousarray(whole[(2 * number + k) * SIDE : (2 * number + k + 1) * SIDE], np.uint8))
        for k in (0, 1)
    )
    aside = [np.array([k * SIDE, 0.0]) for k in range(4)]
    pieces = SHEETS[number]["pieces"]
    points = [np.array(piece["traced"]) + off for piece, off in zip(pieces, aside, strict=True)]
    truths = [np.array(piece["true"]) + off for piece, off in zip(pieces, aside, strict=True)]
    return picture - bare, picture, [Traced(centroid(p), p, 0.5) for p in points], truths


def off_mm(one: Traced, true: Points, scale: float) -> Points:
    """How far the true rim is from an outline, ray by ray."""
    rim = LineString([*true, true[0]])
    rays = [LineString([one.centre, one.centre + 40 * way]) for way in TOWARDS]
    far = np.array([np.hypot(*(np.array(r.intersection(rim).coords[0]) - one.centre)) for r in rays])
    return np.asarray((far - np.hypot(*(one.points - one.centre).T)) / scale, float)


def moved(number: int) -> tuple[list[Traced], list[Traced], list[Points], float]:
    ratio, log, traced, truths = sheet(number)
    scale = float(SHEETS[number]["px_per_mm"])
    return traced, at_once(outlined(traced, ratio, log, scale, Fellows())), truths, scale


@pytest.mark.parametrize("number", range(len(SHEETS)), ids=[s["what"] for s in SHEETS])
def test_outlines_on_boards_never_learned_from_lie_on_the_rims(number: int) -> None:
    traced, found, truths, scale = moved(number)
    before, after = (
        np.array([off_mm(one, true, scale) for one, true in zip(some, truths, strict=True)])
        for some in (traced, found)
    )
    assert np.median(np.abs(after)) < 0.25
    assert np.sqrt((after**2).mean()) < max(np.sqrt((before**2).mean()), 0.15)


def test_the_stated_error_covers_what_is_left() -> None:
    covered = []
    for number in range(len(SHEETS)):
        _, found, truths, scale = moved(number)
        covered += [
            np.abs(off_mm(one, true, scale)) < 2 * one.sigma_px / scale
            for one, true in zip(found, truths, strict=True)
        ]
    assert np.mean(covered) > 0.9


def test_an_outline_that_took_its_shadow_in_gives_it_back() -> None:
    ratio = lying(-1.8, -0.7)
    back = at_once(outlined([round_both()], ratio, ratio + 5, 1.6, Fellows()))[0]
    assert rim(round_both()).max() > RADIUS + 5
    assert rim(back).max() < RADIUS + 2


def test_an_outline_that_is_right_stays() -> None:
    ratio = lying(-1.2, 0.0)
    found = at_once(outlined([round_one()], ratio, ratio + 5, 1.6, Fellows()))[0]
    assert np.abs(rim(found) - RADIUS).max() < 0.8


def test_an_outline_that_is_too_small_or_too_large_comes_to_the_rim() -> None:
    ratio = lying(-1.2, 0.0)
    for radius in (RADIUS - 3, RADIUS + 3):
        middle = round_one().centre
        wrong = Traced(middle, middle + radius * TOWARDS, 0.5)
        found = at_once(outlined([wrong], ratio, ratio + 5, 1.6, Fellows()))[0]
        assert np.abs(rim(found) - RADIUS).max() < 1.2


def test_a_piece_is_as_large_in_a_picture_of_twice_the_size() -> None:
    ratio = lying(-1.2, 0.0)
    large = np.asarray(cv2.resize(ratio, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.float32)
    middle = 2 * round_one().centre + 0.5
    traced = Traced(middle, middle + 2 * (RADIUS + 2) * TOWARDS, 0.5)
    found = at_once(outlined([traced], large, large + 5, 3.2, Fellows()))[0]
    assert np.abs(np.hypot(*(found.points - middle).T) - 2 * RADIUS).max() < 2.0


def test_pieces_seen_alone_are_held_against_those_seen_before() -> None:
    fellows = Fellows()
    many, one = np.ones((3, 3, RAYS, 4), np.float32), np.full((1, 3, RAYS, 4), 5.0, np.float32)
    assert fellows.usual(many).mean() == 1
    assert fellows.usual(one).mean() == pytest.approx(2)


def test_no_outline_is_none() -> None:
    ratio = lying(-1.0, 0.0)
    assert at_once(outlined([], ratio, ratio, 1.6, Fellows())) == []


def test_the_truth_of_the_sheets_is_whole() -> None:
    assert all(Polygon(p["true"]).is_valid for s in SHEETS for p in s["pieces"])
