"""The cards of Monster My Neighbour and the numbers of a round."""

from typing import Literal, get_args

Card = Literal[
    "wanted",
    "hunter",
    "hide",
    "villager",
    "friend",
    "dog",
    "rumor",
    "gossip",
    "steal",
    "deal",
    "fog",
    "investigate",
    "monster:vampire",
    "monster:werewolf",
    "monster:goomiho",
    "monster:mermaid",
    "monster:mandrake",
]
CARDS: tuple[Card, ...] = get_args(Card)
GENERAL_CARDS = 33
MONSTERS = 5
ROUNDS = 5
HAND = 4
FIXED = 3
"""Hunter, Hide and Wanted are always in the starting deck."""

AIMED = ("hunter", "dog", "steal", "friend", "deal", "investigate")
"""Cards that choose another player."""
AIMED_AT_A_HAND = ("dog", "steal", "deal")
"""Of these, the ones that need a card in the other's hand."""
CIRCLES = ("rumor", "gossip", "fog")
"""Cards that move one card of everybody."""
NEEDS_ANOTHER_CARD = ("fog", "gossip", "rumor", "deal")
"""Without effect as the last card."""

CLAUSES: dict[Card, str] = {
    "hunter": "MH-23",
    "hide": "MH-24",
    "wanted": "MH-25",
    "monster:vampire": "MH-26",
    "monster:werewolf": "MH-27",
    "monster:goomiho": "MH-28",
    "monster:mermaid": "MH-29",
    "monster:mandrake": "MH-30",
    "dog": "MH-31",
    "rumor": "MH-32",
    "gossip": "MH-33",
    "steal": "MH-34",
    "friend": "MH-35",
    "deal": "MH-38",
    "fog": "MH-39",
    "villager": "MH-40",
    "investigate": "MH-41",
}


def is_monster(card: str) -> bool:
    return card.startswith("monster:")


def title(card: str) -> str:
    return card.removeprefix("monster:").capitalize()


def random_cards(n: int) -> int:
    """How many unseen general cards join the starting deck, so that it is dealt out completely."""
    return HAND * n - FIXED - 1


def general_left(n: int) -> int:
    """Cards of the general deck that stay in the centre."""
    return GENERAL_CARDS - FIXED - random_cards(n)
