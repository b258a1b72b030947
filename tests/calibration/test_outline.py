"""Boards of many kinds on many tables are outlined; a bare table has no board."""

import numpy as np
import pytest
from shapely.geometry import Polygon

from calibration import shapes
from calibration.edges import edge_field, paper_outline_mm
from calibration.outline import find_outline, on_surface
from calibration.settling import settle
from calibration.shapes import score
from calibration.taps import outline_from_taps
from hardware.errors import TableError
from tests.calibration import scenes

CAMERA = scenes.posed((5, -4, 6), (8, -5, 800))
Colour = tuple[float, float, float]
DARK, LIGHT, PALE = (40.0, 60.0, 80.0), (170.0, 200.0, 215.0), (190.0, 200.0, 206.0)


def rectangle(
    width: float, height: float, turn_deg: float = 0, at: tuple[float, float] = (0, 0)
) -> np.ndarray:
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + at)


def ring(radius: float, corners: int = 96, at: tuple[float, float] = (0, 0)) -> np.ndarray:
    turn = np.arange(corners) * 2 * np.pi / corners
    return np.stack([np.cos(turn), np.sin(turn)], -1) * radius + at


def wood() -> scenes.Paint:
    table = scenes.grain(scenes.canvas((90, 130, 170)), 3, 9, (60, 2))
    for y in (-260, -130, 10, 150, 300):
        scenes.fill(table, rectangle(920, 1.5, 0, (0, y)), (50, 75, 100))
    return table


def cloth() -> scenes.Paint:
    return scenes.grain(scenes.canvas((150, 90, 60)), 3, 14, (1.5, 1.5))


def checked() -> scenes.Paint:
    table = scenes.canvas((200, 200, 210))
    for i in range(-9, 10):
        scenes.fill(table, rectangle(920, 24, 0, (0, i * 50)), (180, 120, 190))
        scenes.fill(table, rectangle(10, 920, 0, (i * 50, 0)), (120, 70, 200))
    return scenes.grain(table, 3, 5, (1.5, 1.5))


def white() -> scenes.Paint:
    return scenes.grain(scenes.canvas((205, 208, 210)), 3, 2.5, (8, 8))


def seen(table: scenes.Paint) -> scenes.Picture:
    scenes.print_sheet(table)
    return scenes.shoot(table, CAMERA, seed=1)


def likeness(found: tuple[tuple[float, float], ...], true: np.ndarray) -> float:
    a, b = Polygon(found), Polygon(true)
    return float(a.intersection(b).area / a.union(b).area)


@pytest.mark.parametrize(
    ("table", "board", "colour"),
    [
        (wood, rectangle(360, 360, 7, (6, -4)), DARK),
        (checked, rectangle(420, 300, -12, (3, 2)), LIGHT),
        (white, rectangle(360, 360, 7, (6, -4)), PALE),
        (cloth, rectangle(250, 330, 3, (0, 5)), LIGHT),
        (wood, ring(175, at=(5, 3)), LIGHT),
        (white, ring(175, at=(5, 3)), PALE),
    ],
    ids=[
        "dark on planks",
        "on a checked cloth",
        "light on light",
        "a book",
        "round",
        "round light on light",
    ],
)
def test_the_board_is_outlined(table: object, board: np.ndarray, colour: Colour) -> None:
    assert callable(table)
    paint = table()
    scenes.fill(paint, board, colour)
    outline = find_outline(seen(paint), CAMERA)
    assert outline is not None
    assert likeness(on_surface(outline.shape, CAMERA), board) > 0.985


def test_a_frame_belongs_to_the_board() -> None:
    paint, board = wood(), rectangle(350, 350, 4)
    scenes.fill(paint, board, (70, 100, 140))
    scenes.fill(paint, rectangle(330, 330, 4), (60, 140, 60))
    outline = find_outline(seen(paint), CAMERA)
    assert outline is not None
    assert likeness(on_surface(outline.shape, CAMERA), board) > 0.985


def test_a_bare_table_has_no_board() -> None:
    assert find_outline(seen(wood()), CAMERA) is None
    assert find_outline(seen(cloth()), CAMERA) is None


def test_four_rough_taps_settle_on_the_edges() -> None:
    paint, board = wood(), rectangle(360, 360, 7, (6, -4))
    scenes.fill(paint, board, LIGHT)
    rough = CAMERA.to_pixels(board + np.array([[4, -3], [-3, 4], [3, 3], [-4, -2]]))
    found = outline_from_taps([(x, y) for x, y in rough], CAMERA, seen(paint))
    assert likeness(found, board) > 0.985


def test_taps_around_a_round_board_make_a_circle() -> None:
    taps = CAMERA.to_pixels(ring(170, 7))
    assert likeness(outline_from_taps([(x, y) for x, y in taps], CAMERA), ring(170)) > 0.98


def test_three_taps_are_too_few() -> None:
    with pytest.raises(TableError, match="3 taps are too few"):
        outline_from_taps([(1, 1), (2, 2), (3, 1)], CAMERA)


def test_a_thick_round_board_seen_aslant_is_outlined_though_one_side_shows_two_edges() -> None:
    top, table = ring(175), cloth()
    scenes.fill(table, ring(175, at=(2, -2)), (10.0, 10.0, 15.0))
    scenes.fill(table, top, (60.0, 95.0, 140.0))
    found = find_outline(seen(table), CAMERA)
    assert found is not None
    assert found.score > 0.6
    assert likeness(on_surface(found.shape, CAMERA), top) > 0.98


@pytest.mark.parametrize("seam_mm", [112.0, -125.0])
def test_a_seam_that_two_sides_go_on_past_is_not_the_edge_of_the_board(seam_mm: float) -> None:
    paint = scenes.grain(scenes.canvas((150, 152, 155)), 3, 4, (6, 6))
    scenes.fill(paint, rectangle(370, 370), LIGHT)
    scenes.fill(paint, rectangle(370, 1.5, 0, (0, seam_mm)), (110, 135, 150))
    field = edge_field(seen(paint), CAMERA, paper_outline_mm())
    low, high = (-185.0, seam_mm) if seam_mm > 0 else (seam_mm, 185.0)
    board, planks = (
        settle(field, shapes.rectangle(0, -185, 185, *ends)) for ends in ((-185, 185), (low, high))
    )
    assert score(field, planks) < 0.6 * score(field, board)


def test_the_sides_of_a_board_are_tried_where_the_edges_lie_and_not_beside_them() -> None:
    offsets = np.repeat([60.1, 61.3, 178.85], [4, 3, 40])
    assert np.abs(shapes._peaks(offsets)[0] - 178.85) < 0.05
