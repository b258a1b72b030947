"""Villagers, monsters and things for the three monster games, drawn from simple shapes."""

from collections.abc import Callable

from referee.decks.printed.canvas import (
    BLUE,
    BROWN,
    GOLD,
    GREEN,
    GREY,
    HEIGHT_MM,
    INK,
    ORANGE,
    PAPER,
    PINK,
    PURPLE,
    RED,
    SKY,
    WHITE,
    WIDTH_MM,
    Canvas,
    Colour,
    blank,
)
from referee.vision.cards.spot import Image

X, Y = WIDTH_MM / 2, 40.0
SKINS: tuple[Colour, ...] = ((250, 220, 190), (224, 176, 130), (160, 110, 76), (104, 70, 50))
HAIRS: tuple[Colour, ...] = (INK, BROWN, GOLD, ORANGE, GREY, PURPLE)
COATS: tuple[Colour, ...] = (RED, BLUE, GREEN, PURPLE, ORANGE, GOLD, SKY, PINK, GREY)


def titled(name: str, ground: Colour, ink: Colour = INK, rim: Colour = INK) -> Canvas:
    """A card with its name at the bottom, large enough to read across the table."""
    card = blank(ground).frame(2.5, rim, 0.8)
    return card.words(name, X, HEIGHT_MM - 10.0, 6.0, ink)


def villager(number: int) -> Image:
    """Eighteen people, each with their own hair, coat and number."""
    skin, hair, coat = SKINS[number % 4], HAIRS[number % 6], COATS[number % 9]
    card = titled(f"VILLAGER {number}", (236, 226 - 8 * (number % 4), 200 + 6 * (number % 7)))
    card.shape([(13, 68), (20, 53), (43, 53), (50, 68)], coat)
    return _head(card, skin, hair, number).image


def _head(card: Canvas, skin: Colour, hair: Colour, number: int) -> Canvas:
    style = number % 3
    if style == 0:
        card.oval(X, 36, 15, 20, hair)
    card.oval(X, 38, 11.5, 14, skin)
    if style == 1:
        card.shape([(19, 33), (22, 20), (41, 20), (44, 33)], hair)
    if style == 2:
        card.bar(18, 27, 45, 30, hair).bar(23, 15, 40, 28, hair)
    card.disc(27, 37, 1.4, INK).disc(36, 37, 1.4, INK)
    mouth = [(27.0, 46.0), (X, 48.0 if number % 2 else 44.5), (36.0, 46.0)]
    return card.line(mouth, RED, 0.9)


def officer(name: str, coat: Colour) -> Image:
    card = titled(name, (214, 230, 244), rim=coat)
    card.shape([(11, 68), (19, 53), (44, 53), (52, 68)], coat).disc(X, 60, 3.5, GOLD)
    _head(card, SKINS[1], BROWN, 1)
    return card.bar(16, 24, 47, 28, coat).bar(21, 11, 42, 25, coat).image


def body() -> Image:
    """The open side of every body: nothing tells which."""
    card = blank((214, 222, 200)).frame(2.5, GREEN, 0.8)
    card.shape([(20, 14), (43, 14), (54, 34), (48, 38), (43, 30), (43, 76), (33, 76), (X, 50), (30, 76), (20, 76),
                (20, 30), (15, 38), (9, 34)], BLUE)  # fmt: skip
    return card.bar(20, 46, 43, 49, BROWN).image


def body_back(name: str, ground: Colour, sign: Callable[[Canvas], Canvas]) -> Image:
    """The secret side of a body."""
    return sign(titled(name, ground)).image


def plain_back(ground: Colour, sign: Colour, step: float, word: str = "") -> Image:
    """A back of rows of diamonds; equal for all cards that share it."""
    card = blank(ground).frame(3.5, sign, 0.8)
    for row in range(int((HEIGHT_MM - 14) / step) + 1):
        for column in range(int((WIDTH_MM - 14) / step) + 1):
            x, y, r = 7 + column * step + (row % 2) * step / 2, 7 + row * step, step * 0.3
            if x < WIDTH_MM - 6:
                card.shape([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], sign)
    if word:
        card.bar(10, 37, WIDTH_MM - 10, 51, ground).words(word, X, 44.0, 6.0, sign)
    return card.image


# --- Signs: each draws on a card around its middle ----------------------------------------------------


def fangs(card: Canvas) -> Canvas:
    card.oval(X, Y, 17, 20, (235, 235, 240)).shape([(14, 30), (X, 14), (49, 30), (X, 25)], INK)
    card.disc(25, 36, 2.4, RED).disc(38, 36, 2.4, RED)
    return card.shape([(26, 50), (30, 50), (28, 58)], INK).shape([(33, 50), (37, 50), (35, 58)], INK)


def wolf(card: Canvas) -> Canvas:
    card.shape([(14, 16), (25, 28), (38, 28), (49, 16), (47, 44), (X, 64), (16, 44)], GREY)
    return card.disc(25, 38, 2.4, GOLD).disc(38, 38, 2.4, GOLD).shape([(28, 54), (35, 54), (X, 60)], INK)


def fox(card: Canvas) -> Canvas:
    for k in range(9):
        card.oval(8 + 5.9 * k, 27 - 6 + abs(k - 4) * 2.2, 2.6, 9, ORANGE if k % 2 else GOLD)
    card.shape([(17, 32), (25, 38), (38, 38), (46, 32), (X, 64)], ORANGE)
    return card.disc(27, 45, 1.8, INK).disc(36, 45, 1.8, INK)


def mermaid(card: Canvas) -> Canvas:
    card.disc(X, 22, 8, SKINS[0]).shape([(23, 32), (40, 32), (36, 56), (27, 56)], GREEN)
    return card.shape([(X, 54), (48, 68), (X, 63), (15, 68)], BLUE).oval(X, 17, 9, 5, ORANGE)


def mandrake(card: Canvas) -> Canvas:
    for dx in (-9, 0, 9):
        card.oval(X + dx, 18, 4, 10, GREEN)
    card.shape([(20, 30), (43, 30), (40, 52), (46, 68), (X, 56), (17, 68), (23, 52)], BROWN)
    return card.disc(27, 39, 1.8, INK).disc(36, 39, 1.8, INK).oval(X, 47, 4, 2.5, INK)


def crossbow(card: Canvas) -> Canvas:
    card.line([(12, 30), (20, 22), (43, 22), (51, 30)], BROWN, 2.6).line([(12, 30), (51, 30)], INK, 0.8)
    return card.bar(30, 18, 33, 66, BROWN).shape([(28, 18), (35, 18), (X, 8)], GREY)


def barrel(card: Canvas) -> Canvas:
    card.oval(X, Y, 16, 24, BROWN)
    for y in (26.0, 40.0, 54.0):
        card.bar(14, y - 1.5, 49, y + 1.5, GREY)
    return card.disc(27, 33, 2, WHITE).disc(36, 33, 2, WHITE)


def notice(card: Canvas) -> Canvas:
    card.bar(13, 14, 50, 68, (240, 214, 150)).words("?", X, 36.0, 22.0, RED)
    return card.disc(16, 17, 1.5, INK).disc(47, 17, 1.5, INK).bar(20, 58, 43, 61, INK)


def house(card: Canvas) -> Canvas:
    card.bar(16, 36, 47, 66, (230, 200, 150)).shape([(11, 38), (X, 14), (52, 38)], RED)
    return card.bar(27, 50, 36, 66, BROWN).bar(19, 42, 26, 48, SKY).bar(37, 42, 44, 48, SKY)


def two_heads(card: Canvas) -> Canvas:
    for x, coat in ((21.0, BLUE), (42.0, GREEN)):
        card.disc(x, 32, 8, SKINS[1]).shape([(x - 9, 62), (x - 7, 43), (x + 7, 43), (x + 9, 62)], coat)
    return card.line([(24, 54), (39, 54)], GOLD, 2.4)


def dog(card: Canvas) -> Canvas:
    card.oval(X, 38, 14, 18, (190, 140, 90)).oval(17, 34, 5, 13, BROWN).oval(46, 34, 5, 13, BROWN)
    return card.disc(26, 34, 2, INK).disc(37, 34, 2, INK).oval(X, 45, 4, 3, INK).oval(X, 54, 3, 5, PINK)


def bubble(card: Canvas) -> Canvas:
    card.oval(X, 34, 20, 15, WHITE).shape([(20, 45), (29, 48), (16, 62)], WHITE)
    return card.disc(22, 34, 2.6, INK).disc(31.5, 34, 2.6, INK).disc(41, 34, 2.6, INK)


def whisper(card: Canvas) -> Canvas:
    card.oval(24, 40, 10, 20, SKINS[0]).oval(24, 41, 5, 12, SKINS[1])
    for k in range(3):
        card.line([(37 + 5 * k, 32 - 3 * k), (41 + 5 * k, 40), (37 + 5 * k, 48 + 3 * k)], PURPLE, 1.8)
    return card


def purse(card: Canvas) -> Canvas:
    card.shape([(24, 22), (39, 22), (49, 60), (X, 68), (14, 60)], BROWN).bar(24, 24, 39, 28, GOLD)
    return card.disc(X, 48, 7, GOLD).words("$", X, 48.0, 7.0, INK)


def scales(card: Canvas) -> Canvas:
    card.bar(30.5, 16, 32.5, 64, INK).bar(12, 22, 51, 24, INK).bar(22, 63, 41, 67, INK)
    return card.shape([(8, 42), (24, 42), (16, 52)], GOLD).shape([(39, 36), (55, 36), (47, 46)], GOLD)


def fog(card: Canvas) -> Canvas:
    for k in range(6):
        y = 16.0 + 9 * k
        path = [(8.0, y), (20.0, y - 4), (32.0, y + 3), (44.0, y - 4), (55.0, y)]
        card.line(path, (170, 180, 196), 3.6)
    return card


def crucifix(card: Canvas) -> Canvas:
    return card.bar(28, 12, 35, 68, GOLD).bar(15, 26, 48, 33, GOLD).disc(X, 29.5, 3, RED)


def bottle(card: Canvas) -> Canvas:
    card.shape([(27, 16), (36, 16), (36, 28), (45, 44), (45, 66), (18, 66), (18, 44), (27, 28)], SKY)
    return card.bar(26, 11, 37, 17, BROWN).bar(30, 46, 33, 62, WHITE).bar(25, 51, 38, 54, WHITE)


def dagger(card: Canvas) -> Canvas:
    card.shape([(28, 34), (35, 34), (X, 70)], GREY).bar(19, 31, 44, 35, GOLD).bar(29, 15, 34, 32, BROWN)
    return card.disc(X, 14, 3.4, GOLD)


def stake(card: Canvas) -> Canvas:
    card.shape([(26, 14), (38, 14), (36, 54), (X, 70), (28, 54)], (196, 150, 100))
    return card.line([(30, 18), (30, 52)], BROWN, 0.8).line([(34, 18), (33.5, 50)], BROWN, 0.8)


def bible(card: Canvas) -> Canvas:
    card.bar(15, 16, 48, 66, (150, 40, 40)).bar(15, 62, 48, 66, WHITE)
    return card.bar(30, 24, 33, 52, GOLD).bar(23, 31, 40, 34, GOLD)


def garlic(card: Canvas) -> Canvas:
    card.oval(X, 48, 17, 17, WHITE).oval(24, 50, 7, 14, (226, 220, 230)).oval(39, 50, 7, 14, (226, 220, 230))
    return card.shape([(29, 34), (34, 34), (33, 14), (30, 14)], (190, 200, 150))


def drop(card: Canvas) -> Canvas:
    card.disc(X, 50, 14, RED).shape([(18.5, 44), (44.5, 44), (X, 13)], RED)
    return card.oval(26, 50, 3, 6, (240, 150, 150))


def tick_box(card: Canvas) -> Canvas:
    card.bar(15, 34, 48, 64, BROWN).bar(21, 40, 42, 43, INK).bar(22, 14, 41, 40, WHITE)
    return card.line([(26, 27), (30, 33), (38, 19)], RED, 2.2)


def herb(card: Canvas) -> Canvas:
    return (
        card.bar(26, 20, 37, 62, WHITE)
        .bar(14, 34, 49, 48, WHITE)
        .bar(28, 22, 35, 60, RED)
        .bar(16, 36, 47, 46, RED)
    )


def nothing(card: Canvas) -> Canvas:
    return card


def grave() -> Image:
    card = titled("R. I. P.", (206, 206, 212))
    return (
        card.bar(16, 32, 47, 68, GREY)
        .oval(X, 32, 15.5, 16, GREY)
        .bar(29, 28, 34, 54, PAPER)
        .bar(23, 34, 40, 39, PAPER)
        .image
    )
