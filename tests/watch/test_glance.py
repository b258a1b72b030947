"""A table at rest is looked at in a few of its rows; whatever begins there is seen in the very frame it begins in."""

import cv2
import numpy as np
import pytest

from hardware.frames import Frame, Image
from referee.vision.board import Window
from referee.watch import scenes
from referee.watch.scenes import Scene, SceneCutter
from tests.instead import instead

WINDOW = Window(160, 80, 320, 320)
FRAME_NS = 16_666_667
RESTED = 30


def table(k: int) -> Image:
    return np.random.default_rng(k).normal(120, 1.5, (480, 640, 3)).astype(np.uint8)


def rested() -> SceneCutter:
    cutter = SceneCutter(WINDOW)
    for k in range(RESTED):
        assert cutter.feed(Frame(k, k * FRAME_NS, table(k))) is None
    assert cutter.last is not None
    return cutter


def next_scene(cutter: SceneCutter, picture: Image, frames: range) -> Scene | None:
    fed = (cutter.feed(Frame(k, k * FRAME_NS, picture)) for k in frames)
    return next((scene for scene in fed if scene is not None), None)


@pytest.mark.parametrize("row", range(8))
def test_the_smallest_piece_is_seen_as_soon_as_it_comes(row: int) -> None:
    picture = table(99)
    cv2.circle(picture, (300, 200 + row), 6, (90, 90, 90), -1)
    scene = next_scene(rested(), picture, range(RESTED, RESTED + 40))
    assert scene is not None
    assert scene.frames[0].index == RESTED


def test_a_table_at_rest_is_not_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    cutter = rested()

    def worked_out(small: Image) -> Image:
        raise AssertionError("nothing has changed")

    instead(monkeypatch, scenes, scenes._tiny)(worked_out)
    for k in range(RESTED, RESTED + 60):
        cutter.feed(Frame(k, k * FRAME_NS, table(k)))


def test_no_scene_ends_while_a_hand_moves_beside_the_window() -> None:
    cutter, moving = rested(), 60
    picture = table(99)
    cv2.circle(picture, (300, 200), 12, (60, 60, 60), -1)
    for k in range(RESTED, RESTED + moving):
        beside = picture.copy()
        cv2.rectangle(beside, (0, 5 * (k - RESTED)), (60, 5 * (k - RESTED) + 80), (200, 160, 140), -1)
        assert cutter.feed(Frame(k, k * FRAME_NS, beside)) is None
    assert next_scene(cutter, picture, range(RESTED + moving, RESTED + moving + 30)) is not None
