"""Cards and tables drawn for the tests."""

from pathlib import Path

import cv2
import numpy as np

from referee.vision.cards.spot import Image

SIZE = (315, 440)
COLOURS = {"sun": (40, 200, 250), "sea": (190, 110, 30), "leaf": (60, 150, 40), "rose": (110, 60, 220)}


def face(name: str) -> Image:
    """A white card with a border, a big emblem and its name."""
    w, h = SIZE
    card = np.full((h, w, 3), 245, np.uint8)
    cv2.rectangle(card, (12, 12), (w - 13, h - 13), COLOURS[name], 10)
    points = np.array([[60, 330], [150, 90], [260, 250], [120, 210]]) + 7 * len(name)
    cv2.fillPoly(card, [points.astype(np.int32)], COLOURS[name])
    cv2.circle(card, (90 + 40 * list(COLOURS).index(name), 130), 38, (30, 30, 30), -1)
    cv2.putText(card, name.upper(), (70, 400), cv2.FONT_HERSHEY_DUPLEX, 2.0, (20, 20, 20), 4)
    return card


def back() -> Image:
    w, h = SIZE
    card = np.full((h, w, 3), 240, np.uint8)
    for x in range(20, w - 20, 24):
        for y in range(20, h - 20, 24):
            cv2.circle(card, (x, y), 8, (150, 40, 40), -1)
    return card


def write_deck(folder: Path) -> Path:
    """Pictures of the four cards and their back."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in COLOURS:
        cv2.imwrite(str(folder / f"{name}.png"), face(name))
    cv2.imwrite(str(folder / "back.png"), back())
    return folder


def lay(table: Image, card: Image, centre: tuple[float, float], turn_deg: float, length: float) -> None:
    """Put a card on the table, turned counter-clockwise."""
    t = np.radians(turn_deg)
    up, right = np.array([-np.sin(t), -np.cos(t)]), np.array([np.cos(t), -np.sin(t)])
    half = length / 2
    side = half * SIZE[0] / SIZE[1]
    c = np.array(centre)
    corners = [c + up * half - right * side, c + up * half + right * side]
    corners += [c - up * half + right * side, c - up * half - right * side]
    small = cv2.resize(card, (round(2 * side) * 2, round(length) * 2), interpolation=cv2.INTER_AREA)
    h, w = small.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, np.array(corners, np.float32))
    size = (table.shape[1], table.shape[0])
    inside = cv2.warpPerspective(np.full((h, w), 255, np.uint8), warp, size)[..., None] / 255.0
    table[:] = (table * (1 - inside) + cv2.warpPerspective(small, warp, size) * inside).astype(np.uint8)


def green_table() -> Image:
    rng = np.random.default_rng(1)
    table = np.full((720, 1280, 3), (60, 110, 40), np.uint8) + rng.integers(0, 12, (720, 1280, 3), np.uint8)
    return np.asarray(table, np.uint8)
