"""referee observe FOLDER --json OUT.jsonl"""

import argparse
from pathlib import Path

from referee.errors import TableError
from referee.folder import open_folder


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path, required=True, metavar="OUT.jsonl")


def run(args: argparse.Namespace) -> int:
    open_folder(args.folder)
    raise TableError("the eyes are not connected yet")
