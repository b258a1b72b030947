"""However slow the camera, scenes do not pile up."""

from typing import Any

import numpy as np

from hardware.frames import Frame
from referee.watch.play import BoardWatch
from referee.watch.unrest import Unrest
from tests.vision.table import profile


class ManySteps(BoardWatch):
    """Every scene takes a hundred slices to understand."""

    def __init__(self, every: int = 1) -> None:
        pieces_in: Any = None
        super().__init__(profile(), pieces_in)
        self.steps = 0
        self._cutter = EveryFew(every)  # type: ignore[assignment]  # a stand-in of the test's own

    def _understand(self, scene: Any) -> Any:
        for _ in range(100):
            self.steps += 1
            yield
        return [scene]


class EveryFew:
    last = None

    def __init__(self, every: int) -> None:
        self.every = every
        self.unrest = Unrest()

    def feed(self, frame: Frame) -> int | None:
        return frame.index if frame.index % self.every == 0 else None


def frame(k: int) -> Frame:
    return Frame(k, k, np.zeros((2, 2, 3), np.uint8))


def test_a_newer_scene_never_waits_behind_more_than_one() -> None:
    watch, told = ManySteps(), list[Any]()
    for k in range(20):
        told += watch.feed(frame(k))
        assert len(watch._work) <= 2
    assert told == list(range(18)), "in their order, none forgotten"


def test_a_scene_that_waits_is_caught_up_with_over_many_frames_not_in_one() -> None:
    watch, told, most = ManySteps(every=60), list[Any](), 0
    for k in range(240):
        before = watch.steps
        told += watch.feed(frame(k))
        most = max(most, watch.steps - before)
    assert most <= 2
    assert told[:2] == [0, 60]
