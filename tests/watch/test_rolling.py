"""Balls on a billiard table: all are told in every frame, under their own names, and nothing else is."""

import json
import math
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from hardware.frames import Frame, Image
from hardware.recorder import Recorder
from referee.cli import main
from referee.types import Piece
from referee.vision.board import board_from_picture, must_be_plain
from referee.vision.large import has_balls
from referee.vision.pieces import find_blobs
from referee.watch.rolling import Rolling, named
from tests.untroubled import untroubled
from tests.vision import table

WIDTH, HEIGHT, PX_PER_MM = 480, 270, 0.19
LENGTH_MM, WIDTH_MM, RADIUS_MM, CAMERA_MM = 2240.0, 1120.0, 28.6, 3000.0
RADIUS = RADIUS_MM * PX_PER_MM * CAMERA_MM / (CAMERA_MM - RADIUS_MM)
CLOTH, CUSHION, WOOD, SKIN = (
    (60.0, 110.0, 25.0),
    (75.0, 130.0, 35.0),
    (35.0, 60.0, 95.0),
    (110.0, 140.0, 190.0),
)
WHITE, RED, BLACK, YELLOW = (
    (215.0, 230.0, 235.0),
    (30.0, 25.0, 180.0),
    (25.0, 22.0, 22.0),
    (30.0, 180.0, 225.0),
)
FINE = 4
"""How much finer than the camera sees everything is painted."""

Spot = tuple[float, float]
Colour = tuple[float, float, float]
Ball = tuple[Spot, Colour]


def profile() -> Profile:
    """A camera three metres over the middle of a pool table."""
    focal, x, y = PX_PER_MM * CAMERA_MM, LENGTH_MM / 2, WIDTH_MM / 2
    return replace(
        table.profile(),
        image_size=(WIDTH, HEIGHT),
        K=((focal, 0.0, WIDTH / 2), (0.0, focal, HEIGHT / 2), (0.0, 0.0, 1.0)),
        t_mm=(0.0, 0.0, CAMERA_MM),
        board_outline_mm=((-x, -y), (x, -y), (x, y), (-x, y)),
        reprojection_px=0.3,
        plane_error_mm=0.5,
        smallest_margin_mm=2.0,
    )


LEFT, TOP = (float(v) for v in profile().to_pixels(np.array([[-LENGTH_MM / 2, WIDTH_MM / 2]]))[0])
RIGHT, BOTTOM = WIDTH - LEFT, HEIGHT - TOP


def fine(spot: Spot) -> tuple[int, int]:
    return round((spot[0] + 0.5) * FINE), round((spot[1] + 0.5) * FINE)


@lru_cache(maxsize=1)
def bare() -> Image:
    """The table with its cushions, pockets, wood and sights, finely painted."""
    picture = np.full((HEIGHT * FINE, WIDTH * FINE, 3), 40, np.uint8)
    for room, colour in ((32.0, WOOD), (9.0, CUSHION), (0.0, CLOTH)):
        low, high = fine((LEFT - room, TOP - room)), fine((RIGHT + room, BOTTOM + room))
        cv2.rectangle(picture, low, high, colour, cv2.FILLED)
    for k in range(1, 8):
        for y in (TOP - 20, BOTTOM + 20):
            cv2.circle(picture, fine((LEFT + k * (RIGHT - LEFT) / 8, y)), 6, WHITE, cv2.FILLED)
    for x in (LEFT - 2, WIDTH / 2, RIGHT + 2):
        for y in (TOP - 3, BOTTOM + 3):
            cv2.circle(picture, fine((x, y)), 11 * FINE, (8, 8, 8), cv2.FILLED)
    cv2.line(picture, fine((LEFT + 106, TOP)), fine((LEFT + 106, BOTTOM)), WHITE, 3)
    return picture


def painted(*balls: Ball, over: Spot | None = None, blur: Spot = (0.0, 0.0), seed: int = 0) -> Image:
    """What the camera sees; the first ball is drawn out by `blur`, and a hand comes from the left to `over`."""
    ways = [k / 8 - 0.5 for k in range(9)] if any(blur) else [0.0]
    pictures = [_exposed(balls, (blur[0] * way, blur[1] * way), over) for way in ways]
    mean = np.mean([cv2.resize(p, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA) for p in pictures], axis=0)
    noisy = np.clip(mean + np.random.default_rng(seed).normal(0, 1.5, mean.shape), 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _exposed(balls: tuple[Ball, ...], shift: Spot, over: Spot | None) -> Image:
    picture, radius = bare().copy(), round(RADIUS * FINE)
    places = [(x + shift[0] * (k == 0), y + shift[1] * (k == 0)) for k, ((x, y), _) in enumerate(balls)]
    for x, y in places:
        cv2.circle(picture, fine((x + 1.5, y + 1.5)), radius, tuple(c * 0.5 for c in CLOTH), cv2.FILLED)
    for (x, y), (_, colour) in zip(places, balls, strict=True):
        for share in np.linspace(1, 0.3, 8):
            lit = tuple(float(c * np.sqrt((1.6 - share**2) / 1.5)) for c in colour)
            cv2.circle(picture, fine((x, y)), round(radius * share), lit, cv2.FILLED)
        cv2.circle(picture, fine((x - 1, y - 1)), radius // 5, (250.0, 250.0, 250.0), cv2.FILLED)
    if over is not None:
        cv2.line(picture, (0, fine(over)[1]), fine(over), SKIN, 30 * FINE)
    return picture


class Film:
    """Painted frames before the eyes, one after another; no two balls are ever in one place."""

    def __init__(self) -> None:
        self._rolling, self._index = Rolling(profile()), 0

    def show(self, image: Image) -> dict[int, Piece]:
        frame = Frame(self._index, self._index * 1_000_000_000 // 30, image)
        self._index += 1
        pieces = named(self._rolling.see(frame))
        assert all(math.dist(a.px, b.px) > 1.5 * RADIUS for a, b in combinations(pieces, 2))
        return {piece.id: piece for piece in pieces}

    def rest(self, *balls: Ball, frames: int = 4) -> dict[int, Piece]:
        pictures = [painted(*balls, seed=k) for k in range(4)]
        return [self.show(pictures[k % 4]) for k in range(frames)][-1]


def at(pieces: dict[int, Piece], spot: Spot) -> Piece:
    """The only piece at a spot."""
    (piece,) = [p for p in pieces.values() if math.dist(p.px, spot) < RADIUS / 2]
    return piece


def rack() -> list[Ball]:
    """Fifteen balls that all touch."""
    places = [(row, k) for row in range(5) for k in range(row + 1)]
    colours = (RED, YELLOW, BLACK, WHITE)
    return [
        ((320.0 + row * RADIUS * 3**0.5, HEIGHT / 2 + (2 * k - row) * RADIUS), colours[(row + k) % 4])
        for row, k in places
    ]


def test_every_ball_of_a_rack_is_told_and_nothing_else_of_the_table() -> None:
    balls = [((150.0, 120.0), WHITE), *rack()]
    seen = Film().rest(*balls)
    assert len(seen) == len(balls)
    assert all(not at(seen, spot).moving for spot, _ in balls)


@pytest.mark.parametrize("colour", [WHITE, RED, BLACK])
def test_a_ball_frozen_to_a_cushion_is_told(colour: Colour) -> None:
    picture = painted(((300.0, TOP + RADIUS), colour), ((200.0, 140.0), YELLOW))
    found = find_blobs(picture, board_from_picture(picture, profile()), profile())
    assert len(found) == 2
    assert min(math.dist(blob.centre_px, (300.0, TOP + RADIUS)) for blob in found) < 1.5


def test_balls_lie_where_they_touch_the_cloth_though_the_camera_sees_them_aslant() -> None:
    (x, y), height = (900.0, -400.0), RADIUS_MM
    spot = profile().to_pixels(np.array([[x, y]]), height)[0]
    piece = at(Film().rest(((float(spot[0]), float(spot[1])), RED), ((200.0, 140.0), WHITE)), tuple(spot))
    assert math.dist(piece.mm, (x, y)) < 5


def test_a_ball_struck_hard_keeps_its_name_as_a_streak_and_when_it_stops() -> None:
    film, lying = Film(), [((300.0, 80.0), RED), ((360.0, 190.0), BLACK)]
    before = film.rest(((170.0, 140.0), WHITE), *lying, frames=12)
    cue = at(before, (170.0, 140.0)).id
    for k in range(1, 5):
        spot = (170.0 + 30 * k, 140.0 + 3 * k)
        seen = film.show(painted((spot, WHITE), *lying, blur=(15.0, 1.5), seed=k))
        assert seen.keys() == before.keys()
        assert seen[cue].moving and math.dist(seen[cue].px, spot) < 2.5
    assert film.rest(((350.0, 158.0), WHITE), *lying)[cue].moving is False


def test_who_strikes_and_who_is_struck_keep_their_names() -> None:
    film = Film()
    before = film.rest(((200.0, 140.0), WHITE), ((260.0, 140.0), RED))
    white, red = at(before, (200.0, 140.0)).id, at(before, (260.0, 140.0)).id
    white_x, red_x = 200.0, 260.0
    for k in range(1, 10):
        meets = white_x + 12 > 260 - 2 * RADIUS
        white_x, red_x = (white_x + 1, red_x + 11) if meets else (white_x + 12, red_x)
        seen = film.show(painted(((white_x, 140.0), WHITE), ((red_x, 140.0), RED), seed=k))
        assert math.dist(seen[white].px, (white_x, 140.0)) < 2.5
        assert math.dist(seen[red].px, (red_x, 140.0)) < 2.5


def test_balls_that_are_laid_on_a_bare_table_are_told() -> None:
    film, balls = Film(), [((150.0, 140.0), RED), ((300.0, 80.0), WHITE)]
    assert not film.rest()
    seen = film.rest(*balls)
    assert len(seen) == 2
    assert all(at(seen, spot).sigma_mm > 0 for spot, _ in balls)


def test_a_hand_is_no_ball_and_a_ball_that_it_hid_has_its_name_again() -> None:
    film, balls = Film(), [((150.0, 140.0), RED), ((300.0, 80.0), WHITE)]
    before = film.rest(*balls)
    hidden = at(before, (150.0, 140.0)).id
    for k in range(10):
        seen = film.show(painted(*balls, over=(60.0 + 12 * k, 140.0), seed=k))
        assert seen.keys() <= before.keys()
    assert hidden not in seen
    assert film.rest(*balls).keys() == before.keys()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Some frames of a table of which there is only a profile."""
    recorder = Recorder(tmp_path, untroubled)
    for k in range(8):
        recorder.write(Frame(k, k * 33_000_000, painted(*rack(), seed=k)))
    recorder.close()
    (tmp_path / "000000.mp4").rename(tmp_path / "footage.mp4")
    profile().save(tmp_path / "profile.json")
    (tmp_path / "match.toml").write_text('game = "rocca"\nseats = ["A", "B"]\n', encoding="utf8")
    return tmp_path


def test_a_table_with_rails_lines_and_balls_is_not_refused_for_its_pattern() -> None:
    outline = tuple((x * 1.12, y * 1.24) for x, y in profile().board_outline_mm or ())
    must_be_plain(painted(*rack()), replace(profile(), board_outline_mm=outline))


def test_balls_are_observed_from_the_first_frame_to_the_last(folder: Path) -> None:
    main(["observe", str(folder), "--json", str(folder / "out")])
    frames = [json.loads(line) for line in (folder / "out").read_text().splitlines()]
    assert [frame["frame"] for frame in frames] == list(range(8))
    assert all({p["id"] for p in frame["pieces"]} == set(range(15)) for frame in frames)


def test_what_lies_on_a_small_board_are_pieces_and_not_balls() -> None:
    assert has_balls(profile())
    assert not has_balls(table.profile())
