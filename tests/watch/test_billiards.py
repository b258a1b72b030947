"""Balls on a felt table without calibration stills: every ball keeps its id through a stroke, roll and collision."""

import math
from functools import cache

import cv2
import numpy as np

from hardware.frames import Frame, Image
from referee.happenings import ShotSeen
from referee.watch.looking import Looker
from referee.watch.play import BoardWatch
from tests.vision import table

FPS = 60
RADIUS = 13.0
FELT = (60, 120, 30)
BALLS = {
    (200.0, 330.0): (235, 240, 240),
    (330.0, 200.0): (30, 30, 200),
    (420.0, 330.0): (20, 190, 230),
    (250.0, 120.0): (150, 40, 40),
    (450.0, 110.0): (20, 20, 20),
}
"""Where they lie, and their colours; the first is the cue ball, which is sent towards the second."""
POCKETS = [(x, y) for x in (110, 320, 530) for y in (26, 454)]
"""Holes in the edge of the table, which are no balls."""
Spot = tuple[float, float]


@cache
def felt(seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2, (table.HEIGHT, table.WIDTH, 3))
    image = np.clip(np.full(noise.shape, FELT) + noise, 0, 255).astype(np.uint8)
    for pocket in POCKETS:
        cv2.circle(image, pocket, 20, (8, 8, 8), -1, cv2.LINE_AA)
    return image


def painted(balls: list[tuple[Spot, tuple[int, int, int]]], cue: Spot | None, k: int) -> Image:
    image = felt(k % 4).copy()
    for (x, y), _ in balls:
        cv2.circle(image, _fine((x + 4, y + 4)), round(RADIUS * 16), (45, 90, 22), -1, cv2.LINE_AA, 4)
    for (x, y), colour in balls:
        cv2.circle(image, _fine((x, y)), round(RADIUS * 16), colour, -1, cv2.LINE_AA, 4)
        cv2.circle(image, _fine((x - 4, y - 5)), 40, (250, 250, 250), -1, cv2.LINE_AA, 4)
    if cue is not None:
        x, y = cue
        butt = (x - 260, y + 260)
        cv2.line(image, _fine(cue), _fine(butt), (130, 180, 220), 9, cv2.LINE_AA, 4)
        cv2.circle(image, _fine((x - 95, y + 105)), 45 * 16, (140, 160, 210), -1, cv2.LINE_AA, 4)
    return image


def _fine(spot: Spot) -> tuple[int, int]:
    return round(spot[0] * 16), round(spot[1] * 16)


def stroke() -> list[Image]:
    """The cue comes, strikes and goes; the cue ball runs into the red one, and both roll out."""
    places, colours = list(BALLS), list(BALLS.values())
    (ax, ay), (bx, by) = places[0], places[1]
    length = math.dist(places[0], places[1])
    way = ((bx - ax) / length, (by - ay) / length)
    film = []
    for k in range(200):
        rolled = max(0, k - 60)
        meet = length - 2 * RADIUS
        first = min(7.0 * rolled, meet)
        late = max(0.0, 7.0 * rolled - meet)
        second = 60 * (1 - math.exp(-late / 60))
        first += 25 * (1 - math.exp(-late / 60))
        balls = [(ax + way[0] * first, ay + way[1] * first), (bx + way[0] * second, by + way[1] * second)]
        back = 24 + 6 * max(0, 60 - k) if k <= 60 else 24 + 9 * (k - 60)
        cue = (ax - back * 0.7, ay + back * 0.7) if 40 < k < 100 else None
        film.append(painted(list(zip([*balls, *places[2:]], colours, strict=True)), cue, k))
    return film


def test_every_ball_keeps_its_id_and_the_struck_one_is_the_shooter() -> None:
    watch = BoardWatch(table.profile(), Looker(table.profile(), None).look)
    told, before = [], None
    for k, image in enumerate(stroke()):
        told += watch.feed(Frame(k, k * 1_000_000_000 // FPS, image))
        before = before or {p.id: p.px for p in watch.pieces}
    told += watch.finish()
    (shot,) = told
    after = {p.id: p.px for p in watch.pieces}
    assert before is not None and set(after) == set(before) and len(after) == len(BALLS)
    assert isinstance(shot, ShotSeen)
    assert math.dist(shot.shooter.start_px, (200.0, 330.0)) < 2
    assert [other for _, other in shot.contacts] == [
        i for i, px in before.items() if math.dist(px, (330.0, 200.0)) < 3
    ]
