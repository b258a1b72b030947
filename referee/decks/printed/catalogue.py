"""Which cards every printed deck has, how many of each, and what is on their backs."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from referee.decks.printed import people as p
from referee.decks.printed import suits
from referee.decks.printed.canvas import (
    BLUE,
    BROWN,
    GOLD,
    GREEN,
    GREY,
    INK,
    PAPER,
    PURPLE,
    RED,
    WHITE,
    Canvas,
    Colour,
)
from referee.vision.cards.spot import Image
from referee.vision.cards.standard import RANKS, SUITS


@dataclass(frozen=True, slots=True)
class Printed:
    """One kind of card: what its front is called, what its back is called, and how many there are."""

    front: str
    back: str
    copies: int


@dataclass(frozen=True, slots=True)
class PrintedDeck:
    """A deck of our own drawing."""

    cards: tuple[Printed, ...]
    draw: Callable[[], Mapping[str, Image]]
    """Every side there is, by its name."""


DARK: Colour = (44, 44, 50)
LIGHT: Colour = (240, 238, 230)


def _rocca_monster() -> Iterator[tuple[str, Image]]:
    for number in range(1, 19):
        yield f"villager_{number:02d}", p.villager(number)
    yield "mayor", p.officer("MAYOR", PURPLE)
    yield "police", p.officer("POLICE", BLUE)
    yield "grave", p.grave()
    yield "body", p.body()
    yield "body_back_villager", p.body_back("VILLAGER", (238, 228, 200), p.house)
    yield "body_back_monster", p.body_back("MONSTER", (150, 170, 130), p.wolf)
    yield "body_back_vampire", p.body_back("VAMPIRE", (180, 60, 70), p.fangs)
    yield "body_back_healer", p.body_back("HEALER", (190, 224, 206), p.herb)
    yield "vote", p.tick_box(p.titled("GUILTY!", PAPER, RED, RED)).image
    yield "vote_back", p.plain_back((224, 196, 150), BROWN, 8.0, "VOTE")


KINDS: dict[str, tuple[Callable[[Canvas], Canvas], Colour, int]] = {
    "vampire": (p.fangs, (150, 40, 60), 1),
    "werewolf": (p.wolf, (70, 80, 110), 1),
    "goomiho": (p.fox, (100, 60, 90), 1),
    "mermaid": (p.mermaid, (120, 190, 200), 1),
    "mandrake": (p.mandrake, (170, 190, 120), 1),
    "hunter": (p.crossbow, (226, 214, 180), 6),
    "hide": (p.barrel, (206, 216, 190), 3),
    "wanted": (p.notice, (190, 150, 110), 1),
    "villager": (p.house, (200, 224, 240), 6),
    "friend": (p.two_heads, (250, 226, 170), 3),
    "dog": (p.dog, (224, 236, 206), 3),
    "rumor": (p.bubble, (180, 170, 210), 3),
    "gossip": (p.whisper, (246, 210, 214), 3),
    "steal": (p.purse, (190, 200, 210), 2),
    "deal": (p.scales, (214, 240, 226), 2),
    "fog": (p.fog, (226, 230, 236), 1),
}
"""Monster My Neighbour: its sign, its ground and how many."""


def _monster_my_neighbour() -> Iterator[tuple[str, Image]]:
    for name, (sign, ground, _) in KINDS.items():
        yield name, sign(p.titled(name.upper(), ground, WHITE if sum(ground) < 300 else INK)).image
    yield "back", p.plain_back((60, 50, 90), GOLD, 7.0)


ITEMS: dict[str, tuple[Callable[[Canvas], Canvas], str, int]] = {
    "crucifix": (p.crucifix, "white", 3),
    "holy_water": (p.bottle, "white", 3),
    "dagger": (p.dagger, "white", 3),
    "stake": (p.stake, "black", 3),
    "bible": (p.bible, "black", 3),
    "garlic": (p.garlic, "black", 3),
    "bloodsucking_white": (p.drop, "white", 5),
    "bloodsucking_black": (p.drop, "black", 5),
    "blank_white": (p.nothing, "white", 1),
    "blank_black": (p.nothing, "black", 1),
}
"""Shisogari: its sign, its colour and how many."""


def _shisogari() -> Iterator[tuple[str, Image]]:
    for name, (sign, side, _) in ITEMS.items():
        ground, ink = (LIGHT, INK) if side == "white" else (DARK, LIGHT)
        title = name.removesuffix(f"_{side}").replace("_", " ").upper()
        yield name, sign(p.titled(title, ground, ink, ink)).image
    yield "role_vampire", p.fangs(p.titled("VAMPIRE", (120, 30, 50), WHITE, WHITE)).image
    yield "role_hunter", p.crossbow(p.titled("HUNTER", (70, 110, 90), WHITE, WHITE)).image
    yield "back_white", p.plain_back(LIGHT, GREY, 6.0)
    yield "back_black", p.plain_back(DARK, (150, 150, 160), 6.0)
    yield "back_role", p.plain_back(GOLD, (110, 30, 50), 9.0)


def _standard() -> Iterator[tuple[str, Image]]:
    yield from suits.standard_faces().items()
    yield "joker", suits.joker()
    yield "back", p.plain_back(WHITE, GREEN, 5.0)


_ROCCA_MONSTER = (
    *(Printed(f"villager_{n:02d}", "grave", 1) for n in range(1, 19)),
    Printed("mayor", "grave", 1),
    Printed("police", "grave", 1),
    Printed("body", "body_back_villager", 18),
    Printed("body", "body_back_monster", 1),
    Printed("body", "body_back_vampire", 1),
    Printed("body", "body_back_healer", 1),
    Printed("vote", "vote_back", 6),
)
_ROLES = (Printed("role_vampire", "back_role", 1), Printed("role_hunter", "back_role", 4))

PRINTED: Mapping[str, PrintedDeck] = {
    "rocca-monster": PrintedDeck(_ROCCA_MONSTER, lambda: dict(_rocca_monster())),
    "monster-my-neighbour": PrintedDeck(
        tuple(Printed(name, "back", copies) for name, (_, _, copies) in KINDS.items()),
        lambda: dict(_monster_my_neighbour()),
    ),
    "shisogari": PrintedDeck(
        (*(Printed(name, f"back_{side}", copies) for name, (_, side, copies) in ITEMS.items()), *_ROLES),
        lambda: dict(_shisogari()),
    ),
    "standard": PrintedDeck(
        (
            *(Printed(rank + suit, "back", 1) for suit in SUITS for rank in RANKS),
            Printed("joker", "back", 2),
        ),
        lambda: dict(_standard()),
    ),
}
