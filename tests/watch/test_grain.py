"""A camera in a dim room: every pixel flickers, and play is seen all the same."""

import numpy as np

from hardware.frames import Frame
from referee.happenings import ShotSeen
from referee.vision.board import board_window
from referee.watch.looking import Looker
from referee.watch.play import BoardWatch
from referee.watch.scenes import SceneCutter
from tests.vision import table
from tests.watch import painted


def grainy(frame: Frame, sigma: float) -> Frame:
    noise = np.random.default_rng(frame.index).normal(0, sigma, frame.image.shape)
    return Frame(frame.index, frame.t_ns, np.clip(frame.image + noise, 0, 255).astype(np.uint8))


def test_a_grainy_picture_comes_to_rest() -> None:
    cutter = SceneCutter(board_window(table.profile()))
    for k in range(24):
        cutter.feed(grainy(Frame(k, k * 16_666_667, table.bare(k)), 8.0))
    assert cutter.last is not None


def test_a_flick_is_seen_through_the_grain() -> None:
    watch = BoardWatch(table.profile(), Looker(table.profile(), painted.known("chessboard")).look)
    film = painted.flick("chessboard", "coin")
    told = [h for frame in film.frames() for h in watch.feed(grainy(frame, 8.0))] + watch.finish()
    assert [type(h) for h in told] == [ShotSeen]
