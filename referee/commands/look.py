"""referee look IMAGE... --deck DECK --json OUT.json [--profile P] [--letters L]"""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import TableError
from referee.output import output_file, write_text

if TYPE_CHECKING:
    from referee.look import Look
    from referee.vision.cards.reading import Reader


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", type=Path, nargs="+", metavar="IMAGE")
    parser.add_argument(
        "--deck", default="standard", help="standard, a learned deck, or a folder of pictures"
    )
    parser.add_argument(
        "--letters",
        choices=("english", "german", "french"),
        default="english",
        help="how the standard deck's courts are named: J Q K, B D K, or 1 V D R",
    )
    parser.add_argument(
        "--json", type=output_file, metavar="OUT.json", help="everything, for a script to read"
    )
    parser.add_argument(
        "--profile", type=Path, metavar="P", help="calibration of this camera, for millimetres"
    )


def run(args: argparse.Namespace) -> int:
    from calibration import Profile
    from referee.look import look

    deck = _deck(args.deck, args.letters)
    profile = Profile.load(args.profile) if args.profile else None
    looks = [look(path, deck, profile) for path in args.images]
    if args.json:
        write_text(args.json, json.dumps([seen.plain() for seen in looks], indent=1) + "\n")
    for seen in looks:
        print(_line(seen))
    return 0


def _deck(name: str, letters: str) -> "Reader":
    from referee.decks import find_deck
    from referee.vision.cards.standard import StandardDeck

    deck = find_deck(name)
    if letters == "english":
        return deck
    if not isinstance(deck, StandardDeck):
        raise TableError(
            f"the deck {name!r} has names of its own; --letters {letters} is for the standard deck"
        )
    return StandardDeck(letters)


def _line(seen: "Look") -> str:
    cards = ", ".join(card.name or "a card" for card in seen.cards) or "no cards"
    dice = "".join("; a die that leans" if d.cocked else f"; a die showing {d.value}" for d in seen.dice)
    return f"{seen.image}: {cards}{dice}"
