"""What the pictures themselves tell of the camera."""

import numpy as np

from hardware.cameras.steady import SteadyClock
from hardware.cameras.watchdog import FROZEN_NS, SILENT_NS, Watchdog
from hardware.frames import Image


class Clock:
    now = 0

    def __call__(self) -> int:
        return self.now


def picture(level: int = 120) -> Image:
    noise = np.random.default_rng().integers(0, 4, (72, 128, 3))
    return (noise + level).astype(np.uint8)


def trouble_after(ns: int, first: Image, second: Image, may_stand_still: bool = False) -> str:
    clock = Clock()
    watchdog = Watchdog(may_stand_still, clock)
    watchdog.see(first)
    clock.now = ns
    watchdog.see(second)
    return watchdog.trouble() or ""


def test_a_camera_that_delivers_is_no_trouble() -> None:
    assert trouble_after(FROZEN_NS + 1, picture(), picture()) == ""


def test_a_camera_that_falls_silent_is_named_until_it_delivers_again() -> None:
    clock = Clock()
    watchdog = Watchdog(False, clock)
    clock.now = SILENT_NS + 1
    assert "No picture" in str(watchdog.trouble())
    watchdog.see(picture())
    assert watchdog.trouble() is None


def test_a_frozen_picture_is_named_and_still_footage_is_not() -> None:
    one = picture()
    assert "one and the same" in trouble_after(FROZEN_NS + 1, one, one)
    assert trouble_after(FROZEN_NS + 1, one, one, may_stand_still=True) == ""


def test_the_dark_is_named() -> None:
    assert "dark" in trouble_after(1, picture(), picture(2))


def test_times_never_go_back_and_go_on_at_their_own_pace() -> None:
    steady = SteadyClock()
    assert [steady.t_ns(t) for t in (10, 20, 20, 5, 15, 1000)] == [10, 20, 21, 22, 32, 1017]
