"""referee watch FOLDER --json OUT.json"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from referee.codec import to_plain
from referee.folder import FootageFolder, open_folder
from referee.happenings import (
    BoardDisturbed,
    PiecesDropped,
    PieceTaken,
    Pointed,
    ShotSeen,
    SightBack,
    SightLost,
)
from referee.output import output_file, write_text

KINDS = {
    ShotSeen: "shot",
    PiecesDropped: "drop",
    PieceTaken: "piece_taken",
    BoardDisturbed: "board_disturbed",
    Pointed: "pointed",
    SightLost: "sight_lost",
    SightBack: "sight_back",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="footage folder: footage.mp4, match.toml, calibration")
    parser.add_argument("--json", type=output_file, required=True, metavar="OUT.json")


def run(args: argparse.Namespace) -> int:
    folder = open_folder(args.folder)
    found = list(_on_the_board(folder) if folder.match.game == "rocca" else _on_the_table(folder))
    found.sort(key=lambda plain: int(str(plain["frame"])))
    write_text(args.json, json.dumps(found, indent=1) + "\n")
    return 0


def _on_the_table(folder: FootageFolder) -> Iterator[dict[str, object]]:
    from referee.table_eyes import frames_of, open_eyes
    from referee.watch.report import happening_plain

    eyes = open_eyes(folder)
    for frame in frames_of(folder):
        yield from filter(None, map(happening_plain, eyes.feed(frame)))
    yield from filter(None, map(happening_plain, eyes.finish()))


def _on_the_board(folder: FootageFolder) -> Iterator[dict[str, object]]:
    from referee.judge import judge_folder

    for happening in judge_folder(folder.path).happenings:
        yield {"kind": KINDS[type(happening)], "frame": happening.frames[1], **to_plain(happening)}
