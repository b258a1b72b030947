"""A card to draw on, in millimetres from its upper left corner."""

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.cards.spot import Image

WIDTH_MM, HEIGHT_MM = 63.0, 88.0
PX_PER_MM = 10
FINE_BITS = 4
FINE = 1 << FINE_BITS
FONT = cv2.FONT_HERSHEY_TRIPLEX

Colour = tuple[int, int, int]
"""Red, green, blue."""
Point = tuple[float, float]

WHITE, PAPER, INK = (255, 255, 255), (250, 247, 238), (30, 28, 32)
RED, BLUE, GREEN, GOLD, BROWN = (196, 30, 40), (38, 84, 150), (40, 120, 70), (206, 160, 40), (112, 74, 44)
PURPLE, GREY, ORANGE, SKY, PINK = (
    (104, 52, 128),
    (120, 122, 130),
    (222, 120, 40),
    (150, 200, 230),
    (226, 150, 170),
)


@dataclass(frozen=True, slots=True)
class Canvas:
    """One side of a card; everything drawn on it stays."""

    image: Image

    def disc(self, x: float, y: float, r: float, colour: Colour) -> "Canvas":
        cv2.circle(self.image, _px((x, y)), _len(r), colour[::-1], -1, cv2.LINE_AA, FINE_BITS)
        return self

    def oval(self, x: float, y: float, rx: float, ry: float, colour: Colour) -> "Canvas":
        t = np.linspace(0, 2 * np.pi, 60, endpoint=False)
        return self.shape([(x + rx * float(np.cos(a)), y + ry * float(np.sin(a))) for a in t], colour)

    def shape(self, points: list[Point], colour: Colour) -> "Canvas":
        cv2.fillPoly(self.image, [np.array([_px(p) for p in points])], colour[::-1], cv2.LINE_AA, FINE_BITS)
        return self

    def bar(self, x0: float, y0: float, x1: float, y1: float, colour: Colour) -> "Canvas":
        return self.shape([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], colour)

    def line(self, points: list[Point], colour: Colour, wide: float) -> "Canvas":
        path = np.array([_px(p) for p in points])
        cv2.polylines(
            self.image, [path], False, colour[::-1], round(wide * PX_PER_MM), cv2.LINE_AA, FINE_BITS
        )
        return self

    def frame(self, inset: float, colour: Colour, wide: float) -> "Canvas":
        a, b, c, d = inset, inset, WIDTH_MM - inset, HEIGHT_MM - inset
        return self.line([(a, b), (c, b), (c, d), (a, d), (a, b), (c, b)], colour, wide)

    def words(self, text: str, x: float, y: float, high: float, colour: Colour) -> "Canvas":
        """Text with its middle at (x, y), its capitals `high` millimetres, never wider than the card."""
        scale, wide = high * PX_PER_MM / 22, 1
        (w, _), _ = cv2.getTextSize(text, FONT, scale, wide)
        scale *= min(1.0, (WIDTH_MM - 8) * PX_PER_MM / w)
        stroke = max(2, round(scale * 2.2))
        (w, h), _ = cv2.getTextSize(text, FONT, scale, stroke)
        at = (round(x * PX_PER_MM - w / 2), round(y * PX_PER_MM + h / 2))
        cv2.putText(self.image, text, at, FONT, scale, colour[::-1], stroke, cv2.LINE_AA)
        return self


def blank(colour: Colour = PAPER) -> Canvas:
    """An empty card."""
    size = (round(HEIGHT_MM * PX_PER_MM), round(WIDTH_MM * PX_PER_MM), 3)
    return Canvas(np.full(size, colour[::-1], np.uint8))


def upside_down(image: Image) -> Image:
    return np.ascontiguousarray(image[::-1, ::-1])


def _px(point: Point) -> tuple[int, int]:
    return round(point[0] * PX_PER_MM * FINE), round(point[1] * PX_PER_MM * FINE)


def _len(mm: float) -> int:
    return round(mm * PX_PER_MM * FINE)
