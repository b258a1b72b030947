"""However slow the camera, scenes do not pile up."""

from typing import Any

import numpy as np

from hardware.frames import Frame
from referee.watch.play import BoardWatch


class ManySteps(BoardWatch):
    """Every scene takes a hundred slices to understand."""

    def __init__(self) -> None:
        profile: Any = None
        pieces_in: Any = None
        super().__init__(profile, pieces_in)
        self._cutter = EveryFrame()  # type: ignore[assignment]  # a stand-in of the test's own

    def _understand(self, scene: Any) -> Any:
        for _ in range(100):
            yield
        return [scene]


class EveryFrame:
    last = None

    def feed(self, frame: Frame) -> int:
        return frame.index


def test_a_newer_scene_never_waits_behind_more_than_one() -> None:
    watch, told = ManySteps(), list[Any]()
    for k in range(20):
        told += watch.feed(Frame(k, k, np.zeros((2, 2, 3), np.uint8)))
        assert len(watch._work) <= 1
    assert told == list(range(19)), "in their order, none forgotten"
