"""What differs between two stills, though a piece was overlooked in one of them."""

import cv2
import numpy as np

from hardware.frames import Image
from referee.types import Piece
from referee.vision.motion import half
from referee.vision.see import find_pieces
from referee.vision.steps import at_once
from referee.watch.changes import Changes, compare
from referee.watch.scenes import Still
from tests.vision import table
from tests.vision.test_pieces import PEBBLE, SEED, known_board

SEED_AT, PEBBLE_AT, SEED_THEN, PEBBLE_THEN = (180.0, 150.0), (240.0, 150.0), (200.0, 300.0), (420.0, 220.0)


def picture(seed_at: tuple[float, float], *pebbles: tuple[float, float], seed: int) -> Image:
    pale = [(*at, 14.0, 13.0, PEBBLE) for at in pebbles]
    return table.laid((*seed_at, 15.0, 13.0, SEED), *pale, seed=seed, shadow=0.5)


def still(image: Image, frame: int) -> Still:
    return Still((frame, frame), frame * 16_000_000, image, half(image))


def changes(before: Image, after: Image, overlooked: tuple[float, float] | None = None) -> Changes:
    profile = table.profile()
    old, new = (find_pieces(image, profile, known_board()) for image in (before, after))
    seen: tuple[Piece, ...] = tuple(
        p for p in old if overlooked is None or np.hypot(*np.subtract(p.px, overlooked)) > 20
    )
    return at_once(compare(still(before, 0), still(after, 90), seen, new, profile))


def test_a_piece_overlooked_before_a_strike_went_from_where_it_lay() -> None:
    before = picture(SEED_AT, PEBBLE_AT, seed=1)
    after = picture(SEED_THEN, PEBBLE_THEN, seed=2)
    differ = changes(before, after, overlooked=PEBBLE_AT)
    assert len(differ.come) == len(differ.gone) == 2
    assert min(np.hypot(*np.subtract(p.px, PEBBLE_AT)) for p in differ.gone) < 6


def test_a_piece_dropped_beside_one_that_was_moved_was_not_overlooked() -> None:
    before = picture(SEED_AT, seed=1)
    after = picture(SEED_THEN, PEBBLE_THEN, seed=2)
    differ = changes(before, after)
    assert (len(differ.gone), len(differ.come)) == (1, 2)


def test_a_piece_that_was_pushed_a_little_is_one_piece_and_not_another_that_was_overlooked() -> None:
    pushed = (PEBBLE_AT[0] + 3.2 * table.PX_PER_MM, PEBBLE_AT[1])
    differ = changes(picture(SEED_AT, PEBBLE_AT, seed=1), picture(SEED_THEN, pushed, seed=2))
    assert (len(differ.kept), len(differ.gone), len(differ.come)) == (0, 2, 2)


def with_a_thing_beside_the_board(image: Image) -> Image:
    return np.asarray(cv2.circle(image.copy(), (16, 16), 9, (20, 20, 20), -1), np.uint8)


def test_what_appears_beside_the_board_during_a_strike_is_no_piece_unless_one_is_missed() -> None:
    before = picture(SEED_AT, PEBBLE_AT, seed=1)
    struck, fell = picture(SEED_THEN, PEBBLE_AT, seed=2), picture((-60.0, -60.0), PEBBLE_AT, seed=2)
    assert not changes(before, with_a_thing_beside_the_board(struck)).fallen_px
    assert len(changes(before, with_a_thing_beside_the_board(fell)).fallen_px) == 1
