"""referee learn DECK --from FOLDER, or --camera NAME to be shown the cards"""

import argparse
from pathlib import Path

from referee.decks import learn, store
from referee.decks.learning import look_alikes
from referee.vision.cards.learned import LearnedDeck


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("deck", help="the name to keep it under")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--from", dest="folder", type=Path, metavar="FOLDER", help="pictures named after the cards"
    )
    source.add_argument(
        "--camera", help="lay the cards down before it: webcam:0, picamera:0, footage:FILE, ..."
    )
    parser.add_argument(
        "--names",
        default="",
        metavar="A,B,...",
        help="with --camera: the cards in the order in which they will be laid down, rows from the left",
    )


def run(args: argparse.Namespace) -> int:
    store.check_name(args.deck)
    deck = learn(args.folder) if args.folder else _shown(args.camera, args.names)
    store.save(args.deck, deck)
    backs = sum("back" in name for name in set(deck.names))
    print(f"learned {args.deck}: {len(set(deck.names))} pictures, {backs} of them backs")
    for pair in look_alikes(deck):
        print(f"careful: {pair.one} and {pair.other} look alike ({pair.likeness:.0%})")
    return 0


def _shown(camera: str, names: str) -> LearnedDeck:
    """The deck that is laid down before the camera; Ctrl-C ends a deck that was not named beforehand."""
    from hardware.cameras import open_camera
    from referee.decks.showing import Showing, watch

    showing = Showing(tuple(name.strip() for name in names.split(",") if name.strip()))
    with open_camera(camera) as source:
        try:
            for answer in watch(source.frames(), showing):
                print(answer.sentence, flush=True)
        except KeyboardInterrupt:
            print("enough")
    return showing.deck()
