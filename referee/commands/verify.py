"""referee verify BUNDLE|FOLDER"""

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, metavar="BUNDLE|FOLDER", help="evidence, a journal, or a match")


def run(args: argparse.Namespace) -> int:
    """Exit 1 when anything was changed."""
    from referee.verifying import verify_path

    faults = verify_path(args.path)
    for fault in faults:
        print(fault)
    if not faults:
        print(f"{args.path}: nothing was changed")
    return 1 if faults else 0
