"""The empty board from stills in which the calibration sheet lies about."""

import numpy as np

from calibration.charuco import COLUMNS, ROWS, pattern
from hardware.frames import Image
from referee.vision.board import EmptyBoard, Window, board_from_stills, log_of
from referee.vision.footprint import footprint, girth_share
from tests.vision import table


def with_sheet(x: int, y: int, seed: int) -> Image:
    """The bare board with the printed sheet lying at a place, a fifth of its true size."""
    print_ = pattern().generateImage((COLUMNS * 40, ROWS * 40), marginSize=0)
    still = table.bare(seed).copy()
    still[y - 14 : y + ROWS * 40 + 14, x - 20 : x + COLUMNS * 40 + 20] = 235
    still[y : y + ROWS * 40, x : x + COLUMNS * 40] = print_[..., None]
    return still


def test_the_empty_board_is_seen_round_the_sheet_in_several_stills() -> None:
    stills = [with_sheet(180, 140, 1), with_sheet(40, 60, 2), with_sheet(330, 60, 3), with_sheet(40, 250, 4)]
    stills += [with_sheet(330, 250, 5)]
    board = board_from_stills(stills, table.profile())
    assert board is not None
    empty = np.exp(board.log) - 12
    assert np.abs(np.median(empty[board.inside > 0], axis=0) - table.WOOD).max() < 3
    assert np.abs(empty - table.WOOD)[board.inside > 0].mean() < 4


def test_stills_without_a_sheet_give_no_board() -> None:
    assert board_from_stills([table.bare(1), table.bare(2)], table.profile()) is None


def test_what_is_learned_amid_a_shade_remembered_wrongly_has_no_edge() -> None:
    play = np.full((120, 160, 3), 90, np.uint8)
    shaded, never = np.zeros((120, 160), np.uint8), np.zeros((120, 160), np.uint8)
    shaded[40:80, 50:110], never[50:70, 70:80] = 255, 255
    everywhere = np.full((120, 160), 255, np.uint8)
    log = log_of(play) - np.where(shaded > 0, np.float32(0.2), 0)[..., None]
    board = EmptyBoard(Window(0, 0, 160, 120), log, everywhere & ~never, everywhere, doubtful=shaded & ~never)
    now = board.learned(play, np.zeros_like(never))
    assert now.sure.all()
    assert np.abs(now.log - log).max() < 0.05


def test_what_is_learned_round_a_piece_has_no_edge_where_the_piece_lies() -> None:
    play = np.full((120, 160, 3), 90, np.uint8)
    never, taken = np.zeros((120, 160), np.uint8), np.zeros((120, 160), np.uint8)
    never[:, 80:], taken[50:70, 110:130] = 255, 255
    everywhere = np.full((120, 160), 255, np.uint8)
    shaded = np.where(np.arange(160) < 80, 255, 0).astype(np.uint8)[None] & everywhere
    remembered = log_of(play) + np.linspace(0.0, 0.6, 160, dtype=np.float32)[None, :, None]
    guessed = np.where((never > 0)[..., None], remembered[:, 79:80], remembered)
    board = EmptyBoard(Window(0, 0, 160, 120), guessed, everywhere & ~never, everywhere, doubtful=shaded)
    now = board.learned(play, taken)
    beneath, beside = now.log[taken > 0].mean(axis=0), now.log[45:75, 135:140].mean(axis=(0, 1))
    assert np.abs(beneath - beside).max() < 0.02


def test_the_footprint_of_a_ball_is_corrected_for_its_height() -> None:
    profile = table.profile()
    radius, place = 9.0, np.array([110.0, -80.0])
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    rim = place + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    # Seen from the camera the widest girth of a lump of this width lies about 0.32 x 18 mm over the board.
    silhouette = profile.to_pixels(rim, 0.32 * 2 * radius)
    foot = footprint(silhouette, profile, 0.32, 0.1)
    assert np.hypot(*(foot.centre_mm - place)) < 0.15
    flat = profile.to_board(silhouette).mean(axis=0)
    assert np.hypot(*(flat - place)) > 0.8


def test_things_made_round_are_taken_to_lie_flat() -> None:
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    coin = 10 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    assert girth_share([coin] * 3) < girth_share([coin * [1, 0.8]] * 3)


def test_stones_of_which_most_are_round_by_chance_are_not_taken_to_lie_flat() -> None:
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    coin = 10 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    by_chance = [coin * [1, share] for share in (0.82, 0.89, 0.95, 0.95, 0.96, 0.97, 0.98, 0.98, 0.99, 1.0)]
    made_so = [coin * [1, share] for share in (0.89, 0.93, 0.94, 0.97, 0.97, 0.97, 0.98, 0.99, 0.99, 1.0)]
    assert girth_share(by_chance) > girth_share(made_so) + 0.1


def test_dyed_beads_lie_flat_though_the_outlines_of_a_few_are_not_quite_round() -> None:
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    bead = 8 * np.column_stack([np.cos(turn), np.sin(turn)])
    outlines = [bead * [1, share] for share in (0.85, 0.89, 0.94, 0.96, 0.99)]
    brown = [np.array([2.6, 2.9, 3.1]) + 0.1 * k for k in range(5)]
    dyed = [np.roll([2.6, 3.0, 4.2], k) for k in range(5)]
    assert girth_share(outlines, brown) > girth_share(outlines, dyed) + 0.1
    assert girth_share([bead * [1, 0.8]] * 5, dyed) == girth_share([bead * [1, 0.8]] * 5, brown)
