"""The cards: what colour each has, and how many lie where for 4 and 5 players."""

from typing import Literal

Colour = Literal["white", "black"]
COLOURS: tuple[Colour, Colour] = ("white", "black")
WHITE_ITEMS = ("crucifix", "holy_water", "dagger")
BLACK_ITEMS = ("stake", "bible", "garlic")
ITEMS = WHITE_ITEMS + BLACK_ITEMS
BLOOD = ("blood_white", "blood_black")
BLANKS = ("blank_white", "blank_black")
CARDS = (*ITEMS, *BLOOD, *BLANKS)
THRESHOLD = {4: 5, 5: 6}
"""Pairs of equal Items plus Hunters that the Hunters need."""


def colour_of(card: str) -> Colour:
    """The colour of the card's back."""
    return "white" if card in WHITE_ITEMS or card.endswith("_white") else "black"


def spoken(card: str) -> str:
    """The card as people say it: `holy_water` is Holy Water."""
    return card.replace("_", " ").title()


def set_up(players: int) -> dict[str, object]:
    """The counts of the set-up."""
    small = players == 4
    return {
        "roles": {"vampire": 1, "hunter": players - 1},
        "blood_used": [players, players],
        "hand_before_table": {"white": 2, "black": 2},
        "table_cards": 4 if small else 0,
        "hand_size": 5 if small else 4,
        "total_in_hands": 20,
        "white_items_in_hands": 8,
        "black_items_in_hands": 8,
        "threshold": THRESHOLD[players],
    }
