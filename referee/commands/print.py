"""referee print sheet [--paper a4|letter] [--out sheet.pdf]"""

import argparse
from pathlib import Path

from calibration.sheet import PAPERS_MM, write_sheet


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=["sheet"])
    parser.add_argument("--paper", choices=list(PAPERS_MM), default="a4")
    parser.add_argument(
        "--out", type=Path, metavar="FILE.pdf", help="default: sheet_a4.pdf or sheet_letter.pdf here"
    )


def run(args: argparse.Namespace) -> int:
    out = args.out or Path(f"sheet_{args.paper}.pdf")
    write_sheet(out, args.paper)
    print(
        f"{out}: print it at 100 % and check that the ruler measures 100 mm, then glue it to something flat"
    )
    return 0
