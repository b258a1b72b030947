"""A drop is told with its count, and with whether the pieces came all at once."""

from functools import cache

import pytest

from hardware.frames import Frame, Image
from referee.happenings import Happening, PiecesDropped
from referee.watch.looking import Looker
from referee.watch.play import BoardWatch
from tests.vision import table
from tests.vision.test_pieces import SEED, known_board

FPS = 60
A, B, C = (200.0, 150.0), (330.0, 120.0), (430.0, 150.0)
Spot = tuple[float, float]


@cache
def picture(pieces: tuple[Spot, ...], hand: bool, seed: int) -> Image:
    """One of a few noisy pictures."""
    image = table.laid(*((x, y, 15.0, 13.0, SEED) for x, y in pieces), seed=seed).copy()
    if hand:
        image[260 + 2 * seed : 480, 240:400] = (120, 150, 200)
    return image


def watched(*acts: tuple[tuple[Spot, ...], bool, int]) -> list[Happening]:
    """Each act: what lies on the board, whether a hand is over it, and for how many frames."""
    watch = BoardWatch(table.profile(), Looker(table.profile(), known_board()).look)
    told: list[Happening] = []
    shown = [(pieces, hand) for pieces, hand, count in acts for _ in range(count)]
    for k, (pieces, hand) in enumerate(shown):
        told += watch.feed(Frame(k, k * 1_000_000_000 // FPS, picture(pieces, hand, k % 5)))
    return told + watch.finish()


@pytest.mark.parametrize(("between", "at_once"), [(6, True), (60, False)], ids=["together", "one by one"])
def test_pieces_that_come_long_after_the_first_lies_are_a_second_drop(between: int, at_once: bool) -> None:
    told = watched(
        ((), False, 40), ((), True, 12), ((A,), True, between), ((A, B, C), True, 20), ((A, B, C), False, 60)
    )
    (drop,) = (h for h in told if isinstance(h, PiecesDropped))
    assert (drop.on_board, drop.off_board, drop.at_once) == (3, 0, at_once)


def test_what_was_dropped_is_told_within_seven_tenths_of_a_second_of_rest() -> None:
    watch = BoardWatch(table.profile(), Looker(table.profile(), known_board()).look)
    acts = [((), False)] * 40 + [((), True)] * 20 + [((A, B, C), True)] * 10 + [((A, B, C), False)] * 42
    told = [
        k
        for k, (pieces, hand) in enumerate(acts)
        if watch.feed(Frame(k, k * 1_000_000_000 // FPS, picture(pieces, hand, k % 5)))
    ]
    assert len(told) == 1
    assert told[0] - 70 <= 0.7 * FPS
