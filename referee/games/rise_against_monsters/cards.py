"""The cards: suit letter and rank (`C9 H5 S10 DK SA`), `JK` for a joker, `#2` for a second copy."""

import re
from functools import cache
from typing import Literal

from referee.errors import BadEvent

Kind = Literal["monster", "hero", "worker", "road", "bonus", "castle", "joker"]
SUITS = "CHSD"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
BONUS = {"J": 3, "Q": 4, "K": 5}
COST = {"J": 5, "Q": 10, "K": 15, "A": 20}
FACE_MONSTER = 15
CASTLE_ROOM = 20
HAND_SIZE = 7
JOKER = "JK"

_CODE = re.compile(r"(?:([CHSD])(10|[2-9JQKA])|JK)(?:#([2-9]|[1-9]\d))?")
_NUMBER_KIND: dict[str, Kind] = {"C": "monster", "H": "hero", "S": "worker", "D": "road"}
_SUIT_WORD = {"C": "clubs", "H": "hearts", "S": "spades", "D": "diamonds"}
_RANK_WORD = {"J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}


def check_card(code: str) -> None:
    """Refuse what is no card."""
    if not _CODE.fullmatch(code):
        raise BadEvent(f"no card called {code!r}; cards are called like C9, H10, DK, SA, JK or C9#2")


@cache
def kind(code: str) -> Kind:
    """What the card is in this game."""
    if code.startswith(JOKER):
        return "joker"
    if rank(code) == "A":
        return "castle"
    if rank(code) in BONUS and suit(code) != "C":
        return "bonus"
    return _NUMBER_KIND[suit(code)]


@cache
def suit(code: str) -> str:
    return code[0]


@cache
def rank(code: str) -> str:
    return code[1:].split("#")[0]


@cache
def number(code: str) -> int:
    """The printed rating of a monster, hero, worker or road."""
    return FACE_MONSTER if rank(code) in BONUS else int(rank(code))


@cache
def spoken(code: str) -> str:
    """The card as people say it at this table."""
    match kind(code):
        case "joker":
            return "joker"
        case "bonus" | "castle":
            return f"{_RANK_WORD[rank(code)]} of {_SUIT_WORD[suit(code)]}"
    return f"{kind(code)} {number(code)}"


def deck_cards(decks: int, jokers_per_deck: int) -> tuple[str, ...]:
    """Every card of so many decks."""
    once = [s + r for s in SUITS for r in RANKS]
    plain = [_copy(code, n) for n in range(1, decks + 1) for code in once]
    return (*plain, *(_copy(JOKER, n) for n in range(1, decks * jokers_per_deck + 1)))


def _copy(code: str, n: int) -> str:
    return code if n == 1 else f"{code}#{n}"


def decks_for(players: int, easier: bool) -> int:
    return (1 if players <= 3 else 2) + easier


def set_up(players: int, easier: bool, jokers_per_deck: int) -> dict[str, object]:
    """The counts of the set-up."""
    decks = decks_for(players, easier)
    cards = decks * (52 + jokers_per_deck)
    dealt = HAND_SIZE * players
    return {
        "decks": decks,
        "cards": cards,
        "dealt": dealt,
        "draw_pile": cards - dealt,
        "castles_needed": players,
        "aces": 4 * decks,
    }
