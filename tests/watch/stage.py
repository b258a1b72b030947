"""A painted table: coloured cards, a grey hand, and eyes that know the colours."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.frames import Frame, Image
from referee.types import Card, Die, Face, Outline, Point
from referee.vision.motion import Mask

SIZE = (640, 360)
TABLE = (40, 90, 40)
COLOURS = {"red": (40, 40, 220), "blue": (220, 80, 40), "white": (230, 230, 230), "back": (30, 200, 220)}
CARD_PX = (50, 70)


@dataclass(frozen=True)
class Laid:
    name: str
    at: Point
    sideways: bool = False

    def corners(self) -> tuple[Point, ...]:
        w, h = CARD_PX[::-1] if self.sideways else CARD_PX
        x, y = self.at
        return (
            (x - w / 2, y - h / 2),
            (x + w / 2, y - h / 2),
            (x + w / 2, y + h / 2),
            (x - w / 2, y + h / 2),
        )

    def card(self) -> Card:
        box = self.corners()
        corners = (box[1], box[2], box[3], box[0]) if self.sideways else box
        face: Face = "down" if self.name == "back" else "up"
        return Card(0, self.name, face, corners, None, 90.0 if self.sideways else 0.0, 0.99)


def paint(cards: Iterable[Laid], hand: Point | None = None, noise: int = 0) -> Image:
    """The table with cards on it, and an arm from the bottom edge to `hand`."""
    picture = np.full((SIZE[1], SIZE[0], 3), TABLE, np.uint8)
    for laid in cards:
        cv2.fillPoly(picture, [np.round(laid.corners()).astype(np.int32)], COLOURS[laid.name])
    if hand is not None:
        x, y = int(hand[0]), int(hand[1])
        cv2.rectangle(picture, (x - 22, y), (x + 22, SIZE[1]), (150, 170, 200), -1)
    if noise:
        shake = np.random.default_rng(noise).normal(0, 2, picture.shape)
        picture = np.clip(picture + shake, 0, 255).astype(np.uint8)
    return picture


@dataclass
class Eyes:
    """Sees whatever lies on the stage; told where to look, tells a card by its colour, overlooked or not."""

    cards: tuple[Laid, ...] = ()
    dice: tuple[Die, ...] = ()
    reads: bool = False

    def see(self, image: Image, where: Mask | None = None) -> tuple[Card, ...]:
        return tuple(laid.card() for laid in self.cards)

    def real(self, dice: Sequence[Die], image: Image, cards: Sequence[Card]) -> tuple[Die, ...]:
        return tuple(dice)

    def read_at(self, image: Image, corners: Outline) -> Card | None:
        if not self.reads:
            return None
        x, y = np.mean(corners, axis=0)
        shown = image[int(y) - 5 : int(y) + 5, int(x) - 5 : int(x) + 5].mean((0, 1))
        names = [name for name, colour in COLOURS.items() if np.abs(shown - colour).max() < 10]
        return Laid(names[0], (float(x), float(y))).card() if names else None

    def see_dice(self, image: Image, where: Image | None = None) -> tuple[Die, ...]:
        return self.dice


def film(pictures: Iterable[Image], fps: int = 30) -> Iterable[Frame]:
    for index, picture in enumerate(pictures):
        yield Frame(index, index * 1_000_000_000 // fps, picture)
