"""Pieces at rest: found, outlined, and nothing else found."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from shapely.affinity import scale, translate
from shapely.geometry import Point, Polygon

from hardware.frames import Image
from referee.types import Piece
from referee.vision.board import EmptyBoard, board_from_picture, board_mask, board_window, log_of
from referee.vision.look import Look
from referee.vision.outline import Traced
from referee.vision.ovals import Oval, Points
from referee.vision.pieces import _is_speck, without_doubles, without_scraps, without_shades
from referee.vision.reading import Reading
from referee.vision.see import find_pieces
from tests.vision import table

SEED, PEBBLE, BEAD = (25.0, 35.0, 50.0), (225.0, 225.0, 220.0), (190.0, 60.0, 30.0)
JADE = (120.0, 160.0, 60.0)
PALE = (165.0, 198.0, 218.0)
WHITISH, WHITISH_RIM = (157.0, 190.0, 208.0), (144.0, 174.0, 191.0)
"""As light as the wood and nearly of its colour, and hardly darker."""
SLATE, SLATE_BLUE = (70.0, 75.0, 80.0), (150.0, 120.0, 90.0)
GRASS, SKY, AMBER = (45.0, 110.0, 35.0), (110.0, 60.0, 25.0), (25.0, 90.0, 130.0)
COIN = (105.0, 140.0, 160.0)
PLACES = ((200.0, 150.0), (330.0, 240.0), (430.0, 330.0))


def known_board(checks_px: int = 0) -> EmptyBoard:
    profile = table.profile()
    window = board_window(profile)
    inside = board_mask(profile, window)
    empty = log_of(window.of(table.bare(7, checks_px)))
    return EmptyBoard(window, empty, np.full_like(inside, 255), inside)


def nearest(pieces: tuple[Piece, ...], place: tuple[float, float]) -> Piece:
    return min(pieces, key=lambda p: float(np.hypot(p.px[0] - place[0], p.px[1] - place[1])))


def likeness(pieces: tuple[Piece, ...], x: float, y: float, long: float, short: float) -> float:
    """Common area over that of both, of the ellipse painted here and the outline found nearest."""
    painted = scale(Point(0, 0).buffer(1 / table.PX_PER_MM, 32), long, short)
    east, north = (x - table.WIDTH / 2) / table.PX_PER_MM, (table.HEIGHT / 2 - y) / table.PX_PER_MM
    true, seen = translate(painted, east, north), Polygon(nearest(pieces, (x, y)).outline_mm)
    return float(seen.intersection(true).area / seen.union(true).area)


def shining(picture: Image, places: Sequence[tuple[float, float]]) -> Image:
    """The picture with a highlight on each of the pieces at some places."""
    shine, glossy = [(x - 5, y - 5, 4.0, 4.0, (250.0, 250.0, 250.0)) for x, y in places], picture.copy()
    lights = table.laid(*shine, shadow=0.0)
    for x, y, *_ in shine:
        spot = (slice(int(y) - 6, int(y) + 7), slice(int(x) - 6, int(x) + 7))
        glossy[spot] = np.where(lights[spot] > table.WOOD[2] + 10, lights[spot], glossy[spot])
    return glossy


@pytest.mark.parametrize("colour", [SEED, PEBBLE, BEAD], ids=["dark seed", "light pebble", "blue bead"])
def test_pieces_are_found_where_they_lie_and_nowhere_else(colour: tuple[float, float, float]) -> None:
    picture = table.laid(*((x, y, 15.0, 13.0, colour) for x, y in PLACES))
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == len(PLACES)
    for place in PLACES:
        piece = nearest(pieces, place)
        assert np.hypot(piece.px[0] - place[0], piece.px[1] - place[1]) < 0.8
        assert piece.on_board


def shone_on(picture: Image) -> Image:
    """The picture with the soft reflection of a window on the board, of the same colour as the light."""
    rows, columns = table.GRID
    glare = 1 + 0.06 * np.exp(-(((columns - 300) / 60) ** 2 + ((rows - 200) / 40) ** 2))
    return np.asarray(np.clip(picture * glare[..., None], 0, 255), np.uint8)


def test_whitish_glass_on_pale_wood_is_found_by_its_colour_alone() -> None:
    rims = [(x, y, 14.0, 14.0, WHITISH_RIM) for x, y in PLACES]
    laid = table.laid(*rims, *((x, y, 12.0, 12.0, WHITISH) for x, y in PLACES), shadow=0.0)
    for picture in (laid, shone_on(laid)):
        pieces = find_pieces(picture, table.profile(), known_board())
        assert len(pieces) == len(PLACES)
        assert all(likeness(pieces, x, y, 14.0, 14.0) > 0.8 for x, y in PLACES)


def test_a_reflection_on_the_board_is_no_piece() -> None:
    assert not find_pieces(shone_on(table.bare(3)), table.profile(), known_board())


@pytest.mark.parametrize("colour", [SEED, PEBBLE, BEAD], ids=["dark seed", "light pebble", "blue bead"])
def test_the_outline_leaves_the_shadow_out(colour: tuple[float, float, float]) -> None:
    picture = table.laid((320.0, 240.0, 15.0, 15.0, colour))
    (piece,) = find_pieces(picture, table.profile(), known_board())
    true = Point(0, 0).buffer(15.0 / table.PX_PER_MM)
    seen = Polygon(piece.outline_mm)
    assert seen.exterior.is_ccw
    assert seen.intersection(true).area / seen.union(true).area > 0.9


@pytest.mark.parametrize("colour", [GRASS, SKY, AMBER], ids=["green", "blue", "amber"])
def test_dark_glass_is_told_from_its_hard_shadow_by_its_colour(colour: tuple[float, float, float]) -> None:
    lying = [(*place, 13.0, 12.0) for place in PLACES]
    picture = table.laid(*((*piece, colour) for piece in lying), shadow=0.7, shadow_px=3.5)
    pieces = find_pieces(picture, table.profile(), known_board())
    assert min(likeness(pieces, *piece) for piece in lying) > 0.87


def test_a_rim_that_turns_from_the_light_belongs_to_its_piece() -> None:
    lying = [(*place, 14.0, 12.0) for place in PLACES]
    picture = table.laid(*((*piece, SLATE_BLUE) for piece in lying), shadow_px=4.0).astype(float)
    rows, columns = np.mgrid[0 : table.HEIGHT, 0 : table.WIDTH].astype(float)
    for x, y, long, short in lying:
        rim = np.exp(-(((1 - np.hypot((columns - x) / long, (rows - y) / short)) * short / 2) ** 2))
        averted = np.clip((columns - x + rows - y) / (2.8 * short) + 0.5, 0, 1)
        picture *= (1 - 0.45 * averted * rim)[..., None]
    pieces = find_pieces(picture.astype(np.uint8), table.profile(), known_board())
    assert min(likeness(pieces, *piece) for piece in lying) > 0.87


def test_in_the_light_of_a_low_lamp_the_piece_is_the_lit_part_not_the_clearer_shadow() -> None:
    sizes = ((12.0, 8.0), (9.0, 12.0), (11.0, 8.0), (10.0, 9.0))
    lying = [(*place, *size) for place, size in zip((*PLACES, (220.0, 330.0)), sizes, strict=True)]
    picture = table.laid(*((*piece, PALE) for piece in lying), shadow=0.75, shadow_px=8.0)
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == len(lying)
    assert min(likeness(pieces, *piece) for piece in lying) > 0.8


@pytest.mark.parametrize("shadow_px", [4.0, 6.0])
def test_a_dark_piece_gives_back_the_shadow_it_swallowed(shadow_px: float) -> None:
    pale = [(*place, 12.0, 10.0, PEBBLE) for place in PLACES]
    dark = [(220.0, 330.0, 12.0, 10.0, SLATE), (420.0, 140.0, 10.0, 12.0, SLATE)]
    picture = table.laid(*pale, *dark, shadow=0.85, shadow_px=shadow_px)
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == 5
    assert min(likeness(pieces, *piece[:4]) for piece in dark) > 0.8


def test_a_dark_piece_too_flat_for_a_shadow_is_not_cut() -> None:
    picture = table.laid(*((*place, 12.0, 10.0, PEBBLE) for place in PLACES), shadow=0.85).copy()
    spot = (slice(300, 360), slice(190, 250))
    picture[spot] = table.laid((220.0, 330.0, 12.0, 10.0, SLATE), shadow=0.0)[spot]
    pieces = find_pieces(picture, table.profile(), known_board())
    assert likeness(pieces, 220.0, 330.0, 12.0, 10.0) > 0.85


@pytest.mark.parametrize("shadow_px", [3.0, 4.0])
def test_a_piece_of_nearly_the_boards_colour_is_not_lost_to_its_clearer_shadow(shadow_px: float) -> None:
    clear = [(*place, 12.0, 10.0, PEBBLE) for place in PLACES]
    hardly = (220.0, 330.0, 17.0, 14.0)
    picture = table.laid(*clear, (*hardly, (145.0, 186.0, 212.0)), shadow=0.65, shadow_px=shadow_px)
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == 4
    assert likeness(pieces, *hardly) > 0.8


def test_where_all_pieces_are_dark_none_keeps_its_shadow() -> None:
    sizes = ((13.0, 11.0), (11.0, 13.0), (12.0, 12.0), (13.0, 12.0), (12.0, 11.0))
    places = (*PLACES, (220.0, 330.0), (420.0, 140.0))
    lying = [(*place, *size) for place, size in zip(places, sizes, strict=True)]
    picture = table.laid(*((*piece, SLATE) for piece in lying), shadow=0.8, shadow_px=6.0)
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == len(lying)
    assert min(likeness(pieces, *piece) for piece in lying) > 0.8


def test_highlights_on_dark_pieces_are_not_taken_for_the_pieces() -> None:
    seeds = [(x, y, 15.0, 14.0, SEED) for x, y in PLACES]
    picture = shining(table.laid(*seeds), PLACES)
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == len(PLACES)
    for place in PLACES:
        outline = Polygon(nearest(pieces, place).outline_mm)
        assert outline.area == pytest.approx(np.pi * 15 * 14 / table.PX_PER_MM**2, rel=0.1)


def test_a_bare_board_shows_no_piece() -> None:
    assert find_pieces(table.bare(3), table.profile(), known_board()) == ()


def test_pieces_are_found_without_calibration_stills() -> None:
    picture = table.laid(*((x, y, 15.0, 13.0, SEED) for x, y in PLACES))
    profile = table.profile()
    assert len(find_pieces(picture, profile, board_from_picture(picture, profile))) == len(PLACES)


def test_pieces_of_other_colours_that_lean_on_one_another_are_told_apart() -> None:
    heap = ((300.0, 240.0, JADE), (324.0, 249.0, BEAD), (335.0, 231.0, SEED))
    picture = table.laid(*((x, y, 14.0, 14.0, colour) for x, y, colour in heap))
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == len(heap)
    for x, y, _ in heap:
        piece = nearest(pieces, (x, y))
        assert np.hypot(piece.px[0] - x, piece.px[1] - y) < 3


def test_balls_are_pieces_on_a_table_large_enough_for_them() -> None:
    near = table.profile()
    outline = tuple((7 * x, 7 * y) for x, y in near.board_outline_mm or ())
    far = replace(near, t_mm=(0.0, 0.0, 7 * table.CAMERA_MM), board_outline_mm=outline)
    picture = table.laid(*((x, y, 6.5, 6.5, BEAD) for x, y in PLACES))
    assert len(find_pieces(picture, far, known_board())) == len(PLACES)
    assert find_pieces(picture, replace(far, board_outline_mm=None), known_board()) == ()


def test_the_squares_of_a_chessboard_are_not_pieces() -> None:
    pieces = ((x, y, 15.0, 13.0, PEBBLE) for x, y in PLACES)
    picture = table.laid(*pieces, checks_px=52)
    assert len(find_pieces(picture, table.profile(), known_board(52))) == len(PLACES)


@pytest.mark.parametrize("middle", [0.0, 4.0, -4.0])
def test_a_piece_across_two_squares_is_one_piece_whole(middle: float) -> None:
    lying = [(x + middle, 234.0, 15.0, 15.0) for x in (208.0, 312.0, 416.0)]
    picture = table.laid(*((*piece, COIN) for piece in lying), checks_px=52, shadow=0.3, shadow_px=2.0)
    pieces = find_pieces(picture, table.profile(), known_board(52))
    assert len(pieces) == len(lying)
    assert min(likeness(pieces, *piece) for piece in lying) > 0.8


def test_touching_pieces_are_told_apart() -> None:
    picture = table.laid((300.0, 240.0, 14.0, 14.0, SEED), (328.0, 240.0, 14.0, 14.0, SEED))
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == 2
    assert abs(pieces[0].px[0] - pieces[1].px[0]) == pytest.approx(28, abs=2.5)


@pytest.mark.parametrize("turned", [30, 55])
def test_three_glossy_pieces_round_a_gap_are_told_apart(turned: float) -> None:
    far = 15.7 * 2 / np.sqrt(3)
    ways = np.radians([turned, turned + 120, turned + 240])
    heap = [(300 + far * np.cos(way), 240 + far * np.sin(way)) for way in ways]
    picture = table.laid(*((x, y, 15.0, 15.0, SEED) for x, y in heap), shadow=0.4, shadow_px=3.0)
    pieces = find_pieces(shining(picture, heap), table.profile(), known_board())
    assert len(pieces) == 3
    assert min(likeness(pieces, x, y, 15.0, 15.0) for x, y in heap) > 0.9


def test_a_dark_piece_that_touches_a_pale_one_is_not_its_shadow() -> None:
    alone = [(*place, 13.0, 13.0, PALE) for place in PLACES]
    pale, dark = (220.0, 330.0, 14.0, 13.0), (244.0, 343.0, 13.0, 12.0)
    picture = table.laid(*alone, (*pale, PALE), (*dark, SLATE), shadow=0.6, shadow_px=4.0)
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == len(alone) + 2
    assert likeness(pieces, *dark) > 0.7


@pytest.mark.parametrize("colour", [PEBBLE, SEED, JADE], ids=["light pebble", "dark seed", "jade"])
def test_outlines_of_touching_pieces_of_one_colour_do_not_run_into_one_another(
    colour: tuple[float, float, float],
) -> None:
    lying = [(300.0, 220.0, 10.0, 13.0), (316.0, 238.0, 13.0, 15.0)]
    picture = table.laid(*((*piece, colour) for piece in lying), shadow=0.6, shadow_px=4.0)
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == 2
    assert min(likeness(pieces, *piece) for piece in lying) > 0.92


def test_the_stated_error_grows_towards_the_edge_of_the_picture() -> None:
    picture = table.laid((320.0, 240.0, 15.0, 13.0, SEED), (140.0, 80.0, 15.0, 13.0, SEED))
    pieces = find_pieces(picture, table.profile(), known_board())
    assert nearest(pieces, (140.0, 80.0)).sigma_mm > nearest(pieces, (320.0, 240.0)).sigma_mm


def test_light_pieces_on_a_light_board_are_found() -> None:
    pale = tuple(0.9 * channel + 14 for channel in table.WOOD)
    picture = table.laid(*((x, y, 15.0, 13.0, (pale[0] + 25, pale[1] + 8, pale[2])) for x, y in PLACES))
    pieces = find_pieces(picture, table.profile(), known_board())
    assert len(pieces) == len(PLACES)


def ring(x: float, radius: float, sigma_px: float = 0.0) -> Traced:
    turns = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    middle = np.array([x, 100.0])
    rim = middle + radius * np.column_stack([np.cos(turns), np.sin(turns)])
    return Traced(middle, rim, 0.5, sigma_px)


def test_an_outline_within_a_much_larger_one_is_a_scrap_of_that_piece() -> None:
    pebble, scrap, bead, fellow = ring(100, 20), ring(116, 6), ring(126, 6), ring(137, 18)
    assert without_scraps([pebble, scrap]) == [pebble]
    assert without_scraps([pebble, bead]) == [pebble, bead]
    assert without_scraps([fellow, pebble]) == [fellow, pebble]


def test_what_glimmers_along_the_boards_edge_is_not_asked_where_the_light_comes_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learn, asked = Look.learn_shadows, list[Oval]()

    def listen(look: Look, pieces: list[Oval]) -> None:
        asked.extend(pieces)
        learn(look, pieces)

    monkeypatch.setattr(Look, "learn_shadows", listen)
    picture = table.laid(*((*place, 12.0, 10.0, SEED) for place in PLACES)).astype(float)
    picture[226:254, 516:530] *= 1.15
    pieces = find_pieces(np.clip(picture, 0, 255).astype(np.uint8), table.profile(), known_board())
    assert len(asked) == len(pieces) == len(PLACES)


def test_two_outlines_that_come_to_lie_on_one_rim_are_one_piece_and_the_surer_is_kept() -> None:
    bean, half, leaning = ring(100, 14, 0.4), ring(104, 13, 2.0), ring(122, 14, 0.8)
    assert without_doubles([half, bean, leaning]) == [bean, leaning]


@pytest.mark.parametrize(("radius", "sigma_px"), [(6.0, 0.5), (13.0, 6.0)], ids=["small but clear", "large"])
def test_what_is_hardly_known_is_a_speck_only_if_it_is_small_too(radius: float, sigma_px: float) -> None:
    board = known_board()
    look = Look(table.bare(3), board)
    assert _is_speck(ring(200, 6.0, 3.0), 15.0, look, board)
    assert not _is_speck(ring(200, radius, sigma_px), 15.0, look, board)


def test_what_is_hardly_known_at_the_boards_edge_is_a_speck_of_any_size() -> None:
    board = known_board()
    left = float(np.flatnonzero(board.inside[100])[0])
    look = Look(table.bare(3), board)
    assert _is_speck(ring(left + 5, 13.0, 6.0), 15.0, look, board)
    assert not _is_speck(ring(left + 5, 13.0, 0.5), 15.0, look, board)


class Faint(Look):
    """A look at which the ring at 200 has an edge of its own strength, and holds hardly more than the bare board."""

    def __init__(self, board: EmptyBoard, edge: float) -> None:
        super().__init__(table.bare(3), board)
        self.edge = edge

    def step_across(self, outline: Points) -> float:
        return self.edge if abs(outline[:, 0].mean() - 200) < 1 else 0.5


@pytest.mark.parametrize(
    ("sigma_px", "edge", "sure", "told"),
    [(4.0, 0.06, 0, False), (4.0, 0.06, 255, True), (0.4, 0.06, 0, True), (4.0, 0.3, 0, True)],
    ids=["a shade remembered wrongly", "on known ground", "clearly outlined", "with an edge"],
)
def test_a_vague_faint_outline_where_the_sheet_hid_the_board_is_no_piece(
    sigma_px: float, edge: float, sure: int, told: bool
) -> None:
    board = known_board()
    look = Faint(replace(board, sure=np.full_like(board.sure, sure)), edge)
    bead, shade = ring(120, 14, 0.4), ring(200, 14, sigma_px)
    found = without_shades([bead, shade], look, replace(board, sure=np.full_like(board.sure, sure)))
    assert found == ([bead, shade] if told else [bead])


def test_a_vague_faint_piece_among_faint_ones_is_told() -> None:
    board = replace(known_board(), doubtful=np.full_like(known_board().sure, 255))
    bean = ring(200, 14, 4.0)
    assert without_shades([bean], Faint(board, 0.06), board) == [bean]


def test_the_step_across_a_rim_is_that_of_the_piece_and_none_beside_it() -> None:
    board = known_board()
    x, y = 330.0, 240.0
    look = Look(table.laid((x, y, 14.0, 14.0, SEED), shadow=0.0), board)
    rim = ring(x - board.window.x, 14.0).points + np.array([0.0, y - board.window.y - 100.0])
    list(look.settle([[Reading(((rim - 0.5) / 2,))]], table.PX_PER_MM))
    assert look.step_across(rim) > 1.0
    assert look.step_across(rim - np.array([0.0, 40.0])) < 0.05
