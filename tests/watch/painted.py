"""Painted film of a flick on any board, with exact truth: coins, buttons and beans on checks, cloth and a book.

Pieces are drawn four times too large, with texture, rim and shine, and laid down between pixels with a soft shadow.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Frame, Image
from referee.types import Point
from referee.vision.board import EmptyBoard, board_mask, board_window, log_of
from tests.vision import table

Picture = NDArray[np.float32]
Mask = NDArray[np.float32]

SCALE = 4
"""How much larger pieces are drawn than shown."""
PATCH = 64
"""Pixels of a piece's patch."""
LIGHT = (-0.6, -0.8)
"""Towards the lamp, in the picture."""
NOISE = 1.5
STRIKE, REST = 34, 110
"""Frames at which the finger strikes and after which nothing moves."""
SKIN = (140.0, 165.0, 215.0)


@dataclass(frozen=True)
class Lying:
    """A piece: its middle in pixels, how far it is turned, and which of its kind it is."""

    kind: str
    at: Point
    turn: float = 0.0
    seed: int = 0


def _grain(seed: int, size: tuple[int, int], sigma: float, strength: float) -> Picture:
    """Smooth chance between about -strength and strength."""
    rough = np.random.default_rng(seed).normal(size=size).astype(np.float32)
    soft = cv2.GaussianBlur(rough, (0, 0), sigma)
    return np.asarray(strength * soft / max(float(soft.std()), 1e-6) / 2, np.float32)


# --- Boards -------------------------------------------------------------------------------------------


def _chess() -> Picture:
    rows, columns = np.mgrid[0 : table.HEIGHT, 0 : table.WIDTH]
    dark = ((rows // 44 + columns // 44) % 2).astype(bool)[..., None]
    wood = np.where(dark, (60.0, 95.0, 140.0), (165.0, 205.0, 230.0))
    grain = _grain(3, (table.HEIGHT, table.WIDTH), 2.5, 14)
    return np.asarray(wood + grain[..., None], np.float32)


def _cloth() -> Picture:
    """Printed flowers and stripes on a woven ground."""
    picture = np.full((table.HEIGHT, table.WIDTH, 3), (180.0, 190.0, 200.0), np.float32)
    chance = np.random.default_rng(5)
    for x in range(0, table.WIDTH, 57):
        cv2.line(picture, (x, 0), (x + 30, table.HEIGHT), (150.0, 120.0, 90.0), 5, cv2.LINE_AA)
    for y in range(20, table.HEIGHT, 62):
        for x in range(12 + (y // 62 % 2) * 30, table.WIDTH, 60):
            colour = tuple(float(c) for c in chance.uniform(60, 210, 3))
            for petal in range(5):
                angle = petal * 2 * math.pi / 5 + y
                spot = (round(x + 9 * math.cos(angle)), round(y + 9 * math.sin(angle)))
                cv2.circle(picture, spot, 6, colour, -1, cv2.LINE_AA)
            cv2.circle(picture, (x, y), 4, (60.0, 200.0, 230.0), -1, cv2.LINE_AA)
    rows, columns = np.mgrid[0 : table.HEIGHT, 0 : table.WIDTH]
    weave = 5 * np.sin(rows * 1.9) + 5 * np.sin(columns * 2.1)
    return np.asarray(picture + weave[..., None], np.float32)


def _book() -> Picture:
    """A cover with a frame, a title and a picture in soft colours."""
    cover = np.full((table.HEIGHT, table.WIDTH, 3), (95, 60, 45), np.uint8)
    cv2.rectangle(cover, (130, 50), (510, 430), (110, 190, 220), 4, cv2.LINE_AA)
    cv2.putText(cover, "ROCCA", (165, 130), cv2.FONT_HERSHEY_TRIPLEX, 2.6, (130, 205, 235), 5, cv2.LINE_AA)
    cv2.circle(cover, (400, 330), 70, (150, 110, 70), -1, cv2.LINE_AA)
    cv2.circle(cover, (250, 310), 40, (70, 90, 170), -1, cv2.LINE_AA)
    cv2.ellipse(cover, (330, 380), (120, 22), 0, 0, 360, (60, 110, 80), -1, cv2.LINE_AA)
    grain = _grain(9, (table.HEIGHT, table.WIDTH), 1.2, 5)
    return np.asarray(cv2.GaussianBlur(cover, (0, 0), 0.7) + grain[..., None], np.float32)


BOARDS: dict[str, Callable[[], Picture]] = {
    "chessboard": _chess,
    "printed cloth": _cloth,
    "book cover": _book,
}


@cache
def board(kind: str) -> Picture:
    """The empty board under a lamp that stands aside."""
    columns = np.linspace(1.08, 0.86, table.WIDTH, dtype=np.float32)
    return np.asarray(BOARDS[kind]() * columns[None, :, None], np.float32)


def known(kind: str) -> EmptyBoard:
    """The empty board as calibration stills show it."""
    profile = table.profile()
    window = board_window(profile)
    inside = board_mask(profile, window)
    return EmptyBoard(window, log_of(window.of(sensed(board(kind), 77))), np.full_like(inside, 255), inside)


def partly_known(kind: str) -> EmptyBoard:
    """The same where the sheet covered the middle in every still: there it is smoothed over."""
    whole = known(kind)
    width, height = whole.size
    hidden = np.zeros(whole.sure.shape, np.uint8)
    corners = np.array([(0.35, 0.3), (0.65, 0.25), (0.7, 0.6), (0.4, 0.7)]) * (width, height)
    cv2.fillPoly(hidden, [corners.astype(np.int32)], 255)
    smooth = np.asarray(cv2.GaussianBlur(whole.log, (0, 0), 30), np.float32)
    log = np.where(hidden[..., None] > 0, smooth, whole.log)
    return replace(whole, log=log, sure=cv2.bitwise_not(hidden).astype(np.uint8))


# --- Pieces -------------------------------------------------------------------------------------------


def outline(piece: Lying) -> NDArray[np.float64]:
    """The silhouette in pixels."""
    angle = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    long, short, bend = {"coin": (15.5, 15.5, 0.0), "button": (13.0, 13.0, 0.0), "bean": (14.5, 9.5, 0.012)}[
        piece.kind
    ]
    size = 1 + 0.08 * (piece.seed % 3)
    x, y = long * size * np.cos(angle), short * size * np.sin(angle)
    points = np.stack([x, y + bend * (x * x - 70)], axis=1)
    cosine, sine = math.cos(piece.turn), math.sin(piece.turn)
    return np.asarray(points @ np.array([[cosine, sine], [-sine, cosine]]) + piece.at, np.float64)


COLOURS = {
    "coin": ((70.0, 120.0, 185.0), (165.0, 175.0, 180.0), (95.0, 150.0, 175.0)),
    "button": ((180.0, 90.0, 40.0), (50.0, 45.0, 160.0), (215.0, 220.0, 225.0)),
    "bean": ((45.0, 40.0, 110.0), (165.0, 185.0, 195.0), (40.0, 45.0, 50.0)),
}


@cache
def _sprite(kind: str, turn: float, seed: int) -> tuple[Picture, Mask]:
    """Colour and cover of a piece in the middle of a patch, drawn large."""
    size, middle = PATCH * SCALE, (PATCH - 1) / 2
    points = (outline(Lying(kind, (middle, middle), turn, seed)) + 0.5) * SCALE
    cover = np.zeros((size, size), np.float32)
    cv2.fillPoly(cover, [np.round(points).astype(np.int32)], 1.0)
    height = cv2.GaussianBlur(cover, (0, 0), 5.0 if kind != "bean" else 11.0)
    relief = {"coin": 0.5, "button": 0.2, "bean": 0.0}[kind] * _grain(seed, (size, size), 7.0, 0.5)
    slope_x, slope_y = cv2.Sobel(height + relief * 0.4, -1, 1, 0), cv2.Sobel(height + relief * 0.4, -1, 0, 1)
    shade = 1 + 1.1 * (slope_x * -LIGHT[0] + slope_y * -LIGHT[1]) * -1
    colour = np.ones((size, size, 3), np.float32) * np.array(COLOURS[kind][seed % 3], np.float32)
    if kind == "bean":
        colour *= 1 + np.clip(_grain(seed + 40, (size, size), 6.0, 0.35), -0.3, 0.3)[..., None]
    if kind == "button":
        for k in range(4):
            angle = turn + math.pi / 4 + k * math.pi / 2
            hole = (round(size / 2 + 16 * math.cos(angle)), round(size / 2 + 16 * math.sin(angle)))
            cv2.circle(colour, hole, 6, (25.0, 25.0, 25.0), -1)
    colour *= np.clip(shade, 0.45, 1.5)[..., None]
    shine = np.exp(-(((np.mgrid[0:size, 0:size] - size / 2 + 22) / 9.0) ** 2).sum(axis=0))
    colour += (90 * shine)[..., None].astype(np.float32)
    return _blurred(colour, SCALE / 2), _blurred(cover, SCALE / 2)


def _blurred(picture: Picture, sigma: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)


def _placed(source: Picture, at: Point) -> tuple[Picture, int, int]:
    """A sprite in true size with its middle at a place, and the corner of its patch."""
    x0, y0 = math.floor(at[0]) - PATCH // 2, math.floor(at[1]) - PATCH // 2
    shift_x, shift_y = at[0] - x0 - (PATCH - 1) / 2, at[1] - y0 - (PATCH - 1) / 2
    half = (SCALE - 1) / 2
    warp = np.array([[SCALE, 0, half - shift_x * SCALE], [0, SCALE, half - shift_y * SCALE]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(source, warp, (PATCH, PATCH), flags=flags), np.float32), x0, y0


def _lay(picture: Picture, piece: Lying, streak: Point = (0.0, 0.0)) -> None:
    """Put a piece with its shadow into a picture; a fast one is smeared along its way."""
    count = max(1, round(math.hypot(*streak) / 1.5))
    parts = [k / count - 0.5 + 0.5 / count for k in range(count)]
    spots = [(piece.at[0] + streak[0] * part, piece.at[1] + streak[1] * part) for part in parts]
    x, y = (math.floor(piece.at[k]) - PATCH for k in range(2))
    box = picture[y : y + 2 * PATCH, x : x + 2 * PATCH]
    box[:] = sum(_with(box, piece, (u - x, v - y)) for u, v in spots) / count


def _with(ground: Picture, piece: Lying, at: Point) -> Picture:
    """A part of the picture with a piece and its shadow on it."""
    colour, cover = _sprite(piece.kind, piece.turn, piece.seed)
    picture = ground.copy()
    _shade(picture, cover, (at[0] - 5 * LIGHT[0], at[1] - 5 * LIGHT[1]))
    mask, x, y = _placed(cover, at)
    paint, _, _ = _placed(colour, at)
    box = picture[y : y + PATCH, x : x + PATCH]
    box[:] = box * (1 - mask[..., None]) + paint * mask[..., None]
    return picture


def _shade(picture: Picture, cover: Mask, at: Point) -> None:
    mask, x, y = _placed(_blurred(cover, 2.2 * SCALE), at)
    picture[y : y + PATCH, x : x + PATCH] *= 1 - 0.5 * mask[..., None]


def _finger(whole: Picture, tip: Point) -> None:
    """A finger and the hand behind it, with their shadow, reaching up from the lower edge."""
    left, top = round(tip[0]) - 70, max(round(tip[1]) - 30, 0)
    picture = whole[top:, left : left + 220]
    if not picture.size:
        return
    x, y = tip[0] - left, tip[1] - top
    cover: Mask = np.zeros(picture.shape[:2], np.float32)
    cv2.line(cover, _fine((x, y + 11)), _fine((x + 10, y + 120)), 1.0, 21, cv2.LINE_AA, 4)
    cv2.line(cover, _fine((x + 10, y + 120)), _fine((x + 30, y + 420)), 1.0, 84, cv2.LINE_AA, 4)
    cover = _blurred(cover, 0.8)
    shadow = _blurred(np.roll(cover, (14, 10), (0, 1)), 6)[..., None]
    skin = np.array(SKIN, np.float32) * (0.55 + 0.5 * _blurred(cover, 7)[..., None])
    picture[:] = picture * (1 - 0.4 * shadow) * (1 - cover[..., None]) + skin * cover[..., None]


def _fine(spot: Point) -> tuple[int, int]:
    return round(spot[0] * 16), round(spot[1] * 16)


def sensed(picture: Picture, seed: int) -> Image:
    """What a camera makes of it."""
    noise = np.random.default_rng(seed).normal(0, NOISE, picture.shape)
    image = np.clip(picture + noise, 0, 255).astype(np.uint8)
    image.flags.writeable = False
    return image


# --- The flick ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Flick:
    """One shot: the pieces as they lie (the first is the shooter), where it goes, and on what."""

    board: str
    pieces: tuple[Lying, ...]
    to: Point
    gate: tuple[int, int] = (1, 2)

    def shooter(self, frame: int) -> Point:
        """Where the shooter is: it slows down evenly and comes to rest."""
        part = min(max(frame - STRIKE, 0) / 36, 1.0)
        gone = 2 * part - part * part
        (x, y), (u, v) = self.pieces[0].at, self.to
        return x + (u - x) * gone, y + (v - y) * gone

    def frames(self, fps: int = 60) -> Iterator[Frame]:
        for k in range(REST):
            yield Frame(k, k * 1_000_000_000 // fps, self.picture(k))

    def picture(self, k: int) -> Image:
        picture = self._lying().copy()
        now, before = self.shooter(k), self.shooter(k - 1)
        _lay(
            picture, replace(self.pieces[0], at=now), (0.5 * (now[0] - before[0]), 0.5 * (now[1] - before[1]))
        )
        if 16 < k < 62:
            x, y = self.pieces[0].at
            near = 24.0 if k >= STRIKE - 1 else 34 + 9.0 * max(0, 28 - k)
            back = 0.0 if k < STRIKE + 4 else 11.0 * (k - STRIKE - 4)
            _finger(picture, (x, y + near + back - (6 if STRIKE <= k < STRIKE + 4 else 0)))
        return sensed(picture, k)

    def _lying(self) -> Picture:
        return _ground(self.board, self.pieces[1:])


@cache
def _ground(kind: str, pieces: tuple[Lying, ...]) -> Picture:
    picture = board(kind).copy()
    for piece in pieces:
        _lay(picture, piece)
    return picture


def flick(board: str, kind: str) -> Flick:
    """A shot through a gate of two, past three that lie about."""
    places = ((318.0, 330.0), (262.0, 232.0), (372.0, 226.0), (180.0, 330.0), (440.0, 130.0), (215.0, 110.0))
    pieces = tuple(Lying(kind, at, 0.7 * k, k) for k, at in enumerate(places))
    return Flick(board, pieces, (312.0, 120.0))
