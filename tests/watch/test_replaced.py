"""A piece that stops where the one it struck lay is not that one."""

import math

import pytest

from hardware.frames import Frame, Image
from referee.types import Point
from referee.watch.looking import Looker
from referee.watch.movers import Mover
from referee.watch.play import BoardWatch
from referee.watch.scenes import Scene
from tests.vision import table
from tests.vision.test_pieces import SEED, known_board

SHOOTER, STRUCK = (200.0, 240.0), (300.0, 240.0)


def moved(ways: list[tuple[Point, Point]]) -> tuple[Mover, ...]:
    """What the watch makes of two alike on their ways, after a hand that came to the first of them."""
    passages: list[tuple[Mover, ...]] = []

    def heed(_: Scene, movers: tuple[Mover, ...]) -> None:
        passages.append(movers)

    watch = BoardWatch(table.profile(), Looker(table.profile(), known_board()).look, heed)
    for k, spots in enumerate([*[ways[0]] * 30, *ways, *[ways[-1]] * 60]):
        watch.feed(Frame(k, k * 1_000_000_000 // 60, painted(spots, hand=20 <= k < 32, seed=k)))
    watch.finish()
    assert len(passages) == 1
    return passages[0]


def painted(spots: tuple[Point, Point], hand: bool, seed: int) -> Image:
    image = table.laid(*((*spot, 14.0, 14.0, SEED) for spot in spots), seed=seed).copy()
    if hand:
        image[200:280, :186] = (120, 150, 200)
    return image


def came(movers: tuple[Mover, ...], start: Point) -> Point:
    (mover,) = (m for m in movers if math.dist(m.start.px, start) < 5)
    assert mover.end is not None
    return mover.end.px


@pytest.mark.parametrize("stops_px", [1.5, 3.0])
def test_a_shooter_that_stops_where_the_struck_one_lay_is_told_from_it(stops_px: float) -> None:
    coming = [((200.0 + 12 * k, 240.0), STRUCK) for k in range(7)]
    parted = [
        ((min(272.0 + 3 * k, 300 - stops_px), 240.0), (300.0 + 9 * k, 240.0 + 4 * k)) for k in range(1, 12)
    ]
    movers = moved(coming + parted)
    assert math.dist(came(movers, SHOOTER), parted[-1][0]) < 2
    assert math.dist(came(movers, STRUCK), parted[-1][1]) < 2


def test_a_piece_that_was_only_grazed_stays_the_same() -> None:
    past = [((200.0 + 12 * k, 240.0 - 4.2 * k), (300.0 + (1.2 if k > 7 else 0.0), 240.0)) for k in range(18)]
    movers = moved(past)
    assert math.dist(came(movers, SHOOTER), past[-1][0]) < 2
    assert all(math.dist(m.start.px, SHOOTER) < 5 for m in movers)
