"""referee watch FOLDER --json OUT.json"""

import argparse
import json
from pathlib import Path

from referee.folder import open_folder
from referee.output import output_file, write_text
from referee.table_eyes import frames_of, open_eyes
from referee.watch.report import happening_plain


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="footage folder: footage.mp4, match.toml, calibration")
    parser.add_argument("--json", type=output_file, required=True, metavar="OUT.json")


def run(args: argparse.Namespace) -> int:
    folder = open_folder(args.folder)
    eyes = open_eyes(folder)
    found = [plain for frame in frames_of(folder) for h in eyes.feed(frame) if (plain := happening_plain(h))]
    found.sort(key=lambda plain: int(str(plain["frame"])))
    write_text(args.json, json.dumps(found, indent=1) + "\n")
    return 0
