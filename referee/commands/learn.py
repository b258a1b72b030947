"""referee learn DECK --from FOLDER"""

import argparse
from pathlib import Path

from referee.decks import learn, store
from referee.decks.learning import look_alikes


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("deck", help="the name to keep it under")
    parser.add_argument("--from", dest="folder", type=Path, required=True, metavar="FOLDER")


def run(args: argparse.Namespace) -> int:
    deck = learn(args.folder)
    store.save(args.deck, deck)
    backs = sum("back" in name for name in set(deck.names))
    print(f"learned {args.deck}: {len(set(deck.names))} pictures, {backs} of them backs")
    for pair in look_alikes(deck):
        print(f"careful: {pair.one} and {pair.other} look alike ({pair.likeness:.0%})")
    return 0
