"""A piece that is seen in its place has not left it, however near the hand is and whatever its shadow does."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from hardware.frames import Image
from referee.vision.glimpses import Glimpse, Sketch
from referee.vision.steps import at_once
from referee.watch.following import HalfFrame, Trail, follow
from referee.watch.lain import Home, home_of, last_lain

FELT, COIN, BROWN, SKIN = (70, 110, 50), (200, 205, 215), (70, 100, 150), (75, 105, 160)
MIDDLE, RADIUS, FRAME_NS = np.array([40.0, 40.0]), 9.0, 16_666_667
SHAPE = (80, 80, 3)
NO_HAND = Glimpse((), np.zeros((0, 2)))


def board(colour: tuple[int, int, int] | None) -> Image:
    """Felt, and a round piece in the middle of it."""
    picture = np.full(SHAPE, FELT, np.uint8)
    if colour is not None:
        cv2.circle(picture, (40, 40), int(RADIUS), colour, cv2.FILLED)
    return picture


def shaded(picture: Image, light: float) -> Image:
    return np.round(picture * light).astype(np.uint8)


def covered(picture: Image, rows: int) -> Image:
    """A hand over the lower part of the picture."""
    hand = picture.copy()
    hand[rows:] = SKIN
    return hand


def home(colour: tuple[int, int, int]) -> Home:
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    outline = MIDDLE + RADIUS * np.column_stack([np.cos(angles), np.sin(angles)])
    return home_of(outline, board(colour), board(None))


def film(*pictures: Image) -> list[HalfFrame]:
    sketch = Sketch((0, 0, 0, 0), np.zeros((0, 0), np.uint8), 1.0)
    return [HalfFrame(k, k * FRAME_NS, picture, (0, 0), sketch) for k, picture in enumerate(pictures)]


def last_of(pictures: list[Image], colour: tuple[int, int, int], sight: Glimpse = NO_HAND) -> int | None:
    t_ns = at_once(last_lain(film(*pictures), [sight] * len(pictures), home(colour)))
    return None if t_ns is None else t_ns // FRAME_NS


def test_a_piece_in_the_shadow_of_the_hand_still_lies_there() -> None:
    lies, gone = board(COIN), board(None)
    assert last_of([lies, shaded(lies, 0.8), shaded(lies, 0.6), gone, gone], COIN) == 2


def test_a_piece_lies_there_as_long_as_pictures_that_look_the_same_were_not_kept() -> None:
    aimed, gone = film(covered(board(COIN), 46), board(None))
    gone = replace(gone, t_ns=12 * FRAME_NS, since_ns=FRAME_NS)
    t_ns = at_once(last_lain([aimed, gone], [NO_HAND] * 2, home(COIN)))
    assert t_ns == 11 * FRAME_NS


def test_a_piece_half_under_a_finger_still_lies_there() -> None:
    lies, gone = board(COIN), board(None)
    assert last_of([lies, covered(lies, 44), covered(lies, 44), covered(gone, 44)], COIN) == 2


def test_part_of_a_finger_is_not_the_piece_once_that_runs_free_elsewhere() -> None:
    lies, gone = board(COIN), board(None)
    pictures = [lies, covered(lies, 41), covered(lies, 41), covered(gone, 41)]
    at_home, sights = home(COIN), [NO_HAND] * 4
    assert at_once(last_lain(film(*pictures), sights, at_home, 2 * FRAME_NS)) == FRAME_NS
    whole = [lies, lies, lies, gone]
    assert at_once(last_lain(film(*whole), sights, at_home, 2 * FRAME_NS)) == 2 * FRAME_NS


def test_another_piece_that_comes_to_the_place_later_is_not_this_one() -> None:
    lies, gone = board(COIN), board(None)
    assert last_of([lies, lies, gone, lies], COIN) == 1


def test_a_finger_of_the_colour_of_the_piece_tells_nothing() -> None:
    hand = np.array([[[0, 50]], [[79, 50]], [[79, 79]], [[0, 79]]], np.int32)
    pictures = [board(BROWN), covered(board(BROWN), 44), covered(board(None), 30)]
    assert last_of(pictures, BROWN, Glimpse((hand,), np.zeros((0, 2)))) is None


@pytest.mark.parametrize("lain", [True, False])
def test_while_a_piece_lies_in_its_place_nothing_else_is_followed(lain: bool) -> None:
    frames = film(*[board(COIN)] * 8)
    rows, columns = np.mgrid[0:8, 0:8]
    shadow = np.column_stack([columns.ravel(), rows.ravel()]).astype(float)
    seen = [Glimpse((), shadow + MIDDLE + (4.0 * k, 0.0)) for k in range(8)]
    trail = Trail(MIDDLE, 4.0)
    trail.lain_ns = frames[-1].t_ns if lain else -1
    for _ in follow(frames, seen, [trail], 3):
        pass
    strayed = [s for s in trail.sightings if np.linalg.norm(s.spot - MIDDLE) > 8]
    assert bool(strayed) is not lain
