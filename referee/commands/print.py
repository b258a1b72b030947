"""referee print sheet | deck GAME [--paper a4|letter] [--out FILE.pdf]"""

import argparse
from pathlib import Path

from calibration.sheet import PAPERS_MM, write_sheet
from referee.decks.printed import PRINTED, write_deck
from referee.errors import TableError


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["sheet", "deck"])
    parser.add_argument("game", nargs="?", metavar="GAME", help=f"which deck: {', '.join(PRINTED)}")
    parser.add_argument("--paper", choices=list(PAPERS_MM), default="a4")
    parser.add_argument(
        "--out", type=Path, metavar="FILE.pdf", help="default: sheet_a4.pdf or GAME_a4.pdf and the like, here"
    )


def run(args: argparse.Namespace) -> int:
    return _deck(args) if args.what == "deck" else _sheet(args)


def _sheet(args: argparse.Namespace) -> int:
    out = args.out or Path(f"sheet_{args.paper}.pdf")
    write_sheet(out, args.paper)
    print(
        f"{out}: print it at 100 % and check that the ruler measures 100 mm, then glue it to something flat"
    )
    return 0


def _deck(args: argparse.Namespace) -> int:
    if args.game is None:
        raise TableError(f"which deck shall be printed? decks: {', '.join(PRINTED)}")
    out = args.out or Path(f"{args.game}_{args.paper}.pdf")
    cards = write_deck(args.game, out, args.paper)
    print(f"{out}: {cards} cards; print on both sides, turned over the long edge, at 100 %")
    return 0
