"""referee observe FOLDER --json OUT.jsonl"""

import argparse
import json
from dataclasses import replace
from pathlib import Path

import calibration
from hardware.cameras import open_camera
from referee.codec import to_plain
from referee.folder import open_folder
from referee.output import output_file, written
from referee.vision.board import board_from_folder
from referee.vision.hands import HandSight
from referee.vision.see import Eyes


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=output_file, required=True, metavar="OUT.jsonl")


def run(args: argparse.Namespace) -> int:
    folder = open_folder(args.folder)
    with open_camera(folder.camera_name) as camera, written(args.json) as out:
        profile = calibration.from_folder(
            folder.calibration, size=camera.size, board=folder.match.game == "rocca"
        )
        eyes = Eyes(profile, board_from_folder(folder.calibration, profile))
        hands = HandSight(folder.match.seats)
        for frame in camera.frames():
            seen = eyes.see(frame)
            if eyes.still is not None:
                seen = replace(seen, hands=hands.see(frame.image, eyes.still.image))
            out.write(json.dumps(to_plain(seen)) + "\n")
    return 0
