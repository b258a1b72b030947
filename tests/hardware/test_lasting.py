"""A camera that vanishes mid-game and comes back."""

from collections.abc import Iterator

import numpy as np

from hardware.cameras.closing import Closing
from hardware.cameras.lasting import lasting_frames
from hardware.errors import CameraError, CameraLost
from hardware.frames import Frame


class Loose(Closing):
    """Two frames, then the cable slips out, unless it is the last one."""

    def __init__(self, start_ns: int, size: tuple[int, int], lost: bool) -> None:
        self.start_ns, self.size, self.lost, self.closed = start_ns, size, lost, 0

    def frames(self) -> Iterator[Frame]:
        for k in range(2):
            yield Frame(k, self.start_ns + k, np.zeros((2, 2, 3), np.uint8))
        if self.lost:
            raise CameraLost("webcam:0 stopped delivering pictures")

    def close(self) -> None:
        self.closed += 1


def test_a_camera_that_comes_back_goes_on_with_the_next_number() -> None:
    other = Loose(50, (8, 8), lost=False)
    answers: Iterator[CameraError | Loose] = iter(
        [CameraError("not yet"), other, Loose(100, (2, 2), lost=False)]
    )

    def reopen(name: str) -> Loose:
        answer = next(answers)
        if isinstance(answer, CameraError):
            raise answer
        return answer

    said: list[str | None] = []
    waits: list[float] = []
    frames = list(lasting_frames("webcam:0", said.append, Loose(10, (2, 2), True), reopen, waits.append))
    assert [(f.index, f.t_ns) for f in frames] == [(0, 10), (1, 11), (2, 100), (3, 101)]
    assert said[:2] == ["webcam:0 stopped delivering pictures", "not yet"]
    assert "calibration does not fit" in str(said[2])
    assert said[3:] == [None]
    assert len(waits) == 3
    assert other.closed == 1, "a camera of another size would void the calibration"


class Moody(Loose):
    """Raises what its vendor likes."""

    def frames(self) -> Iterator[Frame]:
        yield from super().frames()
        raise RuntimeError("device lost in the middle of a transfer")


def test_whatever_a_driver_raises_the_camera_is_opened_again() -> None:
    said: list[str | None] = []
    back = Loose(100, (2, 2), lost=False)
    first = Moody(10, (2, 2), lost=False)
    frames = list(lasting_frames("x:0", said.append, first, lambda name: back, lambda seconds: None))
    assert [f.index for f in frames] == [0, 1, 2, 3]
    assert said == ["x:0 broke off (device lost in the middle of a transfer)", None]


def test_pictures_of_another_size_are_not_handed_on() -> None:
    class Changing(Loose):
        def frames(self) -> Iterator[Frame]:
            yield Frame(0, 1, np.zeros((2, 2, 3), np.uint8))
            yield Frame(1, 2, np.zeros((4, 4, 3), np.uint8))

    said: list[str | None] = []
    back = Loose(100, (2, 2), lost=False)
    frames = list(
        lasting_frames("x:0", said.append, Changing(1, (2, 2), False), lambda n: back, lambda s: None)
    )
    assert {f.image.shape for f in frames} == {(2, 2, 3)}
    assert "changed the size" in str(said[0])
