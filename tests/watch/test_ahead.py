"""A still table is read while it is being proved still: once, beside the frames, and never what must not be read."""

import threading
from collections.abc import Sequence

from hardware.frames import Image
from referee.card_happenings import CardPlaced
from referee.types import Card
from referee.vision.motion import Mask
from referee.watch.table import QUIET_NS, TableWatch
from tests.watch.stage import Eyes, Laid, film, paint

A, B = Laid("red", (150.0, 180.0)), Laid("blue", (400.0, 180.0))
BEFORE = [paint((A,), noise=k + 1) for k in range(14)]
LAYING = [paint((A, B), (300.0, 330.0 - 12 * k), noise=k + 20) for k in range(10)]
AFTER = [paint((A, B), noise=k + 40) for k in range(16)]
RESTING = [paint((A, B), (300.0, 200.0), noise=k + 60) for k in range(40)]


class Counted(Eyes):
    """Says by which thread it was asked, and how often."""

    def __init__(self) -> None:
        super().__init__((A,))
        self.asked: list[str] = []

    def see(self, image: Image, where: Mask | None = None) -> tuple[Card, ...]:
        self.asked.append(threading.current_thread().name)
        return super().see(image, where)


def fed(watch: TableWatch, eyes: Counted, pictures: Sequence[Image], at: int = -1) -> list[object]:
    """Everything told about these pictures; before frame `at` something else became secret."""
    told: list[object] = []
    for frame in film(pictures):
        eyes.cards = (A,) if frame.index < len(BEFORE) else (A, B)
        if frame.index == at:
            watch.forget_ahead()
        told += watch.feed(frame)
    return told


def test_a_still_is_read_beside_the_frames_and_told_when_it_is_believed() -> None:
    eyes = Counted()
    (told,) = fed(TableWatch(eyes, eyes.see_dice, die_px=20.0), eyes, BEFORE + LAYING + AFTER)
    assert isinstance(told, CardPlaced)
    assert told.at.frame == len(BEFORE + LAYING)
    assert len(eyes.asked) == 2
    assert eyes.asked[1].startswith("look ahead")


def test_a_hand_that_rests_on_the_table_is_read_once() -> None:
    eyes = Counted()
    assert fed(TableWatch(eyes, eyes.see_dice, die_px=20.0), eyes, BEFORE + LAYING + RESTING) == []
    assert len(eyes.asked) == 2


def test_what_was_read_before_it_became_secret_is_read_anew() -> None:
    eyes = Counted()
    last = len(BEFORE + LAYING) + QUIET_NS * 30 // 1_000_000_000 - 1
    assert fed(TableWatch(eyes, eyes.see_dice, die_px=20.0), eyes, BEFORE + LAYING + AFTER, at=last)
    assert len(eyes.asked) == 3
