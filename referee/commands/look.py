"""referee look IMAGE... --deck DECK --json OUT.json [--profile P]"""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from referee.output import output_file, write_text

if TYPE_CHECKING:
    from referee.look import Look


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", type=Path, nargs="+", metavar="IMAGE")
    parser.add_argument(
        "--deck", default="standard", help="standard, a learned deck, or a folder of pictures"
    )
    parser.add_argument(
        "--json", type=output_file, metavar="OUT.json", help="everything, for a script to read"
    )
    parser.add_argument(
        "--profile", type=Path, metavar="P", help="calibration of this camera, for millimetres"
    )


def run(args: argparse.Namespace) -> int:
    from calibration import Profile
    from referee.decks import find_deck
    from referee.look import look

    deck = find_deck(args.deck)
    profile = Profile.load(args.profile) if args.profile else None
    looks = [look(path, deck, profile) for path in args.images]
    if args.json:
        write_text(args.json, json.dumps([seen.plain() for seen in looks], indent=1) + "\n")
    for seen in looks:
        print(_line(seen))
    return 0


def _line(seen: "Look") -> str:
    cards = ", ".join(card.name or "a card" for card in seen.cards) or "no cards"
    dice = "".join(f"; a die showing {die.value}" for die in seen.dice)
    return f"{seen.image}: {cards}{dice}"
